//! Bitboards, with the rules of the game.

use std::fmt;

use parlor_core::{NoChance, Outcome, Position, Seat, Turn, random_below};
use rand::Rng;

use crate::bits::{self, BitWord};
use crate::geometry::{AnyLayout, BoardGeometry, Layout};
use crate::{MAX_SIDE, Rules};

/// Move: a disc dropped into a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Column, from 0 at the left.
    pub column: u8,
}

impl Move {
    /// Creates a move into this column, counted from 0 at the left.
    pub const fn new(column: u8) -> Move {
        Move { column }
    }
}

/// Writes the number of the column, counted from 1.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", u16::from(self.column) + 1)
    }
}

/// Slot of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// Column, from 0 at the left.
    pub column: u8,
    /// Row, from 0 at the bottom.
    pub row: u8,
}

impl Slot {
    /// Returns the slot in this column and row.
    pub const fn new(column: u8, row: u8) -> Slot {
        Slot { column, row }
    }
}

/// Writes column and row, both counted from 1: `column 4, row 1`.
impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (column, row) = (u16::from(self.column) + 1, u16::from(self.row) + 1);
        write!(f, "column {column}, row {row}")
    }
}

/// Reason why a move is illegal; the first that applies, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// A seat has won, or the board is full.
    #[error("the game is over")]
    Over,
    /// The column does not exist.
    #[error("there is no column {}: choose 1 to {columns}", u16::from(*column) + 1)]
    NoSuchColumn {
        /// Requested column, from 0.
        column: u8,
        /// Number of columns of the board.
        columns: u8,
    },
    /// The column is full.
    #[error("column {} is full", u16::from(*column) + 1)]
    Full {
        /// Requested column, from 0.
        column: u8,
    },
}

/// Position as two bitboards of the type `W`, which must have one more bit per column than the
/// board has rows.
///
/// The bits run column by column from the bottom. An additional bit above every column is never
/// set, so that a shift along a line does not wrap around an edge:
///
/// ```text
///  4 rows, 4 columns         4   9  14  19      never set
///                            3   8  13  18
///                            2   7  12  17
///                            1   6  11  16
///                            0   5  10  15
/// ```
///
/// Searches work on this type; [`Board`](crate::Board) picks the smallest `W` that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stacks<W> {
    rules: Rules,
    plies: u8,
    won: bool,
    /// Lowest slot of every column.
    bottom: W,
    /// Discs of the seat to move, or of the loser once the game is won.
    own: W,
    /// Discs of both seats.
    filled: W,
}

impl<W: BitWord> Stacks<W> {
    /// Creates the empty board; `None` if it has more bits than `W`.
    pub fn new(rules: Rules) -> Option<Stacks<W>> {
        if !Self::fits(rules) {
            return None;
        }
        let stride = u32::from(rules.rows()) + 1;
        let columns = u32::from(rules.columns());
        let bottom = (0..columns).fold(W::ZERO, |all, column| all | W::bit(column * stride));
        Some(Stacks {
            rules,
            plies: 0,
            won: false,
            bottom,
            own: W::ZERO,
            filled: W::ZERO,
        })
    }

    /// Creates a board with these discs. Only a completed line is detected; nothing else is
    /// checked.
    pub(crate) fn with_discs(rules: Rules, at: impl Fn(Slot) -> Option<Seat>) -> Option<Stacks<W>> {
        let mut stacks = Self::new(rules)?;
        let only = |seat| stacks.collect(|slot| at(slot).filter(|&disc| disc == seat));
        let [first, second] = [only(Seat::FIRST), only(Seat::SECOND)];
        let (own, other) = if first.count() > second.count() {
            (second, first)
        } else {
            (first, second)
        };
        stacks.own = own;
        stacks.filled = own | other;
        stacks.plies = stacks.filled.count() as u8;
        stacks.won = stacks.has_line(other);
        Some(stacks)
    }

    /// Returns the slots for which `at` returns `Some`, one bit each.
    pub(crate) fn collect<T>(&self, at: impl Fn(Slot) -> Option<T>) -> W {
        let slots = (0..self.rules.columns())
            .flat_map(|column| (0..self.rules.rows()).map(move |row| Slot::new(column, row)));
        slots
            .filter(|&slot| at(slot).is_some())
            .fold(W::ZERO, |all, slot| all | W::bit(self.bit_of(slot)))
    }

    /// Returns true if [`Stacks::new`] accepts these rules.
    pub const fn fits(rules: Rules) -> bool {
        rules.columns() as u32 * (rules.rows() as u32 + 1) <= W::BITS
    }

    /// Returns the size of the board and length of a winning line.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the number of discs on the board.
    pub const fn plies(&self) -> u8 {
        self.plies
    }

    /// Returns the distance in bits from a slot to the one on its right.
    #[inline]
    pub const fn stride(&self) -> u32 {
        self.rules.rows() as u32 + 1
    }

    /// Returns the lowest slot of every column, one bit each.
    #[inline]
    pub const fn bottom(&self) -> W {
        self.bottom
    }

    /// Returns the discs of the seat to move, one bit each. In a finished game, discs of the seat
    /// that would be next.
    #[inline]
    pub const fn own(&self) -> W {
        self.own
    }

    /// Returns the discs of both seats, one bit each.
    #[inline]
    pub const fn filled(&self) -> W {
        self.filled
    }

    /// Returns the discs of a seat, one bit each.
    pub fn discs(&self, seat: Seat) -> W {
        match seat.number() {
            n if n > 1 => W::ZERO,
            n if n == self.plies % 2 => self.own,
            _ => self.own ^ self.filled,
        }
    }

    /// Returns the index of a slot's bit.
    #[inline]
    pub const fn bit_of(&self, slot: Slot) -> u32 {
        slot.column as u32 * self.stride() + slot.row as u32
    }

    /// Returns the slot of a bit; the inverse of [`Stacks::bit_of`].
    #[inline]
    pub const fn slot_of(&self, bit: u32) -> Slot {
        let column = bit / self.stride();
        Slot {
            column: column as u8,
            row: (bit - column * self.stride()) as u8,
        }
    }

    /// Returns the move that fills the lowest of these slots.
    pub(crate) fn move_of(&self, slots: W) -> Move {
        Move::new(self.slot_of(slots.lowest()).column)
    }

    /// Returns the seat whose disc is in a slot; `None` if it is empty or off the board.
    pub fn at(&self, slot: Slot) -> Option<Seat> {
        if slot.column >= self.rules.columns() || slot.row >= self.rules.rows() {
            return None;
        }
        let bit = W::bit(self.bit_of(slot));
        Seat::all(2).find(|&seat| !(self.discs(seat) & bit).is_zero())
    }

    /// Returns the number of discs in a column; 0 if the column does not exist.
    pub fn height(&self, column: u8) -> u8 {
        if column >= self.rules.columns() {
            return 0;
        }
        let low = self.filled >> self.bit_of(Slot::new(column, 0));
        (0..self.rules.rows())
            .find(|&row| (low & W::bit(u32::from(row))).is_zero())
            .unwrap_or(self.rules.rows())
    }

    /// Returns true if a set of discs contains a line of `k` in any direction.
    #[inline]
    pub fn has_line(&self, discs: W) -> bool {
        let (k, stride) = (u32::from(self.rules.k()), self.stride());
        let mut found = bits::runs(discs, k, 1) | bits::runs(discs, k, stride);
        found = found | bits::runs(discs, k, stride + 1) | bits::runs(discs, k, stride - 1);
        !found.is_zero()
    }

    /// Returns all slots of the winning lines, ordered from the left and the bottom; empty if no
    /// seat has won.
    pub fn winning_slots(&self) -> Vec<Slot> {
        if !self.won {
            return Vec::new();
        }
        let (k, stride) = (u32::from(self.rules.k()), self.stride());
        let discs = self.own ^ self.filled;
        let mut found = W::ZERO;
        for step in [1, stride, stride + 1, stride - 1] {
            let ends = bits::runs(discs, k, step);
            // A direction in which no line fits would shift by more bits than `W` has.
            if !ends.is_zero() {
                found = (0..k).fold(found, |all, i| all | ends << (i * step));
            }
        }
        found.ones().map(|bit| self.slot_of(bit)).collect()
    }

    /// Returns a move that completes a line; `None` if there is none or the game is over.
    pub fn winning_move(&self) -> Option<Move> {
        self.completing_move(self.own)
    }

    /// Returns a move that prevents the other seat from completing a line with its next disc;
    /// `None` if there is no such threat.
    pub fn blocking_move(&self) -> Option<Move> {
        self.completing_move(self.own ^ self.filled)
    }

    /// Returns a move into a slot that would complete a line of these discs.
    fn completing_move(&self, discs: W) -> Option<Move> {
        let geometry = BoardGeometry::new(AnyLayout(self.rules));
        let slots = geometry.layout.completing(discs) & geometry.landings(self.filled);
        let found = !self.won && !slots.is_zero();
        found.then(|| self.move_of(slots))
    }

    /// Returns the top slots of the columns that are not full, one bit each.
    #[inline]
    fn open_tops(&self) -> W {
        self.bottom << (self.stride() - 2) & !self.filled
    }
}

impl<W: BitWord> Position for Stacks<W> {
    type Move = Move;
    type Chance = NoChance;
    type Illegal = Illegal;

    fn seats(&self) -> u8 {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        let (mover, other) = if self.plies.is_multiple_of(2) {
            (Seat::FIRST, Seat::SECOND)
        } else {
            (Seat::SECOND, Seat::FIRST)
        };
        if self.won {
            Turn::Over(Outcome::won(other))
        } else if self.plies == self.rules.slots() {
            Turn::Over(Outcome::Draw)
        } else {
            Turn::Move(mover)
        }
    }

    fn legal_moves_into(&self, out: &mut Vec<Move>) {
        out.clear();
        if self.won {
            return;
        }
        let (tops, stride) = (self.open_tops(), self.stride());
        let mut top = stride - 2;
        for column in 0..self.rules.columns() {
            if !(tops & W::bit(top)).is_zero() {
                out.push(Move { column });
            }
            top += stride;
        }
    }

    fn check(&self, m: &Move) -> Result<(), Illegal> {
        let columns = self.rules.columns();
        if self.turn().is_over() {
            return Err(Illegal::Over);
        }
        if m.column >= columns {
            return Err(Illegal::NoSuchColumn {
                column: m.column,
                columns,
            });
        }
        let top = Slot::new(m.column, self.rules.rows() - 1);
        if (self.filled & W::bit(self.bit_of(top))).is_zero() {
            Ok(())
        } else {
            Err(Illegal::Full { column: m.column })
        }
    }

    #[inline]
    fn play_unchecked(&mut self, m: &Move) {
        let column = m.column.min(MAX_SIDE - 1);
        let foot = W::bit(self.bit_of(Slot::new(column, 0)) % W::BITS);
        // Adding a column's lowest bit carries through its discs to the first empty slot.
        let disc = self.filled.plus(foot) & !self.filled;
        let own = self.own | disc;
        self.own = self.own ^ self.filled;
        self.filled = self.filled | disc;
        self.plies = self.plies.saturating_add(1);
        self.won = self.has_line(own);
    }

    fn chances_into(&self, out: &mut Vec<(NoChance, u32)>) {
        out.clear();
    }

    fn resolve_unchecked(&mut self, chance: &NoChance) {
        match *chance {}
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<Move>) -> u64 {
        if self.won {
            0
        } else {
            u64::from(self.open_tops().count())
        }
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, _: &mut Vec<Move>) -> Option<Move> {
        let mut tops = self.open_tops();
        let moves = tops.count();
        if self.won || moves == 0 {
            return None;
        }
        for _ in 0..random_below(rng, moves) {
            tops = tops.without_lowest();
        }
        Some(Move {
            column: self.slot_of(tops.lowest()).column,
        })
    }
}
