//! Rules of a game: board size, run length, symbols.

use super::Cell;

/// Maximum number of rows and of columns.
pub const MAX_SIDE: u8 = 26;
/// Minimum number of seats.
pub const MIN_SEATS: u8 = 2;
/// Maximum number of seats.
pub const MAX_SEATS: u8 = 8;

const DEFAULT_SYMBOLS: [char; MAX_SEATS as usize] = ['X', 'O', 'A', 'B', 'C', 'D', 'E', 'F'];

/// Board size, run length and number of seats, without the symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardShape {
    rows: u8,
    columns: u8,
    k: u8,
    seats: u8,
}

impl BoardShape {
    /// Returns the number of rows, 1 to [`MAX_SIDE`].
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// Returns the number of columns, 1 to [`MAX_SIDE`].
    pub const fn columns(self) -> u8 {
        self.columns
    }

    /// Returns the run length that wins.
    pub const fn k(self) -> u8 {
        self.k
    }

    /// Returns the number of seats.
    pub const fn seats(self) -> u8 {
        self.seats
    }

    /// Returns the number of cells.
    pub const fn cells(self) -> u16 {
        self.rows as u16 * self.columns as u16
    }

    /// Returns true if a cell lies on the board.
    pub const fn contains(self, cell: Cell) -> bool {
        cell.row < self.rows && cell.column < self.columns
    }
}

/// Rules of a game, valid by construction.
///
/// ```
/// use parlor_tictactoe::mnk::Rules;
/// let rules = Rules::new(6, 7, 4, &['R', 'Y'])?;
/// assert_eq!((rules.rows(), rules.columns(), rules.k(), rules.seats()), (6, 7, 4, 2));
/// assert_eq!(
///     Rules::new(3, 3, 4, &['X', 'O']).map_err(|e| e.to_string()),
///     Err("a run of 4 does not fit a 3x3 board: k must be 1 to 3".to_owned()),
/// );
/// # Ok::<(), parlor_tictactoe::mnk::RulesError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    shape: BoardShape,
    symbols: [char; MAX_SEATS as usize],
}

impl Rules {
    /// Creates rules for a board of `rows` x `columns` on which `k` in a row win, with one seat per
    /// symbol, in turn order.
    ///
    /// # Errors
    /// Returns the first violation found, with the permitted values.
    pub fn new(rows: u8, columns: u8, k: u8, symbols: &[char]) -> Result<Rules, RulesError> {
        if !(1..=MAX_SIDE).contains(&rows) {
            return Err(RulesError::Rows(rows));
        }
        if !(1..=MAX_SIDE).contains(&columns) {
            return Err(RulesError::Columns(columns));
        }
        if k == 0 || k > rows.max(columns) {
            return Err(RulesError::RunLength { k, rows, columns });
        }
        check_symbols(symbols)?;
        let mut all = [' '; MAX_SEATS as usize];
        all[..symbols.len()].copy_from_slice(symbols);
        Ok(Rules {
            shape: BoardShape {
                rows,
                columns,
                k,
                seats: symbols.len() as u8,
            },
            symbols: all,
        })
    }

    /// Returns the rules of the classic game: 3x3, three in a row, X and O.
    pub fn classic() -> Rules {
        Rules::new(3, 3, 3, &['X', 'O']).expect("the classic rules are within all limits")
    }

    /// Returns the default run length: the shorter side of the board.
    pub const fn default_k(rows: u8, columns: u8) -> u8 {
        if rows < columns { rows } else { columns }
    }

    /// Returns the default symbols for this many seats: X, O, A, B and so on.
    ///
    /// # Errors
    /// [`RulesError::Seats`] if no game can have that many seats.
    pub fn default_symbols(seats: usize) -> Result<&'static [char], RulesError> {
        if seats < usize::from(MIN_SEATS) {
            return Err(RulesError::Seats(seats));
        }
        DEFAULT_SYMBOLS.get(..seats).ok_or(RulesError::Seats(seats))
    }

    /// Returns board size, run length and number of seats.
    pub const fn shape(&self) -> BoardShape {
        self.shape
    }

    /// Returns the number of rows.
    pub const fn rows(&self) -> u8 {
        self.shape.rows
    }

    /// Returns the number of columns.
    pub const fn columns(&self) -> u8 {
        self.shape.columns
    }

    /// Returns the run length that wins.
    pub const fn k(&self) -> u8 {
        self.shape.k
    }

    /// Returns the symbols of the seats, in turn order.
    pub fn symbols(&self) -> &[char] {
        &self.symbols[..usize::from(self.shape.seats)]
    }

    /// Returns the number of seats.
    pub const fn seats(&self) -> u8 {
        self.shape.seats
    }
}

fn check_symbols(symbols: &[char]) -> Result<(), RulesError> {
    if !(usize::from(MIN_SEATS)..=usize::from(MAX_SEATS)).contains(&symbols.len()) {
        return Err(RulesError::Seats(symbols.len()));
    }
    for (at, &symbol) in symbols.iter().enumerate() {
        if symbol == '.' {
            return Err(RulesError::DotSymbol);
        }
        if is_invisible(symbol) {
            return Err(RulesError::InvisibleSymbol(symbol));
        }
        if symbols[..at].contains(&symbol) {
            return Err(RulesError::DuplicateSymbol(symbol));
        }
    }
    Ok(())
}

/// Returns true for white space, control characters and common zero-width characters.
fn is_invisible(symbol: char) -> bool {
    let unseen = [
        '\u{ad}'..='\u{ad}',
        '\u{300}'..='\u{36f}',
        '\u{200b}'..='\u{200f}',
        '\u{2028}'..='\u{202e}',
        '\u{2060}'..='\u{206f}',
        '\u{20d0}'..='\u{20ff}',
        '\u{fe00}'..='\u{fe0f}',
        '\u{feff}'..='\u{feff}',
        '\u{fff9}'..='\u{fffb}',
        '\u{e0000}'..='\u{e0fff}',
    ];
    symbol.is_whitespace()
        || symbol.is_control()
        || unseen.iter().any(|range| range.contains(&symbol))
}

/// Error for invalid rules; the message names the permitted values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// No rows, or too many.
    #[error("a board cannot have {0} rows: it has 1 to {MAX_SIDE}")]
    Rows(u8),
    /// No columns, or too many.
    #[error("a board cannot have {0} columns: it has 1 to {MAX_SIDE}")]
    Columns(u8),
    /// Run length 0, or longer than the board.
    #[error("a run of {k} does not fit a {rows}x{columns} board: k must be 1 to {longest}", longest = rows.max(columns))]
    RunLength {
        /// Requested run length.
        k: u8,
        /// Rows of the board.
        rows: u8,
        /// Columns of the board.
        columns: u8,
    },
    /// Too few symbols, or too many.
    #[error(
        "a game cannot have {0} seats: it has {MIN_SEATS} to {MAX_SEATS}, each with a symbol of its own"
    )]
    Seats(usize),
    /// `.`, the mark of an empty cell, used as a symbol.
    #[error("'.' cannot be a symbol: it stands for an empty cell, choose a letter such as 'X'")]
    DotSymbol,
    /// Invisible symbol.
    #[error("{0:?} cannot be a symbol: it is blank or invisible, choose a letter such as 'X'")]
    InvisibleSymbol(char),
    /// Symbol used for two seats.
    #[error("{0:?} is the symbol of two seats: every seat needs its own")]
    DuplicateSymbol(char),
}
