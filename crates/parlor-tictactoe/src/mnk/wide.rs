//! Boards of any size, as lines.

use std::hash::{Hash, Hasher};

use parlor_core::{NoChance, Position, Seat, Turn, below};
use rand::Rng;

use super::progress::Progress;
use super::{Cell, Field, Illegal, Shape, bits};

/// A board with both sides below `N` for up to `S` seats, such as 15x15 with `N` 16.
///
/// Each stone is noted four times, once for each direction, in a word that holds a whole line: whether it
/// completes a run then takes four words and no walk over the board. Two short diagonals share a word; `N`
/// being larger than the sides, there is at least one free bit between them.
///
/// ```text
///  the diagonals of 3x3, N = 4     word 0  a b c .     word 2  f . g .
///        a d f                     word 1  d e . h     word 3  . i j .
///        i b e                     (bit = row; the word of a cell is
///        g j c                      column - row, counted modulo N)
/// ```
///
/// Equal positions are equal in all words; the hash looks at one direction only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide<const N: usize, const S: usize> {
    /// By seat: the lines of every [`Direction`].
    stones: [[[u32; N]; 4]; S],
    /// The empty cells of every row.
    empty: [u32; N],
    progress: Progress,
}

/// Which lines are meant: an index into a seat's stones.
#[derive(Clone, Copy)]
enum Direction {
    Row,
    Column,
    Falling,
    Rising,
}

impl<const N: usize, const S: usize> Wide<N, S> {
    /// The empty board; `None` when a side is not below `N` or there are more than `S` seats.
    pub fn new(shape: Shape) -> Option<Wide<N, S>> {
        if !Self::fits(shape) {
            return None;
        }
        let mut empty = [0; N];
        empty[..usize::from(shape.rows())].fill((1 << shape.columns()) - 1);
        Some(Wide {
            stones: [[[0; N]; 4]; S],
            empty,
            progress: Progress::new(shape),
        })
    }

    /// Whether [`Wide::new`] takes boards of this shape.
    pub const fn fits(shape: Shape) -> bool {
        let (rows, columns) = (shape.rows() as usize, shape.columns() as usize);
        rows < N && columns < N && N <= 32 && shape.seats() as usize <= S
    }

    /// The stones of a seat in every row, one bit for each column; `None` for a seat that there is not.
    pub fn rows_of(&self, seat: Seat) -> Option<&[u32; N]> {
        self.stones
            .get(seat.index())
            .map(|lines| &lines[Direction::Row as usize])
    }

    /// The empty cells of every row, one bit for each column.
    pub const fn empty_rows(&self) -> &[u32; N] {
        &self.empty
    }

    /// Notes a stone; true when it completes a run.
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
            bits::runs(u64::from(*word), k, 1)
        };
        let straight = put(Direction::Row, row, column) | put(Direction::Column, column, row);
        straight | put(Direction::Falling, falling, row) | put(Direction::Rising, rising, row) != 0
    }

    fn is_empty(&self, cell: Cell) -> bool {
        self.empty[usize::from(cell.row) % N] >> (cell.column & 31) & 1 == 1
    }

    /// The `n`-th empty cell, row by row.
    fn nth_empty(&self, n: u32) -> Option<Cell> {
        let mut left = n;
        for (row, &word) in self.empty.iter().enumerate() {
            let ones = word.count_ones();
            if left < ones {
                return Some(Cell {
                    row: row as u8,
                    column: bits::nth(u64::from(word), left) as u8,
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

impl<const N: usize, const S: usize> Field for Wide<N, S> {
    fn shape(&self) -> Shape {
        self.progress.shape
    }

    fn at(&self, cell: Cell) -> Option<Seat> {
        if !self.shape().has(cell) {
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
            out.extend(bits::each(u64::from(word)).map(|column| Cell {
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
        u64::from(self.progress.moves())
    }

    /// Guesses cells until one is empty, which is quicker than counting to one as long as many are.
    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, _: &mut Vec<Cell>) -> Option<Cell> {
        let Progress { shape, left, .. } = self.progress;
        if self.progress.moves() == 0 {
            return None;
        }
        if left < shape.cells() / 4 {
            return self.nth_empty(below(rng, u32::from(left)));
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
