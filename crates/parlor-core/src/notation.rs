//! Text notation of positions, moves and chances, their public form.

use std::fmt;
use std::str::FromStr;

use crate::{NoChance, Position};

/// A position with a text notation for itself, its moves and its chances.
///
/// URLs, logs, files, tests and terminals all use this text. The text of a move or a chance
/// contains no white space, so a whole game can be written as its texts separated by spaces.
///
/// # Contract
/// Writing and parsing are inverse: `parse_move(move_text(m)) == m` for every legal move, likewise
/// for chances, and a position parsed from its own text has the same text, turn and legal moves.
pub trait Notation: Position {
    /// Returns the canonical text of a move in this position.
    fn move_text(&self, m: &Self::Move) -> String;

    /// Parses a move, including the informal spellings that people type. Legality is not checked.
    ///
    /// # Errors
    /// Fails if the text cannot be a move of this game.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError>;

    /// Returns the canonical text of a chance.
    fn chance_text(&self, c: &Self::Chance) -> String;

    /// Parses a chance. Whether it is possible in this position is not checked.
    ///
    /// # Errors
    /// Fails if the text cannot be a chance of this game.
    fn parse_chance(&self, text: &str) -> Result<Self::Chance, NotationError>;

    /// Returns the complete position (options, board, turn) as one line of text.
    fn text(&self) -> String;

    /// Parses a position.
    ///
    /// # Errors
    /// Fails if the text is malformed or does not describe a legal position.
    fn from_text(text: &str) -> Result<Self, NotationError>;
}

/// Error for text that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not {expected}")]
pub struct NotationError {
    /// Offending text, cut to [`NotationError::SHOWN`] characters.
    pub text: String,
    /// Description of a valid text, completing the sentence "… is not …".
    pub expected: String,
}

impl NotationError {
    /// Maximum number of characters of the offending text that an error keeps.
    pub const SHOWN: usize = 80;

    /// Creates an error about `text`; `expected` completes the sentence "… is not …".
    pub fn new(text: &str, expected: impl Into<String>) -> NotationError {
        NotationError {
            text: text.chars().take(Self::SHOWN).collect(),
            expected: expected.into(),
        }
    }
}

impl fmt::Display for NoChance {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

/// Refuses every text.
impl FromStr for NoChance {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<NoChance, NotationError> {
        Err(NotationError::new(
            text,
            "a chance: there is no luck in this game",
        ))
    }
}

crate::serde_by_text!(NoChance);

/// Implements [`Display`](std::fmt::Display) and [`FromStr`](std::str::FromStr) for a position type
/// by its [`Notation`].
///
/// ```
/// use parlor_core::testing::pig::Pig;
///
/// let game = Pig::new(20); // Pig has the traits from this macro
/// assert_eq!(game.to_string().parse(), Ok(game));
/// ```
#[macro_export]
macro_rules! display_by_notation {
    ($position:ty) => {
        /// Formats the position as [`Notation::text`]($crate::Notation::text).
        impl ::std::fmt::Display for $position {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(&$crate::Notation::text(self))
            }
        }

        /// Parses the text of a position as [`Notation::from_text`]($crate::Notation::from_text).
        impl ::std::str::FromStr for $position {
            type Err = $crate::NotationError;

            fn from_str(text: &str) -> ::std::result::Result<Self, $crate::NotationError> {
                $crate::Notation::from_text(text)
            }
        }

        $crate::serde_by_text!($position);
    };
}

/// With the feature `serde`, implements `Serialize` and `Deserialize` for types with
/// [`Display`](std::fmt::Display) and [`FromStr`](std::str::FromStr), as strings; without it,
/// nothing.
#[cfg(feature = "serde")]
#[macro_export]
macro_rules! serde_by_text {
    ($($text:ty),+) => { $(
        /// Serializes the value as its text.
        impl $crate::serde::Serialize for $text {
            fn serialize<S: $crate::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        /// Deserializes the value from its text.
        impl<'de> $crate::serde::Deserialize<'de> for $text {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                let text =
                    <::std::borrow::Cow<'_, str> as $crate::serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err($crate::serde::de::Error::custom)
            }
        }
    )+ };
}

/// With the feature `serde`, implements `Serialize` and `Deserialize` for types with
/// [`Display`](std::fmt::Display) and [`FromStr`](std::str::FromStr), as strings; without it,
/// nothing.
#[cfg(not(feature = "serde"))]
#[macro_export]
macro_rules! serde_by_text {
    ($($text:ty),+) => {};
}
