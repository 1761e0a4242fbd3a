//! The checkers of both sides.

use crate::play::{CheckerStep, Play};
use crate::{BAR, OFF, Side};

/// The checkers of both sides, seen from the player to move.
///
/// Each side counts points from its own home, so the mover's point p is the other's point 25 - p.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// Checkers of the player to move.
    pub(crate) mover: Side,
    /// Checkers of the other player.
    pub(crate) other: Side,
}

/// Size of a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Win {
    /// The loser has borne off a checker.
    Single = 1,
    /// The loser has borne off none.
    Gammon = 2,
    /// The loser has borne off none and has a checker on the bar or in the winner's home.
    Backgammon = 3,
}

impl Win {
    /// Factor by which the cube's value is multiplied: 1, 2 or 3.
    pub const fn factor(self) -> u16 {
        self as u16
    }

    /// Name of the win with its article, for use in a sentence: "a gammon".
    pub const fn words(self) -> &'static str {
        match self {
            Win::Single => "a single game",
            Win::Gammon => "a gammon",
            Win::Backgammon => "a backgammon",
        }
    }
}

impl Board {
    /// The standard starting position.
    pub const START: Board = Board {
        mover: Side::START,
        other: Side::START,
    };

    /// Returns the board with these two sides, or `None` if both have a checker on the same point.
    ///
    /// ```
    /// use parlor_backgammon::{Board, Side};
    /// assert_eq!(Board::new(Side::START, Side::START), Some(Board::START));
    /// ```
    pub fn new(mover: Side, other: Side) -> Option<Board> {
        let board = Board { mover, other };
        let mine = mover.occupied() & POINTS;
        (mine & flip(other.occupied()) == 0).then_some(board)
    }

    /// Returns the checkers of the player to move.
    pub const fn mover(&self) -> Side {
        self.mover
    }

    /// Returns the checkers of the other player.
    pub const fn other(&self) -> Side {
        self.other
    }

    /// Returns the same board seen from the other player.
    #[must_use]
    pub const fn swapped(&self) -> Board {
        Board {
            mover: self.other,
            other: self.mover,
        }
    }

    /// Returns the board after one step of the mover, including any hit. The result is meaningless
    /// if there is no checker to move.
    #[inline]
    #[must_use]
    pub const fn stepped(&self, step: CheckerStep) -> Board {
        let mover = self.mover.moved(step.from, step.to);
        let facing = BAR.saturating_sub(step.to);
        let hits = step.to != OFF && self.other.count(facing) == 1;
        Board {
            mover,
            other: if hits {
                self.other.moved(facing, BAR)
            } else {
                self.other
            },
        }
    }

    /// Returns the board after a whole play of the mover, still seen from the mover.
    #[must_use]
    pub fn played(&self, play: &Play) -> Board {
        play.steps()
            .iter()
            .fold(*self, |board, step| board.stepped(*step))
    }

    /// Returns `true` if a checker of the mover landing on this point hits a blot.
    pub const fn is_blot(&self, to: u8) -> bool {
        to != OFF && to < BAR && self.other.count(BAR - to) == 1
    }

    /// Returns `true` if the opponent holds this point, numbered from the mover's side.
    pub const fn is_blocked(&self, to: u8) -> bool {
        to != OFF && to < BAR && self.other.count(BAR - to) >= 2
    }

    /// Returns `true` if the sides have passed each other, so that no more hits are possible.
    pub const fn is_race(&self) -> bool {
        self.mover.rearmost() + self.other.rearmost() < BAR
    }

    /// Returns the size of the mover's win once all the mover's checkers are off.
    pub fn won(&self) -> Option<Win> {
        if self.mover.off() < crate::CHECKERS {
            return None;
        }
        Some(if self.other.off() > 0 {
            Win::Single
        } else if self.other.rearmost() >= 19 {
            Win::Backgammon
        } else {
            Win::Gammon
        })
    }
}

/// Bit mask of the points 1 to 24.
pub(crate) const POINTS: u32 = 0x01ff_fffe;

/// Renumbers a set of points from one side's numbering to the other's. Bits for the bar and off are
/// dropped.
#[inline]
pub(crate) const fn flip(points: u32) -> u32 {
    (points & POINTS).reverse_bits() >> 6
}
