//! Matches in Jellyfish's text format, the `.mat` that every program reads.
//!
//! White has the left column, black the right one. What is written is laid out as GNU Backgammon 1.07 does it. What it cannot
//! say otherwise is in tags such as `; [Crawford "Off"]`, which others leave alone.
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

use crate::transcript::Misstep;
use crate::{Flaws, Rules};

pub use crate::transcript::Unwritable;
pub use read::read;
pub use write::write;

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct MatError {
    /// Where, from 1.
    pub line: usize,
    /// What.
    pub what: Wrong,
}

/// What can be wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// There is no beginning.
    #[error("there is no line such as \"7 point match\" (0 for money) and no \"Game 1\"")]
    NoMatch,
    /// The match is too long.
    #[error(
        "a match is to at most {} points, not to {length}; money play has 0",
        Rules::MAX_LENGTH
    )]
    Length {
        /// To how many.
        length: u32,
    },
    /// No names and points.
    #[error("a game begins with both names and points: \"alice : 0   bob : 0\"")]
    Names,
    /// The game cannot begin so.
    #[error("no game begins so: {0}")]
    Start(Flaws),
    /// Not a known word.
    #[error("{0:?} is none of a roll (\"31: 8/5 6/5\"), Doubles, Takes, Drops, Beavers, Wins")]
    Word(String),
    /// A play that cannot be read.
    #[error(transparent)]
    Play(#[from] NotationError),
    /// What cannot happen there.
    #[error(transparent)]
    Move(#[from] Misstep),
    /// The points are others.
    #[error("the game was worth {right}, not {said}")]
    Points {
        /// What the file says.
        said: u32,
        /// What the rules say.
        right: u32,
    },
    /// Positions that were set up, raccoons and the like.
    #[error("{0} cannot be read")]
    Unknown(&'static str),
}
