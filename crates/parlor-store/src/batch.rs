//! Transactions of many changes.
//!
//! The rows of a batch are read and locked, every change is decided against them in memory, and the
//! result is written with a handful of statements. A refused change writes nothing and does not
//! affect the others.

mod open_tables;
mod plan;

use std::collections::BTreeMap;

use sea_orm::sea_query::{ExprTrait, LockBehavior, LockType};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, DbErr, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect,
};

use self::open_tables::OpenTables;
use crate::account_log::NewNote;
use crate::connections::Connections;
use crate::entity::{event, person, player, table};
use crate::error::locked_out;
use crate::statement::{MAX_TEXT, padded_ids};
use crate::transaction::{Transaction, begin};
use crate::{
    Append, AuditLine, GameScores, NewStoredTable, PlayerRole, RowStatus, StoreError, StoredEvent,
    options,
};

/// Maximum length of game keys and seat labels, in bytes; SQLite alone would have no limit.
const MAX_SHORT_TEXT: usize = 64;
/// Statement after which a transaction of PostgreSQL waits for no lock for long.
const BRIEF_LOCKS: &str = "SET LOCAL lock_timeout = '100ms'";

/// A change requested by a caller, ready to be written.
#[derive(Debug)]
pub(crate) enum TableChange {
    Create(Box<TableCreation>),
    Append(Box<RowChange>),
    Delete(i64, Option<AuditLine>),
    /// Changes nothing, but only where changes are possible.
    Probe,
}

/// A table to be created.
#[derive(Debug)]
pub(crate) struct TableCreation {
    row: table::Model,
    events: Vec<event::Model>,
    players: Vec<player::Model>,
    people: Vec<person::Model>,
    notes: Vec<NewNote>,
    most_open: Option<u64>,
}

/// Changes to an existing table.
#[derive(Debug)]
pub(crate) struct RowChange {
    id: i64,
    expected: i64,
    events: Vec<event::Model>,
    status: Option<RowStatus>,
    listed: Option<bool>,
    seats: Option<String>,
    summary: Option<String>,
    due_at: Option<Option<i64>>,
    turn: Option<Option<String>>,
    result: Option<String>,
    rated: Option<bool>,
    players: Option<Vec<player::Model>>,
    people: Option<Vec<person::Model>>,
    scores: Option<GameScores>,
    notes: Vec<NewNote>,
}

/// Result of a change.
pub(crate) type WriteResult = Result<(), StoreError>;

/// Reason why a transaction failed.
#[derive(Debug)]
pub(crate) enum BatchFailure {
    /// Nothing was written.
    Aborted(DbErr),
    /// The commit was requested but not confirmed. The results apply if it succeeded.
    InDoubt(DbErr, Vec<WriteResult>),
}

impl From<BatchFailure> for StoreError {
    fn from(failure: BatchFailure) -> Self {
        match failure {
            BatchFailure::Aborted(e) => e.into(),
            BatchFailure::InDoubt(e, _) => Self::InDoubt(e),
        }
    }
}

impl TableChange {
    /// Validates and encodes a creation, in the caller's task.
    pub fn create(new: NewStoredTable) -> Result<Self, StoreError> {
        let events = encode(new.id, 0, new.events)?;
        let row = table::Model {
            id: new.id,
            game: short_text(new.game)?,
            status: new.status.as_str().to_owned(),
            listed: new.listed,
            version: events.len() as i64,
            seats: json_text(&new.seats)?,
            options: json_text(&new.options)?,
            secret: new.secret,
            summary: new.summary.as_ref().map(json_text).transpose()?,
            created_at: new.created_at,
            updated_at: events.last().map_or(new.created_at, |e| e.at),
            due_at: new.due_at,
            turn: new.turn.map(short_text).transpose()?,
            rated: new.rated,
            result: None,
            options_hash: options::hash(&new.options),
            made_from: new.made_from.filter(|_| new.status == RowStatus::Open),
            in_lobby: new.in_lobby,
        };
        Ok(Self::Create(Box::new(TableCreation {
            notes: notes(row.updated_at, &new.notes)?,
            events,
            players: players(new.id, new.players),
            people: people(new.id, new.people),
            most_open: new.most_open,
            row,
        })))
    }

    /// Validates and encodes an append, in the caller's task.
    pub fn append(append: Append) -> Result<Self, StoreError> {
        let (id, update) = (append.id, append.update);
        if let Some(scores) = &append.scores {
            short_text(scores.game.clone())?;
        }
        let at = append.events.last().map_or(0, |event| event.at);
        Ok(Self::Append(Box::new(RowChange {
            notes: notes(at, &append.notes)?,
            id,
            expected: append.expected as i64,
            events: encode(id, append.expected, append.events)?,
            status: update.status,
            listed: update.listed,
            seats: update.seats.as_ref().map(json_text).transpose()?,
            summary: update.summary.as_ref().map(json_text).transpose()?,
            due_at: update.due_at,
            turn: update
                .turn
                .map(|turn| turn.map(short_text).transpose())
                .transpose()?,
            result: update.result.map(short_text).transpose()?,
            rated: update.rated,
            players: append.players.map(|named| players(id, named)),
            people: append.people.map(|seated| people(id, seated)),
            scores: append.scores,
        })))
    }

    /// Returns the id of the table concerned, if any.
    pub fn id(&self) -> Option<i64> {
        match self {
            Self::Create(creation) => Some(creation.row.id),
            Self::Append(change) => Some(change.id),
            Self::Delete(id, _) => Some(*id),
            Self::Probe => None,
        }
    }

    /// Returns `true` if the row that the change is made to is one of these, or it needs none.
    fn finds_its_row(&self, rows: &BTreeMap<i64, table::Model>) -> bool {
        match self {
            Self::Append(change) => rows.contains_key(&change.id),
            Self::Delete(id, _) => rows.contains_key(id),
            Self::Create(_) | Self::Probe => true,
        }
    }

    /// Returns the events that the change adds.
    fn events(&self) -> &[event::Model] {
        match self {
            Self::Create(creation) => &creation.events,
            Self::Append(change) => &change.events,
            Self::Delete(..) | Self::Probe => &[],
        }
    }
}

fn json_text(value: &serde_json::Value) -> Result<String, StoreError> {
    let text = value.to_string();
    if text.len() > MAX_TEXT {
        Err(StoreError::TooBig {
            bytes: text.len(),
            limit: MAX_TEXT,
        })
    } else {
        Ok(text)
    }
}

fn short_text(text: String) -> Result<String, StoreError> {
    if text.len() > MAX_SHORT_TEXT {
        Err(StoreError::TooBig {
            bytes: text.len(),
            limit: MAX_SHORT_TEXT,
        })
    } else {
        Ok(text)
    }
}

fn encode(id: i64, before: u64, events: Vec<StoredEvent>) -> Result<Vec<event::Model>, StoreError> {
    let mut encoded = Vec::with_capacity(events.len());
    let mut expected = before;
    for event in events {
        expected = expected.saturating_add(1);
        if event.version != expected {
            return Err(StoreError::Gap {
                expected,
                found: event.version,
            });
        }
        encoded.push(event::Model {
            table_id: id,
            version: expected as i64,
            at: event.at,
            body: json_text(&event.body)?,
        });
    }
    Ok(encoded)
}

/// Encodes notes about what happened at a time.
fn notes(at: i64, notes: &[(i64, serde_json::Value)]) -> Result<Vec<NewNote>, StoreError> {
    let encode = |(user, body): &(i64, serde_json::Value)| {
        Ok(NewNote {
            user: *user,
            at,
            body: json_text(body)?,
        })
    };
    notes.iter().map(encode).collect()
}

/// Returns one row per account, with the best role it is named for.
fn players(table_id: i64, mut named: Vec<(i64, PlayerRole)>) -> Vec<player::Model> {
    named.sort_unstable();
    named.dedup_by_key(|(user, _)| *user);
    let row = |(user_id, role): (i64, PlayerRole)| player::Model {
        table_id,
        user_id,
        role: role.as_str().to_owned(),
    };
    named.into_iter().map(row).collect()
}

/// Returns one row per person.
fn people(table_id: i64, mut seated: Vec<i64>) -> Vec<person::Model> {
    seated.sort_unstable();
    seated.dedup();
    let row = |person: i64| person::Model { table_id, person };
    seated.into_iter().map(row).collect()
}

/// Way in which the changes of a batch are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attempt {
    First,
    /// An earlier attempt may have been committed. A change that is stored already is not written
    /// again and counts as done.
    AfterDoubt,
    /// Somebody keeps a lock for longer than the time limit. A change that needs it is refused at once.
    PastLocks,
}

/// Writes the changes in one transaction and returns their results, in order.
pub(crate) async fn apply(
    db: &Connections,
    changes: &[&TableChange],
    attempt: Attempt,
) -> Result<Vec<WriteResult>, BatchFailure> {
    let transaction = begin(db).await.map_err(BatchFailure::Aborted)?;
    let answers = write(&transaction, changes, attempt)
        .await
        .map_err(BatchFailure::Aborted)?;
    match transaction.commit().await {
        Ok(()) => Ok(answers),
        Err(e) => Err(BatchFailure::InDoubt(e, answers)),
    }
}

async fn write(
    transaction: &Transaction,
    changes: &[&TableChange],
    attempt: Attempt,
) -> Result<Vec<WriteResult>, DbErr> {
    let is_postgres = transaction.get_database_backend() == DbBackend::Postgres;
    if attempt == Attempt::PastLocks && is_postgres {
        transaction.execute_unprepared(BRIEF_LOCKS).await?;
    }
    let rows = lock(transaction, changes, attempt).await?;
    let locked: Vec<bool> = changes
        .iter()
        .map(|change| attempt == Attempt::PastLocks && !change.finds_its_row(&rows))
        .collect();
    let stored = match attempt {
        Attempt::First | Attempt::PastLocks => None,
        Attempt::AfterDoubt => Some(stored_events(transaction, changes).await?),
    };
    let open = OpenTables::count(transaction, changes).await?;
    let mut plan = plan::BatchPlan::new(rows, stored, open);
    let answers = changes
        .iter()
        .zip(locked)
        .map(|(change, is_locked)| match is_locked {
            true => Err(StoreError::Unavailable(locked_out())),
            false => plan.decide(change),
        })
        .collect();
    plan.write(transaction).await?;
    Ok(answers)
}

/// Reads the rows concerned and locks them until the transaction ends. They are ordered, so that
/// two processes never deadlock. (In SQLite the transaction itself is the lock.) An earlier attempt
/// that a server has not finished yet holds these locks, so this waits for its end. An attempt past
/// the locks leaves out the rows that others have locked.
async fn lock(
    transaction: &Transaction,
    changes: &[&TableChange],
    attempt: Attempt,
) -> Result<BTreeMap<i64, table::Model>, DbErr> {
    let ids = padded_ids(changes.iter().filter_map(|change| change.id()).collect());
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows = table::Entity::find()
        .filter(table::Column::Id.is_in(ids))
        .order_by_asc(table::Column::Id);
    let rows = match attempt {
        Attempt::First | Attempt::AfterDoubt => rows.lock(LockType::Update),
        Attempt::PastLocks => rows.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked),
    };
    let rows = rows.all(transaction).await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// Reads the stored events with the versions of those that the changes would add.
async fn stored_events(
    transaction: &Transaction,
    changes: &[&TableChange],
) -> Result<BTreeMap<(i64, i64), event::Model>, DbErr> {
    use event::Column::{TableId, Version};
    let ranges = changes.iter().filter_map(|change| {
        let (first, last) = (change.events().first()?, change.events().last()?);
        let versions = Version.between(first.version, last.version);
        Some(TableId.eq(first.table_id).and(versions))
    });
    let ranges = ranges.fold(Condition::any(), Condition::add);
    if ranges.is_empty() {
        return Ok(BTreeMap::new());
    }
    let found = event::Entity::find()
        .filter(ranges)
        .all(transaction)
        .await?;
    let key = |event: &event::Model| (event.table_id, event.version);
    Ok(found
        .into_iter()
        .map(|event| (key(&event), event))
        .collect())
}
