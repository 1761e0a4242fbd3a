//! The public form of positions, moves and chances: text.

use crate::Position;

/// How a game is written.
///
/// The same text stands in addresses, logs, files, tests and terminals. None of the texts of moves and chances
/// contains white space, so that a whole game is its texts joined by blanks.
///
/// # Contract
/// Writing and reading are inverse: `parse_move(move_text(m)) == m` for every legal move, the same for chances, and
/// a position read from its own text has the same text, turn and legal moves.
pub trait Notation: Position {
    /// The canonical text of a move in this position.
    fn move_text(&self, m: &Self::Move) -> String;

    /// Reads a move as a person may write it. Legality is not looked at.
    ///
    /// # Errors
    /// When the text cannot mean a move of this game.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError>;

    /// The canonical text of a chance.
    fn chance_text(&self, c: &Self::Chance) -> String;

    /// Reads a chance. Whether it is possible here is not looked at.
    ///
    /// # Errors
    /// When the text cannot mean a chance of this game.
    fn parse_chance(&self, text: &str) -> Result<Self::Chance, NotationError>;

    /// The position as one line of text, complete: options, board, turn.
    fn text(&self) -> String;

    /// Reads a position from its text.
    ///
    /// # Errors
    /// When the text is malformed or describes no legal position.
    fn from_text(text: &str) -> Result<Self, NotationError>;
}

/// A text that does not say what it should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not {expected}")]
pub struct NotationError {
    /// The text, shortened to [`NotationError::SHOWN`] characters.
    pub text: String,
    /// What would have been right, fitting behind "is not".
    pub expected: String,
}

impl NotationError {
    /// How many characters of a wrong text an error repeats.
    pub const SHOWN: usize = 80;

    /// An error about `text`; `expected` completes the sentence "… is not …".
    pub fn new(text: &str, expected: impl Into<String>) -> NotationError {
        NotationError {
            text: text.chars().take(Self::SHOWN).collect(),
            expected: expected.into(),
        }
    }
}
