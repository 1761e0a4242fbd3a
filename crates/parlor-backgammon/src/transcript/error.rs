//! What cannot have been, and what cannot be written.

use parlor_core::{Impossible, NotationError};

use crate::Illegal;

/// A line of a log that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("step {at} of the log, {text:?}: {why}")]
pub struct BadStep {
    /// Which, from 1.
    pub at: usize,
    /// What it says.
    pub text: String,
    /// Why not.
    pub why: Why,
}

/// Why a step cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// It cannot be read.
    #[error(transparent)]
    Text(#[from] NotationError),
    /// Luck cannot do that here.
    #[error(transparent)]
    Chance(#[from] Impossible),
    /// The rules forbid it.
    #[error(transparent)]
    Move(#[from] Illegal),
}

/// Why a transcript is no single log of the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLog {
    /// Games of a session stand beside each other; each has a log of its own.
    #[error("game {game} does not follow from the one before it: take the games one by one")]
    Apart {
        /// Which, from 1.
        game: usize,
    },
    /// There is no game.
    #[error("there is no game in it")]
    Empty,
}

/// There is no game that could be resigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no game is going on that could be resigned")]
pub struct NothingToResign;

/// Why a transcript cannot be written to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// There is no game.
    #[error("there is no game in it")]
    Empty,
    /// A game begins in the middle.
    #[error("game {game} begins in the middle, which the format cannot say")]
    InTheMiddle {
        /// Which, from 1.
        game: usize,
    },
    /// The checkers stand otherwise.
    #[error("the checkers do not start as usual, which the format cannot say")]
    OtherStart,
}
