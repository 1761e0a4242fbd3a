//! Talk at tables: what people write to each other, apart from the tables' logs.

mod entity;
mod mutes;
mod reports;
mod silences;

use std::fmt;
use std::str::FromStr;

use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, SqlErr,
};

pub(crate) use self::entity::message;
use self::entity::{report, silence};
use crate::search::storable;
use crate::statement::padded_ids;
use crate::transaction::{begin, commit};
use crate::{Store, StoreError};

pub use self::reports::{NewTalkReport, ReportFilter, ReportResult, ReportSort, TalkReport};
pub use self::silences::Silence;

/// Number of the latest messages of a table that are kept, at least.
pub const KEPT_MESSAGES: u64 = 1_000;
/// Older messages are deleted with about one new message in so many.
const PRUNE_EVERY: i64 = 16;
/// Number of attempts to find a free number, while others write at the same table.
const TRIES: u32 = 20;

impl Store {
    /// Replaces the name beside all messages of an account.
    pub(crate) async fn rename_author(&self, user: i64, name: String) -> Result<(), StoreError> {
        message::Entity::update_many()
            .col_expr(message::Column::Name, Expr::value(name))
            .filter(message::Column::UserId.eq(user))
            .exec(self.writes())
            .await?;
        Ok(())
    }
}

/// Room of a table's talk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TalkRoom {
    /// Room of the players.
    Players,
    /// Room of the watchers.
    Watchers,
}

impl TalkRoom {
    /// All rooms.
    pub const ALL: [TalkRoom; 2] = [TalkRoom::Players, TalkRoom::Watchers];

    /// Returns the name that is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TalkRoom::Players => "players",
            TalkRoom::Watchers => "watchers",
        }
    }
}

impl fmt::Display for TalkRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Error of parsing a [`TalkRoom`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a room: expected players or watchers")]
pub struct UnknownRoom(pub String);

impl FromStr for TalkRoom {
    type Err = UnknownRoom;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        TalkRoom::ALL
            .into_iter()
            .find(|room| room.as_str() == s)
            .ok_or_else(|| UnknownRoom(s.to_owned()))
    }
}

/// A person who writes: a member or a guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TalkPerson {
    /// Key of the person; at most 64 characters.
    pub key: String,
    /// Account, if the person is a member.
    pub user: Option<i64>,
    /// Name shown with what the person writes; at most 100 characters.
    pub name: String,
}

/// A message at a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TalkMessage {
    /// Number of the message: one more than that of the message before at the same table, if there
    /// is one. The first number is any.
    pub n: i64,
    /// Time of the message, in milliseconds since the Unix epoch.
    pub at: i64,
    /// Room of the message.
    pub room: TalkRoom,
    /// Author.
    pub author: TalkPerson,
    /// Seat of the author.
    pub seat: Option<u8>,
    /// Id of the ready-made phrase, with its argument after a colon if it has one; `None` for free text.
    /// An id has at most 64 characters.
    pub phrase: Option<String>,
    /// Text; at most 1,000 characters.
    pub text: String,
}

impl Store {
    /// Stores a message at a table and returns its number. The `n` of the given message is ignored.
    /// Of the older messages, at least the latest [`KEPT_MESSAGES`] are kept.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is no such table, and the errors of every write; see
    /// [`Store::create`].
    pub async fn say(&self, table: i64, message: &TalkMessage) -> Result<i64, StoreError> {
        let mut last = None;
        for _ in 0..TRIES {
            match self.try_to_say(table, message).await {
                Err(StoreError::Exists) => {}
                Err(e @ StoreError::Unavailable(_)) => last = Some(e),
                other => return other,
            }
        }
        Err(last.unwrap_or(StoreError::Exists))
    }

    /// Stores a message, unless somebody else takes its number.
    async fn try_to_say(&self, table: i64, message: &TalkMessage) -> Result<i64, StoreError> {
        let transaction = begin(self.writes()).await?;
        let latest = numbers(&transaction, table, 0).await?;
        let n = latest.map_or(first_number(message.at), |latest| latest + 1);
        let row = row(table, n, message);
        let inserted = message::Entity::insert(message::ActiveModel::from(row))
            .exec_without_returning(&transaction)
            .await;
        if let Err(e) = inserted {
            return Err(match e.sql_err() {
                Some(SqlErr::UniqueConstraintViolation(_)) => StoreError::Exists,
                Some(SqlErr::ForeignKeyConstraintViolation(_)) => StoreError::NotFound,
                _ => e.into(),
            });
        }
        if n % PRUNE_EVERY == 0
            && let Some(oldest) = numbers(&transaction, table, KEPT_MESSAGES).await?
        {
            message::Entity::delete_many()
                .filter(message::Column::TableId.eq(table))
                .filter(message::Column::N.lte(oldest))
                .exec(&transaction)
                .await?;
        }
        commit(transaction, None).await?;
        Ok(n)
    }

    /// Returns messages of these rooms of a table, in order: the first `limit` after the one numbered
    /// `after`, or without it the last `limit`.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn talk(
        &self,
        table: i64,
        rooms: &[TalkRoom],
        after: Option<i64>,
        limit: u64,
    ) -> Result<Vec<TalkMessage>, StoreError> {
        let rooms = rooms.iter().map(|room| room.as_str());
        let select = message::Entity::find()
            .filter(message::Column::TableId.eq(table))
            .filter(message::Column::Room.is_in(rooms))
            .limit(limit);
        let found = match after {
            Some(after) => {
                let later = select.filter(message::Column::N.gt(after));
                later.order_by_asc(message::Column::N)
            }
            None => select.order_by_desc(message::Column::N),
        };
        let mut messages: Vec<TalkMessage> = found
            .all(self.reads())
            .await?
            .into_iter()
            .map(TalkMessage::try_from)
            .collect::<Result<_, _>>()?;
        if after.is_none() {
            messages.reverse();
        }
        Ok(messages)
    }

    /// Returns a message of a table; `None` if there is none with this number.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn talk_message(
        &self,
        table: i64,
        n: i64,
    ) -> Result<Option<TalkMessage>, StoreError> {
        let found = message::Entity::find_by_id((table, n));
        let found = found.one(self.reads()).await?;
        found.map(TalkMessage::try_from).transpose()
    }

    /// Returns the number of the last message of each of these tables that has any.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn talk_ends(&self, tables: &[i64]) -> Result<Vec<(i64, i64)>, StoreError> {
        let mut ends = Vec::new();
        for tables in tables.chunks(1_000) {
            let select = message::Entity::find()
                .select_only()
                .column(message::Column::TableId)
                .column_as(message::Column::N.max(), "last")
                .filter(message::Column::TableId.is_in(padded_ids(tables.to_vec())))
                .group_by(message::Column::TableId);
            ends.extend(select.into_tuple::<(i64, i64)>().all(self.reads()).await?);
        }
        Ok(ends)
    }

    /// Returns what an account has written, with the tables, oldest first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn talk_of(&self, user: i64) -> Result<Vec<(i64, TalkMessage)>, StoreError> {
        let found = message::Entity::find()
            .filter(message::Column::UserId.eq(user))
            .order_by_asc(message::Column::At)
            .order_by_asc(message::Column::N)
            .all(self.reads())
            .await?;
        let written = |row: message::Model| Ok((row.table_id, TalkMessage::try_from(row)?));
        found.into_iter().map(written).collect()
    }

    /// Deletes messages and closed reports from before a time, in milliseconds since the Unix epoch,
    /// and silences that ended before it. Returns the number of messages deleted.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn sweep_talk(&self, before: i64) -> Result<u64, StoreError> {
        let db = self.writes();
        let deleted = message::Entity::delete_many()
            .filter(message::Column::At.lt(before))
            .exec(db)
            .await?;
        report::Entity::delete_many()
            .filter(report::Column::ClosedAt.lt(before))
            .exec(db)
            .await?;
        silence::Entity::delete_many()
            .filter(silence::Column::Until.lt(before))
            .exec(db)
            .await?;
        Ok(deleted.rows_affected)
    }
}

/// Returns the number of a table's latest message after skipping so many.
async fn numbers(
    db: &impl ConnectionTrait,
    table: i64,
    skipped: u64,
) -> Result<Option<i64>, DbErr> {
    message::Entity::find()
        .select_only()
        .column(message::Column::N)
        .filter(message::Column::TableId.eq(table))
        .order_by_desc(message::Column::N)
        .offset(skipped)
        .limit(1)
        .into_tuple()
        .one(db)
        .await
}

/// Returns the number of a table's first message, or of the first after all were deleted. It is larger
/// than that of messages which have been deleted for their age, and the same for two messages at once,
/// so that one of them is refused and tried again.
fn first_number(at: i64) -> i64 {
    const DAY_MS: i64 = 86_400_000;
    const PER_DAY: i64 = 1_000_000;
    at.div_euclid(DAY_MS) * PER_DAY + 1
}

/// Length of the column for phrases, in characters.
const PHRASE_LENGTH: usize = 64;

/// Splits a phrase for storage. Its argument has a column of its own only if it is too long for the
/// phrase's, which processes of the previous release read.
fn split(phrase: &str) -> (&str, Option<&str>) {
    match phrase.split_once(':') {
        Some((id, argument)) if phrase.chars().count() > PHRASE_LENGTH => (id, Some(argument)),
        _ => (phrase, None),
    }
}

fn row(table_id: i64, n: i64, message: &TalkMessage) -> message::Model {
    let (phrase, argument) = message.phrase.as_deref().map(split).unzip();
    message::Model {
        table_id,
        n,
        at: message.at,
        room: message.room.as_str().to_owned(),
        person: message.author.key.clone(),
        user_id: message.author.user,
        name: storable(&message.author.name),
        seat: message.seat.map(i32::from),
        phrase: phrase.map(str::to_owned),
        argument: argument.flatten().map(str::to_owned),
        text: storable(&message.text),
    }
}

impl TryFrom<message::Model> for TalkMessage {
    type Error = StoreError;

    fn try_from(row: message::Model) -> Result<Self, StoreError> {
        let room = row.room.parse();
        Ok(Self {
            n: row.n,
            at: row.at,
            room: room.map_err(|e: UnknownRoom| StoreError::Corrupt {
                id: row.table_id,
                reason: e.to_string(),
            })?,
            author: TalkPerson {
                key: row.person,
                user: row.user_id,
                name: row.name,
            },
            seat: row.seat.and_then(|seat| u8::try_from(seat).ok()),
            phrase: match (row.phrase, row.argument) {
                (Some(id), Some(argument)) => Some(format!("{id}:{argument}")),
                (phrase, _) => phrase,
            },
            text: row.text,
        })
    }
}
