//! What can go wrong with a store.

use std::path::PathBuf;

use sea_orm::{DbErr, RuntimeErr, SqlxError, SqlxSqliteError};

/// Why a store could not do what it was asked. No text here ever holds a password.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The address names no database that the store knows.
    #[error(
        "`{scheme}` is no database address: write sqlite:FILE, sqlite::memory:, postgres://USER@HOST/DATABASE or \
         mysql://USER@HOST/DATABASE"
    )]
    Scheme {
        /// What stood before the first colon.
        scheme: String,
    },
    /// The scheme is known, the rest of the address cannot be read.
    #[error("the {scheme} address cannot be read: {reason}")]
    Address {
        /// The scheme of the address.
        scheme: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Nobody answers at the address, or whoever answers refuses.
    #[error("the database at {server} does not answer: {reason}")]
    Unreachable {
        /// User, host, port and database, or the file; without a password.
        server: String,
        /// What happened.
        reason: String,
    },
    /// The schema could not be brought up to date; perhaps a newer Parlor has been here.
    #[error("the database's schema could not be brought up to date: {0}")]
    Migration(#[source] DbErr),
    /// The id of a new table, account or token is taken.
    #[error("this id is taken")]
    Exists,
    /// There is no table with this id (any more).
    #[error("there is no such table")]
    NotFound,
    /// There is no account with this id.
    #[error("there is no such account")]
    NoUser,
    /// Another account has this name, perhaps in another case.
    #[error("this name is taken")]
    NameTaken,
    /// No account can be called this.
    #[error("a name has 1 to 20 letters without accents, digits, `_` and `-`, and nothing else")]
    BadName,
    /// Somebody else was faster: the table is not at the expected version. Nothing was written.
    #[error("the table has moved on to version {current}")]
    Conflict {
        /// The version the table is at.
        current: u64,
    },
    /// The events do not carry the versions that follow; a mistake of the caller.
    #[error("event {found} does not follow: version {expected} is next")]
    Gap {
        /// The version that is next.
        expected: u64,
        /// The version that came.
        found: u64,
    },
    /// An event, or a column, is larger than what every database takes.
    #[error("{bytes} bytes are too many for one event or column; {limit} is the limit")]
    TooBig {
        /// The size of the JSON text.
        bytes: usize,
        /// The largest size that is taken.
        limit: usize,
    },
    /// The connection broke during the commit: load the table to see whether the change is there.
    #[error("the commit was not confirmed, the change may or may not be kept: {0}")]
    InDoubt(#[source] DbErr),
    /// The database is away or too busy; nothing was written and a later try may succeed.
    #[error("the database is not available: {0}")]
    Unavailable(#[source] DbErr),
    /// The database refused; nothing was written.
    #[error("the database refused: {0}")]
    Database(#[source] DbErr),
    /// What is stored does not make sense.
    #[error("what is stored under {id} makes no sense: {reason}")]
    Corrupt {
        /// The table or account.
        id: i64,
        /// What is wrong with it.
        reason: String,
    },
    /// The store was closed, or its writer died.
    #[error("the store is closed")]
    Closed,
    /// A backup could not be written.
    #[error("no backup to {}: {reason}", path.display())]
    Backup {
        /// Where it should have gone.
        path: PathBuf,
        /// What stood in the way.
        reason: String,
    },
    /// This database has a backup tool of its own, which does it better.
    #[error("a {database} database is not copied from here; use `{tool}`")]
    BackupElsewhere {
        /// The kind of database.
        database: &'static str,
        /// The tool to use.
        tool: &'static str,
    },
}

impl From<DbErr> for StoreError {
    fn from(e: DbErr) -> Self {
        if is_closed(&e) {
            Self::Closed
        } else if is_unavailable(&e) {
            Self::Unavailable(e)
        } else {
            Self::Database(e)
        }
    }
}

fn sqlx(e: &DbErr) -> Option<&SqlxError> {
    match e {
        DbErr::Conn(RuntimeErr::SqlxError(e))
        | DbErr::Exec(RuntimeErr::SqlxError(e))
        | DbErr::Query(RuntimeErr::SqlxError(e)) => Some(e),
        _ => None,
    }
}

fn is_closed(e: &DbErr) -> bool {
    matches!(
        e,
        DbErr::ConnectionAcquire(sea_orm::ConnAcquireErr::ConnectionClosed)
    ) || matches!(sqlx(e), Some(SqlxError::PoolClosed))
}

/// Whether the database as a whole is out of reach, so that trying the next request is pointless.
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

/// SQLITE_BUSY and its extended codes: another process holds the file for longer than the busy timeout.
pub(crate) fn is_sqlite_busy(e: &SqlxError) -> bool {
    let SqlxError::Database(e) = e else {
        return false;
    };
    let sqlite = e.try_downcast_ref::<SqlxSqliteError>().is_some();
    sqlite
        && e.code()
            .and_then(|code| code.parse::<u32>().ok())
            .is_some_and(|code| code & 0xff == 5)
}
