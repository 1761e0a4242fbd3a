//! Errors of replaying and writing transcripts.

use parlor_core::{ImpossibleChance, NotationError};

use crate::Illegal;

/// Error of replaying a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("step {at} of the log, {text:?}: {kind}")]
pub struct ReplayError {
    /// Number of the step, from 1.
    pub at: usize,
    /// Text of the step.
    pub text: String,
    /// Kind of error.
    pub kind: ReplayErrorKind,
}

/// Kinds of errors in a step of a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayErrorKind {
    /// The text cannot be read.
    #[error(transparent)]
    Text(#[from] NotationError),
    /// The random event is impossible at this point.
    #[error(transparent)]
    Chance(#[from] ImpossibleChance),
    /// The move is illegal.
    #[error(transparent)]
    Move(#[from] Illegal),
}

/// Reason why a transcript cannot be written as a single log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SingleLogError {
    /// A game does not follow from the one before, as in a session, where each game has its own
    /// log.
    #[error("game {game} does not follow from the one before it: take the games one by one")]
    Disconnected {
        /// Number of the game, from 1.
        game: usize,
    },
    /// The transcript has no games.
    #[error("it contains no games")]
    Empty,
}

/// Error of resigning when no game is in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no game in progress to resign")]
pub struct NothingToResign;

/// Reason why a transcript cannot be written to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TranscriptWriteError {
    /// The transcript has no games.
    #[error("it contains no games")]
    Empty,
    /// A game starts in the middle.
    #[error("game {game} starts in the middle, which the format cannot express")]
    InTheMiddle {
        /// Number of the game, from 1.
        game: usize,
    },
    /// The starting position is not the standard one.
    #[error("the game does not start from the standard position, which the format cannot express")]
    OtherStart,
}
