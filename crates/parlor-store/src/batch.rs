//! One transaction for many changes.
//!
//! The rows that a batch touches are read and locked, every change is decided against them in memory, and what
//! remains is written with a handful of statements. A change that is refused writes nothing and hurts nobody else.

mod plan;

use std::collections::BTreeMap;

use sea_orm::sea_query::LockType;
use sea_orm::{
    ColumnTrait, DatabaseConnection, DatabaseTransaction, DbErr, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect,
};

use crate::entity::{event, player, table};
use crate::statement::{MAX_TEXT, padded};
use crate::transaction::begin;
use crate::{Append, AuditLine, Event, NewTable, Role, Settlement, Status, StoreError, options};

/// The longest key of a game and label of a seat, in bytes; SQLite alone would not mind.
const MAX_WORD: usize = 64;

/// What a caller wants changed, ready to be written.
#[derive(Debug)]
pub(crate) enum Change {
    Create(Box<Creation>),
    Append(Box<RowChange>),
    Delete(i64, Option<AuditLine>),
}

/// A table that is to be.
#[derive(Debug)]
pub(crate) struct Creation {
    row: table::Model,
    events: Vec<event::Model>,
    players: Vec<player::Model>,
}

/// The changes of an existing table.
#[derive(Debug)]
pub(crate) struct RowChange {
    id: i64,
    expected: i64,
    events: Vec<event::Model>,
    status: Option<Status>,
    listed: Option<bool>,
    seats: Option<String>,
    summary: Option<String>,
    due_at: Option<Option<i64>>,
    turn: Option<Option<String>>,
    result: Option<String>,
    rated: Option<bool>,
    players: Option<Vec<player::Model>>,
    settle: Option<Settlement>,
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
        let events = encode(new.id, 0, new.events)?;
        let row = table::Model {
            id: new.id,
            game: word(new.game)?,
            status: new.status.as_str().to_owned(),
            listed: new.listed,
            version: events.len() as i64,
            seats: text(&new.seats)?,
            options: text(&new.options)?,
            secret: new.secret,
            summary: new.summary.as_ref().map(text).transpose()?,
            created_at: new.created_at,
            updated_at: events.last().map_or(new.created_at, |e| e.at),
            due_at: new.due_at,
            turn: new.turn.map(word).transpose()?,
            rated: new.rated,
            result: None,
            options_hash: options::hash(&new.options),
        };
        Ok(Self::Create(Box::new(Creation {
            events,
            players: players(new.id, new.players),
            row,
        })))
    }

    /// Checks and encodes an append, on the caller's time.
    pub fn append(append: Append) -> Result<Self, StoreError> {
        let (id, update) = (append.id, append.update);
        if let Some(settlement) = &append.settle {
            word(settlement.game.clone())?;
        }
        Ok(Self::Append(Box::new(RowChange {
            id,
            expected: append.expected as i64,
            events: encode(id, append.expected, append.events)?,
            status: update.status,
            listed: update.listed,
            seats: update.seats.as_ref().map(text).transpose()?,
            summary: update.summary.as_ref().map(text).transpose()?,
            due_at: update.due_at,
            turn: update
                .turn
                .map(|turn| turn.map(word).transpose())
                .transpose()?,
            result: update.result.map(word).transpose()?,
            rated: update.rated,
            players: append.players.map(|named| players(id, named)),
            settle: append.settle,
        })))
    }

    /// The table that is meant.
    pub fn id(&self) -> i64 {
        match self {
            Self::Create(creation) => creation.row.id,
            Self::Append(change) => change.id,
            Self::Delete(id, _) => *id,
        }
    }
}

fn text(value: &serde_json::Value) -> Result<String, StoreError> {
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

fn word(word: String) -> Result<String, StoreError> {
    if word.len() > MAX_WORD {
        Err(StoreError::TooBig {
            bytes: word.len(),
            limit: MAX_WORD,
        })
    } else {
        Ok(word)
    }
}

fn encode(id: i64, before: u64, events: Vec<Event>) -> Result<Vec<event::Model>, StoreError> {
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
            body: text(&event.body)?,
        });
    }
    Ok(encoded)
}

/// Each account once, in the best of the places it is named for.
fn players(table_id: i64, mut named: Vec<(i64, Role)>) -> Vec<player::Model> {
    named.sort_unstable();
    named.dedup_by_key(|(user, _)| *user);
    let row = |(user_id, role): (i64, Role)| player::Model {
        table_id,
        user_id,
        role: role.as_str().to_owned(),
    };
    named.into_iter().map(row).collect()
}

/// Writes the changes in one transaction and answers each, in order.
pub(crate) async fn apply(
    db: &DatabaseConnection,
    changes: &[&Change],
) -> Result<Vec<Answer>, Failure> {
    let transaction = begin(db).await.map_err(Failure::Aborted)?;
    let answers = write(&transaction, changes)
        .await
        .map_err(Failure::Aborted)?;
    transaction.commit().await.map_err(Failure::InDoubt)?;
    Ok(answers)
}

async fn write(
    transaction: &DatabaseTransaction,
    changes: &[&Change],
) -> Result<Vec<Answer>, DbErr> {
    let mut plan = plan::Plan::new(lock(transaction, changes).await?);
    let answers = changes.iter().map(|change| plan.decide(change)).collect();
    plan.write(transaction).await?;
    Ok(answers)
}

/// Reads the rows that are meant, and holds them until the transaction ends. Ordered, so that two processes never
/// wait for each other in a circle. (In SQLite the transaction itself is the lock.)
async fn lock(
    transaction: &DatabaseTransaction,
    changes: &[&Change],
) -> Result<BTreeMap<i64, table::Model>, DbErr> {
    let ids = padded(changes.iter().map(|change| change.id()).collect());
    let rows = table::Entity::find()
        .filter(table::Column::Id.is_in(ids))
        .order_by_asc(table::Column::Id)
        .lock(LockType::Update)
        .all(transaction)
        .await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}
