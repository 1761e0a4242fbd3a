//! Positions of boards up to 7x7 as two words of 8x8 bits, which are cheap to rotate and mirror.

use super::{Board, BoardShape, Cell, next_seat};
use crate::mnk::bits;

/// Stones of the seat to move and of the other seat; bit `8 * row + column`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Squares {
    pub own: u64,
    pub other: u64,
}

impl Squares {
    /// Converts a board that is within the solver's limits.
    pub fn from_board(board: &Board) -> Squares {
        let mover = next_seat(board);
        let mut squares = Squares { own: 0, other: 0 };
        for cell in board.cells() {
            match board.at(cell) {
                Some(seat) if seat == mover => squares.own |= bit(cell),
                Some(_) => squares.other |= bit(cell),
                None => {}
            }
        }
        squares
    }

    /// Returns the position after a move by the seat to move.
    pub fn after(self, cell: Cell) -> Squares {
        self.after_bit(bit(cell))
    }

    /// Like [`Squares::after`], with the cell given as a bit.
    pub fn after_bit(self, bit: u64) -> Squares {
        Squares {
            own: self.other,
            other: self.own | bit,
        }
    }
}

fn bit(cell: Cell) -> u64 {
    1 << (cell.row * 8 + cell.column)
}

/// Geometry of a board shape on 8x8 bits.
#[derive(Clone, Debug)]
pub struct Geometry {
    pub cells: u64,
    pub k: u32,
    rows: u32,
    columns: u32,
    /// All runs of exactly k cells.
    pub lines: Vec<u64>,
}

impl Geometry {
    pub fn new(shape: BoardShape) -> Geometry {
        let (rows, columns, k) = (
            u32::from(shape.rows()),
            u32::from(shape.columns()),
            u32::from(shape.k()),
        );
        let row = (1u64 << columns) - 1;
        let cells = (0..rows).fold(0, |all, at| all | row << (8 * at));
        let mut lines = Vec::new();
        for start in (0..64u32).filter(|at| cells >> at & 1 == 1) {
            for step in STEPS {
                let bits: Vec<u32> = (0..k).map(|i| start + i * step).collect();
                // The eighth column is never part of the board, so no line wraps around.
                if bits.iter().all(|&bit| bit < 64 && cells >> bit & 1 == 1) {
                    lines.push(bits.iter().fold(0, |line, bit| line | 1u64 << bit));
                }
            }
        }
        lines.sort_unstable();
        lines.dedup();
        Geometry {
            cells,
            k,
            rows,
            columns,
            lines,
        }
    }

    /// Returns true if a set of cells contains a run of k.
    pub fn has_run(&self, own: u64) -> bool {
        STEPS
            .into_iter()
            .any(|step| bits::run_starts(own, self.k, step) != 0)
    }

    /// Returns the smallest of the rotated and mirrored images of a position.
    pub fn canonical(&self, squares: Squares) -> Squares {
        let both = |f: &dyn Fn(u64) -> u64, s: Squares| Squares {
            own: f(s.own),
            other: f(s.other),
        };
        let upside_down = |word: u64| word.swap_bytes() >> (8 * (8 - self.rows));
        let mirrored = |word: u64| word.swap_bytes().reverse_bits() >> (8 - self.columns);
        let four = |s: Squares| {
            let flipped = both(&upside_down, s);
            s.min(flipped)
                .min(both(&mirrored, s))
                .min(both(&mirrored, flipped))
        };
        let least = four(squares);
        if self.rows == self.columns {
            least.min(four(both(&transposed, squares)))
        } else {
            least
        }
    }
}

/// Steps to the right, down-left, down and down-right.
const STEPS: [u32; 4] = [1, 7, 8, 9];

/// Transposes rows and columns by swapping the halves of ever larger blocks.
fn transposed(word: u64) -> u64 {
    let swap = |word: u64, mask: u64, shift: u32| {
        let differ = (word ^ (word >> shift)) & mask;
        word ^ differ ^ (differ << shift)
    };
    let word = swap(word, 0x00AA_00AA_00AA_00AA, 7);
    let word = swap(word, 0x0000_CCCC_0000_CCCC, 14);
    swap(word, 0x0000_0000_F0F0_F0F0, 28)
}

/// Returns the set bits from the low end, each as a word.
pub fn single_bits(word: u64) -> impl Iterator<Item = u64> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let low = rest & rest.wrapping_neg();
        rest ^= low;
        (low != 0).then_some(low)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mnk::Rules;

    #[test]
    fn all_eight_images_of_a_square_board_have_one_canonical_form() {
        let geometry = Geometry::new(
            Rules::new(4, 4, 3, &['X', 'O'])
                .expect("small rules")
                .shape(),
        );
        let image = |turn: usize, (row, column): (usize, usize)| {
            let (row, column) = if turn & 1 == 1 {
                (3 - row, column)
            } else {
                (row, column)
            };
            let (row, column) = if turn & 2 == 2 {
                (row, 3 - column)
            } else {
                (row, column)
            };
            let (row, column) = if turn & 4 == 4 {
                (column, row)
            } else {
                (row, column)
            };
            1u64 << (8 * row + column)
        };
        let forms: Vec<Squares> = (0..8)
            .map(|turn| Squares {
                own: image(turn, (0, 1)) | image(turn, (2, 3)),
                other: image(turn, (1, 1)) | image(turn, (3, 0)),
            })
            .map(|squares| geometry.canonical(squares))
            .collect();
        assert!(forms.iter().all(|form| *form == forms[0]), "{forms:?}");
    }

    #[test]
    fn the_classic_board_has_eight_lines() {
        let geometry = Geometry::new(Rules::classic().shape());
        assert_eq!(geometry.lines.len(), 8);
        assert!(geometry.lines.iter().all(|&line| geometry.has_run(line)));
    }
}
