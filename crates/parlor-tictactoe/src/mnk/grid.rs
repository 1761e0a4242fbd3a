//! Bitboards for boards that fit a 64-bit word.

use parlor_core::{NoChance, Position, Seat, Turn, random_below};
use rand::Rng;

use super::progress::GameProgress;
use super::{BoardShape, Cell, Illegal, MnkPosition, bits};

/// A board of at most 64 bits for up to `S` seats, such as 7x7.
///
/// Each seat has one word. Bits run row by row, with an unused bit between rows so that shifts
/// along a line do not wrap around an edge:
///
/// ```text
///  3 rows, 4 columns        0  1  2  3 | 4
///                           5  6  7  8 | 9
///                          10 11 12 13 |14
/// ```
///
/// A grid has no symbols; it is meant for searches. [`Board`](super::Board) picks the type, see
/// [`BoardRepr`](super::BoardRepr).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid<const S: usize> {
    stones: [u64; S],
    empty: u64,
    progress: GameProgress,
}

impl<const S: usize> Grid<S> {
    /// Creates an empty board; `None` if it does not fit a word or has more than `S` seats.
    pub fn new(shape: BoardShape) -> Option<Grid<S>> {
        if !Self::fits(shape) {
            return None;
        }
        let stride = u32::from(shape.columns()) + 1;
        let row = (1u64 << shape.columns()) - 1;
        let empty = (0..u32::from(shape.rows())).fold(0, |all, at| all | row << (at * stride));
        Some(Grid {
            stones: [0; S],
            empty,
            progress: GameProgress::new(shape),
        })
    }

    /// Returns true if [`Grid::new`] accepts boards of this shape.
    pub const fn fits(shape: BoardShape) -> bool {
        shape.rows() as u32 * (shape.columns() as u32 + 1) <= 64 && shape.seats() as usize <= S
    }

    /// Returns the distance in bits from one row to the next.
    #[inline]
    pub const fn stride(&self) -> u32 {
        self.progress.shape.columns() as u32 + 1
    }

    /// Returns a seat's stones, one bit each; 0 for a seat that does not exist.
    pub fn stones_of(&self, seat: Seat) -> u64 {
        self.stones.get(seat.index()).copied().unwrap_or(0)
    }

    /// Returns the empty cells, one bit each.
    pub const fn empty(&self) -> u64 {
        self.empty
    }

    /// Returns the index of a cell's bit, 0 to 63.
    #[inline]
    pub const fn bit(&self, cell: Cell) -> u32 {
        (cell.row as u32 * self.stride() + cell.column as u32) & 63
    }

    /// Returns the cell of a bit; the inverse of [`Grid::bit`].
    #[inline]
    pub const fn cell(&self, bit: u32) -> Cell {
        let row = bit / self.stride();
        Cell {
            row: row as u8,
            column: (bit - row * self.stride()) as u8,
        }
    }

    /// Returns true if a set of bits contains a run of k in any direction.
    #[inline]
    pub fn has_run(&self, set: u64) -> bool {
        let (k, stride) = (u32::from(self.progress.shape.k()), self.stride());
        let runs = |step| bits::run_starts(set, k, step);
        runs(1) | runs(stride) | runs(stride + 1) | runs(stride - 1) != 0
    }
}

impl<const S: usize> MnkPosition for Grid<S> {
    fn shape(&self) -> BoardShape {
        self.progress.shape
    }

    fn at(&self, cell: Cell) -> Option<Seat> {
        if !self.shape().contains(cell) {
            return None;
        }
        let bit = self.bit(cell);
        Seat::all(self.seats()).find(|&seat| self.stones_of(seat) >> bit & 1 == 1)
    }

    fn stones(&self) -> u16 {
        self.shape().cells() - self.progress.left
    }
}

impl<const S: usize> Position for Grid<S> {
    type Move = Cell;
    type Chance = NoChance;
    type Illegal = Illegal;

    fn seats(&self) -> u8 {
        self.progress.shape.seats()
    }

    #[inline]
    fn turn(&self) -> Turn {
        self.progress.turn()
    }

    fn legal_moves_into(&self, out: &mut Vec<Cell>) {
        out.clear();
        if !self.progress.won {
            out.extend(bits::set_bits(self.empty).map(|bit| self.cell(bit)));
        }
    }

    fn check(&self, cell: &Cell) -> Result<(), Illegal> {
        self.progress.check(*cell)?;
        if self.empty >> self.bit(*cell) & 1 == 1 {
            Ok(())
        } else {
            Err(Illegal::Occupied)
        }
    }

    #[inline]
    fn play_unchecked(&mut self, cell: &Cell) {
        let stone = 1 << self.bit(*cell);
        self.empty &= !stone;
        let own = &mut self.stones[self.progress.mover.index() % S];
        *own |= stone;
        let own = *own;
        self.progress.advance::<S>(self.has_run(own));
    }

    fn chances_into(&self, out: &mut Vec<(NoChance, u32)>) {
        out.clear();
    }

    fn resolve_unchecked(&mut self, chance: &NoChance) {
        match *chance {}
    }

    fn count_moves(&self, _: &mut Vec<Cell>) -> u64 {
        u64::from(self.progress.move_count())
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, _: &mut Vec<Cell>) -> Option<Cell> {
        let moves = u32::from(self.progress.move_count());
        (moves > 0).then(|| self.cell(bits::nth_set_bit(self.empty, random_below(rng, moves))))
    }
}
