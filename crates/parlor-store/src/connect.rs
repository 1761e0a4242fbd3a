//! Opening of databases.

mod sqlite;

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
use sea_orm::sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sea_orm::sqlx::sqlite::SqliteConnectOptions;
use sea_orm::sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, SqlxError, SqlxMySqlConnector,
    SqlxPostgresConnector, Statement,
};

use crate::StoreError;
use crate::connections::{BoxFuture, Connections, Server, question};
use crate::error::{is_unavailable, not_migrated, refused_by_server};
use crate::migration::{foreign_tables, is_current, migrate};

/// Number of prepared statements per connection: one for each kind and length of batch statements,
/// and the reads.
const STATEMENT_CACHE: usize = 160;
/// Number of connections for reads.
const READERS: u32 = 8;
/// Number of writer tasks, each with a connection, on databases with concurrent transactions.
const WRITERS: u32 = 4;
/// Time after which PostgreSQL asks a silent client for a sign of life, in seconds.
const KEEPALIVE_SECONDS: u32 = 60;
/// Time after which MySQL closes a connection that does nothing, in seconds. Unlike MariaDB it has
/// no shorter limit for connections in a transaction.
const MYSQL_IDLE_SECONDS: u32 = 60;

/// Encodings of PostgreSQL for the characters of all languages. The second checks nothing.
const COMPLETE_ENCODINGS: [&str; 2] = ["UTF8", "SQL_ASCII"];

/// Options for opening a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreOptions {
    /// Time within which a database server must connect and execute a statement, and after which it
    /// ends a transaction that it hears nothing of. Does not apply to SQLite or to migrations.
    pub timeout: Duration,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(4),
        }
    }
}

impl StoreOptions {
    /// Returns the time to wait for an answer: longer than the server's own limits, because its
    /// refusal says more than its silence.
    pub(crate) fn patience(&self) -> Duration {
        self.timeout + self.timeout / 8
    }

    /// Returns the statements that set the limits of a session on PostgreSQL.
    fn postgres_limits(&self) -> String {
        let ms = self.timeout.as_millis();
        format!(
            "SET statement_timeout = {ms}; SET idle_in_transaction_session_timeout = {ms}; \
             SET tcp_keepalives_idle = {KEEPALIVE_SECONDS}; SET tcp_keepalives_interval = {KEEPALIVE_SECONDS}"
        )
    }

    /// Returns the statements that set the limits of a PostgreSQL session that only reads. It waits for
    /// nothing but the lock of a whole table, which an operator keeps.
    fn postgres_reader_limits(&self) -> String {
        let table_lock = (self.timeout / 4).as_millis().max(1);
        format!(
            "{}; SET lock_timeout = {table_lock}",
            self.postgres_limits()
        )
    }

    /// Returns the statement that sets the limits of a session on MySQL or MariaDB. Each reads the
    /// comments of its own kind. Only an operator locks whole tables, and keeps them locked.
    fn mysql_limits(&self) -> String {
        let (ms, seconds) = (self.timeout.as_millis(), self.timeout.as_secs_f64());
        let (whole, table_lock) = (seconds.ceil(), (seconds / 4.).ceil());
        format!(
            "SET SESSION innodb_lock_wait_timeout = {whole}, lock_wait_timeout = {table_lock} \
             /*M!100300 , max_statement_time = {seconds}, idle_transaction_timeout = {whole} */ \
             /*!50708 , max_execution_time = {ms}, wait_timeout = {MYSQL_IDLE_SECONDS} */"
        )
    }
}

/// Open connections of a store.
pub(crate) struct DatabasePools {
    pub reads: Connections,
    pub writes: Connections,
    /// Number of concurrent writers: the size of the pool `writes`.
    pub writers: u32,
    /// Location of the database, without a password.
    pub location: String,
    /// File of the database, if it is one.
    pub file: Option<PathBuf>,
}

/// Opens and migrates the database at `url`.
pub(crate) fn connect<'a>(
    url: &'a str,
    limits: &'a StoreOptions,
) -> BoxFuture<'a, Result<DatabasePools, StoreError>> {
    let (scheme, rest) = url.split_once(':').unwrap_or((url, ""));
    Box::pin(async move {
        match scheme {
            "sqlite" if names_no_file(rest) => Err(nameless_file()),
            "sqlite" => sqlite::open(parse(scheme, url)?, rest).await,
            "postgres" | "postgresql" => {
                let options = parse(scheme, url)?;
                require_database(&options, rest)?;
                postgres(options, limits).await
            }
            "mysql" => mysql(parse(scheme, url)?, limits).await,
            "mariadb" => mysql(parse(scheme, &format!("mysql:{rest}"))?, limits).await,
            _ => Err(StoreError::Scheme {
                scheme: scheme.to_owned(),
            }),
        }
    })
}

/// Returns `true` for an address without a name, for which SQLite would make a temporary database for
/// each connection.
fn names_no_file(rest: &str) -> bool {
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let (name, query) = rest.split_once('?').unwrap_or((rest, ""));
    name.is_empty() && !query.contains("mode=memory")
}

/// Returns the file that an address of SQLite names.
pub(crate) fn sqlite_file(url: &str) -> Result<PathBuf, StoreError> {
    let rest = url.strip_prefix("sqlite:").unwrap_or(url);
    if names_no_file(rest) || rest.contains(":memory:") || rest.contains("mode=memory") {
        return Err(nameless_file());
    }
    let options: SqliteConnectOptions = parse("sqlite", url)?;
    Ok(options.get_filename().to_owned())
}

/// Returns the error for an address of SQLite without a file.
fn nameless_file() -> StoreError {
    StoreError::Address {
        scheme: "sqlite".to_owned(),
        reason: "it names no file: write sqlite:FILE, such as sqlite:parlor.db".to_owned(),
    }
}

/// Refuses an address of PostgreSQL that names no database. One with a user means the database of the
/// same name, as for other programs.
fn require_database(options: &PgConnectOptions, rest: &str) -> Result<(), StoreError> {
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
    let authority = address.split('/').next().unwrap_or_default();
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let is_named = |part: &str, text: &str| {
        let variable = format!("PG{}", part.to_uppercase());
        let parameter = format!("{part}=");
        !text.is_empty() || query.contains(&parameter) || std::env::var_os(variable).is_some()
    };
    if options.get_database().is_some() || is_named("user", user) {
        return Ok(());
    }
    let missing = match is_named("host", host) {
        true => "no database",
        false => "neither a host nor a database",
    };
    Err(StoreError::Address {
        scheme: "postgres".to_owned(),
        reason: format!("it names {missing}: write postgres://USER@HOST/DATABASE"),
    })
}

fn parse<O: FromStr<Err = SqlxError>>(scheme: &str, url: &str) -> Result<O, StoreError> {
    url.parse().map_err(|e: SqlxError| {
        let reason = match e {
            SqlxError::Configuration(reason) => reason.to_string(),
            e => e.to_string(),
        };
        let right = match scheme {
            "sqlite" => "sqlite:FILE".to_owned(),
            _ => format!(
                "{scheme}://USER:PASSWORD@HOST:PORT/DATABASE, with %2F, %3F, %23 and %40 for / ? # @ in a password"
            ),
        };
        StoreError::Address {
            scheme: scheme.to_owned(),
            reason: format!("{reason}: write {right}"),
        }
    })
}

async fn postgres(
    options: PgConnectOptions,
    limits: &StoreOptions,
) -> Result<DatabasePools, StoreError> {
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
    test_connection(&options, &location, limits).await?;
    let server = Server::new(limits, question(options.clone()));
    let acquire_timeout = limits.timeout;
    let pool = move |size, setup: String| {
        let pool = PgPoolOptions::new()
            .acquire_timeout(acquire_timeout)
            .max_connections(size)
            .after_connect(move |connection, _| {
                let setup = AssertSqlSafe(setup.clone());
                Box::pin(async move { connection.execute(setup).await.map(|_| ()) })
            });
        SqlxPostgresConnector::from_sqlx_postgres_pool(pool.connect_lazy_with(options.clone()))
    };
    let setups = Setups {
        reads: limits.postgres_reader_limits(),
        writes: limits.postgres_limits(),
        migration: String::new(),
    };
    open_server(location, server, setups, pool).await
}

async fn mysql(
    options: MySqlConnectOptions,
    limits: &StoreOptions,
) -> Result<DatabasePools, StoreError> {
    // The default, repeatable read, locks the gaps between rows, so writers that create tables
    // would deadlock.
    const ISOLATION: &str = "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED";
    let Some(database) = options.get_database() else {
        let reason = "it names no database: write mysql://USER@HOST/DATABASE".to_owned();
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
    test_connection(&options, &location, limits).await?;
    let server = Server::new(limits, question(options.clone()));
    let acquire_timeout = limits.timeout;
    let pool = move |size, setup: String| {
        let pool = MySqlPoolOptions::new()
            .acquire_timeout(acquire_timeout)
            .max_connections(size)
            .after_connect(move |connection, _| {
                let setup = AssertSqlSafe(setup.clone());
                Box::pin(async move { connection.execute(setup).await.map(|_| ()) })
            });
        SqlxMySqlConnector::from_sqlx_mysql_pool(pool.connect_lazy_with(options.clone()))
    };
    let setup = format!("{ISOLATION}; {}", limits.mysql_limits());
    let setups = Setups {
        reads: setup.clone(),
        writes: setup,
        migration: ISOLATION.to_owned(),
    };
    open_server(location, server, setups, pool).await
}

/// Statements that connections to a server begin with.
struct Setups {
    reads: String,
    writes: String,
    /// A migration may take longer than the usual limits allow.
    migration: String,
}

/// Opens the pools of a server and updates its schema. `pool` opens a pool of a size whose
/// connections begin with a setup.
async fn open_server(
    location: String,
    server: Arc<Server>,
    setups: Setups,
    pool: impl Fn(u32, String) -> DatabaseConnection + Clone + Send + Sync + 'static,
) -> Result<DatabasePools, StoreError> {
    let limited = |size, setup: String| {
        let pool = pool.clone();
        Connections::to_server(server.clone(), Box::new(move || pool(size, setup.clone())))
    };
    let reads = limited(READERS, setups.reads);
    let failed = |e| match is_unavailable(&e) {
        true => StoreError::Unavailable(e),
        false => not_migrated(e, &location),
    };
    let encoding = encoding(&reads).await.map_err(failed)?;
    if let Some(encoding) = encoding.filter(|name| !COMPLETE_ENCODINGS.contains(&name.as_str())) {
        return Err(StoreError::Encoding { location, encoding });
    }
    if !is_current(&reads).await.map_err(failed)? {
        refuse_foreign(&location, &foreign_tables(&reads).await.map_err(failed)?)?;
        migrate_and_close(pool(1, setups.migration), &location).await?;
    }
    Ok(DatabasePools {
        writes: limited(WRITERS, setups.writes),
        writers: WRITERS,
        reads,
        location,
        file: None,
    })
}

/// Returns the encoding of a database, if each has one of its own. Tables of MySQL say theirs.
async fn encoding(db: &Connections) -> Result<Option<String>, DbErr> {
    let backend = db.get_database_backend();
    if backend != DbBackend::Postgres {
        return Ok(None);
    }
    let question = Statement::from_string(backend, "SHOW server_encoding");
    let answer = db.query_one_raw(question).await?;
    answer.map(|row| row.try_get_by_index(0)).transpose()
}

/// Opens a single connection as a test, because a pool hides the reason for a failure.
async fn test_connection<O: ConnectOptions<Connection: Sized>>(
    options: &O,
    location: &str,
    limits: &StoreOptions,
) -> Result<(), StoreError> {
    match tokio::time::timeout(limits.timeout, options.connect()).await {
        Ok(Ok(connection)) => {
            // Only the connection matters; closing may fail.
            let _ = connection.close().await;
            Ok(())
        }
        Ok(Err(SqlxError::Database(e))) => Err(refused_by_server(e.as_ref(), location)),
        Ok(Err(e)) => Err(unreachable(location, &e)),
        Err(_) => Err(StoreError::Unreachable {
            server: location.to_owned(),
            reason: format!("no answer within {} ms", limits.timeout.as_millis()),
        }),
    }
}

fn unreachable(location: &str, e: &SqlxError) -> StoreError {
    let reason = match e {
        SqlxError::Io(e) => e.to_string(),
        e => e.to_string(),
    };
    StoreError::Unreachable {
        server: location.to_owned(),
        reason,
    }
}

/// Returns an error if there are tables that another program made.
fn refuse_foreign(location: &str, found: &[String]) -> Result<(), StoreError> {
    if found.is_empty() {
        return Ok(());
    }
    Err(StoreError::Foreign {
        location: location.to_owned(),
        found: found.join(", "),
    })
}

async fn migrate_and_close(db: DatabaseConnection, location: &str) -> Result<(), StoreError> {
    let migrated = migrate(&db, location).await;
    // Closing may fail: the migration has been committed or has failed already.
    let _ = db.close().await;
    migrated.map_err(|e| not_migrated(e, location))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_hears_of_the_limit_in_its_own_units() {
        let options = StoreOptions {
            timeout: Duration::from_millis(2_500),
        };
        assert_eq!(options.patience(), Duration::from_micros(2_812_500));
        let postgres = options.postgres_limits();
        for limit in [
            "SET statement_timeout = 2500;",
            "SET idle_in_transaction_session_timeout = 2500;",
        ] {
            assert!(postgres.contains(limit), "{postgres}");
        }
        let reader = options.postgres_reader_limits();
        assert!(
            reader.starts_with(&postgres) && reader.ends_with("SET lock_timeout = 625"),
            "{reader}"
        );
        let mysql = options.mysql_limits();
        for limit in [
            "innodb_lock_wait_timeout = 3,",
            "lock_wait_timeout = 1 ",
            "max_statement_time = 2.5,",
            "idle_transaction_timeout = 3 ",
            "max_execution_time = 2500,",
        ] {
            assert!(mysql.contains(limit), "{mysql}");
        }
    }

    #[tokio::test]
    async fn an_sqlite_address_names_a_file_or_memory() {
        for url in ["sqlite:", "sqlite://", "sqlite:?mode=rwc"] {
            let opened = connect(url, &StoreOptions::default()).await;
            let refused = opened.err().map(|e| e.to_string()).unwrap_or_default();
            assert!(refused.contains("sqlite:parlor.db"), "{url}: {refused}");
        }
        for rest in [":memory:", "?mode=memory", "//x.db", "x.db?mode=ro"] {
            assert!(!names_no_file(rest), "{rest}");
        }
    }

    #[test]
    fn only_tables_of_another_program_are_refused() {
        assert!(refuse_foreign("here", &[]).is_ok());
        let found = ["films".to_owned(), "actors".to_owned()];
        let refused = refuse_foreign("here", &found);
        assert!(
            matches!(&refused, Err(StoreError::Foreign { found, .. }) if found == "films, actors"),
            "{refused:?}"
        );
    }
}
