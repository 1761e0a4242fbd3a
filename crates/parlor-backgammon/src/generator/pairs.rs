//! Results of two different dice.

use super::sink::PlaySink;
use super::state::{GeneratorState, points, step, up_to};
use crate::play::Play;

/// Pairs of points from which one checker moves by the high die and one by the low die.
pub(super) struct SourcePairs {
    high: u8,
    low: u8,
    /// Sources of the high die and of the low die, before anything is moved.
    firsts: [u32; 2],
    /// For each source of the high die, if moved first: the sources of the low die.
    high_first: [u32; 26],
    /// For each source of the low die: the sources of the high die that exist only if the low die
    /// is moved first.
    low_first: [u32; 26],
}

impl SourcePairs {
    #[inline]
    pub(super) fn new(start: &GeneratorState, high: u8, low: u8) -> SourcePairs {
        let firsts = [start.sources(high), start.sources(low)];
        let mut pairs = SourcePairs {
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
                partners &= !(u32::from(pairs.is_known(start, p, q)) << q);
            }
            pairs.high_first[usize::from(p)] = partners;
        }
        for q in points(firsts[1]) {
            // Sources that the high die already had at first were counted above.
            let mut partners = start.sources_after(q, low, high) & !firsts[0];
            for p in points(partners) {
                partners &= !(u32::from(pairs.is_known(start, p, q)) << p);
            }
            pairs.low_first[usize::from(q)] = partners;
        }
        pairs
    }

    /// Returns `true` if an earlier pair has the same result as (p by the high die, q by the low
    /// die).
    #[inline]
    fn is_known(&self, start: &GeneratorState, p: u8, q: u8) -> bool {
        let has = |p: u8, q: u8| self.high_first[usize::from(p)] >> q & 1 != 0;
        // One checker moves from q by the low die and then by the high one; the other order gives
        // the same result if neither way hits.
        if q == p + self.low && q > self.high {
            let turn = q - self.high;
            return has(q, turn) && start.blots & (1 << turn | 1 << p) == 0;
        }
        // Both are borne off: it does not matter by which die.
        p <= self.low && q <= self.low && p != q && has(q, p)
    }

    /// Emits all results. Returns `false` if there was none.
    #[inline]
    pub(super) fn emit<S: PlaySink>(&self, start: &GeneratorState, sink: &mut S) -> bool {
        let mut any = false;
        let mut emit = |from: u32, sets: &[u32; 26], die: u8, with: u8| {
            for p in points(from) {
                let partners = sets[usize::from(p)];
                if partners != 0 {
                    any = true;
                    sink.emit_last_steps(
                        &start.stepped(p, die),
                        &Play::PASS.with(step(p, die)),
                        partners,
                        with,
                    );
                }
            }
        };
        emit(self.firsts[0], &self.high_first, self.high, self.low);
        emit(self.firsts[1], &self.low_first, self.low, self.high);
        any
    }

    /// Returns the sources and the die if only one die can be played: the higher one if it is
    /// playable.
    pub(super) fn single_die(&self) -> (u32, u8) {
        if self.firsts[0] != 0 {
            (self.firsts[0], self.high)
        } else {
            (self.firsts[1], self.low)
        }
    }
}
