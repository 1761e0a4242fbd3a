//! A small board and the nine results, as plain values.

use parlor_core::Seat;

use super::{ALL, LINES};

/// Error for a value out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidInput {
    /// A square above 8.
    #[error("Position must be between 0 and 8")]
    Position,
    /// A value that is neither a mark nor empty.
    #[error("Value must be '', 'X', or 'O'")]
    Value,
    /// A board above 8.
    #[error("Board index must be between 0 and 8")]
    BoardIndex,
    /// A list that does not have nine squares.
    #[error("Board must have exactly 9 squares")]
    Squares,
    /// A list that does not have nine boards.
    #[error("MetaBoard must have exactly 9 boards")]
    Boards,
}

/// A single 3x3 board: nine squares, each `""`, `"X"` or `"O"`.
///
/// ```text
/// 0 1 2
/// 3 4 5
/// 6 7 8
/// ```
///
/// ```
/// use parlor_tictactoe::ultimate::Board;
/// let mut board = Board::new();
/// for square in [0, 4, 8] {
///     board.set(square, "X")?;
/// }
/// assert_eq!(board.check_winner(), Some("X"));
/// # Ok::<(), parlor_tictactoe::ultimate::InvalidInput>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    x: u16,
    o: u16,
}

impl Board {
    /// Creates an empty board.
    pub const fn new() -> Board {
        Board { x: 0, o: 0 }
    }

    /// Creates a board from two disjoint sets of squares.
    pub(super) const fn from_masks(x: u16, o: u16) -> Board {
        Board { x, o }
    }

    pub(super) const fn x(&self) -> u16 {
        self.x
    }

    pub(super) const fn o(&self) -> u16 {
        self.o
    }

    pub(super) const fn marks_of(&self, seat: Seat) -> u16 {
        if seat.number() == 0 { self.x } else { self.o }
    }

    pub(super) const fn clear(&mut self, square: u8) {
        self.x &= !(1 << square);
        self.o &= !(1 << square);
    }

    /// Creates a board from nine values.
    ///
    /// # Errors
    /// [`InvalidInput::Squares`] if there are not nine, [`InvalidInput::Value`] if one is not a mark.
    pub fn from_list<S: AsRef<str>>(list: &[S]) -> Result<Board, InvalidInput> {
        if list.len() != 9 {
            return Err(InvalidInput::Squares);
        }
        let mut board = Board::new();
        for (pos, value) in list.iter().enumerate() {
            board.set(pos, value.as_ref())?;
        }
        Ok(board)
    }

    /// Returns the value of a square, 0 to 8: `"X"`, `"O"` or `""`.
    ///
    /// # Errors
    /// [`InvalidInput::Position`] if `pos` is above 8.
    pub fn get(&self, pos: usize) -> Result<&'static str, InvalidInput> {
        let bit = bit(pos).ok_or(InvalidInput::Position)?;
        Ok(mark(self.x & bit != 0, self.o & bit != 0))
    }

    /// Sets a square, 0 to 8, to `"X"`, `"O"` or `""`.
    ///
    /// # Errors
    /// [`InvalidInput::Position`] if `pos` is above 8, then [`InvalidInput::Value`] for any other value;
    /// the board is then unchanged.
    pub fn set(&mut self, pos: usize, value: &str) -> Result<(), InvalidInput> {
        let bit = bit(pos).ok_or(InvalidInput::Position)?;
        let (x, o) = match value {
            "" => (0, 0),
            "X" => (bit, 0),
            "O" => (0, bit),
            _ => return Err(InvalidInput::Value),
        };
        self.x = self.x & !bit | x;
        self.o = self.o & !bit | o;
        Ok(())
    }

    /// Returns a copy of the nine values, row by row.
    pub fn to_list(&self) -> [&'static str; 9] {
        std::array::from_fn(|pos| mark(self.x >> pos & 1 == 1, self.o >> pos & 1 == 1))
    }

    /// Returns true if no square is empty.
    pub const fn is_full(&self) -> bool {
        self.x | self.o == ALL
    }

    /// Returns `"X"` or `"O"` if it has three in a row. If both do, the first line counts, in the
    /// order rows, columns, diagonals.
    pub fn check_winner(&self) -> Option<&'static str> {
        first_line(self.x, self.o)
    }

    /// Like [`Board::check_winner`], for a list of nine values.
    ///
    /// # Errors
    /// Fails as [`Board::from_list`] does.
    pub fn check_winner_from_list<S: AsRef<str>>(
        list: &[S],
    ) -> Result<Option<&'static str>, InvalidInput> {
        Ok(Board::from_list(list)?.check_winner())
    }
}

/// Results of the nine boards: each `"X"`, `"O"`, `"T"` for a tie or `""` while in play.
///
/// ```
/// use parlor_tictactoe::ultimate::{InvalidInput, Board, MetaBoard};
/// let meta = MetaBoard::new(&[Board::new(); 9])?;
/// assert!(!meta.is_full());
/// assert_eq!(MetaBoard::new(&[Board::new(); 8]), Err(InvalidInput::Boards));
/// # Ok::<(), InvalidInput>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MetaBoard {
    x: u16,
    o: u16,
    tied: u16,
}

impl MetaBoard {
    /// Computes the results of nine boards. A full board with a line belongs to its winner.
    ///
    /// # Errors
    /// [`InvalidInput::Boards`] if there are not nine.
    pub fn new(boards: &[Board]) -> Result<MetaBoard, InvalidInput> {
        if boards.len() != 9 {
            return Err(InvalidInput::Boards);
        }
        let mut meta = MetaBoard {
            x: 0,
            o: 0,
            tied: 0,
        };
        for (index, board) in boards.iter().enumerate() {
            match board.check_winner() {
                Some("X") => meta.x |= 1 << index,
                Some(_) => meta.o |= 1 << index,
                None if board.is_full() => meta.tied |= 1 << index,
                None => {}
            }
        }
        Ok(meta)
    }

    /// Creates the results from three disjoint sets of boards.
    pub(super) const fn from_masks(x: u16, o: u16, tied: u16) -> MetaBoard {
        MetaBoard { x, o, tied }
    }

    /// Returns `"X"` or `"O"` if it has three boards in a row. Ties count for nobody.
    pub fn get_winner(&self) -> Option<&'static str> {
        first_line(self.x, self.o)
    }

    /// Returns true if every board is won or tied.
    pub const fn is_full(&self) -> bool {
        self.x | self.o | self.tied == ALL
    }

    /// Returns true if a board, 0 to 8, is neither won nor tied.
    ///
    /// # Errors
    /// [`InvalidInput::BoardIndex`] if the index is above 8.
    pub fn is_board_playable(&self, board_index: usize) -> Result<bool, InvalidInput> {
        let bit = bit(board_index).ok_or(InvalidInput::BoardIndex)?;
        Ok((self.x | self.o | self.tied) & bit == 0)
    }

    /// Returns a copy of the nine results, row by row.
    pub fn to_list(&self) -> [&'static str; 9] {
        std::array::from_fn(|index| {
            let tied = self.tied >> index & 1 == 1;
            if tied {
                "T"
            } else {
                mark(self.x >> index & 1 == 1, self.o >> index & 1 == 1)
            }
        })
    }

    /// Returns the nine results as a JSON array of strings.
    pub fn to_json(&self) -> String {
        format!(
            "[{}]",
            self.to_list()
                .map(|result| format!("\"{result}\""))
                .join(",")
        )
    }
}

fn bit(pos: usize) -> Option<u16> {
    (pos < 9).then(|| 1 << pos)
}

const fn mark(x: bool, o: bool) -> &'static str {
    match (x, o) {
        (true, _) => "X",
        (_, true) => "O",
        _ => "",
    }
}

fn first_line(x: u16, o: u16) -> Option<&'static str> {
    LINES
        .iter()
        .find_map(|&line| match (x & line == line, o & line == line) {
            (true, _) => Some("X"),
            (_, true) => Some("O"),
            _ => None,
        })
}
