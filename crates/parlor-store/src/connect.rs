//! From an address to open, migrated connections.

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

/// How long a server may take to answer at the start, and a connection to become free later.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long SQLite waits for a lock that another process holds.
const BUSY: Duration = Duration::from_secs(5);
/// After so many pages (of 4 KiB) SQLite moves its log into the file. Live games change the same pages again and again,
/// so waiting longer than its default of 1,000 saves work.
const CHECKPOINT: u32 = 4_000;
/// Prepared statements that a connection keeps: one for each kind and length that batches come in, and the reads.
const STATEMENTS: usize = 160;
/// Connections for reads.
const READERS: u32 = 8;
/// Writer tasks, each with a connection, where the database lets transactions run side by side.
const WRITERS: u32 = 4;

/// The open connections of a store.
pub(crate) struct Connections {
    pub reads: DatabaseConnection,
    pub writes: DatabaseConnection,
    /// How many writers may work at once: the size of the pool `writes`.
    pub writers: u32,
    /// Where this is, without a password.
    pub place: String,
}

/// Opens and migrates the database at `url`.
pub(crate) async fn connect(url: &str) -> Result<Connections, StoreError> {
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

async fn sqlite(options: SqliteConnectOptions, in_memory: bool) -> Result<Connections, StoreError> {
    let place = if in_memory {
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
        .busy_timeout(BUSY)
        .statement_cache_capacity(STATEMENTS)
        .pragma("wal_autocheckpoint", CHECKPOINT.to_string())
        // A writer reads the rows of a whole batch: they should come over in one go, not in portions.
        .row_buffer_size(BATCH)
        .disable_statement_logging();
    // A connection that is idle stays open: a database in memory lives only as long as its connection.
    let pool = SqlitePoolOptions::new()
        .acquire_timeout(PATIENCE)
        .idle_timeout(None)
        .max_lifetime(None);
    let first = open_sqlite(pool.clone().max_connections(1), options.clone(), &place).await?;
    let writes = SqlxSqliteConnector::from_sqlx_sqlite_pool(first);
    // In memory one connection serves everybody, in turns.
    let reads = if in_memory {
        writes.clone()
    } else {
        SqlxSqliteConnector::from_sqlx_sqlite_pool(
            pool.max_connections(READERS).connect_lazy_with(options),
        )
    };
    migrated(&writes).await?;
    Ok(Connections {
        reads,
        writes,
        writers: 1,
        place,
    })
}

/// Another process that opens the same new file at this moment locks it in a way that the busy timeout does not
/// cover, so the opening is tried again for as long.
async fn open_sqlite(
    pool: SqlitePoolOptions,
    options: SqliteConnectOptions,
    place: &str,
) -> Result<sea_orm::sqlx::SqlitePool, StoreError> {
    let started = tokio::time::Instant::now();
    loop {
        match pool.clone().connect_with(options.clone()).await {
            Ok(pool) => return Ok(pool),
            Err(e) if is_sqlite_busy(&e) && started.elapsed() < BUSY => {
                tokio::time::sleep(BUSY / 100).await
            }
            Err(e) => return Err(unreachable(place, &e)),
        }
    }
}

async fn postgres(options: PgConnectOptions) -> Result<Connections, StoreError> {
    let database = options.get_database().unwrap_or(options.get_username());
    let place = format!(
        "{}@{}:{}/{database}",
        options.get_username(),
        options.get_host(),
        options.get_port()
    );
    let options = options
        .statement_cache_capacity(STATEMENTS)
        .disable_statement_logging();
    knock(&options, &place).await?;
    let pool = |size| {
        let pool = PgPoolOptions::new()
            .acquire_timeout(PATIENCE)
            .max_connections(size);
        SqlxPostgresConnector::from_sqlx_postgres_pool(pool.connect_lazy_with(options.clone()))
    };
    migrated_apart(pool(1)).await?;
    Ok(Connections {
        reads: pool(READERS),
        writes: pool(WRITERS),
        writers: WRITERS,
        place,
    })
}

async fn mysql(options: MySqlConnectOptions) -> Result<Connections, StoreError> {
    let Some(database) = options.get_database() else {
        let reason = "it names no database: mysql://USER@HOST/DATABASE".to_owned();
        return Err(StoreError::Address {
            scheme: "mysql".to_owned(),
            reason,
        });
    };
    let place = format!(
        "{}@{}:{}/{database}",
        options.get_username(),
        options.get_host(),
        options.get_port()
    );
    let options = options
        .statement_cache_capacity(STATEMENTS)
        .disable_statement_logging();
    knock(&options, &place).await?;
    let pool = |size| {
        let pool = MySqlPoolOptions::new()
            .acquire_timeout(PATIENCE)
            .max_connections(size);
        // The default, repeatable read, locks the gaps between rows: writers that create tables would deadlock.
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
    migrated_apart(pool(1)).await?;
    Ok(Connections {
        reads: pool(READERS),
        writes: pool(WRITERS),
        writers: WRITERS,
        place,
    })
}

/// Connects once, by itself: a pool hides why it cannot.
async fn knock<O: ConnectOptions<Connection: Sized>>(
    options: &O,
    place: &str,
) -> Result<(), StoreError> {
    match tokio::time::timeout(PATIENCE, options.connect()).await {
        Ok(Ok(connection)) => {
            // The answer is what counted; a goodbye that fails changes nothing.
            let _ = connection.close().await;
            Ok(())
        }
        Ok(Err(e)) => Err(unreachable(place, &e)),
        Err(_) => Err(StoreError::Unreachable {
            server: place.to_owned(),
            reason: format!("no answer within {} seconds", PATIENCE.as_secs()),
        }),
    }
}

fn unreachable(place: &str, e: &SqlxError) -> StoreError {
    let reason = match e {
        SqlxError::Database(e) => e.message().to_owned(),
        SqlxError::Io(e) => e.to_string(),
        e => e.to_string(),
    };
    StoreError::Unreachable {
        server: place.to_owned(),
        reason,
    }
}

async fn migrated(db: &DatabaseConnection) -> Result<(), StoreError> {
    migrate(db).await.map_err(StoreError::Migration)
}

async fn migrated_apart(db: DatabaseConnection) -> Result<(), StoreError> {
    let migrated = migrated(&db).await;
    // Closing is courtesy; what counts has been committed or has failed.
    let _ = db.close().await;
    migrated
}
