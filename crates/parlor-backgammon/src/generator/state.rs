//! Board representation of the generator.

use crate::board::flip;
use crate::play::CheckerStep;
use crate::{BAR, Board, Side};

const BAR_BIT: u32 = 1 << BAR;
const OUTSIDE: u32 = !0 << 7;

/// A board with precomputed sets of points, in the mover's numbers.
#[derive(Clone, Copy)]
pub(crate) struct GeneratorState {
    mover: Side,
    other: Side,
    /// Points with checkers of the mover, including the bar.
    own: u32,
    /// Points with two or more checkers of the mover.
    made: u32,
    /// Points held by the opponent.
    blocked: u32,
    /// Points with a blot of the opponent.
    pub(super) blots: u32,
}

impl GeneratorState {
    #[inline]
    pub(super) fn new(board: &Board) -> GeneratorState {
        let (made, any) = (flip(board.other.made()), flip(board.other.occupied()));
        let Board { mover, other } = *board;
        GeneratorState {
            mover,
            other,
            own: mover.occupied(),
            made: mover.made(),
            blocked: made,
            blots: any & !made,
        }
    }

    /// Returns the points from which this die can move a checker.
    #[inline]
    pub(super) fn sources(&self, die: u8) -> u32 {
        sources(self.own, self.blocked, die)
    }

    /// Returns the points from which the second die can move a checker after the first die moved
    /// one from `from`.
    #[inline]
    pub(super) fn sources_after(&self, from: u8, first: u8, second: u8) -> u32 {
        sources(
            self.own_after(from, from.saturating_sub(first)),
            self.blocked,
            second,
        )
    }

    #[inline]
    fn own_after(&self, from: u8, to: u8) -> u32 {
        ((self.own & !(1 << from)) | (self.made & 1 << from) | 1 << to) & !1
    }

    /// Returns the number of ways to make two more steps with this die, the first from one of these
    /// sources and the second from no point behind it. Returns `None` where checkers might be on
    /// the bar or be borne off.
    #[inline]
    pub(super) fn pairs(&self, sources: u32, die: u8) -> Option<u32> {
        if self.own & BAR_BIT != 0 || self.own >> (7 + die) == 0 {
            return None;
        }
        // Two sources, or one twice if it has two checkers, or one checker that continues from a
        // point that was empty.
        let all = sources.count_ones();
        let lone = (sources & !self.made).count_ones();
        let free = !self.own & !(self.blocked << die) & (!0 << (die + 1));
        let continuing = (sources & free << die).count_ones();
        Some(all * (all + 1) / 2 - lone + continuing)
    }

    #[inline]
    pub(super) fn stepped(&self, from: u8, die: u8) -> GeneratorState {
        let to = from.saturating_sub(die);
        let mut next = *self;
        next.mover = self.mover.moved(from, to);
        next.own = self.own_after(from, to);
        next.made = (self.made & !(1 << from))
            | u32::from(next.mover.is_made(from)) << from
            | (self.own & 1 << to);
        if self.blots >> to & 1 != 0 && to != 0 {
            next.other = self.other.moved(BAR - to, BAR);
            next.blots &= !(1 << to);
        }
        next
    }

    #[inline]
    pub(super) fn board(&self) -> Board {
        Board {
            mover: self.mover,
            other: self.other,
        }
    }
}

#[inline]
fn sources(own: u32, blocked: u32, die: u8) -> u32 {
    // Checkers on the bar come first.
    let from = if own & BAR_BIT != 0 { BAR_BIT } else { own };
    let beyond = !0 << (die + 1);
    let sources = from & beyond & !(blocked << die);
    if own & OUTSIDE != 0 {
        return sources;
    }
    // Bearing off: from the die's own point, or from the highest if all are below it.
    let exact = own & (1 << die);
    let highest = if own >> die == 0 && own != 0 {
        1 << (31 - own.leading_zeros())
    } else {
        0
    };
    sources | exact | highest
}

#[inline]
pub(super) const fn step(from: u8, die: u8) -> CheckerStep {
    CheckerStep {
        from,
        to: from.saturating_sub(die),
    }
}

/// Returns the set of points up to this one.
#[inline]
pub(super) const fn up_to(point: u8) -> u32 {
    (2 << point) - 1
}

/// Returns the points of a set, highest first.
#[inline]
pub(super) fn points(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let point = 31u32.checked_sub(set.leading_zeros())?;
        set &= !(1 << point);
        Some(point as u8)
    })
}
