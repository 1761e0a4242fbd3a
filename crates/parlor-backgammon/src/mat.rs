//! Matches in Jellyfish's `.mat` text format, which most programs read.
//!
//! White is in the left column, black in the right one. The layout follows GNU Backgammon 1.07.
//! Anything the format cannot express is written as tags such as `; [Crawford "Off"]`, which other
//! programs ignore.
//!
//! ```
//! use parlor_backgammon::mat;
//!
//! let text = r#"; [Site "Here"]
//!
//!  1 point match
//!
//!  Game 1
//!  alice : 0                      bob : 0
//!   1)                             31: 8/5 6/5
//!   2) 66: 24/18 24/18 13/7 13/7   52: 13/8 24/22
//! "#;
//! let transcript = mat::read(text)?;
//! assert_eq!(transcript.names, ["alice", "bob"]);
//! assert_eq!(transcript.games()[0].actions().len(), 3);
//! assert_eq!(mat::read(&mat::write(&transcript)?)?, transcript);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod columns;
mod read;
mod write;

use parlor_core::NotationError;

use crate::transcript::ImpossibleAction;
use crate::{GameFlaws, Rules};

pub use crate::transcript::TranscriptWriteError;
pub use read::read;
pub use write::write;

/// Error of reading a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct MatError {
    /// Line number, from 1.
    pub line: usize,
    /// Kind of error.
    pub kind: MatErrorKind,
}

/// Kinds of errors in a `.mat` file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatErrorKind {
    /// The match header is missing.
    #[error("there is no line such as \"7 point match\" (0 for money) and no \"Game 1\"")]
    NoMatch,
    /// The match is longer than [`Rules::MAX_LENGTH`].
    #[error(
        "a match is to at most {} points, not to {length}; money play has 0",
        Rules::MAX_LENGTH
    )]
    Length {
        /// Match length that was given.
        length: u32,
    },
    /// A game has no line with names and points.
    #[error("a game starts with both names and scores: \"alice : 0   bob : 0\"")]
    Names,
    /// The game starts in an impossible state.
    #[error("a game cannot start like this: {0}")]
    Start(GameFlaws),
    /// An unknown word.
    #[error(
        "{0:?} is not a known entry: expected a roll (\"31: 8/5 6/5\"), Doubles, Takes, Drops, \
         Beavers, Wins"
    )]
    Word(String),
    /// A play that cannot be read.
    #[error(transparent)]
    Play(#[from] NotationError),
    /// An action that is impossible at this point.
    #[error(transparent)]
    Move(#[from] ImpossibleAction),
    /// The result differs from that of the rules.
    #[error("the game was worth {expected}, not {found}")]
    Points {
        /// Points in the file.
        found: u32,
        /// Points by the rules.
        expected: u32,
    },
    /// Unsupported contents, such as position setups or raccoons.
    #[error("{0} cannot be read")]
    Unknown(&'static str),
}
