//! The checkers of both sides.

use crate::play::{Play, Step};
use crate::{BAR, OFF, Side};

/// The checkers of both sides, seen from the player to move.
///
/// Each side counts points from its own home, so the mover's point p is the other's point 25 - p.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// The checkers of the player to move.
    pub(crate) mover: Side,
    /// The checkers of the other player.
    pub(crate) other: Side,
}

/// How much of a win it is.
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
    /// What it multiplies the cube's value by.
    pub const fn factor(self) -> u16 {
        self as u16
    }

    /// The win in a word, for a sentence: "a gammon".
    pub const fn words(self) -> &'static str {
        match self {
            Win::Single => "a single game",
            Win::Gammon => "a gammon",
            Win::Backgammon => "a backgammon",
        }
    }
}

impl Board {
    /// The usual start.
    pub const START: Board = Board {
        mover: Side::START,
        other: Side::START,
    };

    /// A board of two sides. `None` when both have a checker on the same point.
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

    /// The checkers of the player to move.
    pub const fn mover(&self) -> Side {
        self.mover
    }

    /// The checkers of the other player.
    pub const fn other(&self) -> Side {
        self.other
    }

    /// The same board seen from the other player.
    #[must_use]
    pub const fn swapped(&self) -> Board {
        Board {
            mover: self.other,
            other: self.mover,
        }
    }

    /// The board after a mover's step, with the hit that it makes. Without a checker to move the board means nothing.
    #[inline]
    #[must_use]
    pub const fn stepped(&self, step: Step) -> Board {
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

    /// The board after a mover's whole play, still seen from the mover.
    #[must_use]
    pub fn played(&self, play: &Play) -> Board {
        play.steps()
            .iter()
            .fold(*self, |board, step| board.stepped(*step))
    }

    /// Whether a mover's checker that comes to this point hits one.
    pub const fn is_blot(&self, to: u8) -> bool {
        to != OFF && to < BAR && self.other.count(BAR - to) == 1
    }

    /// Whether the other side holds this point of the mover's.
    pub const fn is_blocked(&self, to: u8) -> bool {
        to != OFF && to < BAR && self.other.count(BAR - to) >= 2
    }

    /// Whether the sides have passed each other, so that no checker can be hit any more.
    pub const fn is_race(&self) -> bool {
        self.mover.rearmost() + self.other.rearmost() < BAR
    }

    /// What the mover has won if all of the mover's checkers are off.
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

/// The points 1 to 24.
pub(crate) const POINTS: u32 = 0x01ff_fffe;

/// A set of one side's points as the other side numbers them. The bar and what is off drop out.
#[inline]
pub(crate) const fn flip(points: u32) -> u32 {
    (points & POINTS).reverse_bits() >> 6
}
