//! What is agreed before the first move: the board, the length of a run, the symbols.

use super::Cell;

/// The most rows, and the most columns, a board can have.
pub const MAX_SIDE: u8 = 26;
/// The fewest seats of a game.
pub const MIN_SEATS: u8 = 2;
/// The most seats of a game.
pub const MAX_SEATS: u8 = 8;

const DEFAULT_SYMBOLS: [char; MAX_SEATS as usize] = ['X', 'O', 'A', 'B', 'C', 'D', 'E', 'F'];

/// The board and the run that wins, without the symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    rows: u8,
    columns: u8,
    k: u8,
    seats: u8,
}

impl Shape {
    /// Rows of the board, 1 to [`MAX_SIDE`].
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// Columns of the board, 1 to [`MAX_SIDE`].
    pub const fn columns(self) -> u8 {
        self.columns
    }

    /// How many in a row win.
    pub const fn k(self) -> u8 {
        self.k
    }

    /// How many seats take turns.
    pub const fn seats(self) -> u8 {
        self.seats
    }

    /// How many cells the board has.
    pub const fn cells(self) -> u16 {
        self.rows as u16 * self.columns as u16
    }

    /// Whether a cell lies on the board.
    pub const fn has(self, cell: Cell) -> bool {
        cell.row < self.rows && cell.column < self.columns
    }
}

/// The rules of one game: valid by construction.
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
    shape: Shape,
    symbols: [char; MAX_SEATS as usize],
}

impl Rules {
    /// Rules for a board of `rows` x `columns` on which `k` in a row win, one seat per symbol, in the order of turns.
    ///
    /// # Errors
    /// The first thing that is wrong, with what would be right.
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
            shape: Shape {
                rows,
                columns,
                k,
                seats: symbols.len() as u8,
            },
            symbols: all,
        })
    }

    /// The classic game: 3x3, three in a row, X and O.
    pub fn classic() -> Rules {
        Rules::new(3, 3, 3, &['X', 'O']).expect("the classic rules are within all limits")
    }

    /// The length of a run when none is agreed: the shorter side of the board.
    pub const fn default_k(rows: u8, columns: u8) -> u8 {
        if rows < columns { rows } else { columns }
    }

    /// The symbols of that many seats when none are agreed: X, O, A, B and so on.
    ///
    /// # Errors
    /// [`RulesError::Seats`] when no game has that many seats.
    pub fn default_symbols(seats: usize) -> Result<&'static [char], RulesError> {
        if seats < usize::from(MIN_SEATS) {
            return Err(RulesError::Seats(seats));
        }
        DEFAULT_SYMBOLS.get(..seats).ok_or(RulesError::Seats(seats))
    }

    /// Board and run, without the symbols.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Rows of the board.
    pub const fn rows(&self) -> u8 {
        self.shape.rows
    }

    /// Columns of the board.
    pub const fn columns(&self) -> u8 {
        self.shape.columns
    }

    /// How many in a row win.
    pub const fn k(&self) -> u8 {
        self.shape.k
    }

    /// The symbols of the seats, in the order of turns.
    pub fn symbols(&self) -> &[char] {
        &self.symbols[..usize::from(self.shape.seats)]
    }

    /// How many seats take turns.
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
        if is_unseen(symbol) {
            return Err(RulesError::UnseenSymbol(symbol));
        }
        if symbols[..at].contains(&symbol) {
            return Err(RulesError::DuplicateSymbol(symbol));
        }
    }
    Ok(())
}

/// White space, control characters and the common characters that take no room of their own.
fn is_unseen(symbol: char) -> bool {
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

/// Rules that cannot be played, with what would be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// No rows, or too many.
    #[error("a board cannot have {0} rows: it has 1 to {MAX_SIDE}")]
    Rows(u8),
    /// No columns, or too many.
    #[error("a board cannot have {0} columns: it has 1 to {MAX_SIDE}")]
    Columns(u8),
    /// A run of no stones, or longer than the board.
    #[error("a run of {k} does not fit a {rows}x{columns} board: k must be 1 to {longest}", longest = rows.max(columns))]
    RunLength {
        /// The length asked for.
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
    /// The mark of an empty cell as a symbol.
    #[error("'.' cannot be a symbol: it stands for an empty cell, choose a letter such as 'X'")]
    DotSymbol,
    /// A symbol that nobody would see.
    #[error("{0:?} cannot be a symbol: it is blank or invisible, choose a letter such as 'X'")]
    UnseenSymbol(char),
    /// One symbol for two seats.
    #[error("{0:?} is the symbol of two seats: every seat needs its own")]
    DuplicateSymbol(char),
}
