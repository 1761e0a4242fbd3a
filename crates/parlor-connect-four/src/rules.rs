//! Size of the board and length of a winning line.

/// Minimum number of columns and of rows.
pub const MIN_SIDE: u8 = 4;
/// Maximum number of columns and of rows.
pub const MAX_SIDE: u8 = 12;
/// Minimum number of discs in a winning line.
pub const MIN_LINE: u8 = 3;

/// Rules of one game, valid by construction.
///
/// ```
/// use parlor_connect_four::Rules;
/// let rules = Rules::new(8, 7, 5)?;
/// assert_eq!((rules.columns(), rules.rows(), rules.k(), rules.slots()), (8, 7, 5, 56));
/// assert_eq!(
///     Rules::new(7, 6, 8).map_err(|e| e.to_string()),
///     Err("8 in a row do not fit a 7x6 board: choose 3 to 7".to_owned()),
/// );
/// # Ok::<(), parlor_connect_four::UnplayableRules>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rules {
    columns: u8,
    rows: u8,
    k: u8,
}

impl Rules {
    /// Standard game: 7 columns, 6 rows, four in a row.
    pub const STANDARD: Rules = Rules {
        columns: 7,
        rows: 6,
        k: 4,
    };

    /// Creates rules for a board of `columns` x `rows` on which `k` discs in a row win.
    ///
    /// # Errors
    /// For the first number that is out of range, with the valid range.
    pub const fn new(columns: u8, rows: u8, k: u8) -> Result<Rules, UnplayableRules> {
        if columns < MIN_SIDE || columns > MAX_SIDE {
            return Err(UnplayableRules::Columns(columns));
        }
        if rows < MIN_SIDE || rows > MAX_SIDE {
            return Err(UnplayableRules::Rows(rows));
        }
        let longest = if columns > rows { columns } else { rows };
        if k < MIN_LINE || k > longest {
            return Err(UnplayableRules::Line { k, columns, rows });
        }
        Ok(Rules { columns, rows, k })
    }

    /// Returns the number of columns, from [`MIN_SIDE`] to [`MAX_SIDE`].
    pub const fn columns(self) -> u8 {
        self.columns
    }

    /// Returns the number of rows, from [`MIN_SIDE`] to [`MAX_SIDE`].
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// Returns the number of discs in a straight line needed to win; a longer line wins as well.
    pub const fn k(self) -> u8 {
        self.k
    }

    /// Returns the number of slots of the board, which is also the maximum number of plies of a
    /// game.
    pub const fn slots(self) -> u8 {
        self.columns * self.rows
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::STANDARD
    }
}

/// Reason why rules are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnplayableRules {
    /// Too few or too many columns.
    #[error("a board cannot have {0} columns: choose {MIN_SIDE} to {MAX_SIDE}")]
    Columns(u8),
    /// Too few or too many rows.
    #[error("a board cannot have {0} rows: choose {MIN_SIDE} to {MAX_SIDE}")]
    Rows(u8),
    /// The line is too short, or longer than the board.
    #[error("{k} in a row do not fit a {columns}x{rows} board: choose {MIN_LINE} to {longest}", longest = columns.max(rows))]
    Line {
        /// Requested length of the line.
        k: u8,
        /// Number of columns.
        columns: u8,
        /// Number of rows.
        rows: u8,
    },
}
