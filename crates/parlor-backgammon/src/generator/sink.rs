//! Receivers of generated results.

use parlor_core::random_below;
use rand::Rng;

use super::state::{GeneratorState, points, step, up_to};
use crate::Board;
use crate::play::Play;

/// Receiver of results: each with the play that leads there and the board after it, seen from the
/// mover.
pub(crate) trait PlaySink {
    /// Receives one result, made by these steps.
    fn emit(&mut self, play: &Play, after: Board);

    /// Discards everything received so far: longer plays follow.
    fn discard(&mut self);

    /// Receives one result per point in `sources`: one more step of this die from each of them.
    #[inline]
    fn emit_last_steps(&mut self, state: &GeneratorState, play: &Play, sources: u32, die: u8) {
        for p in points(sources) {
            self.emit(&play.with(step(p, die)), state.stepped(p, die).board());
        }
    }

    /// Receives as many results as [`GeneratorState::pairs`] counted: two more steps of this die,
    /// the first from one of these points.
    #[inline]
    fn emit_pairs(&mut self, state: &GeneratorState, play: &Play, sources: u32, die: u8, _: u32) {
        for p in points(sources) {
            let last = state.sources_after(p, die, die) & up_to(p);
            if last != 0 {
                self.emit_last_steps(&state.stepped(p, die), &play.with(step(p, die)), last, die);
            }
        }
    }
}

impl PlaySink for Vec<Play> {
    #[inline]
    fn emit(&mut self, play: &Play, _: Board) {
        self.push(*play);
    }

    fn discard(&mut self) {
        self.clear();
    }
}

impl PlaySink for Vec<Board> {
    #[inline]
    fn emit(&mut self, _: &Play, after: Board) {
        self.push(after);
    }

    fn discard(&mut self) {
        self.clear();
    }
}

impl PlaySink for Vec<(Play, Board)> {
    #[inline]
    fn emit(&mut self, play: &Play, after: Board) {
        self.push((*play, after));
    }

    fn discard(&mut self) {
        self.clear();
    }
}

/// Counts the results.
impl PlaySink for u64 {
    #[inline]
    fn emit(&mut self, _: &Play, _: Board) {
        *self += 1;
    }

    fn discard(&mut self) {
        *self = 0;
    }

    #[inline]
    fn emit_last_steps(&mut self, _: &GeneratorState, _: &Play, sources: u32, _: u8) {
        *self += u64::from(sources.count_ones());
    }

    #[inline]
    fn emit_pairs(&mut self, _: &GeneratorState, _: &Play, _: u32, _: u8, pairs: u32) {
        *self += u64::from(pairs);
    }
}

/// Keeps one of all plays, chosen uniformly at random (reservoir sampling).
pub(super) struct RandomPlay<'a, R: ?Sized> {
    rng: &'a mut R,
    play: Play,
    seen: u32,
}

impl<'a, R: Rng + ?Sized> RandomPlay<'a, R> {
    pub(super) fn new(rng: &'a mut R) -> Self {
        RandomPlay {
            rng,
            play: Play::PASS,
            seen: 0,
        }
    }

    pub(super) fn play(self) -> Play {
        self.play
    }
}

impl<R: Rng + ?Sized> PlaySink for RandomPlay<'_, R> {
    #[inline]
    fn emit(&mut self, play: &Play, _: Board) {
        self.seen += 1;
        if random_below(self.rng, self.seen) == 0 {
            self.play = *play;
        }
    }

    fn discard(&mut self) {
        self.seen = 0;
    }

    #[inline]
    fn emit_last_steps(&mut self, _: &GeneratorState, play: &Play, sources: u32, die: u8) {
        self.seen += sources.count_ones();
        if let Some(p) = points(sources).nth(random_below(self.rng, self.seen) as usize) {
            self.play = play.with(step(p, die));
        }
    }

    #[inline]
    fn emit_pairs(
        &mut self,
        state: &GeneratorState,
        play: &Play,
        sources: u32,
        die: u8,
        pairs: u32,
    ) {
        self.seen += pairs;
        let mut n = random_below(self.rng, self.seen);
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
