//! How far a game has come, whatever the stones look like inside.

use parlor_core::{Outcome, Seat, Turn};

use super::{Cell, Illegal, Shape};

/// The shape, whose turn it is and whether it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Progress {
    pub shape: Shape,
    /// Empty cells.
    pub left: u16,
    /// The seat to move; once the game is won, the winner.
    pub mover: Seat,
    pub won: bool,
}

impl Progress {
    pub const fn new(shape: Shape) -> Progress {
        Progress {
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

    /// How many moves there are.
    #[inline]
    pub const fn moves(&self) -> u16 {
        if self.won { 0 } else { self.left }
    }

    /// Counts a stone. `S` is how many seats there is room for: with two the turn alternates.
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

    /// The reasons against a move that do not depend on the stones.
    pub fn check(&self, cell: Cell) -> Result<(), Illegal> {
        if self.turn().is_over() {
            return Err(Illegal::Finished);
        }
        if self.shape.has(cell) {
            Ok(())
        } else {
            Err(Illegal::OffBoard {
                last: self.shape.cells() - 1,
            })
        }
    }
}
