//! What becomes of the results.

use parlor_core::below;
use rand::Rng;

use super::state::{State, points, step, up_to};
use crate::Board;
use crate::play::Play;

/// What takes the results: each with the play that leads there and the board after it, seen from the mover.
pub(crate) trait Sink {
    /// One more result, made by these steps.
    fn take(&mut self, play: &Play, after: Board);

    /// Everything so far was shorter than what comes now.
    fn forget(&mut self);

    /// As many results as there are points in `sources`: one more step of this die from each of them.
    #[inline]
    fn take_last(&mut self, state: &State, play: &Play, sources: u32, die: u8) {
        for p in points(sources) {
            self.take(&play.with(step(p, die)), state.stepped(p, die).board());
        }
    }

    /// As many results as [`State::pairs`] says: two more steps of this die, the first from one of these points.
    #[inline]
    fn take_pairs(&mut self, state: &State, play: &Play, sources: u32, die: u8, _: u32) {
        for p in points(sources) {
            let last = state.sources_after(p, die, die) & up_to(p);
            if last != 0 {
                self.take_last(&state.stepped(p, die), &play.with(step(p, die)), last, die);
            }
        }
    }
}

impl Sink for Vec<Play> {
    #[inline]
    fn take(&mut self, play: &Play, _: Board) {
        self.push(*play);
    }

    fn forget(&mut self) {
        self.clear();
    }
}

impl Sink for Vec<Board> {
    #[inline]
    fn take(&mut self, _: &Play, after: Board) {
        self.push(after);
    }

    fn forget(&mut self) {
        self.clear();
    }
}

impl Sink for Vec<(Play, Board)> {
    #[inline]
    fn take(&mut self, play: &Play, after: Board) {
        self.push((*play, after));
    }

    fn forget(&mut self) {
        self.clear();
    }
}

/// Only counts.
impl Sink for u64 {
    #[inline]
    fn take(&mut self, _: &Play, _: Board) {
        *self += 1;
    }

    fn forget(&mut self) {
        *self = 0;
    }

    #[inline]
    fn take_last(&mut self, _: &State, _: &Play, sources: u32, _: u8) {
        *self += u64::from(sources.count_ones());
    }

    #[inline]
    fn take_pairs(&mut self, _: &State, _: &Play, _: u32, _: u8, pairs: u32) {
        *self += u64::from(pairs);
    }
}

/// Keeps one play of all, each with the same probability.
pub(super) struct Chosen<'a, R: ?Sized> {
    rng: &'a mut R,
    play: Play,
    of: u32,
}

impl<'a, R: Rng + ?Sized> Chosen<'a, R> {
    pub(super) fn by(rng: &'a mut R) -> Self {
        Chosen {
            rng,
            play: Play::PASS,
            of: 0,
        }
    }

    pub(super) fn play(self) -> Play {
        self.play
    }
}

impl<R: Rng + ?Sized> Sink for Chosen<'_, R> {
    #[inline]
    fn take(&mut self, play: &Play, _: Board) {
        self.of += 1;
        if below(self.rng, self.of) == 0 {
            self.play = *play;
        }
    }

    fn forget(&mut self) {
        self.of = 0;
    }

    #[inline]
    fn take_last(&mut self, _: &State, play: &Play, sources: u32, die: u8) {
        self.of += sources.count_ones();
        if let Some(p) = points(sources).nth(below(self.rng, self.of) as usize) {
            self.play = play.with(step(p, die));
        }
    }

    #[inline]
    fn take_pairs(&mut self, state: &State, play: &Play, sources: u32, die: u8, pairs: u32) {
        self.of += pairs;
        let mut n = below(self.rng, self.of);
        if n >= pairs {
            return;
        }
        for p in points(sources) {
            let last = state.sources_after(p, die, die) & up_to(p);
            if let Some(q) = points(last).nth(n as usize) {
                self.play = play.with(step(p, die)).with(step(q, die));
                return;
            }
            n -= last.count_ones();
        }
    }
}
