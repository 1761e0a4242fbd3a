//! Tables and their events: the words of the store.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use crate::{Role, Settlement};

/// Where a table stands in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Status {
    /// Seats are still free.
    #[default]
    Open,
    /// The game is on.
    Playing,
    /// The game has ended, by the rules or by a player.
    Over,
    /// The game was called off.
    Aborted,
}

impl Status {
    /// Every status, in the order of a table's life.
    pub const ALL: [Self; 4] = [Self::Open, Self::Playing, Self::Over, Self::Aborted];

    /// The word that is stored: `open`, `playing`, `over` or `aborted`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Playing => "playing",
            Self::Over => "over",
            Self::Aborted => "aborted",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A word that is no [`Status`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no status: open, playing, over or aborted")]
pub struct UnknownStatus(pub String);

impl FromStr for Status {
    type Err = UnknownStatus;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|status| status.as_str() == s)
            .ok_or_else(|| UnknownStatus(s.to_owned()))
    }
}

/// One entry of a table's log.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The event's number in its table, from 1, without gaps.
    pub version: u64,
    /// When it happened, in milliseconds since 1970.
    pub at: i64,
    /// What happened. At most 4 MiB as text.
    pub body: Value,
}

/// A table that is to be.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTable {
    /// The id. Newest first in lists means highest id first, so ids should follow time.
    pub id: i64,
    /// The game's key, at most 64 bytes.
    pub game: String,
    /// The status at the start.
    pub status: Status,
    /// Whether lists may show it to everybody.
    pub listed: bool,
    /// Who sits where, as lists show it.
    pub seats: Value,
    /// The options the game is played with.
    pub options: Value,
    /// The secret behind the table's luck; never part of a [`Row`].
    pub secret: Option<Vec<u8>>,
    /// When it was created, in milliseconds since 1970.
    pub created_at: i64,
    /// The first events, versions from 1.
    pub events: Vec<Event>,
    /// When the table must be looked at again, in milliseconds since 1970: a clock runs out, a draw offer lapses.
    pub due_at: Option<i64>,
    /// The label of the seat on turn, at most 64 bytes.
    pub turn: Option<String>,
    /// How the game stands, as lists show it.
    pub summary: Option<Value>,
    /// Whether the game counts for the ratings of its players.
    pub rated: bool,
    /// Which accounts sit at the table or are asked to. Who is named twice keeps the better place.
    pub players: Vec<(i64, Role)>,
}

impl NewTable {
    /// A table of `game` without seats, options, secret, events, timer and accounts: open, listed and unrated, created at `at` (milliseconds
    /// since 1970).
    #[must_use]
    pub fn new(id: i64, game: impl Into<String>, at: i64) -> Self {
        Self {
            id,
            game: game.into(),
            status: Status::Open,
            listed: true,
            seats: Value::Array(Vec::new()),
            options: Value::Object(serde_json::Map::new()),
            secret: None,
            created_at: at,
            events: Vec::new(),
            due_at: None,
            turn: None,
            summary: None,
            rated: false,
            players: Vec::new(),
        }
    }
}

/// What changes in a table's row together with new events; `None` leaves a column as it is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RowUpdate {
    /// The new status.
    pub status: Option<Status>,
    /// The new visibility.
    pub listed: Option<bool>,
    /// Who sits where now.
    pub seats: Option<Value>,
    /// How the game stands, as lists show it.
    pub summary: Option<Value>,
    /// When the table must be looked at again, in milliseconds since 1970; `Some(None)` means never.
    pub due_at: Option<Option<i64>>,
    /// The label of the seat on turn, at most 64 bytes; `Some(None)` when nobody is.
    pub turn: Option<Option<String>>,
    /// How the game came out, as a word of at most 64 bytes.
    pub result: Option<String>,
    /// Whether the game counts for the ratings of its players.
    pub rated: Option<bool>,
}

/// New events for a table, on the condition that nobody else was faster.
#[derive(Debug, Clone, PartialEq)]
pub struct Append {
    /// The table.
    pub id: i64,
    /// The version the table must be at, that is the number of its last event.
    pub expected: u64,
    /// The events, versions from `expected + 1`. None at all is allowed: then only the row changes.
    pub events: Vec<Event>,
    /// What changes in the row. `updated_at` follows the last event by itself.
    pub update: RowUpdate,
    /// Which accounts now sit at the table or are asked to, in place of those before; `None` leaves them. Who is named
    /// twice keeps the better place.
    pub players: Option<Vec<(i64, Role)>>,
    /// The result to be counted for the accounts that played, when these events end the game: in the same transaction,
    /// and once for each table.
    pub settle: Option<Settlement>,
}

impl Append {
    /// These events, expected to follow what is stored, and no other change than the version.
    #[must_use]
    pub fn new(id: i64, events: Vec<Event>) -> Self {
        let expected = events.first().map_or(0, |e| e.version.saturating_sub(1));
        Self {
            id,
            expected,
            events,
            update: RowUpdate::default(),
            players: None,
            settle: None,
        }
    }
}

/// A table as lists show it.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The id.
    pub id: i64,
    /// The game's key.
    pub game: String,
    /// Where the table stands in its life.
    pub status: Status,
    /// Whether lists may show it to everybody.
    pub listed: bool,
    /// The number of its last event; 0 when it has none.
    pub version: u64,
    /// Who sits where.
    pub seats: Value,
    /// The options the game is played with.
    pub options: Value,
    /// How the game stands, as lists show it.
    pub summary: Option<Value>,
    /// When it was created, in milliseconds since 1970.
    pub created_at: i64,
    /// When its last event happened, in milliseconds since 1970.
    pub updated_at: i64,
    /// When the table must be looked at again, in milliseconds since 1970: a clock runs out, a draw offer lapses.
    pub due_at: Option<i64>,
    /// The label of the seat on turn, at most 64 bytes.
    pub turn: Option<String>,
    /// How the game came out, as a word; nothing before its end.
    pub result: Option<String>,
    /// Whether the game counts for the ratings of its players.
    pub rated: bool,
}

/// Everything about one table.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredTable {
    /// The row.
    pub row: Row,
    /// The secret behind the table's luck.
    pub secret: Option<Vec<u8>>,
    /// All events, in order: exactly `row.version` of them.
    pub events: Vec<Event>,
}
