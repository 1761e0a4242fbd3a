//! The contents of `state.json` and of move files, and their validation.
//!
//! Reading takes two steps. The reader of a file fills a [`PartialState`] with the fields that it
//! understands. [`PartialState::check`] then reports every [`StateFault`] at once, and
//! [`PartialState::into_document`] gives the [`StateDocument`]. Files do not include the starting
//! layout, so the [`StartLayout`] is always passed separately.
//!
//! ```
//! use parlor_formats::state_json::{BoardRow, PartialState};
//! use parlor_backgammon::StartLayout;
//!
//! let mut row = BoardRow::from_board(&StartLayout::Standard.board(), StartLayout::Standard);
//! row.board[0] = -3; // black gets a sixteenth checker
//! let partial = PartialState {
//!     board: Some(row.board),
//!     bar: Some(row.bar),
//!     home: Some(row.home),
//!     ..PartialState::default()
//! };
//! let report = partial.check(StartLayout::Standard);
//! let message = report.faults[0].to_string();
//! assert_eq!(message, "black has 16 checkers on the board, the bar and off; there are 15");
//! assert_eq!(report.faults[0].rule(), "checkers");
//! ```
//!
//! This module has no JSON, clocks or hashes.

mod check;
mod fault;
mod game;
mod moves;
mod name;
mod reachability;
mod row;

use parlor_backgammon::{Dice, Die, StartLayout};
use parlor_core::Seat;

pub use check::StateReport;
pub use fault::{Remark, StateFault};
pub use game::{StateConversionError, StateExtras};
pub use moves::{FileStep, MoveDocument, PartialMove};
pub use name::MoveFileName;
pub use row::{BAR_PLACE, BoardRow, OFF_PLACE, place};

/// Maximum number of messages in a file.
pub const MESSAGES_KEPT: usize = 20;

/// Word in an info message that explains why a game is completed before all checkers of a side are
/// off: `Black resigned`.
pub const RESIGNED: &str = "resigned";

/// Highest turn number: the largest integer that every JSON reader represents exactly.
pub const LAST_TURN: u64 = (1 << 53) - 1;

/// Contents of a `state.json` file in which every field was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateDocument {
    /// Number of the turn, from 1. Turns that were passed count.
    pub turn: u64,
    /// Seat on turn.
    pub active: Seat,
    /// Dice rolled: two, or four after a double.
    pub dice: Vec<Die>,
    /// Dice already played.
    pub used: Vec<Die>,
    /// Positions of the checkers.
    pub row: BoardRow,
    /// Last move file played; `None` before the first.
    pub last_move: Option<LastMoveEntry>,
    /// Status of the game.
    pub status: Status,
    /// Winner of the game.
    pub winner: Option<Seat>,
    /// Names of the users who play white and black.
    pub players: [String; 2],
    /// Messages, oldest first.
    pub messages: Vec<Message>,
    /// Time of the last change of the file.
    pub updated_at: FileTimestamp,
}

/// A [`StateDocument`] in which some fields may be missing or not understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartialState {
    /// See [`StateDocument::turn`].
    pub turn: Option<u64>,
    /// See [`StateDocument::active`].
    pub active: Option<Seat>,
    /// See [`StateDocument::dice`].
    pub dice: Option<Vec<Die>>,
    /// See [`StateDocument::used`].
    pub used: Option<Vec<Die>>,
    /// See [`BoardRow::board`].
    pub board: Option<[i8; 24]>,
    /// See [`BoardRow::bar`].
    pub bar: Option<[u8; 2]>,
    /// See [`BoardRow::home`].
    pub home: Option<[u8; 2]>,
    /// See [`StateDocument::last_move`]; the inner `None` is a `null` in the file.
    pub last_move: Option<Option<LastMoveEntry>>,
    /// See [`StateDocument::status`].
    pub status: Option<Status>,
    /// See [`StateDocument::winner`]; the inner `None` is a `null` in the file.
    pub winner: Option<Option<Seat>>,
    /// See [`StateDocument::players`].
    pub players: Option<[String; 2]>,
    /// See [`StateDocument::messages`]; messages that were not understood are `None`.
    pub messages: Option<Vec<Option<Message>>>,
    /// See [`StateDocument::updated_at`].
    pub updated_at: Option<FileTimestamp>,
}

/// Status of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The game is in progress: `playing`.
    Playing,
    /// The game is over: `completed`.
    Completed,
}

/// The last move file played, as recorded in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastMoveEntry {
    /// Number of the move, from 1. Passed turns have no move and no number.
    pub sequence: u64,
    /// Seat that moved.
    pub player: Seat,
    /// Name of the file.
    pub file: MoveFileName,
}

/// A message in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Kind of message.
    pub kind: MessageKind,
    /// Text of the message.
    pub text: String,
    /// Time of the message.
    pub at: FileTimestamp,
}

/// Kinds of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// An error, for example a refused move.
    Error,
    /// Information about the course of the game.
    Info,
    /// A warning.
    Warning,
}

/// A time as written in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileTimestamp {
    /// Text of the time.
    pub text: String,
    /// Nanoseconds since 1970-01-01 UTC; `None` if the text is not an RFC 3339 time.
    pub nanos: Option<i128>,
}

impl Status {
    /// Returns the word used in files.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Playing => "playing",
            Status::Completed => "completed",
        }
    }
}

impl MessageKind {
    /// Returns the word used in files.
    pub const fn name(self) -> &'static str {
        match self {
            MessageKind::Error => "error",
            MessageKind::Info => "info",
            MessageKind::Warning => "warning",
        }
    }
}

impl PartialState {
    /// Returns the checkers if all three fields about them were understood.
    pub fn row(&self) -> Option<BoardRow> {
        Some(BoardRow {
            board: self.board?,
            bar: self.bar?,
            home: self.home?,
        })
    }

    /// Returns the dice left to play; `None` if all are used, if they are not a valid roll, or if
    /// they are unknown.
    pub fn dice_left(&self) -> Option<Dice> {
        check::dice_left(self.dice.as_ref()?, self.used.as_ref()?)
    }

    /// Returns the document, or `None` if a field is missing. Does not validate; see
    /// [`PartialState::check`].
    pub fn into_document(self) -> Option<StateDocument> {
        Some(StateDocument {
            row: self.row()?,
            turn: self.turn?,
            active: self.active?,
            dice: self.dice?,
            used: self.used?,
            last_move: self.last_move?,
            status: self.status?,
            winner: self.winner?,
            players: self.players?,
            messages: self.messages?.into_iter().collect::<Option<_>>()?,
            updated_at: self.updated_at?,
        })
    }
}

impl StateDocument {
    /// Returns the document as a partial state with every field understood.
    pub fn to_partial(&self) -> PartialState {
        PartialState {
            turn: Some(self.turn),
            active: Some(self.active),
            dice: Some(self.dice.clone()),
            used: Some(self.used.clone()),
            board: Some(self.row.board),
            bar: Some(self.row.bar),
            home: Some(self.row.home),
            last_move: Some(self.last_move.clone()),
            status: Some(self.status),
            winner: Some(self.winner),
            players: Some(self.players.clone()),
            messages: Some(self.messages.iter().cloned().map(Some).collect()),
            updated_at: Some(self.updated_at.clone()),
        }
    }

    /// Validates the document with the given starting layout.
    pub fn check(&self, start: StartLayout) -> StateReport {
        self.to_partial().check(start)
    }
}
