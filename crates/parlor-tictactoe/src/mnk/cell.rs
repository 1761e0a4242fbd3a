//! Cells of a board, and the reasons for refusing a move.

use std::fmt;

/// A cell: row and column, both counted from 0 at the top left.
///
/// A cell is not tied to a board and need not lie on a given one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Row, from 0 at the top.
    pub row: u8,
    /// Column, from 0 at the left.
    pub column: u8,
}

impl Cell {
    /// Creates the cell in this row and column.
    pub const fn new(row: u8, column: u8) -> Cell {
        Cell { row, column }
    }

    /// Returns the index of the cell, counted row by row from 0, on a board with this many columns.
    pub const fn index(self, columns: u8) -> usize {
        self.row as usize * columns as usize + self.column as usize
    }

    /// Returns the cell with this index on a board with this many columns; the inverse of
    /// [`Cell::index`].
    ///
    /// # Panics
    /// Panics if `columns` is 0 or the row would exceed 255.
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

/// Formats the cell as `row,column`, the canonical text of a move.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row, self.column)
    }
}

/// Reason for refusing a move; the first one that applies, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The game is over.
    #[error("Game is already finished")]
    Finished,
    /// The cell is not on the board.
    #[error("Position must be between 0 and {last}")]
    OffBoard {
        /// Index of the board's last cell.
        last: u16,
    },
    /// The cell is occupied.
    #[error("Position already occupied")]
    Occupied,
}
