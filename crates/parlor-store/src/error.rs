//! Errors of the store.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::error::DatabaseError;
use sea_orm::{
    ConnAcquireErr, DbErr, RuntimeErr, SqlxError, SqlxMySqlError, SqlxPostgresError,
    SqlxSqliteError,
};

/// Error of a store operation. No message contains a password.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The address is not that of a supported database.
    #[error(
        "`{scheme}` is not a database address: use sqlite:{}, sqlite::memory:, postgres://USER@HOST/DATABASE or \
         mysql://USER@HOST/DATABASE",
        file_meant(.scheme)
    )]
    Scheme {
        /// Text before the first colon.
        scheme: String,
    },
    /// The scheme is known, but the rest of the address is invalid.
    #[error("the {scheme} address cannot be read: {reason}")]
    Address {
        /// Scheme of the address.
        scheme: String,
        /// Description of the problem.
        reason: String,
    },
    /// The server answers, but does not let us into the database, or there is none of this name.
    #[error("the database server at {server} refuses: {reason}")]
    Refused {
        /// User, host, port and database; without a password.
        server: String,
        /// Description of the problem.
        reason: String,
    },
    /// The server does not answer, or nothing listens there.
    #[error("the database at {server} does not answer: {reason}")]
    Unreachable {
        /// User, host, port and database, or the file name; without a password.
        server: String,
        /// Description of the problem.
        reason: String,
    },
    /// There can be no database at this place.
    #[error("{location} cannot be a database: {reason}")]
    NoFile {
        /// File of the database.
        location: String,
        /// Description of the problem.
        reason: String,
    },
    /// The database has tables that Parlor did not make.
    #[error(
        "{location} is not a database of Parlor: it has tables that Parlor did not make ({found}); name a new or empty \
         database"
    )]
    Foreign {
        /// File, or user, host, port and database; without a password.
        location: String,
        /// Names of the tables found.
        found: String,
    },
    /// The database has no room for the characters of all languages.
    #[error(
        "{location} stores text as {encoding}, in which not every name can be written: name a database created with \
         ENCODING 'UTF8'"
    )]
    Encoding {
        /// User, host, port and database; without a password.
        location: String,
        /// The database's name of its encoding.
        encoding: String,
    },
    /// The database can be read but not written to.
    #[error("the database {location} cannot be written to: {reason}")]
    NotWritable {
        /// File, or user, host, port and database; without a password.
        location: String,
        /// Description of the problem.
        reason: String,
    },
    /// Another process serves the database, which only one can do with a file.
    #[error(
        "another process serves {location}: stop it, or use PostgreSQL or MySQL, which several can serve"
    )]
    InUse {
        /// File of the database.
        location: String,
    },
    /// The file of the database has several names. SQLite keeps changes beside the file under the name
    /// that it was opened by, so that two programs that use different names would damage it.
    #[error(
        "{location} has another name, a hard link, by which another process could serve it unnoticed: keep one name, \
         and remove or copy the other"
    )]
    SeveralNames {
        /// File of the database.
        location: String,
    },
    /// The schema could not be updated, perhaps because a newer Parlor has used the database.
    #[error("the database's schema could not be brought up to date: {0}")]
    Migration(#[source] DbErr),
    /// The id of a new table, account or token is taken.
    #[error("this id is taken")]
    Exists,
    /// An account would have too many open tables with one that it invites.
    #[error("there can be {most} open tables with the same invited account at most")]
    TooManyOpen {
        /// The limit.
        most: u64,
    },
    /// An account already has as many of these as it may have.
    #[error("there can be {most} of these at most")]
    TooMany {
        /// The limit.
        most: u64,
    },
    /// There is no table with this id, or no longer.
    #[error("there is no such table")]
    NotFound,
    /// There is no account with this id.
    #[error("there is no such account")]
    NoUser,
    /// Another account has this name, ignoring case.
    #[error("this name is taken")]
    NameTaken,
    /// The name is not valid for an account.
    #[error("a name must have 1 to 20 characters: letters without accents, digits, `_` and `-`")]
    BadName,
    /// The table is not at the expected version because another writer was faster. Nothing was
    /// written.
    #[error("the table has moved on to version {current}")]
    Conflict {
        /// Current version of the table.
        current: u64,
    },
    /// The events do not have consecutive versions; a bug in the caller.
    #[error("event {found} does not follow: version {expected} is next")]
    Gap {
        /// Version expected next.
        expected: u64,
        /// Version found.
        found: u64,
    },
    /// An event or column is larger than every database supports.
    #[error("{bytes} bytes are too large for one event or column; the limit is {limit}")]
    TooBig {
        /// Size of the text, in bytes.
        bytes: usize,
        /// Maximum size, in bytes.
        limit: usize,
    },
    /// The database did not confirm the change, and could not be asked: load the table to see
    /// whether the change was written.
    #[error("the change was not confirmed; it may or may not be stored: {0}")]
    InDoubt(#[source] DbErr),
    /// The database is unreachable or too busy. Nothing was written; retrying may succeed.
    #[error("the database is not available: {0}")]
    Unavailable(#[source] DbErr),
    /// The database reported an error. Nothing was written.
    #[error("the database refused: {0}")]
    Database(#[source] DbErr),
    /// The stored data are invalid.
    #[error("the data stored under {id} are invalid: {reason}")]
    Corrupt {
        /// Id of the table or account.
        id: i64,
        /// Description of the problem.
        reason: String,
    },
    /// The store was closed, or its writer died.
    #[error("the store is closed")]
    Closed,
    /// A backup could not be written.
    #[error("cannot write the backup to {}: {reason}", path.display())]
    Backup {
        /// Path of the backup.
        path: PathBuf,
        /// Description of the problem.
        reason: String,
    },
    /// The database has its own backup tool, which should be used instead.
    #[error("use `{tool}` to back up a {database} database")]
    BackupElsewhere {
        /// Kind of database.
        database: &'static str,
        /// Name of the tool.
        tool: &'static str,
    },
    /// A backup could not be restored. The database is as it was.
    #[error("cannot restore {}: {reason}", path.display())]
    Restore {
        /// Path of the backup.
        path: PathBuf,
        /// Description of the problem.
        reason: String,
    },
    /// The database has its own tool to restore backups, which should be used instead.
    #[error("use `{tool}` to restore a {database} database")]
    RestoreElsewhere {
        /// Kind of database.
        database: &'static str,
        /// Name of the tool.
        tool: &'static str,
    },
}

impl StoreError {
    /// Returns `true` if nothing was tried because the database is known to be away. That is logged
    /// when it begins and when it ends.
    #[must_use]
    pub fn is_away(&self) -> bool {
        let is_known = |e: &DbErr| {
            is_marked::<ServerAway>(e) || is_marked::<FileLocked>(e) || is_marked::<FileReplaced>(e)
        };
        matches!(self, Self::Unavailable(e) if is_known(e))
    }

    /// Returns `true` if nothing was tried because the file of the database was removed or replaced. That is
    /// logged, too.
    #[must_use]
    pub fn is_replaced(&self) -> bool {
        matches!(self, Self::Unavailable(e) if is_marked::<FileReplaced>(e))
    }

    /// Returns `true` if the disk of an SQLite database is full, so that a change was refused or not
    /// confirmed.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        matches!(self, Self::Database(e) | Self::InDoubt(e) if is_sqlite_full(e))
    }
}

impl From<DbErr> for StoreError {
    fn from(e: DbErr) -> Self {
        if is_closed(&e) {
            Self::Closed
        } else if is_in_doubt(&e) {
            Self::InDoubt(e)
        } else if is_unavailable(&e) || is_statement_timeout(&e) {
            Self::Unavailable(e)
        } else {
            Self::Database(e)
        }
    }
}

/// Returns the error of a connection that waits for hints. Whatever it is, another may work.
pub(crate) fn listening(e: SqlxError) -> StoreError {
    StoreError::Unavailable(DbErr::Conn(RuntimeErr::SqlxError(Arc::new(e))))
}

/// Returns the file that an address without a scheme probably means.
fn file_meant(address: &str) -> &str {
    match address.contains(['.', '/', '\\']) {
        true => address,
        false => "FILE",
    }
}

/// Returns the error of a server's refusal at the start, with what can be done about it.
pub(crate) fn refused_by_server(e: &(dyn DatabaseError + 'static), location: &str) -> StoreError {
    /// MySQL: no such database.
    const MYSQL_NO_DATABASE: u16 = 1049;
    let number = e.try_downcast_ref::<SqlxMySqlError>().map(|e| e.number());
    let tip = match (e.code().as_deref(), number) {
        (Some("3D000"), _) | (_, Some(MYSQL_NO_DATABASE)) => {
            ": create this database, or name another"
        }
        (Some("28P01" | "28000"), _) => {
            ": check the user and the password in the address, and whether the server lets this machine in"
        }
        _ => "",
    };
    StoreError::Refused {
        server: location.to_owned(),
        reason: format!("{}{tip}", e.message()),
    }
}

/// Returns the error of a schema that could not be updated.
pub(crate) fn not_migrated(e: DbErr, location: &str) -> StoreError {
    let Some(SqlxError::Database(refusal)) = sqlx(&e) else {
        return StoreError::Migration(e);
    };
    let tip = if is_sqlite_read_only(&e) {
        "this user must be able to write the file, and in its folder"
    } else if is_forbidden(refusal.as_ref()) {
        "the user must be allowed to create tables there, as the owner of the database or by GRANT"
    } else {
        return StoreError::Migration(e);
    };
    StoreError::NotWritable {
        location: location.to_owned(),
        reason: format!("{}: {tip}", refusal.message()),
    }
}

/// Returns `true` if a server did not permit a statement to this user.
fn is_forbidden(e: &(dyn DatabaseError + 'static)) -> bool {
    /// Access to a database, command, and access to a table.
    const MYSQL: [u16; 3] = [1044, 1142, 1143];
    let mysql = e.try_downcast_ref::<SqlxMySqlError>();
    match mysql {
        Some(e) => MYSQL.contains(&e.number()),
        None => e.code().is_some_and(|code| code == "42501"),
    }
}

pub(crate) fn sqlx(e: &DbErr) -> Option<&SqlxError> {
    match e {
        DbErr::Conn(RuntimeErr::SqlxError(e))
        | DbErr::Exec(RuntimeErr::SqlxError(e))
        | DbErr::Query(RuntimeErr::SqlxError(e)) => Some(e),
        _ => None,
    }
}

/// Returns `true` if the pool is closed.
pub(crate) fn is_closed(e: &DbErr) -> bool {
    matches!(
        e,
        DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed)
    ) || matches!(sqlx(e), Some(SqlxError::PoolClosed))
}

/// Returns `true` if no connection became free in time.
pub(crate) fn is_acquire_timeout(e: &DbErr) -> bool {
    matches!(e, DbErr::ConnectionAcquire(ConnAcquireErr::Timeout))
        || matches!(sqlx(e), Some(SqlxError::PoolTimedOut))
}

/// Returns `true` if the connection failed, so that the answer is not the server's.
pub(crate) fn is_lost(e: &DbErr) -> bool {
    matches!(e, DbErr::ConnectionAcquire(_))
        || matches!(
            sqlx(e),
            Some(SqlxError::Io(_) | SqlxError::Protocol(_) | SqlxError::Tls(_))
        )
}

/// Returns the error of a server that has not answered within `limit`.
pub(crate) fn unanswered(limit: Duration) -> DbErr {
    let reason = format!("no answer within {} ms", limit.as_millis());
    io_error(io::Error::new(io::ErrorKind::TimedOut, reason))
}

/// Marks an error as one after which it is unknown whether the statement was executed.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct OutcomeUnknown(DbErr);

/// Marks the error of a statement that changes something outside a transaction, if the statement
/// may have been sent.
pub(crate) fn unknown_outcome(e: DbErr) -> DbErr {
    if matches!(e, DbErr::Conn(_) | DbErr::ConnectionAcquire(_)) || !is_lost(&e) {
        return e;
    }
    io_error(io::Error::other(OutcomeUnknown(e)))
}

/// Marks the error of a statement that was not sent because the server is known to be away.
#[derive(Debug, thiserror::Error)]
#[error("it does not answer")]
struct ServerAway;

/// Returns the error of a statement that is not sent because the server is known to be away.
pub(crate) fn away() -> DbErr {
    let e = io::Error::new(io::ErrorKind::NotConnected, ServerAway);
    DbErr::Conn(RuntimeErr::SqlxError(Arc::new(SqlxError::Io(e))))
}

/// Marks the error of a statement that was not tried because another process keeps the file locked.
#[derive(Debug, thiserror::Error)]
#[error("another process keeps it locked")]
struct FileLocked;

/// Returns the error of a statement that is not tried because another process keeps the file locked.
pub(crate) fn locked() -> DbErr {
    let e = io::Error::new(io::ErrorKind::WouldBlock, FileLocked);
    DbErr::Conn(RuntimeErr::SqlxError(Arc::new(SqlxError::Io(e))))
}

/// Marks the error of a statement that was not tried because another file has the name of the database.
#[derive(Debug, thiserror::Error)]
#[error("its file was removed or replaced")]
struct FileReplaced;

/// Returns the error of a statement that is not tried because the file of the database was removed or
/// replaced.
pub(crate) fn replaced() -> DbErr {
    let e = io::Error::new(io::ErrorKind::NotFound, FileReplaced);
    DbErr::Conn(RuntimeErr::SqlxError(Arc::new(SqlxError::Io(e))))
}

/// Returns `true` if another process holds the file for longer than the busy timeout.
pub(crate) fn is_locked(e: &DbErr) -> bool {
    sqlx(e).is_some_and(is_sqlite_busy)
}

/// Returns the error of a change that is not made because somebody keeps a lock that it needs.
pub(crate) fn locked_out() -> DbErr {
    DbErr::Custom("another transaction keeps it locked".to_owned())
}

fn io_error(e: io::Error) -> DbErr {
    DbErr::Exec(RuntimeErr::SqlxError(Arc::new(SqlxError::Io(e))))
}

fn is_in_doubt(e: &DbErr) -> bool {
    is_marked::<OutcomeUnknown>(e)
}

/// Returns `true` if an error is marked by this type.
fn is_marked<T: std::error::Error + 'static>(e: &DbErr) -> bool {
    let Some(SqlxError::Io(e)) = sqlx(e) else {
        return false;
    };
    e.get_ref().is_some_and(|inner| inner.is::<T>())
}

/// Returns `true` if the whole database is unreachable, so that trying the next request is
/// pointless.
pub(crate) fn is_unavailable(e: &DbErr) -> bool {
    match sqlx(e) {
        Some(
            SqlxError::Io(_)
            | SqlxError::PoolTimedOut
            | SqlxError::PoolClosed
            | SqlxError::WorkerCrashed,
        ) => true,
        Some(e) => is_sqlite_busy(e),
        None => matches!(e, DbErr::ConnectionAcquire(_)),
    }
}

/// Returns `true` if a server gave up on a statement, usually because another transaction holds a
/// lock.
pub(crate) fn is_statement_timeout(e: &DbErr) -> bool {
    /// Canceled statement and unavailable lock.
    const POSTGRES: [&str; 2] = ["57014", "55P03"];
    /// Lock wait, MariaDB's time per statement, MySQL's time per query.
    const MYSQL: [u16; 3] = [1205, 1969, 3024];
    let Some(SqlxError::Database(e)) = sqlx(e) else {
        return false;
    };
    if let Some(e) = e.try_downcast_ref::<SqlxPostgresError>() {
        return POSTGRES.contains(&e.code());
    }
    e.try_downcast_ref::<SqlxMySqlError>()
        .is_some_and(|e| MYSQL.contains(&e.number()))
}

/// Returns `true` for SQLITE_BUSY and its extended codes: another process holds the file for longer
/// than the busy timeout.
pub(crate) fn is_sqlite_busy(e: &SqlxError) -> bool {
    has_sqlite_code(e, 5)
}

/// Returns `true` for SQLITE_READONLY and its extended codes.
pub(crate) fn is_sqlite_read_only(e: &DbErr) -> bool {
    sqlx(e).is_some_and(|e| has_sqlite_code(e, 8))
}

/// Returns `true` for SQLITE_FULL.
fn is_sqlite_full(e: &DbErr) -> bool {
    sqlx(e).is_some_and(|e| has_sqlite_code(e, 13))
}

/// Returns `true` for SQLITE_CANTOPEN and its extended codes.
pub(crate) fn is_sqlite_unopened(e: &SqlxError) -> bool {
    has_sqlite_code(e, 14)
}

/// Returns `true` for SQLITE_NOTADB.
pub(crate) fn is_not_sqlite(e: &SqlxError) -> bool {
    has_sqlite_code(e, 26)
}

fn has_sqlite_code(e: &SqlxError, code: u32) -> bool {
    let SqlxError::Database(e) = e else {
        return false;
    };
    let sqlite = e.try_downcast_ref::<SqlxSqliteError>().is_some();
    sqlite
        && e.code()
            .and_then(|code| code.parse::<u32>().ok())
            .is_some_and(|found| found & 0xff == code)
}

#[cfg(test)]
mod tests {
    use sea_orm::{ConnectOptions, ConnectionTrait, Database};

    use super::*;

    fn exec(e: SqlxError) -> DbErr {
        DbErr::Exec(RuntimeErr::SqlxError(Arc::new(e)))
    }

    fn lost() -> SqlxError {
        SqlxError::Io(io::Error::from(io::ErrorKind::ConnectionReset))
    }

    #[test]
    fn an_error_tells_whether_the_database_can_be_reached() {
        for closed in [
            exec(SqlxError::PoolClosed),
            DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed),
        ] {
            assert!(matches!(closed.into(), StoreError::Closed));
        }
        for away in [
            exec(lost()),
            exec(SqlxError::PoolTimedOut),
            exec(SqlxError::WorkerCrashed),
            DbErr::ConnectionAcquire(ConnAcquireErr::Timeout),
            unanswered(Duration::from_secs(1)),
        ] {
            assert!(is_unavailable(&away), "{away}");
            assert!(matches!(away.into(), StoreError::Unavailable(_)));
        }
        for other in [
            exec(SqlxError::RowNotFound),
            DbErr::Custom("no such table".to_owned()),
        ] {
            assert!(!is_unavailable(&other) && !is_lost(&other) && !is_closed(&other));
            assert!(!is_statement_timeout(&other) && !is_sqlite_read_only(&other));
            assert!(matches!(other.into(), StoreError::Database(_)));
        }
        let found = listening(SqlxError::RowNotFound);
        assert!(matches!(found, StoreError::Unavailable(_)), "{found}");
    }

    #[tokio::test]
    async fn a_full_disk_is_told_from_other_refusals() {
        let mut options = ConnectOptions::new("sqlite::memory:");
        options.max_connections(1);
        let db = Database::connect(options).await.unwrap();
        for sql in ["PRAGMA max_page_count = 2", "CREATE TABLE t (x BLOB)"] {
            db.execute_unprepared(sql).await.unwrap();
        }
        let refusal = async |sql: &str| db.execute_unprepared(sql).await.unwrap_err();
        let full = refusal("INSERT INTO t VALUES (zeroblob(100000))").await;
        assert!(StoreError::InDoubt(full.clone()).is_disk_full());
        assert!(StoreError::from(full).is_disk_full());
        let other = refusal("INSERT INTO nowhere VALUES (1)").await;
        assert!(!StoreError::from(other).is_disk_full());
    }

    #[test]
    fn who_is_refused_because_the_server_is_away_sent_nothing() {
        let refused: StoreError = unknown_outcome(away()).into();
        assert!(refused.is_away(), "{refused}");
        let silent: StoreError = unanswered(Duration::from_secs(1)).into();
        assert!(!silent.is_away() && matches!(silent, StoreError::Unavailable(_)));
    }

    #[test]
    fn only_a_missing_connection_is_an_acquire_timeout() {
        let missing = DbErr::ConnectionAcquire(ConnAcquireErr::Timeout);
        assert!(is_acquire_timeout(&missing) && is_lost(&missing));
        assert!(is_acquire_timeout(&exec(SqlxError::PoolTimedOut)));
        assert!(!is_acquire_timeout(&exec(lost())) && is_lost(&exec(lost())));
        let broken = exec(SqlxError::Protocol("an odd answer".to_owned()));
        assert!(is_lost(&broken) && !is_unavailable(&broken));
    }

    #[test]
    fn the_outcome_is_unknown_only_of_statements_that_were_sent() {
        let in_doubt = |e: DbErr| is_in_doubt(&unknown_outcome(e));
        assert!(in_doubt(exec(lost())));
        assert!(!is_in_doubt(&exec(lost())));
        for unsent in [
            DbErr::Conn(RuntimeErr::SqlxError(Arc::new(lost()))),
            DbErr::ConnectionAcquire(ConnAcquireErr::Timeout),
            exec(SqlxError::RowNotFound),
        ] {
            assert!(!in_doubt(unsent));
        }
        let doubtful: StoreError = unknown_outcome(exec(lost())).into();
        assert!(matches!(doubtful, StoreError::InDoubt(_)), "{doubtful}");
    }
}
