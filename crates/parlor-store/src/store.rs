//! The store itself.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use sea_orm::DatabaseConnection;

use crate::batch::Change;
use crate::connect::{Connections, connect};
use crate::writer::Writers;
use crate::{
    Append, AuditLine, Event, Filter, NewTable, Page, Row, StoreError, StoredTable, backup, read,
};

/// A handle to one database; cheap to clone, and all clones are the same store.
///
/// Reading and writing do not wait for each other, except in memory, where one connection does both in turns.
/// A write that was answered with `Ok` survives the death of the process and, as far as the database's own settings
/// go, of the machine (SQLite runs with `synchronous = FULL`). A write that has begun is finished even when the caller
/// stops waiting for it.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    reads: DatabaseConnection,
    writes: DatabaseConnection,
    writers: Writers,
    place: String,
}

impl Store {
    /// Opens the database at `url` and brings its schema up to date. Must be called on a tokio runtime.
    ///
    /// * `sqlite:FILE` (created when missing; `%`, `?` and `#` in the name are written as in an address), or
    ///   `sqlite::memory:` for one that is gone afterwards;
    /// * `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, also `postgresql://`;
    /// * `mysql://USER:PASSWORD@HOST:PORT/DATABASE`, also `mariadb://`.
    ///
    /// Connections to a server are encrypted only when the crate is built with the feature `tls`.
    ///
    /// # Errors
    /// [`StoreError::Scheme`] and [`StoreError::Address`] for an address that cannot be, [`StoreError::Unreachable`]
    /// when nobody lets us in within five seconds, [`StoreError::Migration`] when the schema is not ours to update.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        let Connections {
            reads,
            writes,
            writers,
            place,
        } = connect(url).await?;
        let writers = Writers::start(&writes, writers);
        Ok(Self {
            inner: Arc::new(Inner {
                reads,
                writes,
                writers,
                place,
            }),
        })
    }

    /// Where questions go.
    pub(crate) fn reads(&self) -> &DatabaseConnection {
        &self.inner.reads
    }

    /// Where the rare changes go that wait for no batch.
    pub(crate) fn writes(&self) -> &DatabaseConnection {
        &self.inner.writes
    }

    /// Where this store is: the file, or user, host and database; never a password.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.inner.place
    }

    /// Writes a new table with its first events, all or nothing.
    ///
    /// # Errors
    /// [`StoreError::Exists`] when the id is taken; [`StoreError::Gap`] and [`StoreError::TooBig`] for events that
    /// cannot be; what every write can meet: [`StoreError::Unavailable`], [`StoreError::InDoubt`],
    /// [`StoreError::Database`], [`StoreError::Closed`].
    pub async fn create(&self, table: NewTable) -> Result<(), StoreError> {
        self.inner.writers.write(Change::create(table)?).await
    }

    /// Writes new events of a table and what they change in its row, all or nothing, if the table is still at the
    /// expected version. Returns when they are durable.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] with the current version when somebody else was faster, [`StoreError::NotFound`] when
    /// there is no such table; otherwise as [`Store::create`].
    pub async fn append(&self, append: Append) -> Result<(), StoreError> {
        self.inner.writers.write(Change::append(append)?).await
    }

    /// Removes a table, its events and its list of accounts; what its game did to ratings stays. Says whether there was one.
    ///
    /// # Errors
    /// As every write, see [`Store::create`].
    pub async fn delete(&self, id: i64) -> Result<bool, StoreError> {
        self.remove(Change::Delete(id, None)).await
    }

    /// Removes a table as [`Store::delete`] does, with a line in the audit log, all or nothing. Says whether there was
    /// such a table; without it nothing is written.
    ///
    /// # Errors
    /// As every write, see [`Store::create`].
    pub async fn delete_audited(&self, id: i64, line: AuditLine) -> Result<bool, StoreError> {
        self.remove(Change::Delete(id, Some(line))).await
    }

    async fn remove(&self, delete: Change) -> Result<bool, StoreError> {
        match self.inner.writers.write(delete).await {
            Ok(()) => Ok(true),
            Err(StoreError::NotFound) => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// Everything about a table: its row, its secret and all its events in order; `None` when there is no such table.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when what is stored makes no sense; what every read can meet:
    /// [`StoreError::Unavailable`], [`StoreError::Database`], [`StoreError::Closed`].
    pub async fn load(&self, id: i64) -> Result<Option<StoredTable>, StoreError> {
        read::load(&self.inner.reads, id).await
    }

    /// A table's row; `None` when there is no such table.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn row(&self, id: i64) -> Result<Option<Row>, StoreError> {
        read::row(&self.inner.reads, id).await
    }

    /// At most `limit` events of a table with versions above `after`, in order.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such table; otherwise as [`Store::load`].
    pub async fn events(&self, id: i64, after: u64, limit: u64) -> Result<Vec<Event>, StoreError> {
        read::events(&self.inner.reads, id, after, limit).await
    }

    /// The rows that the filter lets through, newest (highest id) first, one page of them.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn list(&self, filter: &Filter, page: &Page) -> Result<Vec<Row>, StoreError> {
        read::list(&self.inner.reads, filter, page).await
    }

    /// How many tables the filter lets through.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn count(&self, filter: &Filter) -> Result<u64, StoreError> {
        read::count(&self.inner.reads, filter).await
    }

    /// The ids of tables before their end whose [`Row::due_at`] is `now` (milliseconds since 1970) or earlier: at most
    /// `limit`, the longest due first.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn due(&self, now: i64, limit: u64) -> Result<Vec<i64>, StoreError> {
        read::due(&self.inner.reads, now, limit).await
    }

    /// Writes a copy of a SQLite database to a new file, while others read and write: the copy is what was committed
    /// when it began. It holds everything, secrets included.
    ///
    /// # Errors
    /// [`StoreError::Backup`] when the file exists or cannot be written; [`StoreError::BackupElsewhere`] for other
    /// databases, with the name of the tool that does it.
    pub async fn backup(&self, to: &Path) -> Result<(), StoreError> {
        backup::backup(&self.inner.reads, to).await
    }

    /// Whether the database answers and the writers are there.
    ///
    /// # Errors
    /// [`StoreError::Closed`] or [`StoreError::Unavailable`].
    pub async fn ping(&self) -> Result<(), StoreError> {
        if !self.inner.writers.alive() {
            return Err(StoreError::Closed);
        }
        Ok(self.inner.reads.ping().await?)
    }

    /// Takes no more writes, returns when those that wait have been written and answered, and closes the connections.
    /// Clones of this handle answer [`StoreError::Closed`] from then on. Closing twice is harmless.
    pub async fn close(&self) {
        self.inner.writers.close().await;
        for pool in [&self.inner.reads, &self.inner.writes] {
            if let Err(e) = pool.close_by_ref().await {
                tracing::warn!(error = %e, "closing the database");
            }
        }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("place", &self.inner.place)
            .finish_non_exhaustive()
    }
}
