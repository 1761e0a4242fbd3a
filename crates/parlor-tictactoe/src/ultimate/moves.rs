//! Moves, and the reasons for refusing one.

use std::fmt;

use super::InvalidInput;

/// A move: one square of one of the nine boards.
///
/// ```
/// use parlor_tictactoe::ultimate::{InvalidInput, Move};
/// assert_eq!(Move::new(4, 0).map(|m| m.to_string()), Ok("40".to_owned()));
/// assert_eq!(Move::new(9, 0), Err(InvalidInput::BoardIndex));
/// assert_eq!(Move::new(0, 9), Err(InvalidInput::Position));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    board: u8,
    square: u8,
}

impl Move {
    /// Creates the move in a square of a board, both 0 to 8, row by row.
    ///
    /// # Errors
    /// [`InvalidInput::BoardIndex`] or [`InvalidInput::Position`] if one of them is above 8.
    pub const fn new(board: u8, square: u8) -> Result<Move, InvalidInput> {
        if board > 8 {
            return Err(InvalidInput::BoardIndex);
        }
        if square > 8 {
            Err(InvalidInput::Position)
        } else {
            Ok(Move { board, square })
        }
    }

    /// Creates a move from numbers that are known to be in range.
    #[inline]
    pub(super) const fn new_unchecked(board: u8, square: u8) -> Move {
        Move { board, square }
    }

    /// Returns the board, 0 to 8.
    #[inline]
    pub const fn board(self) -> u8 {
        self.board
    }

    /// Returns the square within the board, 0 to 8.
    #[inline]
    pub const fn square(self) -> u8 {
        self.square
    }
}

/// Formats the move as two digits, board and square: its canonical text.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.board, self.square)
    }
}

/// Reason for refusing a move; the first one that applies, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The game is over.
    #[error("Game is already finished")]
    Finished,
    /// The previous move sent the player to another board.
    #[error("Must play in the indicated board")]
    WrongBoard,
    /// The choice is free, but this board is decided (or full, if won boards stay open).
    #[error("Board already completed")]
    Completed,
    /// The square is taken.
    #[error("Position already taken")]
    Taken,
}
