//! Boards of any size, stored as lines.

use std::hash::{Hash, Hasher};

use parlor_core::{NoChance, Position, Seat, Turn, random_below};
use rand::Rng;

use super::progress::GameProgress;
use super::{BoardShape, Cell, Illegal, MnkPosition, bits};

/// A board with both sides below `N` for up to `S` seats, such as 15x15 with `N` 16.
///
/// Each stone is stored four times, once per direction, in a word that holds a whole line: checking
/// whether it completes a run takes four words instead of a walk over the board. Two short
/// diagonals share a word; because `N` exceeds both sides, at least one free bit separates them.
///
/// ```text
///  the diagonals of 3x3, N = 4     word 0  a b c .     word 2  f . g .
///        a d f                     word 1  d e . h     word 3  . i j .
///        i b e                     (bit = row; the word of a cell is
///        g j c                      column - row, counted modulo N)
/// ```
///
/// Equal positions are equal in all words; the hash uses one direction only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide<const N: usize, const S: usize> {
    /// Lines of every [`Direction`], by seat.
    stones: [[[u32; N]; 4]; S],
    /// Empty cells of every row.
    empty: [u32; N],
    progress: GameProgress,
}

/// Direction of a line, an index into a seat's stones.
#[derive(Clone, Copy)]
enum Direction {
    Row,
    Column,
    Falling,
    Rising,
}

impl<const N: usize, const S: usize> Wide<N, S> {
    /// Creates an empty board; `None` if a side is not below `N` or there are more than `S` seats.
    pub fn new(shape: BoardShape) -> Option<Wide<N, S>> {
        if !Self::fits(shape) {
            return None;
        }
        let mut empty = [0; N];
        empty[..usize::from(shape.rows())].fill((1 << shape.columns()) - 1);
        Some(Wide {
            stones: [[[0; N]; 4]; S],
            empty,
            progress: GameProgress::new(shape),
        })
    }

    /// Returns true if [`Wide::new`] accepts boards of this shape.
    pub const fn fits(shape: BoardShape) -> bool {
        let (rows, columns) = (shape.rows() as usize, shape.columns() as usize);
        rows < N && columns < N && N <= 32 && shape.seats() as usize <= S
    }

    /// Returns a seat's stones in every row, one bit per column; `None` for a seat that does not
    /// exist.
    pub fn rows_of(&self, seat: Seat) -> Option<&[u32; N]> {
        self.stones
            .get(seat.index())
            .map(|lines| &lines[Direction::Row as usize])
    }

    /// Returns the empty cells of every row, one bit per column.
    pub const fn empty_rows(&self) -> &[u32; N] {
        &self.empty
    }

    /// Adds a stone; returns true if it completes a run.
    #[inline]
    fn put(lines: &mut [[u32; N]; 4], cell: Cell, k: u32) -> bool {
        let (row, column) = (usize::from(cell.row), usize::from(cell.column));
        let falling = if column >= row {
            column - row
        } else {
            column + N - row
        };
        let rising = if column + row < N {
            column + row
        } else {
            column + row - N
        };
        let mut put = |direction: Direction, line: usize, at: usize| {
            let word = &mut lines[direction as usize][line % N];
            *word |= 1 << (at & 31);
            bits::run_starts(u64::from(*word), k, 1)
        };
        let straight = put(Direction::Row, row, column) | put(Direction::Column, column, row);
        straight | put(Direction::Falling, falling, row) | put(Direction::Rising, rising, row) != 0
    }

    fn is_empty(&self, cell: Cell) -> bool {
        self.empty[usize::from(cell.row) % N] >> (cell.column & 31) & 1 == 1
    }

    /// Returns the `n`-th empty cell, row by row.
    fn nth_empty(&self, n: u32) -> Option<Cell> {
        let mut left = n;
        for (row, &word) in self.empty.iter().enumerate() {
            let ones = word.count_ones();
            if left < ones {
                return Some(Cell {
                    row: row as u8,
                    column: bits::nth_set_bit(u64::from(word), left) as u8,
                });
            }
            left -= ones;
        }
        None
    }
}

impl<const N: usize, const S: usize> Hash for Wide<N, S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.progress.hash(state);
        self.stones
            .iter()
            .for_each(|lines| lines[Direction::Row as usize].hash(state));
    }
}

impl<const N: usize, const S: usize> MnkPosition for Wide<N, S> {
    fn shape(&self) -> BoardShape {
        self.progress.shape
    }

    fn at(&self, cell: Cell) -> Option<Seat> {
        if !self.shape().contains(cell) {
            return None;
        }
        let own = |lines: &[[u32; N]; 4]| {
            lines[Direction::Row as usize][usize::from(cell.row)] >> cell.column & 1 == 1
        };
        Seat::all(self.seats()).find(|seat| own(&self.stones[seat.index()]))
    }

    fn stones(&self) -> u16 {
        self.shape().cells() - self.progress.left
    }
}

impl<const N: usize, const S: usize> Position for Wide<N, S> {
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
        if self.progress.won {
            return;
        }
        for (row, &word) in self.empty.iter().enumerate() {
            out.extend(bits::set_bits(u64::from(word)).map(|column| Cell {
                row: row as u8,
                column: column as u8,
            }));
        }
    }

    fn check(&self, cell: &Cell) -> Result<(), Illegal> {
        self.progress.check(*cell)?;
        if self.is_empty(*cell) {
            Ok(())
        } else {
            Err(Illegal::Occupied)
        }
    }

    #[inline]
    fn play_unchecked(&mut self, cell: &Cell) {
        self.empty[usize::from(cell.row) % N] &= !(1 << (cell.column & 31));
        let own = &mut self.stones[self.progress.mover.index() % S];
        let wins = Self::put(own, *cell, u32::from(self.progress.shape.k()));
        self.progress.advance::<S>(wins);
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

    /// Guesses cells until one is empty: as long as many are, that is faster than counting.
    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, _: &mut Vec<Cell>) -> Option<Cell> {
        let GameProgress { shape, left, .. } = self.progress;
        if self.progress.move_count() == 0 {
            return None;
        }
        if left < shape.cells() / 4 {
            return self.nth_empty(random_below(rng, u32::from(left)));
        }
        loop {
            let luck = rng.next_u64();
            let scaled = |half: u32, side: u8| ((u64::from(half) * u64::from(side)) >> 32) as u8;
            let cell = Cell {
                row: scaled(luck as u32, shape.rows()),
                column: scaled((luck >> 32) as u32, shape.columns()),
            };
            if self.is_empty(cell) {
                return Some(cell);
            }
        }
    }
}
