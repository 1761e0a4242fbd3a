//! One transaction for many changes.
//!
//! The rows that a batch touches are read and locked, every change is decided against them in memory, and what
//! remains is written with a handful of statements. A change that is refused writes nothing and hurts nobody else.

use std::collections::BTreeMap;

use sea_orm::sea_query::{Expr, LockType, OnConflict, Query};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect, SqliteTransactionMode, TransactionOptions, TransactionTrait,
};

use crate::entity::{event, table};
use crate::{Append, Event, NewTable, Status, StoreError};

/// The largest JSON text of one event or column: below the packet limit of every server in its default settings.
const MAX_TEXT: usize = 4 << 20;
/// The longest key of a game; SQLite alone would not mind.
const MAX_GAME: usize = 64;
/// So many rows go into one statement, as long as their texts stay below [`MAX_TEXT`].
const MAX_ROWS: usize = 500;

/// What a caller wants changed, ready to be written.
#[derive(Debug)]
pub(crate) enum Change {
    Create(table::Model, Vec<event::Model>),
    Append(RowChange, Vec<event::Model>),
    Delete(i64),
}

/// The changes of an existing row.
#[derive(Debug)]
pub(crate) struct RowChange {
    id: i64,
    expected: i64,
    status: Option<Status>,
    listed: Option<bool>,
    seats: Option<String>,
    summary: Option<String>,
}

/// What becomes of a change.
pub(crate) type Answer = Result<(), StoreError>;

/// Why a transaction did not happen.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nothing was written.
    Aborted(DbErr),
    /// The commit was asked for and not confirmed.
    InDoubt(DbErr),
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Aborted(e) => e.into(),
            Failure::InDoubt(e) => Self::InDoubt(e),
        }
    }
}

impl Change {
    /// Checks and encodes a creation, on the caller's time.
    pub fn create(new: NewTable) -> Result<Self, StoreError> {
        if new.game.len() > MAX_GAME {
            return Err(StoreError::TooBig { bytes: new.game.len(), limit: MAX_GAME });
        }
        let events = encode(new.id, 0, new.events)?;
        let row = table::Model {
            id: new.id,
            game: new.game,
            status: new.status.as_str().to_owned(),
            listed: new.listed,
            version: events.len() as i64,
            seats: text(&new.seats)?,
            options: text(&new.options)?,
            secret: new.secret,
            summary: None,
            created_at: new.created_at,
            updated_at: events.last().map_or(new.created_at, |e| e.at),
        };
        Ok(Self::Create(row, events))
    }

    /// Checks and encodes an append, on the caller's time.
    pub fn append(append: Append) -> Result<Self, StoreError> {
        let events = encode(append.id, append.expected, append.events)?;
        let update = append.update;
        let row = RowChange {
            id: append.id,
            expected: append.expected as i64,
            status: update.status,
            listed: update.listed,
            seats: update.seats.as_ref().map(text).transpose()?,
            summary: update.summary.as_ref().map(text).transpose()?,
        };
        Ok(Self::Append(row, events))
    }

    /// The table that is meant.
    pub fn id(&self) -> i64 {
        match self {
            Self::Create(row, _) => row.id,
            Self::Append(row, _) => row.id,
            Self::Delete(id) => *id,
        }
    }
}

fn text(value: &serde_json::Value) -> Result<String, StoreError> {
    let text = value.to_string();
    if text.len() > MAX_TEXT { Err(StoreError::TooBig { bytes: text.len(), limit: MAX_TEXT }) } else { Ok(text) }
}

fn encode(id: i64, before: u64, events: Vec<Event>) -> Result<Vec<event::Model>, StoreError> {
    let mut encoded = Vec::with_capacity(events.len());
    let mut expected = before;
    for event in events {
        expected = expected.saturating_add(1);
        if event.version != expected {
            return Err(StoreError::Gap { expected, found: event.version });
        }
        encoded.push(event::Model { table_id: id, version: expected as i64, at: event.at, body: text(&event.body)? });
    }
    Ok(encoded)
}

/// Writes the changes in one transaction and answers each, in order.
pub(crate) async fn apply(db: &DatabaseConnection, changes: &[&Change]) -> Result<Vec<Answer>, Failure> {
    let mode = (db.get_database_backend() == DbBackend::Sqlite).then_some(SqliteTransactionMode::Immediate);
    let options = TransactionOptions { sqlite_transaction_mode: mode, ..TransactionOptions::default() };
    let transaction = db.begin_with_options(options).await.map_err(Failure::Aborted)?;
    let answers = write(&transaction, changes).await.map_err(Failure::Aborted)?;
    transaction.commit().await.map_err(Failure::InDoubt)?;
    Ok(answers)
}

async fn write(transaction: &DatabaseTransaction, changes: &[&Change]) -> Result<Vec<Answer>, DbErr> {
    let mut plan = Plan { rows: lock(transaction, changes).await?, ..Plan::default() };
    let answers = changes.iter().map(|change| plan.decide(change)).collect();
    plan.write(transaction).await?;
    Ok(answers)
}

/// Reads the rows that are meant, and holds them until the transaction ends. Ordered, so that two processes never
/// wait for each other in a circle. (In SQLite the transaction itself is the lock.)
async fn lock(transaction: &DatabaseTransaction, changes: &[&Change]) -> Result<BTreeMap<i64, State>, DbErr> {
    let mut ids: Vec<i64> = changes.iter().map(|change| change.id()).collect();
    ids.sort_unstable();
    ids.dedup();
    while let Some(&last) = ids.last()
        && rounded(ids.len()) < ids.len()
    {
        ids.push(last);
    }
    let rows = table::Entity::find()
        .filter(table::Column::Id.is_in(ids))
        .order_by_asc(table::Column::Id)
        .lock(LockType::Update)
        .all(transaction)
        .await?;
    Ok(rows.into_iter().map(|row| (row.id, State { row, kind: Kind::Untouched })).collect())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Untouched,
    Changed,
    New,
}

#[derive(Debug)]
struct State {
    row: table::Model,
    kind: Kind,
}

/// What a batch comes to.
#[derive(Debug, Default)]
struct Plan<'c> {
    rows: BTreeMap<i64, State>,
    events: Vec<&'c event::Model>,
    deleted: Vec<i64>,
}

impl<'c> Plan<'c> {
    fn decide(&mut self, change: &'c Change) -> Answer {
        match change {
            Change::Create(row, events) => self.create(row, events),
            Change::Append(row, events) => self.append(row, events),
            Change::Delete(id) => self.delete(*id),
        }
    }

    fn create(&mut self, row: &table::Model, events: &'c [event::Model]) -> Answer {
        if self.rows.contains_key(&row.id) {
            return Err(StoreError::Exists);
        }
        self.rows.insert(row.id, State { row: row.clone(), kind: Kind::New });
        self.events.extend(events);
        Ok(())
    }

    fn append(&mut self, change: &RowChange, events: &'c [event::Model]) -> Answer {
        let State { row, kind } = self.rows.get_mut(&change.id).ok_or(StoreError::NotFound)?;
        if row.version != change.expected {
            return Err(StoreError::Conflict { current: row.version as u64 });
        }
        if let Some(last) = events.last() {
            row.version = last.version;
            row.updated_at = last.at;
        }
        if let Some(status) = change.status {
            row.status = status.as_str().to_owned();
        }
        row.listed = change.listed.unwrap_or(row.listed);
        if let Some(seats) = &change.seats {
            row.seats.clone_from(seats);
        }
        if change.summary.is_some() {
            row.summary.clone_from(&change.summary);
        }
        if *kind == Kind::Untouched {
            *kind = Kind::Changed;
        }
        self.events.extend(events);
        Ok(())
    }

    fn delete(&mut self, id: i64) -> Answer {
        let State { kind, .. } = self.rows.remove(&id).ok_or(StoreError::NotFound)?;
        if kind != Kind::New {
            self.deleted.push(id);
        }
        self.events.retain(|event| event.table_id != id);
        Ok(())
    }

    async fn write(self, transaction: &DatabaseTransaction) -> Result<(), DbErr> {
        if !self.deleted.is_empty() {
            // The events go with it: the foreign key cascades.
            let gone = table::Column::Id.is_in(self.deleted);
            table::Entity::delete_many().filter(gone).exec(transaction).await?;
        }
        let (mut new, mut changed) = (Vec::new(), Vec::new());
        for State { row, kind } in self.rows.into_values() {
            match kind {
                Kind::Untouched => {}
                Kind::Changed => changed.push(row),
                Kind::New => new.push(row),
            }
        }
        write_rows(transaction, new, None).await?;
        // The rows exist and are locked, so every one of these lands in the update.
        write_rows(transaction, changed, Some(update_on_conflict())).await?;
        write_events(transaction, &self.events).await
    }
}

fn update_on_conflict() -> OnConflict {
    use table::Column::{Listed, Seats, Status, Summary, UpdatedAt, Version};
    OnConflict::column(table::Column::Id)
        .update_columns([Status, Listed, Version, Seats, Summary, UpdatedAt])
        .to_owned()
}

async fn write_rows(
    transaction: &DatabaseTransaction,
    mut rows: Vec<table::Model>,
    on_conflict: Option<OnConflict>,
) -> Result<(), DbErr> {
    use table::Column::*;
    let size = |row: &table::Model| row.seats.len() + row.options.len() + row.summary.as_ref().map_or(0, String::len);
    while !rows.is_empty() {
        let rest = rows.split_off(statement_length(rows.iter().map(size)));
        let mut insert = Query::insert();
        insert
            .into_table(table::Entity)
            .columns([Id, Game, Status, Listed, Version, Seats, Options, Secret, Summary, CreatedAt, UpdatedAt]);
        for row in std::mem::replace(&mut rows, rest) {
            insert.values_panic([
                Expr::from(row.id),
                row.game.into(),
                row.status.into(),
                row.listed.into(),
                row.version.into(),
                row.seats.into(),
                row.options.into(),
                row.secret.into(),
                row.summary.into(),
                row.created_at.into(),
                row.updated_at.into(),
            ]);
        }
        if let Some(on_conflict) = &on_conflict {
            insert.on_conflict(on_conflict.clone());
        }
        transaction.execute(&insert).await?;
    }
    Ok(())
}

async fn write_events(transaction: &DatabaseTransaction, mut events: &[&event::Model]) -> Result<(), DbErr> {
    use event::Column::*;
    while !events.is_empty() {
        let (now, rest) = events.split_at(statement_length(events.iter().map(|event| event.body.len())));
        let mut insert = Query::insert();
        insert.into_table(event::Entity).columns([TableId, Version, At, Body]);
        for event in now {
            insert.values_panic([
                Expr::from(event.table_id),
                event.version.into(),
                event.at.into(),
                event.body.as_str().into(),
            ]);
        }
        transaction.execute(&insert).await?;
        events = rest;
    }
    Ok(())
}

/// How many of the next rows, by their sizes in bytes, fit into one statement; at least one.
fn statement_length(sizes: impl Iterator<Item = usize>) -> usize {
    let mut bytes = 0;
    let fits = |size: &usize| {
        bytes += size;
        bytes <= MAX_TEXT
    };
    rounded(sizes.take(MAX_ROWS).take_while(fits).count().max(1))
}

/// The three highest bits of a length. Statements are prepared once for each length, which takes a server far longer
/// than running them: with a few dozen lengths instead of hundreds they stay prepared.
fn rounded(length: usize) -> usize {
    let low_bits = (usize::BITS - length.leading_zeros()).saturating_sub(3);
    length >> low_bits << low_bits
}
