//! What cannot be read, and what cannot be written.

use super::FIELDS;
use crate::{Flaws, Rules};

/// What is wrong with a board line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FibsError {
    /// It does not begin as one.
    #[error("a board line begins with \"board:\"")]
    NotABoard,
    /// Too many or too few fields.
    #[error("a board line has {FIELDS} fields with colons between, not {count}")]
    Fields {
        /// How many.
        count: usize,
    },
    /// A field says something else than it can.
    #[error("field {at} of the board line, {name}, is {text:?} where {expected} is needed")]
    Field {
        /// Which, from 1.
        at: usize,
        /// What it is for.
        name: &'static str,
        /// What it says.
        text: String,
        /// What would be right.
        expected: &'static str,
    },
    /// It is nobody's turn.
    #[error("it is nobody's turn: the turn must be 1 or -1")]
    Nobody,
    /// The direction cannot be told.
    #[error("color and direction must be 1 or -1")]
    Direction,
    /// The match is too long.
    #[error("a match is to at most {} points, not to {length}", Rules::MAX_LENGTH)]
    Length {
        /// To how many.
        length: u16,
    },
    /// One die only.
    #[error("the dice {0} and {1} are no roll: both are 1 to 6, or both 0")]
    Dice(u8, u8),
    /// The cube shows something else than a power of two.
    #[error("the cube shows 1, 2, 4 and so on up to 1024, not {0}")]
    Cube(u16),
    /// The fields contradict each other or the rules.
    #[error("the board line describes no game: {0}")]
    Flaws(Flaws),
}

/// Why a game has no board line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLine {
    /// Nobody is on turn.
    #[error(
        "a board line needs somebody whose turn it is: the first roll has not fallen, or the game is over"
    )]
    Nobody,
    /// A resignation waits for its answer.
    #[error("a board line cannot say that somebody has offered to resign")]
    Resignation,
    /// Some of the dice are played.
    #[error("a board line shows whole rolls, and some dice of this one are played")]
    PartOfARoll,
}
