//! The general board as bitboards.

use parlor_core::{NoChance, Outcome, Position, Seat, Turn, below};
use rand::Rng;

use super::{Cell, Field, Illegal, Shape, bits};

/// A board of up to `64 * W` bits for up to `S` seats.
///
/// Each seat has a bitboard. The bits run row by row, with one bit between two rows that no stone ever sets, so
/// that neither a shift nor a walk along a line wraps around a side:
///
/// ```text
///  3 rows, 4 columns        0  1  2  3 | 4
///                           5  6  7  8 | 9
///                          10 11 12 13 |14
/// ```
///
/// A grid has no symbols; it is what a search works on. [`Board`](super::Board) picks the size, see
/// [`Inner`](super::Inner).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid<const W: usize, const S: usize> {
    stones: [[u64; W]; S],
    empty: [u64; W],
    shape: Shape,
    left: u16,
    /// The seat to move; once the game is won, the winner.
    mover: Seat,
    won: bool,
}

impl<const W: usize, const S: usize> Grid<W, S> {
    /// The empty board; `None` when it does not fit into `W` words or has more than `S` seats.
    pub fn new(shape: Shape) -> Option<Grid<W, S>> {
        if Self::bits_of(shape) > 64 * W || usize::from(shape.seats()) > S {
            return None;
        }
        let mut grid =
            Grid { stones: [[0; W]; S], empty: [0; W], shape, left: shape.cells(), mover: Seat::FIRST, won: false };
        for index in 0..usize::from(shape.cells()) {
            let bit = grid.bit(Cell::from_index(index, shape.columns()));
            grid.empty[bit >> 6] |= 1 << (bit & 63);
        }
        Some(grid)
    }

    /// How many bits a board of this shape takes.
    pub(super) const fn bits_of(shape: Shape) -> usize {
        shape.rows() as usize * (shape.columns() as usize + 1)
    }

    /// How many bits it is from one row to the next.
    pub fn stride(&self) -> usize {
        usize::from(self.shape.columns()) + 1
    }

    /// The stones of a seat, one bit each.
    ///
    /// # Panics
    /// When there is no such seat.
    pub fn stones_of(&self, seat: Seat) -> &[u64; W] {
        &self.stones[seat.index()]
    }

    /// The empty cells, one bit each.
    pub fn empty(&self) -> &[u64; W] {
        &self.empty
    }

    /// The bit of a cell.
    #[inline]
    pub fn bit(&self, cell: Cell) -> usize {
        usize::from(cell.row) * self.stride() + usize::from(cell.column)
    }

    /// The cell of a bit; the inverse of [`Grid::bit`].
    #[inline]
    pub fn cell(&self, bit: usize) -> Cell {
        let row = bit as u32 / self.stride() as u32;
        Cell { row: row as u8, column: (bit as u32 - row * self.stride() as u32) as u8 }
    }

    /// Whether the stone on `bit` belongs to a run of at least k of `own`.
    #[inline]
    fn wins(&self, own: &[u64; W], bit: usize) -> bool {
        let stride = self.stride();
        let k = usize::from(self.shape.k());
        let steps = [1, stride, stride + 1, stride - 1];
        if W == 1 {
            return steps.into_iter().any(|step| runs(own[0], k, step) != 0);
        }
        steps.into_iter().any(|step| {
            let (mut length, mut at) = (1, bit.wrapping_add(step));
            while bits::has(own, at) {
                length += 1;
                at = at.wrapping_add(step);
            }
            at = bit.wrapping_sub(step);
            while bits::has(own, at) {
                length += 1;
                at = at.wrapping_sub(step);
            }
            length >= k
        })
    }
}

/// The low ends of all runs of `k` bits that lie `step` apart.
#[inline]
pub(super) fn runs(own: u64, k: usize, step: usize) -> u64 {
    let (mut ends, mut length) = (own, 1);
    while length * 2 <= k {
        ends &= shifted(ends, length * step);
        length *= 2;
    }
    ends & shifted(ends, (k - length) * step)
}

/// A shift that pushes out everything when it is too far.
#[inline]
fn shifted(word: u64, by: usize) -> u64 {
    word.checked_shr(by as u32).unwrap_or(0)
}

impl<const W: usize, const S: usize> Field for Grid<W, S> {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn at(&self, cell: Cell) -> Option<Seat> {
        if cell.row >= self.shape.rows() || cell.column >= self.shape.columns() {
            return None;
        }
        let bit = self.bit(cell);
        Seat::all(self.shape.seats()).find(|seat| bits::has(&self.stones[seat.index()], bit))
    }

    fn stones(&self) -> u16 {
        self.shape.cells() - self.left
    }
}

impl<const W: usize, const S: usize> Position for Grid<W, S> {
    type Move = Cell;
    type Chance = NoChance;
    type Illegal = Illegal;

    fn seats(&self) -> u8 {
        self.shape.seats()
    }

    #[inline]
    fn turn(&self) -> Turn {
        match (self.won, self.left) {
            (true, _) => Turn::Over(Outcome::won(self.mover)),
            (false, 0) => Turn::Over(Outcome::Draw),
            (false, _) => Turn::Move(self.mover),
        }
    }

    fn legal_moves_into(&self, out: &mut Vec<Cell>) {
        out.clear();
        if !self.won {
            out.extend(bits::each(&self.empty).map(|bit| self.cell(bit)));
        }
    }

    fn check(&self, cell: &Cell) -> Result<(), Illegal> {
        if self.turn().is_over() {
            return Err(Illegal::Finished);
        }
        if cell.row >= self.shape.rows() || cell.column >= self.shape.columns() {
            return Err(Illegal::OffBoard { last: self.shape.cells() - 1 });
        }
        if bits::has(&self.empty, self.bit(*cell)) { Ok(()) } else { Err(Illegal::Occupied) }
    }

    #[inline]
    fn play_unchecked(&mut self, cell: &Cell) {
        let bit = self.bit(*cell);
        let (word, mask) = ((bit >> 6) % W, 1 << (bit & 63));
        self.empty[word] &= !mask;
        let own = &mut self.stones[self.mover.index() % S];
        own[word] |= mask;
        self.left = self.left.saturating_sub(1);
        let own = *own;
        if self.wins(&own, bit) {
            self.won = true;
        } else if S == 2 {
            self.mover = if self.mover == Seat::FIRST { Seat::SECOND } else { Seat::FIRST };
        } else {
            self.mover = self.mover.next(self.shape.seats());
        }
    }

    fn chances_into(&self, out: &mut Vec<(NoChance, u32)>) {
        out.clear();
    }

    fn resolve_unchecked(&mut self, chance: &NoChance) {
        match *chance {}
    }

    fn count_moves(&self, _: &mut Vec<Cell>) -> u64 {
        if self.won { 0 } else { u64::from(self.left) }
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, _: &mut Vec<Cell>) -> Option<Cell> {
        if self.won || self.left == 0 {
            return None;
        }
        Some(self.cell(bits::nth(&self.empty, below(rng, u32::from(self.left)))))
    }
}
