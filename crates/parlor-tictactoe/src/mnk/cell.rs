//! The places of a board, and why a stone may not be put there.

use std::fmt;

/// A place on a board: row and column, both counted from 0 at the top left.
///
/// A cell knows no board; whether it lies on one is the board's to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The row, from 0 at the top.
    pub row: u8,
    /// The column, from 0 at the left.
    pub column: u8,
}

impl Cell {
    /// The cell in this row and column.
    pub const fn new(row: u8, column: u8) -> Cell {
        Cell { row, column }
    }

    /// The number of this cell when the cells of a board with that many columns are counted row by row, from 0.
    pub const fn index(self, columns: u8) -> usize {
        self.row as usize * columns as usize + self.column as usize
    }

    /// The cell with this number on a board with that many columns; the inverse of [`Cell::index`].
    ///
    /// # Panics
    /// When `columns` is 0 or the row would be above 255.
    ///
    /// ```
    /// use parlor_tictactoe::mnk::Cell;
    /// assert_eq!(Cell::from_index(5, 3), Cell::new(1, 2));
    /// assert_eq!(Cell::new(1, 2).index(3), 5);
    /// ```
    pub fn from_index(index: usize, columns: u8) -> Cell {
        let row = u8::try_from(index / usize::from(columns)).expect("a board has at most 255 rows");
        Cell {
            row,
            column: (index % usize::from(columns)) as u8,
        }
    }
}

/// `row,column`, the canonical text of a move.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row, self.column)
    }
}

/// Why a move is refused; the first reason that applies, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// Somebody has won, or the board is full.
    #[error("Game is already finished")]
    Finished,
    /// The cell is not on the board.
    #[error("Position must be between 0 and {last}")]
    OffBoard {
        /// The number of the board's last cell.
        last: u16,
    },
    /// A stone lies there.
    #[error("Position already occupied")]
    Occupied,
}
