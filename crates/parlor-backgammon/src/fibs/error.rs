//! Errors of reading and writing board lines.

use super::FIELDS;
use crate::{GameFlaws, Rules};

/// Error of reading a board line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FibsError {
    /// The line does not start with `board:`.
    #[error("a board line starts with \"board:\"")]
    NotABoard,
    /// The line has too many or too few fields.
    #[error("a board line has {FIELDS} fields separated by colons, not {count}")]
    Fields {
        /// Number of fields found.
        count: usize,
    },
    /// A field has an invalid value.
    #[error("field {at} of the board line, {name}: expected {expected}, got {text:?}")]
    Field {
        /// Number of the field, from 1.
        at: usize,
        /// Name of the field.
        name: &'static str,
        /// Text of the field.
        text: String,
        /// Description of the valid values.
        expected: &'static str,
    },
    /// Neither side is on turn.
    #[error("nobody is on turn: the turn must be 1 or -1")]
    Nobody,
    /// Color or direction is 0.
    #[error("color and direction must be 1 or -1")]
    Direction,
    /// The match is longer than [`Rules::MAX_LENGTH`].
    #[error("a match is to at most {} points, not to {length}", Rules::MAX_LENGTH)]
    Length {
        /// Match length that was given.
        length: u16,
    },
    /// Only one die shows a face.
    #[error("the dice {0} and {1} are not a roll: both must be 1 to 6, or both 0")]
    Dice(u8, u8),
    /// The cube's value is not a power of two, or is too high.
    #[error("the cube shows 1, 2, 4 and so on up to 1024, not {0}")]
    Cube(u16),
    /// The fields contradict each other or the rules.
    #[error("the board line does not describe a valid game: {0}")]
    Flaws(GameFlaws),
}

/// Reason why a position cannot be written as a board line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FibsWriteError {
    /// No seat is on turn.
    #[error(
        "a board line needs a player on turn: the first roll has not been made, or the game is over"
    )]
    Nobody,
    /// A resignation waits for an answer.
    #[error("a board line cannot express an offer to resign")]
    Resignation,
    /// Part of the roll has been played.
    #[error("a board line needs a whole roll, but some of these dice are already played")]
    PartOfARoll,
}
