//! Two different dice.

use super::sink::Sink;
use super::state::{State, points, step, up_to};
use crate::play::Play;

/// Two different dice: the pairs of points from which one checker moves by the high die and one by the low.
pub(super) struct Pairs {
    high: u8,
    low: u8,
    /// The sources of the high die, and of the low one, before anything is moved.
    firsts: [u32; 2],
    /// By the source of the high die, when that is moved first: the sources of the low die.
    high_first: [u32; 26],
    /// By the source of the low die: the sources of the high die that there are only when the low one is moved first.
    low_first: [u32; 26],
}

impl Pairs {
    #[inline]
    pub(super) fn of(start: &State, high: u8, low: u8) -> Pairs {
        let firsts = [start.sources(high), start.sources(low)];
        let mut pairs = Pairs {
            high,
            low,
            firsts,
            high_first: [0; 26],
            low_first: [0; 26],
        };
        for p in points(firsts[0]) {
            let mut partners = start.sources_after(p, high, low);
            let suspects = 1 << (p + low) | if p <= low { up_to(low) } else { 0 };
            for q in points(partners & suspects) {
                partners &= !(u32::from(pairs.knows(start, p, q)) << q);
            }
            pairs.high_first[usize::from(p)] = partners;
        }
        for q in points(firsts[1]) {
            // What the high die could do at first it can do still, and was counted.
            let mut partners = start.sources_after(q, low, high) & !firsts[0];
            for p in points(partners) {
                partners &= !(u32::from(pairs.knows(start, p, q)) << p);
            }
            pairs.low_first[usize::from(q)] = partners;
        }
        pairs
    }

    /// Whether another pair with the same result as (p by the high die, q by the low die) was met before.
    #[inline]
    fn knows(&self, start: &State, p: u8, q: u8) -> bool {
        let has = |p: u8, q: u8| self.high_first[usize::from(p)] >> q & 1 != 0;
        // One checker runs from q by the low die and then by the high one; it could have been the other way round.
        if q == p + self.low && q > self.high {
            let turn = q - self.high;
            return has(q, turn) && start.blots & (1 << turn | 1 << p) == 0;
        }
        // Both go off: it does not matter by which die.
        p <= self.low && q <= self.low && p != q && has(q, p)
    }

    /// Tells all results; whether there was one.
    #[inline]
    pub(super) fn tell<S: Sink>(&self, start: &State, sink: &mut S) -> bool {
        let mut any = false;
        let mut halves = |from: u32, sets: &[u32; 26], die: u8, with: u8| {
            for p in points(from) {
                let partners = sets[usize::from(p)];
                if partners != 0 {
                    any = true;
                    sink.take_last(
                        &start.stepped(p, die),
                        &Play::PASS.with(step(p, die)),
                        partners,
                        with,
                    );
                }
            }
        };
        halves(self.firsts[0], &self.high_first, self.high, self.low);
        halves(self.firsts[1], &self.low_first, self.low, self.high);
        any
    }

    /// Who can move when only one of the dice can be played, and which: the higher, if it can.
    pub(super) fn single(&self) -> (u32, u8) {
        if self.firsts[0] != 0 {
            (self.firsts[0], self.high)
        } else {
            (self.firsts[1], self.low)
        }
    }
}
