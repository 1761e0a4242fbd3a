//! A move, and why it may be refused.

use std::fmt;

use super::BadInput;

/// One mark: a square of one of the nine boards.
///
/// ```
/// use parlor_tictactoe::ultimate::{BadInput, Move};
/// assert_eq!(Move::new(4, 0).map(|m| m.to_string()), Ok("40".to_owned()));
/// assert_eq!(Move::new(9, 0), Err(BadInput::BoardIndex));
/// assert_eq!(Move::new(0, 9), Err(BadInput::Position));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    board: u8,
    square: u8,
}

impl Move {
    /// The move in a square of a board, both 0 to 8, row by row.
    ///
    /// # Errors
    /// [`BadInput::BoardIndex`] or [`BadInput::Position`] when one of them is above 8.
    pub const fn new(board: u8, square: u8) -> Result<Move, BadInput> {
        if board > 8 {
            return Err(BadInput::BoardIndex);
        }
        if square > 8 {
            Err(BadInput::Position)
        } else {
            Ok(Move { board, square })
        }
    }

    /// The same for numbers that come from sets of nine.
    #[inline]
    pub(super) const fn of(board: u8, square: u8) -> Move {
        Move { board, square }
    }

    /// The board, 0 to 8.
    #[inline]
    pub const fn board(self) -> u8 {
        self.board
    }

    /// The square in its board, 0 to 8.
    #[inline]
    pub const fn square(self) -> u8 {
        self.square
    }
}

/// Two digits, board and square: the canonical text of a move.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.board, self.square)
    }
}

/// Why a move is refused; the first reason that applies, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// Somebody has won, or all boards are decided.
    #[error("Game is already finished")]
    Finished,
    /// The move before sent the player to another board.
    #[error("Must play in the indicated board")]
    WrongBoard,
    /// The choice is free, but this board is decided (full, when won boards stay open).
    #[error("Board already completed")]
    Completed,
    /// A mark is there.
    #[error("Position already taken")]
    Taken,
}
