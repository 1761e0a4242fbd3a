//! `state.json` and the move files beside it: what they say, and everything they may say wrongly.
//!
//! Reading happens in two steps. Whoever reads a file makes a [`Sketch`] of it, field by field, as far as the fields can be
//! understood; [`Sketch::check`] then tells every [`Fault`] at once, and [`Sketch::whole`] gives the [`State`]. A file does not
//! say which start it counts from, so the [`Start`](crate::Start) is always named beside it.
//!
//! ```
//! use parlor_backgammon::state::{Row, Sketch};
//! use parlor_backgammon::Start;
//!
//! let mut row = Row::of(&Start::Standard.board(), Start::Standard);
//! row.board[0] = -3; // black gets a sixteenth checker
//! let sketch = Sketch { board: Some(row.board), bar: Some(row.bar), home: Some(row.home), ..Sketch::default() };
//! let verdict = sketch.check(Start::Standard);
//! assert_eq!(verdict.faults[0].to_string(), "black has 16 checkers on the board, the bar and off; there are 15");
//! assert_eq!(verdict.faults[0].rule(), "checkers");
//! ```
//!
//! What is never here: JSON, clocks, hashes.

mod check;
mod fault;
mod game;
mod moves;
mod name;
mod reach;
mod row;

use parlor_core::Seat;

use crate::{Dice, Die};

pub use check::Verdict;
pub use fault::{Fault, Remark};
pub use game::{Beside, NoState};
pub use moves::{MoveFile, MoveSketch, Moved};
pub use name::MoveName;
pub use row::{BAR_PLACE, OFF_PLACE, Row, place};

/// How many messages a file keeps.
pub const MESSAGES_KEPT: usize = 20;

/// The word in an information that says why a game is completed before anybody is off: `Black resigned`.
pub const RESIGNED: &str = "resigned";

/// The last turn there can be: beyond it not every reader of JSON tells numbers apart.
pub const LAST_TURN: u64 = (1 << 53) - 1;

/// A game as a file tells it, every field of it understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The number of the turn, from 1. Turns that were passed count.
    pub turn: u64,
    /// Whose turn it is.
    pub active: Seat,
    /// The dice that were rolled: two, or four after a double.
    pub dice: Vec<Die>,
    /// Those that were played already.
    pub used: Vec<Die>,
    /// Where the checkers are.
    pub row: Row,
    /// The last move file that was played; nothing before the first.
    pub last_move: Option<LastMove>,
    /// Whether the game is over.
    pub status: Status,
    /// Who has won it.
    pub winner: Option<Seat>,
    /// The users who play white and black.
    pub players: [String; 2],
    /// What happened, the oldest first.
    pub messages: Vec<Message>,
    /// When the file was last changed.
    pub updated_at: Stamp,
}

/// A [`State`] of which only some fields could be understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sketch {
    /// See [`State::turn`].
    pub turn: Option<u64>,
    /// See [`State::active`].
    pub active: Option<Seat>,
    /// See [`State::dice`].
    pub dice: Option<Vec<Die>>,
    /// See [`State::used`].
    pub used: Option<Vec<Die>>,
    /// See [`Row::board`].
    pub board: Option<[i8; 24]>,
    /// See [`Row::bar`].
    pub bar: Option<[u8; 2]>,
    /// See [`Row::home`].
    pub home: Option<[u8; 2]>,
    /// See [`State::last_move`]; the inner nothing is a file's own `null`.
    pub last_move: Option<Option<LastMove>>,
    /// See [`State::status`].
    pub status: Option<Status>,
    /// See [`State::winner`]; the inner nothing is a file's own `null`.
    pub winner: Option<Option<Seat>>,
    /// See [`State::players`].
    pub players: Option<[String; 2]>,
    /// See [`State::messages`]; those that could not be understood are nothing.
    pub messages: Option<Vec<Option<Message>>>,
    /// See [`State::updated_at`].
    pub updated_at: Option<Stamp>,
}

/// Whether a game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It does: `playing`.
    Playing,
    /// Somebody has won: `completed`.
    Completed,
}

/// The move file that was played last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastMove {
    /// The number of the move, from 1. Turns that were passed have no move and no number.
    pub sequence: u64,
    /// Who made it.
    pub player: Seat,
    /// The file's name.
    pub file: MoveName,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What kind of thing.
    pub kind: MessageKind,
    /// It in words.
    pub text: String,
    /// When.
    pub at: Stamp,
}

/// The kinds of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// A move was refused, for example.
    Error,
    /// The game goes its way.
    Info,
    /// Something to know.
    Warning,
}

/// A moment as a file writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The text.
    pub text: String,
    /// Nanoseconds since 1970 UTC; nothing when the text is no time of RFC 3339.
    pub nanos: Option<i128>,
}

impl Status {
    /// The word in files.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Playing => "playing",
            Status::Completed => "completed",
        }
    }
}

impl MessageKind {
    /// The word in files.
    pub const fn name(self) -> &'static str {
        match self {
            MessageKind::Error => "error",
            MessageKind::Info => "info",
            MessageKind::Warning => "warning",
        }
    }
}

impl Sketch {
    /// The checkers, if all three fields about them could be understood.
    pub fn row(&self) -> Option<Row> {
        Some(Row {
            board: self.board?,
            bar: self.bar?,
            home: self.home?,
        })
    }

    /// The dice that are left to play; nothing when all are used, when they are no roll, and when it is not known.
    pub fn left(&self) -> Option<Dice> {
        check::left(self.dice.as_ref()?, self.used.as_ref()?)
    }

    /// The whole state; `None` when a field is missing. Whether it holds is for [`Sketch::check`] to say.
    pub fn whole(self) -> Option<State> {
        Some(State {
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

impl State {
    /// The state as a sketch of which everything is understood.
    pub fn sketch(&self) -> Sketch {
        Sketch {
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

    /// Everything that speaks against the state, counted from this start.
    pub fn check(&self, start: crate::Start) -> Verdict {
        self.sketch().check(start)
    }
}
