//! Matches in the Smart Game Format, as GNU Backgammon saves and loads them.
//!
//! White is `W`, GNU Backgammon's player 0. One file has a tree for each game; of variations the first is read, and properties of
//! which nothing is known here, such as analyses, are passed over.
//!
//! ```
//! use parlor_backgammon::sgf;
//!
//! let text = "(;GM[6]MI[length:3][game:0][ws:0][bs:0]PW[alice]PB[bob]RU[Crawford];B[31qtst]C[a good roll];W[double];B[drop])";
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

use crate::transcript::Misstep;
use crate::{Flaws, Rules};

pub use crate::transcript::Unwritable;
pub use read::read;
pub use write::write;

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct SgfError {
    /// Where, from 1.
    pub line: usize,
    /// What.
    pub what: Wrong,
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// It is no SGF.
    #[error("{0}")]
    Syntax(&'static str),
    /// It is another game.
    #[error("GM is {0:?}: 6 is backgammon")]
    OtherGame(String),
    /// The match is too long.
    #[error(
        "a match is to at most {} points, not to {length}; money play has 0",
        Rules::MAX_LENGTH
    )]
    Length {
        /// To how many.
        length: u32,
    },
    /// A value that its property cannot have.
    #[error("{property} cannot be {value:?}")]
    Value {
        /// Whose.
        property: &'static str,
        /// Which.
        value: String,
    },
    /// The game cannot begin so.
    #[error("no game begins so: {0}")]
    Start(Flaws),
    /// A play that cannot be read.
    #[error(transparent)]
    Play(#[from] NotationError),
    /// What cannot happen there.
    #[error(transparent)]
    Move(#[from] Misstep),
    /// The result is another.
    #[error("the game came out as {right}, not {said}")]
    Result {
        /// What the file says.
        said: String,
        /// What the rules say.
        right: String,
    },
    /// Positions changed in the middle, other starts and the like.
    #[error("{0} cannot be read")]
    Unknown(&'static str),
}

/// A point as it is written: `a` to `x` are white's points 1 to 24, `y` the bar, `z` off.
fn letter(white: bool, point: u8) -> char {
    match point {
        crate::OFF => 'z',
        crate::BAR => 'y',
        _ if white => char::from(b'a' - 1 + point),
        _ => char::from(b'y' - point),
    }
}

/// The point, as its owner counts, of a letter.
fn point(white: bool, letter: u8) -> Option<u8> {
    match letter {
        b'z' => Some(crate::OFF),
        b'y' => Some(crate::BAR),
        b'a'..=b'x' if white => Some(letter - b'a' + 1),
        b'a'..=b'x' => Some(b'y' - letter),
        _ => None,
    }
}
