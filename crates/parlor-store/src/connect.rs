//! Opening of databases.

use std::str::FromStr;
use std::time::Duration;

use sea_orm::sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
use sea_orm::sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sea_orm::sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sea_orm::sqlx::{ConnectOptions, Connection, Executor};
use sea_orm::{
    DatabaseConnection, SqlxError, SqlxMySqlConnector, SqlxPostgresConnector, SqlxSqliteConnector,
};

use crate::StoreError;
use crate::error::is_sqlite_busy;
use crate::migration::migrate;
use crate::writer::BATCH;

/// Time limit for a server to answer at startup, and for a connection to become free later.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Time limit for locks that other processes hold on an SQLite file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Number of pages (of 4 KiB) after which SQLite moves its log into the file. Live games change the
/// same pages again and again, so a larger value than the default of 1,000 saves work.
const CHECKPOINT_PAGES: u32 = 4_000;
/// Number of prepared statements per connection: one for each kind and length of batch statements,
/// and the reads.
const STATEMENT_CACHE: usize = 160;
/// Number of connections for reads.
const READERS: u32 = 8;
/// Number of writer tasks, each with a connection, on databases with concurrent transactions.
const WRITERS: u32 = 4;

/// Open connections of a store.
pub(crate) struct DatabasePools {
    pub reads: DatabaseConnection,
    pub writes: DatabaseConnection,
    /// Number of concurrent writers: the size of the pool `writes`.
    pub writers: u32,
    /// Location of the database, without a password.
    pub location: String,
}

/// Opens and migrates the database at `url`.
pub(crate) async fn connect(url: &str) -> Result<DatabasePools, StoreError> {
    let (scheme, rest) = url.split_once(':').unwrap_or((url, ""));
    match scheme {
        "sqlite" => {
            sqlite(
                parse(scheme, url)?,
                rest.contains(":memory:") || rest.contains("mode=memory"),
            )
            .await
        }
        "postgres" | "postgresql" => postgres(parse(scheme, url)?).await,
        "mysql" => mysql(parse(scheme, url)?).await,
        "mariadb" => mysql(parse(scheme, &format!("mysql:{rest}"))?).await,
        _ => Err(StoreError::Scheme {
            scheme: scheme.to_owned(),
        }),
    }
}

fn parse<O: FromStr<Err = SqlxError>>(scheme: &str, url: &str) -> Result<O, StoreError> {
    url.parse().map_err(|e: SqlxError| StoreError::Address {
        scheme: scheme.to_owned(),
        reason: e.to_string(),
    })
}

async fn sqlite(
    options: SqliteConnectOptions,
    in_memory: bool,
) -> Result<DatabasePools, StoreError> {
    let location = if in_memory {
        "memory".to_owned()
    } else {
        options.get_filename().display().to_string()
    };
    let options = options
        .create_if_missing(true)
        .foreign_keys(true)
        .journal_mode(if in_memory {
            SqliteJournalMode::Memory
        } else {
            SqliteJournalMode::Wal
        })
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(BUSY_TIMEOUT)
        .statement_cache_capacity(STATEMENT_CACHE)
        .pragma("wal_autocheckpoint", CHECKPOINT_PAGES.to_string())
        // A writer reads the rows of a whole batch; they should arrive at once, not in portions.
        .row_buffer_size(BATCH)
        .disable_statement_logging();
    // Idle connections stay open, because a database in memory is lost with its last connection.
    let pool = SqlitePoolOptions::new()
        .acquire_timeout(TIMEOUT)
        .idle_timeout(None)
        .max_lifetime(None);
    let first = open_sqlite(pool.clone().max_connections(1), options.clone(), &location).await?;
    let writes = SqlxSqliteConnector::from_sqlx_sqlite_pool(first);
    // In memory, one connection serves reads and writes in turn.
    let reads = if in_memory {
        writes.clone()
    } else {
        SqlxSqliteConnector::from_sqlx_sqlite_pool(
            pool.max_connections(READERS).connect_lazy_with(options),
        )
    };
    run_migrations(&writes).await?;
    Ok(DatabasePools {
        reads,
        writes,
        writers: 1,
        location,
    })
}

/// Opens an SQLite file. Another process that creates the same file at this moment locks it in a
/// way that the busy timeout does not cover, so opening is retried for the same time.
async fn open_sqlite(
    pool: SqlitePoolOptions,
    options: SqliteConnectOptions,
    location: &str,
) -> Result<sea_orm::sqlx::SqlitePool, StoreError> {
    let started = tokio::time::Instant::now();
    loop {
        match pool.clone().connect_with(options.clone()).await {
            Ok(pool) => return Ok(pool),
            Err(e) if is_sqlite_busy(&e) && started.elapsed() < BUSY_TIMEOUT => {
                tokio::time::sleep(BUSY_TIMEOUT / 100).await
            }
            Err(e) => return Err(unreachable(location, &e)),
        }
    }
}

async fn postgres(options: PgConnectOptions) -> Result<DatabasePools, StoreError> {
    let database = options.get_database().unwrap_or(options.get_username());
    let location = format!(
        "{}@{}:{}/{database}",
        options.get_username(),
        options.get_host(),
        options.get_port()
    );
    let options = options
        .statement_cache_capacity(STATEMENT_CACHE)
        .disable_statement_logging();
    test_connection(&options, &location).await?;
    let pool = |size| {
        let pool = PgPoolOptions::new()
            .acquire_timeout(TIMEOUT)
            .max_connections(size);
        SqlxPostgresConnector::from_sqlx_postgres_pool(pool.connect_lazy_with(options.clone()))
    };
    migrate_and_close(pool(1)).await?;
    Ok(DatabasePools {
        reads: pool(READERS),
        writes: pool(WRITERS),
        writers: WRITERS,
        location,
    })
}

async fn mysql(options: MySqlConnectOptions) -> Result<DatabasePools, StoreError> {
    let Some(database) = options.get_database() else {
        let reason = "it names no database: mysql://USER@HOST/DATABASE".to_owned();
        return Err(StoreError::Address {
            scheme: "mysql".to_owned(),
            reason,
        });
    };
    let location = format!(
        "{}@{}:{}/{database}",
        options.get_username(),
        options.get_host(),
        options.get_port()
    );
    let options = options
        .statement_cache_capacity(STATEMENT_CACHE)
        .disable_statement_logging();
    test_connection(&options, &location).await?;
    let pool = |size| {
        let pool = MySqlPoolOptions::new()
            .acquire_timeout(TIMEOUT)
            .max_connections(size);
        // The default, repeatable read, locks the gaps between rows, so writers that create tables
        // would deadlock.
        let pool = pool.after_connect(|connection, _| {
            Box::pin(async move {
                connection
                    .execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
                    .await
                    .map(|_| ())
            })
        });
        SqlxMySqlConnector::from_sqlx_mysql_pool(pool.connect_lazy_with(options.clone()))
    };
    migrate_and_close(pool(1)).await?;
    Ok(DatabasePools {
        reads: pool(READERS),
        writes: pool(WRITERS),
        writers: WRITERS,
        location,
    })
}

/// Opens a single connection as a test, because a pool hides the reason for a failure.
async fn test_connection<O: ConnectOptions<Connection: Sized>>(
    options: &O,
    location: &str,
) -> Result<(), StoreError> {
    match tokio::time::timeout(TIMEOUT, options.connect()).await {
        Ok(Ok(connection)) => {
            // Only the connection matters; closing may fail.
            let _ = connection.close().await;
            Ok(())
        }
        Ok(Err(e)) => Err(unreachable(location, &e)),
        Err(_) => Err(StoreError::Unreachable {
            server: location.to_owned(),
            reason: format!("no answer within {} seconds", TIMEOUT.as_secs()),
        }),
    }
}

fn unreachable(location: &str, e: &SqlxError) -> StoreError {
    let reason = match e {
        SqlxError::Database(e) => e.message().to_owned(),
        SqlxError::Io(e) => e.to_string(),
        e => e.to_string(),
    };
    StoreError::Unreachable {
        server: location.to_owned(),
        reason,
    }
}

async fn run_migrations(db: &DatabaseConnection) -> Result<(), StoreError> {
    migrate(db).await.map_err(StoreError::Migration)
}

async fn migrate_and_close(db: DatabaseConnection) -> Result<(), StoreError> {
    let migrated = run_migrations(&db).await;
    // Closing may fail: the migration has been committed or has failed already.
    let _ = db.close().await;
    migrated
}
