//! Turn order and end of the game, shared by all representations.

use parlor_core::{Outcome, Seat, Turn};

use super::{BoardShape, Cell, Illegal};

/// Shape of the board, seat to move and result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameProgress {
    pub shape: BoardShape,
    /// Number of empty cells.
    pub left: u16,
    /// Seat to move; once the game is won, the winner.
    pub mover: Seat,
    pub won: bool,
}

impl GameProgress {
    pub const fn new(shape: BoardShape) -> GameProgress {
        GameProgress {
            shape,
            left: shape.cells(),
            mover: Seat::FIRST,
            won: false,
        }
    }

    #[inline]
    pub const fn turn(&self) -> Turn {
        match (self.won, self.left) {
            (true, _) => Turn::Over(Outcome::won(self.mover)),
            (false, 0) => Turn::Over(Outcome::Draw),
            (false, _) => Turn::Move(self.mover),
        }
    }

    /// Returns the number of legal moves.
    #[inline]
    pub const fn move_count(&self) -> u16 {
        if self.won { 0 } else { self.left }
    }

    /// Records a stone. `S` is the number of seats with room in the representation; with two, the
    /// turn simply alternates.
    #[inline]
    pub fn advance<const S: usize>(&mut self, wins: bool) {
        self.left = self.left.saturating_sub(1);
        if wins {
            self.won = true;
        } else if S == 2 {
            self.mover = if self.mover == Seat::FIRST {
                Seat::SECOND
            } else {
                Seat::FIRST
            };
        } else {
            self.mover = self.mover.next(self.shape.seats());
        }
    }

    /// Checks a move as far as possible without looking at the stones.
    pub fn check(&self, cell: Cell) -> Result<(), Illegal> {
        if self.turn().is_over() {
            return Err(Illegal::Finished);
        }
        if self.shape.contains(cell) {
            Ok(())
        } else {
            Err(Illegal::OffBoard {
                last: self.shape.cells() - 1,
            })
        }
    }
}
