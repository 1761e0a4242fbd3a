//! Handle to a database.

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use crate::batch::TableChange;
use crate::connect::{DatabasePools, connect};
use crate::connections::Connections;
use crate::error::unanswered;
use crate::files::free_space;
use crate::writer::Writers;
use crate::{
    Append, AuditLine, ListFilter, ListPage, NewStoredTable, StoreError, StoredEvent, StoredTable,
    TableRow, backup, read,
};

pub use crate::connect::StoreOptions;

/// Time within which a database server must answer [`Store::ping`].
const PING_LIMIT: Duration = Duration::from_millis(1_500);
/// Time for which the result of a ping is reused, so that pings cannot flood the database.
const PING_AGE: Duration = Duration::from_millis(250);

/// A handle to one database. Cheap to clone; all clones share the same store.
///
/// Reads and writes do not wait for each other, except in memory, where one connection does both in
/// turn. A write answered with `Ok` survives the death of the process and, as far as the database's
/// settings go, of the machine (SQLite runs with `synchronous = FULL`). A write that has started is
/// finished even if the caller stops waiting for it.
#[derive(Clone)]
pub struct Store {
    inner: Arc<StoreInner>,
}

struct StoreInner {
    reads: Connections,
    writes: Connections,
    writers: Writers,
    location: String,
    /// File of the database, if it is one.
    file: Option<PathBuf>,
    /// Lock that reserves the file for this process.
    reservation: std::sync::Mutex<Option<File>>,
    last_ping: Mutex<Option<(Instant, Result<(), StoreError>)>>,
}

impl Store {
    /// Opens the database at `url` with default options; see [`Store::open_with`].
    ///
    /// # Errors
    /// Returns the errors of [`Store::open_with`].
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        Self::open_with(url, &StoreOptions::default()).await
    }

    /// Opens the database at `url` and updates its schema. Must be called on a tokio runtime.
    ///
    /// * `sqlite:FILE` (created when missing; `%`, `?` and `#` in the name are written as in an
    ///   address), or `sqlite::memory:` for a temporary one in memory;
    /// * `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, also `postgresql://`;
    /// * `mysql://USER:PASSWORD@HOST:PORT/DATABASE`, also `mariadb://`.
    ///
    /// Connections to a server are encrypted only if the crate is built with the feature `tls`.
    ///
    /// # Errors
    /// [`StoreError::Scheme`] and [`StoreError::Address`] for an invalid address,
    /// [`StoreError::NoFile`] for a file that cannot be one, [`StoreError::Unreachable`] if no
    /// connection is made in time, [`StoreError::Refused`] if the server does not let us in,
    /// [`StoreError::NotWritable`] if we may not create tables, [`StoreError::Foreign`] if the database belongs to another
    /// program, [`StoreError::Migration`] if the schema cannot be updated.
    pub async fn open_with(url: &str, options: &StoreOptions) -> Result<Self, StoreError> {
        Ok(Self::on(connect(url, options).await?))
    }

    /// Creates a store on open connections.
    pub(crate) fn on(pools: DatabasePools) -> Self {
        let DatabasePools {
            reads,
            writes,
            writers,
            location,
            file,
        } = pools;
        let writers = Writers::start(&writes, writers);
        Self {
            inner: Arc::new(StoreInner {
                reads,
                writes,
                writers,
                location,
                file,
                reservation: std::sync::Mutex::default(),
                last_ping: Mutex::default(),
            }),
        }
    }

    /// Returns the connections for reads.
    pub(crate) fn reads(&self) -> &Connections {
        &self.inner.reads
    }

    /// Returns the connections for rare writes that are not batched.
    pub(crate) fn writes(&self) -> &Connections {
        &self.inner.writes
    }

    /// Returns the file of the database, if it is one.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.inner.file.as_deref()
    }

    /// Returns the number of bytes that are free on the disk of the database; `None` if it is on a
    /// server, or in memory. Waits for the disk.
    #[must_use]
    pub fn free_space(&self) -> Option<u64> {
        free_space(self.file()?).ok()
    }

    /// Returns the lock that reserves the file for this process.
    pub(crate) fn reservation(&self) -> MutexGuard<'_, Option<File>> {
        let reservation = self.inner.reservation.lock();
        reservation.unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the location of the database: the file, or user, host and database; never a
    /// password.
    #[must_use]
    pub fn location(&self) -> &str {
        &self.inner.location
    }

    /// Creates a table with its first events, atomically.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if the id is taken, [`StoreError::TooManyOpen`] if the table's own limit
    /// says so, [`StoreError::Gap`] and [`StoreError::TooBig`]
    /// for invalid events, and the errors of every write: [`StoreError::Unavailable`],
    /// [`StoreError::InDoubt`], [`StoreError::Database`], [`StoreError::Closed`].
    pub async fn create(&self, table: NewStoredTable) -> Result<(), StoreError> {
        self.inner.writers.write(TableChange::create(table)?).await
    }

    /// Appends events to a table and updates its row, atomically, if the table is still at the
    /// expected version. Returns when the change is durable.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] with the current version if another writer was faster,
    /// [`StoreError::NotFound`] if there is no such table, and the errors of [`Store::create`].
    pub async fn append(&self, append: Append) -> Result<(), StoreError> {
        self.inner.writers.write(TableChange::append(append)?).await
    }

    /// Deletes a table, its events and its list of accounts; rating changes by its game remain.
    /// Returns `false` if there was no such table.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn delete(&self, id: i64) -> Result<bool, StoreError> {
        self.remove(TableChange::Delete(id, None)).await
    }

    /// Deletes a table like [`Store::delete`], with an audit line, atomically. Returns `false`, and
    /// writes nothing, if there was no such table.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn delete_audited(&self, id: i64, line: AuditLine) -> Result<bool, StoreError> {
        self.remove(TableChange::Delete(id, Some(line))).await
    }

    async fn remove(&self, delete: TableChange) -> Result<bool, StoreError> {
        match self.inner.writers.write(delete).await {
            Ok(()) => Ok(true),
            Err(StoreError::NotFound) => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// Returns all data of a table: its row, its secret and its events in order; `None` if there is
    /// no such table.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if the stored data are invalid, and the errors of every read:
    /// [`StoreError::Unavailable`], [`StoreError::Database`], [`StoreError::Closed`].
    pub async fn load(&self, id: i64) -> Result<Option<StoredTable>, StoreError> {
        read::load(&self.inner.reads, id).await
    }

    /// Returns a table's row; `None` if there is no such table.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn row(&self, id: i64) -> Result<Option<TableRow>, StoreError> {
        read::row(&self.inner.reads, id).await
    }

    /// Returns at most `limit` events of a table with versions above `after`, in order.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is no such table, and the errors of [`Store::load`].
    pub async fn events(
        &self,
        id: i64,
        after: u64,
        limit: u64,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        read::events(&self.inner.reads, id, after, limit).await
    }

    /// Returns one page of the rows that match the filter, newest (highest id) first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn list(
        &self,
        filter: &ListFilter,
        page: &ListPage,
    ) -> Result<Vec<TableRow>, StoreError> {
        read::list(&self.inner.reads, filter, page).await
    }

    /// Returns the number of tables that match the filter.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn count(&self, filter: &ListFilter) -> Result<u64, StoreError> {
        read::count(&self.inner.reads, filter).await
    }

    /// Returns the ids of unfinished tables whose [`TableRow::due_at`] is at or before `now`
    /// (milliseconds since the Unix epoch): at most `limit`, longest overdue first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn due(&self, now: i64, limit: u64) -> Result<Vec<i64>, StoreError> {
        read::due(&self.inner.reads, now, limit).await
    }

    /// Copies an SQLite database to a new file while it is in use: the copy contains everything
    /// committed when it began, including secrets.
    ///
    /// # Errors
    /// [`StoreError::Backup`] if the file exists or cannot be written,
    /// [`StoreError::BackupElsewhere`] for other databases, with the name of the tool to use.
    pub async fn backup(&self, to: &Path) -> Result<(), StoreError> {
        backup::backup(&self.inner.reads, self.file(), to).await
    }

    /// Checks that the database answers and every writer can write, without changing anything. A
    /// server must answer within a second and a half.
    ///
    /// # Errors
    /// [`StoreError::Closed`], [`StoreError::Unavailable`] or [`StoreError::NotWritable`].
    pub async fn ping(&self) -> Result<(), StoreError> {
        if !self.inner.writers.are_alive() {
            return Err(StoreError::Closed);
        }
        let mut last = self.inner.last_ping.lock().await;
        if let Some((at, result)) = &*last
            && at.elapsed() < PING_AGE
        {
            return result.clone();
        }
        let result = self.probe().await;
        *last = Some((Instant::now(), result.clone()));
        result
    }

    async fn probe(&self) -> Result<(), StoreError> {
        let probe = async {
            self.inner.reads.look_at_file().await;
            self.inner.reads.ping().await?;
            match self.inner.writers.probe().await {
                Err(StoreError::Database(e)) => Err(StoreError::NotWritable {
                    location: self.inner.location.clone(),
                    reason: e.to_string(),
                }),
                probed => probed,
            }
        };
        match self.inner.writes.limit() {
            None => probe.await,
            Some(limit) => {
                let limit = limit.min(PING_LIMIT);
                let probed = timeout(limit, probe).await;
                probed.unwrap_or_else(|_| Err(unanswered(limit).into()))
            }
        }
    }

    /// Closes the store: accepts no more writes, finishes those that wait, and closes the
    /// connections. Afterwards all clones of this handle return [`StoreError::Closed`]. Closing
    /// twice is harmless.
    pub async fn close(&self) {
        self.inner.writers.close().await;
        self.inner.reads.close().await;
        self.inner.writes.close().await;
        *self.reservation() = None;
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("location", &self.inner.location)
            .finish_non_exhaustive()
    }
}
