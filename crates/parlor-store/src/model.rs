//! Tables and their events.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use crate::{GameScores, PlayerRole};

/// Status of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum RowStatus {
    /// Seats are still free.
    #[default]
    Open,
    /// The game is in progress.
    Playing,
    /// The game has ended, by the rules or by a player.
    Over,
    /// The game was aborted.
    Aborted,
}

impl RowStatus {
    /// All statuses, in the order of a table's life.
    pub const ALL: [Self; 4] = [Self::Open, Self::Playing, Self::Over, Self::Aborted];

    /// Returns the stored word: `open`, `playing`, `over` or `aborted`.
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

impl fmt::Display for RowStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Error of parsing a [`RowStatus`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a status: expected open, playing, over or aborted")]
pub struct UnknownStatus(pub String);

impl FromStr for RowStatus {
    type Err = UnknownStatus;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|status| status.as_str() == s)
            .ok_or_else(|| UnknownStatus(s.to_owned()))
    }
}

/// An event of a table's log.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEvent {
    /// Number of the event in its table, from 1, without gaps.
    pub version: u64,
    /// Time of the event, in milliseconds since the Unix epoch.
    pub at: i64,
    /// Contents of the event; at most 4 MiB as text.
    pub body: Value,
}

/// A table to be created.
#[derive(Debug, Clone, PartialEq)]
pub struct NewStoredTable {
    /// Id of the table. Lists are ordered by id, so ids should follow time.
    pub id: i64,
    /// Key of the game; at most 64 bytes.
    pub game: String,
    /// Initial status.
    pub status: RowStatus,
    /// True if the table is publicly listed.
    pub listed: bool,
    /// Seats, as shown in lists.
    pub seats: Value,
    /// Options of the game.
    pub options: Value,
    /// Secret for verifiable random draws; never part of a [`TableRow`].
    pub secret: Option<Vec<u8>>,
    /// Time of creation, in milliseconds since the Unix epoch.
    pub created_at: i64,
    /// First events, with versions from 1.
    pub events: Vec<StoredEvent>,
    /// Time of the next timer, in milliseconds since the Unix epoch: a clock runs out, a draw offer
    /// lapses.
    pub due_at: Option<i64>,
    /// Label of the current player's seat: the one on turn, or once the game is over, the winner's or
    /// the one that moved last; at most 64 bytes.
    pub turn: Option<String>,
    /// Summary of the game's state, for lists.
    pub summary: Option<Value>,
    /// True if the game is rated.
    pub rated: bool,
    /// Accounts seated or invited. An account named twice gets the better role.
    pub players: Vec<(i64, PlayerRole)>,
    /// People seated, by the numbers under which their presence is known.
    pub people: Vec<i64>,
    /// Number of the client who creates the table, chosen by the application; kept while it is open.
    pub made_from: Option<i64>,
    /// True if the lobby may show the table, provided that it is listed.
    pub in_lobby: bool,
    /// Notes for the logs of accounts, which are written in the same transaction.
    pub notes: Vec<(i64, Value)>,
    /// Maximum number of open tables, this one included, at which an account seated here is seated
    /// and one invited here is invited.
    pub most_open: Option<u64>,
}

impl NewStoredTable {
    /// Creates an open, listed, unrated table of `game` without seats, options, secret, events,
    /// timer, accounts, people, client and limit, which the lobby may show. `at` is the time of creation, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn new(id: i64, game: impl Into<String>, at: i64) -> Self {
        Self {
            id,
            game: game.into(),
            status: RowStatus::Open,
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
            people: Vec::new(),
            made_from: None,
            in_lobby: true,
            notes: Vec::new(),
            most_open: None,
        }
    }
}

/// Changes to a table's row that accompany new events; `None` keeps a column.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RowUpdate {
    /// New status.
    pub status: Option<RowStatus>,
    /// New visibility in public lists.
    pub listed: Option<bool>,
    /// New seats.
    pub seats: Option<Value>,
    /// Summary of the game's state, for lists.
    pub summary: Option<Value>,
    /// Time of the next timer, in milliseconds since the Unix epoch; `Some(None)` clears it.
    pub due_at: Option<Option<i64>>,
    /// Label of the current player's seat, at most 64 bytes; `Some(None)` if no seat is.
    pub turn: Option<Option<String>>,
    /// Result of the game, as a word of at most 64 bytes.
    pub result: Option<String>,
    /// True if the game is rated.
    pub rated: Option<bool>,
}

/// New events for a table, appended only if the table is at the expected version.
#[derive(Debug, Clone, PartialEq)]
pub struct Append {
    /// Id of the table.
    pub id: i64,
    /// Version the table must be at, the number of its last event.
    pub expected: u64,
    /// New events, with versions from `expected + 1`. May be empty: then only the row changes.
    pub events: Vec<StoredEvent>,
    /// Changes to the row. `updated_at` follows the last event automatically.
    pub update: RowUpdate,
    /// Accounts seated or invited, replacing the stored list; `None` keeps it. An account named
    /// twice gets the better role.
    pub players: Option<Vec<(i64, PlayerRole)>>,
    /// People seated, replacing the stored list; `None` keeps it.
    pub people: Option<Vec<i64>>,
    /// Scores of the accounts that played, if these events end the game. They are counted in the
    /// same transaction, once per table.
    pub scores: Option<GameScores>,
    /// Notes for the logs of accounts, which are written in the same transaction.
    pub notes: Vec<(i64, Value)>,
}

impl Append {
    /// Creates an append of these events that changes nothing else.
    #[must_use]
    pub fn new(id: i64, events: Vec<StoredEvent>) -> Self {
        let expected = events.first().map_or(0, |e| e.version.saturating_sub(1));
        Self {
            id,
            expected,
            events,
            update: RowUpdate::default(),
            players: None,
            people: None,
            scores: None,
            notes: Vec::new(),
        }
    }
}

/// A table as shown in lists.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRow {
    /// Id of the table.
    pub id: i64,
    /// Key of the game.
    pub game: String,
    /// Status of the table.
    pub status: RowStatus,
    /// True if the table is publicly listed.
    pub listed: bool,
    /// Number of the last event; 0 if there is none.
    pub version: u64,
    /// Seats.
    pub seats: Value,
    /// Options of the game.
    pub options: Value,
    /// Summary of the game's state, for lists.
    pub summary: Option<Value>,
    /// Time of creation, in milliseconds since the Unix epoch.
    pub created_at: i64,
    /// Time of the last event, in milliseconds since the Unix epoch.
    pub updated_at: i64,
    /// Time of the next timer, in milliseconds since the Unix epoch: a clock runs out, a draw offer
    /// lapses.
    pub due_at: Option<i64>,
    /// Label of the current player's seat: the one on turn, or once the game is over, the winner's or
    /// the one that moved last; at most 64 bytes.
    pub turn: Option<String>,
    /// Result of the game as a word; `None` before its end.
    pub result: Option<String>,
    /// True if the game is rated.
    pub rated: bool,
}

/// All data of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredTable {
    /// Row of the table.
    pub row: TableRow,
    /// Secret for verifiable random draws.
    pub secret: Option<Vec<u8>>,
    /// All events in order: exactly `row.version` of them.
    pub events: Vec<StoredEvent>,
}
