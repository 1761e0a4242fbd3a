//! Matches in the Smart Game Format, as saved and loaded by GNU Backgammon.
//!
//! White is `W`, GNU Backgammon's player 0. A file has one tree per game. Only the first variation
//! is read; unknown properties, such as analyses, are skipped.
//!
//! ```
//! use parlor_backgammon::sgf;
//!
//! let text = "(;GM[6]MI[length:3][game:0][ws:0][bs:0]PW[alice]PB[bob]RU[Crawford]
//!     ;B[31qtst]C[a good roll];W[double];B[drop])";
//! let transcript = sgf::read(text)?;
//! assert_eq!(transcript.names, ["alice", "bob"]);
//! assert_eq!(transcript.score(), [1, 0]);
//! assert_eq!(sgf::read(&sgf::write(&transcript)?)?, transcript);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod read;
mod root;
mod tree;
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
pub struct SgfError {
    /// Line number, from 1.
    pub line: usize,
    /// Kind of error.
    pub kind: SgfErrorKind,
}

/// Kinds of errors in an SGF file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfErrorKind {
    /// The text is not valid SGF.
    #[error("{0}")]
    Syntax(&'static str),
    /// The file is for another game.
    #[error("GM is {0:?}: 6 is backgammon")]
    OtherGame(String),
    /// The match is longer than [`Rules::MAX_LENGTH`].
    #[error(
        "a match is to at most {} points, not to {length}; money play has 0",
        Rules::MAX_LENGTH
    )]
    Length {
        /// Match length that was given.
        length: u32,
    },
    /// A property has an invalid value.
    #[error("{property} cannot be {value:?}")]
    Value {
        /// Name of the property.
        property: &'static str,
        /// The invalid value.
        value: String,
    },
    /// The game starts in an impossible state.
    #[error("a game cannot start like this: {0}")]
    Start(GameFlaws),
    /// A play that cannot be read.
    #[error(transparent)]
    Play(#[from] NotationError),
    /// An action that is impossible at this point.
    #[error(transparent)]
    Move(#[from] ImpossibleAction),
    /// The result differs from that of the rules.
    #[error("the result of the game is {expected}, not {found}")]
    Result {
        /// Result in the file.
        found: String,
        /// Result by the rules.
        expected: String,
    },
    /// Unsupported contents, such as positions changed in the middle of a game.
    #[error("{0} cannot be read")]
    Unknown(&'static str),
}

/// Returns the letter of a point: `a` to `x` are white's points 1 to 24, `y` is the bar, `z` is
/// off.
fn letter(white: bool, point: u8) -> char {
    match point {
        crate::OFF => 'z',
        crate::BAR => 'y',
        _ if white => char::from(b'a' - 1 + point),
        _ => char::from(b'y' - point),
    }
}

/// Returns the point of a letter, in its owner's numbers.
fn point(white: bool, letter: u8) -> Option<u8> {
    match letter {
        b'z' => Some(crate::OFF),
        b'y' => Some(crate::BAR),
        b'a'..=b'x' if white => Some(letter - b'a' + 1),
        b'a'..=b'x' => Some(b'y' - letter),
        _ => None,
    }
}
