//! Several processes on one database: who else serves it, what moved on, and hints to each other.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::sqlx::postgres::PgListener;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    Set, Statement,
};

use crate::connections::Connections;
use crate::entity::{analysis, node, outage, player, presence, queue, table};
use crate::error::listening;
use crate::files::{create_private, refuse_impossible};
use crate::statement::{MAX_IDS, padded_ids};
use crate::transaction::{begin, commit};
use crate::{Store, StoreError};

/// Channel of PostgreSQL's notifications.
const CHANNEL: &str = "parlor";
/// Time without a beat after which a process does not count as running, in milliseconds.
pub(crate) const BEAT_AGE_MS: i64 = 6_000;
/// Time without a beat after which a process is presumed dead where it costs little to be wrong, in
/// milliseconds: others do what it may have left undone.
pub const SILENT_MS: i64 = 1_250;
/// Time without a beat for which a process that did not say goodbye may come back, in milliseconds:
/// nothing is written meanwhile that it could not read.
const PAUSE_MS: i64 = 600_000;
/// Time without a beat of any process that is an outage, in milliseconds.
const MISSED_MS: i64 = 2_500;
/// Time without any beat before the first one of a process that is an outage, in milliseconds: less
/// is not worth an event at every table.
const RESTART_MS: i64 = 250;
/// Time after which the rows of a process that did not say goodbye, and of people who are away, are
/// deleted, in milliseconds.
pub(crate) const FORGET_MS: i64 = 24 * 3_600_000;

/// Longest hint that [`Store::notify`] sends, in bytes; PostgreSQL's limit.
pub const MAX_HINT_BYTES: usize = 7_999;

/// Time at which no process served the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outage {
    /// Time of the last sign of life before, in milliseconds since the Unix epoch.
    pub began_at: i64,
    /// Time of the first one after it, in milliseconds since the Unix epoch.
    pub ended_at: i64,
}

/// Answer of the database to a sign of life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beat {
    /// The database's time, in milliseconds since the Unix epoch.
    pub now: i64,
    /// Number of processes that serve the database, including this one.
    pub nodes: u64,
    /// Numbers of the other processes that have beaten within the last 1.25 seconds.
    pub others: Vec<i64>,
    /// Newest format of events that all processes can read which serve the database or may go on with
    /// it; 0 for those of releases that do not say it.
    pub event_format: u16,
}

/// Receiver of the hints that processes send each other through PostgreSQL.
#[derive(Debug)]
pub struct HintListener {
    inner: PgListener,
}

impl HintListener {
    /// Returns the next hint; `None` if the connection was lost and made again, so that some hints
    /// may be missing.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if there is no connection: listen again.
    pub async fn next(&mut self) -> Result<Option<String>, StoreError> {
        let heard = self.inner.try_recv().await.map_err(listening)?;
        Ok(heard.map(|notification| notification.payload().to_owned()))
    }
}

impl Store {
    /// Returns `true` if several processes can serve the database: one on a database server.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.writes().is_shared()
    }

    /// Returns `true` if the database passes hints on: PostgreSQL.
    #[must_use]
    pub fn can_notify(&self) -> bool {
        self.writes().get_database_backend() == DbBackend::Postgres
    }

    /// Reserves an SQLite file for this process, until the store is dropped or closed; other
    /// programs can still use it, but not reserve it. Does nothing for other databases.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if another process has reserved the file, [`StoreError::SeveralNames`] if
    /// another could under another name.
    pub fn reserve(&self) -> Result<(), StoreError> {
        let Some(file) = self.file() else {
            return Ok(());
        };
        let mut reserved = self.reservation();
        if reserved.is_none() {
            *reserved = Some(lock(file)?);
        }
        Ok(())
    }

    /// Returns the versions of those of the tables that exist.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn versions(&self, ids: &[i64]) -> Result<Vec<(i64, u64)>, StoreError> {
        let mut versions = Vec::with_capacity(ids.len());
        for ids in ids.chunks(MAX_IDS) {
            let select = table::Entity::find()
                .select_only()
                .columns([table::Column::Id, table::Column::Version])
                .filter(table::Column::Id.is_in(padded_ids(ids.to_vec())));
            let found: Vec<(i64, i64)> = select.into_tuple().all(self.reads()).await?;
            versions.extend(found.into_iter().map(|(id, version)| (id, version as u64)));
        }
        Ok(versions)
    }

    /// Returns the versions of those tables of the accounts that changed at or after a time, in
    /// milliseconds since the Unix epoch. A table of several of them may be named several times.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn changed_tables_of(
        &self,
        users: &[i64],
        since: i64,
    ) -> Result<Vec<(i64, u64)>, StoreError> {
        let mut versions = Vec::new();
        for users in users.chunks(MAX_IDS) {
            let select = player::Entity::find()
                .select_only()
                .column(table::Column::Id)
                .column(table::Column::Version)
                .inner_join(table::Entity)
                .filter(player::Column::UserId.is_in(padded_ids(users.to_vec())))
                .filter(table::Column::UpdatedAt.gte(since));
            let found: Vec<(i64, i64)> = select.into_tuple().all(self.reads()).await?;
            versions.extend(found.into_iter().map(|(id, version)| (id, version as u64)));
        }
        Ok(versions)
    }

    /// Returns the latest sign of life of a process that has not said that it stops, and its age, both in
    /// milliseconds; `None` if there is no such process, or there can be none beside this one.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn last_beat(&self) -> Result<Option<(i64, i64)>, StoreError> {
        if !self.is_shared() {
            return Ok(None);
        }
        let now = self.time().await?;
        let running = node::Entity::find()
            .filter(node::Column::Stopped.eq(false))
            .order_by_desc(node::Column::BeatAt)
            .one(self.reads())
            .await?;
        Ok(running.map(|row| (row.beat_at, now - row.beat_at)))
    }

    /// Gives a sign of life of the process with this number, which serves the database and can read events
    /// up to a format. That nobody
    /// gave one for 2.5 seconds before was an outage, which is recorded; if this is the process's
    /// first and all others have stopped or been silent for [`SILENT_MS`], a quarter of a second was
    /// one.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn beat(&self, node: i64, event_format: u16) -> Result<Beat, StoreError> {
        use node::Column::{BeatAt, Id};
        let now = self.time().await?;
        let transaction = begin(self.writes()).await?;
        let nodes = node::Entity::find().all(&transaction).await?;
        let is_alone = !self.is_shared();
        if let Some(began_at) = outage_before(&nodes, node, now, is_alone) {
            // Another process may have seen it, too.
            let known = OnConflict::column(outage::Column::BeganAt)
                .do_nothing_on([outage::Column::BeganAt])
                .to_owned();
            let row = outage::ActiveModel {
                began_at: Set(began_at),
                ended_at: Set(now),
            };
            outage::Entity::insert(row)
                .on_conflict(known)
                .exec_without_returning(&transaction)
                .await?;
        }
        let row = node::ActiveModel {
            id: Set(node),
            started_at: Set(now),
            beat_at: Set(now),
            stopped: Set(false),
            event_format: Set(Some(event_format.into())),
        };
        let again = OnConflict::column(Id).update_column(BeatAt).to_owned();
        node::Entity::insert(row)
            .on_conflict(again)
            .exec_without_returning(&transaction)
            .await?;
        commit(transaction, None).await?;
        let others = |age: i64| {
            let others = nodes.iter().filter(move |other| other.id != node);
            others.filter(move |other| !other.stopped && other.beat_at > now - age)
        };
        let formats = others(PAUSE_MS)
            .filter(|_| !is_alone)
            .map(|other| other.event_format.unwrap_or(0))
            .map(|format| u16::try_from(format).unwrap_or(0));
        Ok(Beat {
            now,
            event_format: formats.fold(event_format, u16::min),
            nodes: 1 + others(BEAT_AGE_MS).count() as u64,
            others: others(SILENT_MS).map(|other| other.id).collect(),
        })
    }

    /// Returns the outages that ended after a time, in milliseconds since the Unix epoch: the first
    /// to begin first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn outages(&self, after: i64) -> Result<Vec<Outage>, StoreError> {
        let found = outage::Entity::find()
            .filter(outage::Column::EndedAt.gt(after))
            .order_by_asc(outage::Column::BeganAt)
            .all(self.reads())
            .await?;
        let outage = |row: outage::Model| Outage {
            began_at: row.began_at,
            ended_at: row.ended_at,
        };
        Ok(found.into_iter().map(outage).collect())
    }

    /// Gives a last sign of life of the process with this number and says that it stops, so that the connections of people to it are
    /// closed, nobody waits there for an opponent, and others take over its analyses; forgets the
    /// processes that died long ago.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn leave(&self, node: i64) -> Result<(), StoreError> {
        // This sign of life may be the first one after an outage, which it must not hide.
        let now = self.beat(node, 0).await?.now;
        let db = self.writes();
        presence::Entity::update_many()
            .col_expr(presence::Column::IsThere, Expr::value(false))
            .col_expr(presence::Column::SeenAt, Expr::value(now))
            .filter(presence::Column::Node.eq(node))
            .filter(presence::Column::IsThere.eq(true))
            .exec(db)
            .await?;
        queue::Entity::delete_many()
            .filter(queue::Column::Node.eq(node))
            .exec(db)
            .await?;
        node::Entity::update_many()
            .col_expr(node::Column::BeatAt, Expr::value(now))
            .col_expr(node::Column::Stopped, Expr::value(true))
            .filter(node::Column::Id.eq(node))
            .exec(db)
            .await?;
        analysis::Entity::update_many()
            .col_expr(analysis::Column::LeaseUntil, Expr::value(now))
            .filter(analysis::Column::Node.eq(node))
            .filter(analysis::Column::Result.is_null())
            .exec(db)
            .await?;
        let latest = node::Entity::find().order_by_desc(node::Column::BeatAt);
        let latest = latest
            .one(self.reads())
            .await?
            .map_or(now, |row| row.beat_at);
        // The latest tells when an outage began, however long ago.
        let long_ago = (now - FORGET_MS).min(latest);
        node::Entity::delete_many()
            .filter(node::Column::BeatAt.lt(long_ago))
            .exec(db)
            .await?;
        presence::Entity::delete_many()
            .filter(presence::Column::SeenAt.lt(long_ago))
            .exec(db)
            .await?;
        Ok(())
    }

    /// Returns the database's time, in milliseconds since the Unix epoch.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn time(&self) -> Result<i64, StoreError> {
        let db = self.reads();
        // Processes ask for it with each sign of life.
        db.look_at_file().await;
        let now = match db.network() {
            Some(network) => network.0.database_time().to_string(),
            None => now(db.get_database_backend()).to_owned(),
        };
        let sql = format!("SELECT {now} AS now");
        let found = db.query_one_raw(statement(db, sql, [])).await?;
        Ok(found.ok_or(StoreError::NotFound)?.try_get("", "now")?)
    }

    /// Sends hints to all processes that listen to the database, this one included. Those longer
    /// than [`MAX_HINT_BYTES`] are left out. Does nothing unless the database is PostgreSQL.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn notify(&self, hints: &[String]) -> Result<(), StoreError> {
        let short: Vec<&String> = hints
            .iter()
            .filter(|hint| hint.len() <= MAX_HINT_BYTES)
            .collect();
        if short.is_empty() || !self.can_notify() {
            return Ok(());
        }
        let sql = format!(
            "SELECT pg_notify('{CHANNEL}', hint) FROM json_array_elements_text($1::json) AS hint"
        );
        let hints = serde_json::to_string(&short).expect("texts are JSON");
        let notify = Statement::from_sql_and_values(DbBackend::Postgres, sql, [hints.into()]);
        self.reads().query_all_raw(notify).await?;
        Ok(())
    }

    /// Listens to the hints that processes send with [`Store::notify`]; `None` unless the database is
    /// PostgreSQL. Keeps one of the connections for reads.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if there is no connection.
    pub async fn listen(&self) -> Result<Option<HintListener>, StoreError> {
        let Some(pool) = self.reads().postgres() else {
            return Ok(None);
        };
        let mut inner = PgListener::connect_with(&pool).await.map_err(listening)?;
        inner.listen(CHANNEL).await.map_err(listening)?;
        Ok(Some(HintListener { inner }))
    }
}

/// Returns the time of the last sign of life before this one of `node`, if there was none for too
/// long. `is_alone` is true if no other process can serve the database.
fn outage_before(nodes: &[node::Model], node: i64, now: i64, is_alone: bool) -> Option<i64> {
    let last = nodes.iter().map(|row| row.beat_at).max()?;
    let is_first = nodes.iter().all(|row| row.id != node);
    let is_served = |row: &node::Model| !row.stopped && row.beat_at > now - SILENT_MS;
    let limit = if is_first && (is_alone || !nodes.iter().any(is_served)) {
        RESTART_MS
    } else {
        MISSED_MS
    };
    (now - last > limit).then_some(last)
}

fn statement<const N: usize>(db: &Connections, sql: String, values: [i64; N]) -> Statement {
    let values = values.map(sea_orm::Value::from);
    Statement::from_sql_and_values(db.get_database_backend(), sql, values)
}

/// Returns the expression for the database's time, in milliseconds since the Unix epoch.
fn now(backend: DbBackend) -> &'static str {
    match backend {
        DbBackend::MySql => "CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)",
        DbBackend::Postgres => "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
        _ => "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
    }
}

/// Locks a file beside the database.
pub(crate) fn lock(database: &Path) -> Result<File, StoreError> {
    // The lock is beside the file itself, whatever name leads to the database.
    let database = database
        .canonicalize()
        .unwrap_or_else(|_| database.to_owned());
    refuse_impossible(&database)?;
    let mut path = database.clone().into_os_string();
    path.push(".lock");
    let path = Path::new(&path);
    let refused = |e: &io::Error| StoreError::NotWritable {
        location: database.display().to_string(),
        reason: format!("{}: {e}", path.display()),
    };
    let opened = create_private(path).or_else(|_| OpenOptions::new().write(true).open(path));
    let file = opened.map_err(|e| refused(&e))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse {
            location: database.display().to_string(),
        }),
        Err(TryLockError::Error(e)) if e.kind() == io::ErrorKind::Unsupported => {
            tracing::warn!(error = %e, "this file system has no locks: see that only one server uses the database");
            Ok(file)
        }
        Err(TryLockError::Error(e)) => Err(refused(&e)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_database_is_asked_for_its_time_in_its_own_words() {
        assert!(now(DbBackend::MySql).contains("UNIX_TIMESTAMP"));
        assert!(now(DbBackend::Postgres).contains("clock_timestamp"));
        assert!(now(DbBackend::Sqlite).contains("julianday"));
    }
}
