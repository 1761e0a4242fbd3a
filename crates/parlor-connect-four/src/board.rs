//! Boards of any size.

use parlor_core::{NoChance, Notation, NotationError, Position, Seat, Turn};
use rand::Rng;

use crate::{Bits192, Illegal, Move, Rules, Slot, Stacks};

/// Position of Connect Four on a board of any size.
///
/// ```
/// use parlor_connect_four::{Board, Rules, Slot};
/// use parlor_core::Seat;
///
/// let board = Board::from_moves(Rules::STANDARD, "4453")?;
/// assert_eq!(board.at(Slot::new(3, 0)), Some(Seat::FIRST));
/// assert_eq!(board.at(Slot::new(3, 1)), Some(Seat::SECOND));
/// assert_eq!(board.height(3), 2);
/// # Ok::<(), parlor_core::NotationError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    bits: BoardBits,
}

/// Bitboards of a [`Board`], in the smallest word type that fits.
///
/// A search matches on this once and then runs on a single type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardBits {
    /// Boards of up to 64 bits, such as 7x6 (49), 8x7 (64) and 12x4 (60).
    Bits64(Stacks<u64>),
    /// Boards of up to 128 bits, such as 8x8 (72) and 10x10 (110).
    Bits128(Stacks<u128>),
    /// Larger boards, up to 12x12 (156).
    Bits192(Stacks<Bits192>),
}

/// Evaluates an expression with the bitboards of any variant.
macro_rules! inside {
    ($bits:expr, $stacks:ident => $body:expr) => {
        match $bits {
            BoardBits::Bits64($stacks) => $body,
            BoardBits::Bits128($stacks) => $body,
            BoardBits::Bits192($stacks) => $body,
        }
    };
}

impl Board {
    /// Creates the empty board.
    pub fn new(rules: Rules) -> Board {
        Board::with_discs(rules, |_| None)
    }

    /// Creates a board with these discs. Only a completed line is detected; nothing else is
    /// checked.
    pub(crate) fn with_discs(rules: Rules, at: impl Fn(Slot) -> Option<Seat>) -> Board {
        const FITS: &str = "a board of 12x12 fits 192 bits";
        let bits = if let Some(stacks) = Stacks::with_discs(rules, &at) {
            BoardBits::Bits64(stacks)
        } else if let Some(stacks) = Stacks::with_discs(rules, &at) {
            BoardBits::Bits128(stacks)
        } else {
            BoardBits::Bits192(Stacks::with_discs(rules, &at).expect(FITS))
        };
        Board { bits }
    }

    /// Plays a game from the empty board, given as column numbers without separators, as in `4453`.
    /// Numbers may also be separated by commas or whitespace, and must be if the board has more
    /// than 9 columns.
    ///
    /// # Errors
    /// If the text is not a list of columns, or one of the moves is illegal.
    pub fn from_moves(rules: Rules, moves: &str) -> Result<Board, NotationError> {
        let wrong = |expected: String| NotationError::new(moves, expected);
        let separated = moves.contains([',', ' ', '\t']) || rules.columns() > 9;
        let words: Vec<&str> = if separated {
            let words = moves.split([',', ' ', '\t']);
            words.filter(|word| !word.is_empty()).collect()
        } else {
            moves.split("").filter(|word| !word.is_empty()).collect()
        };
        let mut board = Board::new(rules);
        for (index, word) in words.iter().enumerate() {
            let refused = |reason: String| wrong(format!("a game: move {}, {reason}", index + 1));
            let m = board
                .parse_move(word)
                .map_err(|reason| refused(reason.to_string()))?;
            board
                .try_play(&m)
                .map_err(|reason| refused(reason.to_string()))?;
        }
        Ok(board)
    }

    /// Returns the bitboards, for a search that runs on a single type.
    pub const fn bits(&self) -> &BoardBits {
        &self.bits
    }

    /// Returns the size of the board and length of a winning line.
    pub fn rules(&self) -> Rules {
        inside!(&self.bits, stacks => stacks.rules())
    }

    /// Returns the number of discs on the board.
    pub fn plies(&self) -> u8 {
        inside!(&self.bits, stacks => stacks.plies())
    }

    /// Returns the seat whose disc is in a slot; `None` if it is empty or off the board.
    pub fn at(&self, slot: Slot) -> Option<Seat> {
        inside!(&self.bits, stacks => stacks.at(slot))
    }

    /// Returns the number of discs in a column; 0 if the column does not exist.
    pub fn height(&self, column: u8) -> u8 {
        inside!(&self.bits, stacks => stacks.height(column))
    }

    /// Returns the slot that a disc would drop to; `None` if the column is full or does not exist.
    pub fn landing(&self, m: Move) -> Option<Slot> {
        let row = self.height(m.column);
        let exists = m.column < self.rules().columns() && row < self.rules().rows();
        exists.then(|| Slot::new(m.column, row))
    }

    /// Returns a move that completes a line; `None` if there is none or the game is over.
    pub fn winning_move(&self) -> Option<Move> {
        inside!(&self.bits, stacks => stacks.winning_move())
    }

    /// Returns a move that prevents the other seat from completing a line with its next disc;
    /// `None` if there is no such threat.
    pub fn blocking_move(&self) -> Option<Move> {
        inside!(&self.bits, stacks => stacks.blocking_move())
    }

    /// Returns the same position with the columns in reverse order.
    ///
    /// ```
    /// use parlor_connect_four::{Board, Rules};
    /// let board = Board::from_moves(Rules::STANDARD, "4412")?;
    /// assert_eq!(board.mirrored(), Board::from_moves(Rules::STANDARD, "4476")?);
    /// # Ok::<(), parlor_core::NotationError>(())
    /// ```
    pub fn mirrored(&self) -> Board {
        let rules = self.rules();
        let across = |slot: Slot| Slot::new(rules.columns() - 1 - slot.column, slot.row);
        Board::with_discs(rules, |slot| self.at(across(slot)))
    }

    /// Returns all slots, row by row from the top.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + use<> {
        let rules = self.rules();
        let row = move |row| (0..rules.columns()).map(move |column| Slot::new(column, row));
        (0..rules.rows()).rev().flat_map(row)
    }

    /// Returns all slots of the winning lines, ordered from the left and the bottom; empty if no
    /// seat has won.
    ///
    /// ```
    /// use parlor_connect_four::{Board, Rules, Slot};
    /// let won = Board::from_moves(Rules::STANDARD, "1213141")?;
    /// assert_eq!(won.winning_slots(), [0, 1, 2, 3].map(|row| Slot::new(0, row)));
    /// # Ok::<(), parlor_core::NotationError>(())
    /// ```
    pub fn winning_slots(&self) -> Vec<Slot> {
        inside!(&self.bits, stacks => stacks.winning_slots())
    }
}

impl Position for Board {
    type Move = Move;
    type Chance = NoChance;
    type Illegal = Illegal;

    fn seats(&self) -> u8 {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        inside!(&self.bits, stacks => stacks.turn())
    }

    fn legal_moves_into(&self, out: &mut Vec<Move>) {
        inside!(&self.bits, stacks => stacks.legal_moves_into(out));
    }

    fn check(&self, m: &Move) -> Result<(), Illegal> {
        inside!(&self.bits, stacks => stacks.check(m))
    }

    #[inline]
    fn play_unchecked(&mut self, m: &Move) {
        inside!(&mut self.bits, stacks => stacks.play_unchecked(m));
    }

    fn chances_into(&self, out: &mut Vec<(NoChance, u32)>) {
        out.clear();
    }

    fn resolve_unchecked(&mut self, chance: &NoChance) {
        match *chance {}
    }

    #[inline]
    fn count_moves(&self, scratch: &mut Vec<Move>) -> u64 {
        inside!(&self.bits, stacks => stacks.count_moves(scratch))
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, scratch: &mut Vec<Move>) -> Option<Move> {
        inside!(&self.bits, stacks => stacks.random_move(rng, scratch))
    }
}
