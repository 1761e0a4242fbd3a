//! Boards that fit a word, as bitboards.

use parlor_core::{NoChance, Position, Seat, Turn, below};
use rand::Rng;

use super::progress::Progress;
use super::{Cell, Field, Illegal, Shape, bits};

/// A board of at most 64 bits for up to `S` seats, such as 7x7.
///
/// Each seat has a word. The bits run row by row, with one bit between two rows that no stone ever sets, so
/// that a shift along a line does not wrap around a side:
///
/// ```text
///  3 rows, 4 columns        0  1  2  3 | 4
///                           5  6  7  8 | 9
///                          10 11 12 13 |14
/// ```
///
/// A grid has no symbols; it is what a search works on. [`Board`](super::Board) picks the type, see
/// [`Inner`](super::Inner).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid<const S: usize> {
    stones: [u64; S],
    empty: u64,
    progress: Progress,
}

impl<const S: usize> Grid<S> {
    /// The empty board; `None` when it does not fit into a word or has more than `S` seats.
    pub fn new(shape: Shape) -> Option<Grid<S>> {
        if !Self::fits(shape) {
            return None;
        }
        let stride = u32::from(shape.columns()) + 1;
        let row = (1u64 << shape.columns()) - 1;
        let empty = (0..u32::from(shape.rows())).fold(0, |all, at| all | row << (at * stride));
        Some(Grid {
            stones: [0; S],
            empty,
            progress: Progress::new(shape),
        })
    }

    /// Whether [`Grid::new`] takes boards of this shape.
    pub const fn fits(shape: Shape) -> bool {
        shape.rows() as u32 * (shape.columns() as u32 + 1) <= 64 && shape.seats() as usize <= S
    }

    /// How many bits it is from one row to the next.
    #[inline]
    pub const fn stride(&self) -> u32 {
        self.progress.shape.columns() as u32 + 1
    }

    /// The stones of a seat, one bit each; none for a seat that there is not.
    pub fn stones_of(&self, seat: Seat) -> u64 {
        self.stones.get(seat.index()).copied().unwrap_or(0)
    }

    /// The empty cells, one bit each.
    pub const fn empty(&self) -> u64 {
        self.empty
    }

    /// The number of a cell's bit, 0 to 63.
    #[inline]
    pub const fn bit(&self, cell: Cell) -> u32 {
        (cell.row as u32 * self.stride() + cell.column as u32) & 63
    }

    /// The cell of a bit; the inverse of [`Grid::bit`].
    #[inline]
    pub const fn cell(&self, bit: u32) -> Cell {
        let row = bit / self.stride();
        Cell {
            row: row as u8,
            column: (bit - row * self.stride()) as u8,
        }
    }

    /// Whether a set of bits contains a run of k in any direction.
    #[inline]
    pub fn has_run(&self, set: u64) -> bool {
        let (k, stride) = (u32::from(self.progress.shape.k()), self.stride());
        let runs = |step| bits::runs(set, k, step);
        runs(1) | runs(stride) | runs(stride + 1) | runs(stride - 1) != 0
    }
}

impl<const S: usize> Field for Grid<S> {
    fn shape(&self) -> Shape {
        self.progress.shape
    }

    fn at(&self, cell: Cell) -> Option<Seat> {
        if !self.shape().has(cell) {
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
            out.extend(bits::each(self.empty).map(|bit| self.cell(bit)));
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
        u64::from(self.progress.moves())
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, _: &mut Vec<Cell>) -> Option<Cell> {
        let moves = u32::from(self.progress.moves());
        (moves > 0).then(|| self.cell(bits::nth(self.empty, below(rng, moves))))
    }
}
