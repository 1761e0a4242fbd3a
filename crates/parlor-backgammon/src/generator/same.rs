//! Equal dice.

use super::sink::Sink;
use super::state::{State, points, step, up_to};
use crate::BAR;
use crate::play::Play;

/// Equal dice, from the rear to the front.
pub(super) struct Same<'a, S> {
    die: u8,
    /// The most steps that were made so far.
    most: u8,
    sink: &'a mut S,
}

impl<'a, S: Sink> Same<'a, S> {
    pub(super) fn run(die: u8, times: u8, start: &State, sink: &'a mut S) {
        Same { die, most: 0, sink }.walk(start, Play::PASS, BAR, times, 0);
    }

    fn walk(&mut self, state: &State, play: Play, rearmost: u8, left: u8, made: u8) {
        let sources = state.sources(self.die) & up_to(rearmost);
        if left == 2
            && let Some(pairs @ 1..) = state.pairs(sources, self.die)
        {
            if self.counts(made + 2) {
                self.sink.take_pairs(state, &play, sources, self.die, pairs);
            }
        } else if left > 1 && sources != 0 {
            for p in points(sources) {
                self.walk(
                    &state.stepped(p, self.die),
                    play.with(step(p, self.die)),
                    p,
                    left - 1,
                    made + 1,
                );
            }
        } else if sources != 0 && self.counts(made + 1) {
            self.sink.take_last(state, &play, sources, self.die);
        } else if sources == 0 && self.counts(made) {
            self.sink.take(&play, state.board());
        }
    }

    /// Whether so many steps are as many as were made so far. What was shorter is forgotten.
    #[inline]
    fn counts(&mut self, made: u8) -> bool {
        if made > self.most {
            self.most = made;
            self.sink.forget();
        }
        made == self.most
    }
}
