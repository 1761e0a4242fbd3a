//! Results of equal dice.

use super::sink::PlaySink;
use super::state::{GeneratorState, points, step, up_to};
use crate::BAR;
use crate::play::Play;

/// Generates the plays of equal dice, moving from the rear to the front.
pub(super) struct EqualDice<'a, S> {
    die: u8,
    /// Largest number of steps made so far.
    most: u8,
    sink: &'a mut S,
}

impl<'a, S: PlaySink> EqualDice<'a, S> {
    pub(super) fn generate(die: u8, times: u8, start: &GeneratorState, sink: &'a mut S) {
        EqualDice { die, most: 0, sink }.walk(start, Play::PASS, BAR, times, 0);
    }

    fn walk(&mut self, state: &GeneratorState, play: Play, rearmost: u8, left: u8, made: u8) {
        let sources = state.sources(self.die) & up_to(rearmost);
        if left == 2
            && let Some(pairs @ 1..) = state.pairs(sources, self.die)
        {
            if self.is_longest(made + 2) {
                self.sink.emit_pairs(state, &play, sources, self.die, pairs);
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
        } else if sources != 0 && self.is_longest(made + 1) {
            self.sink.emit_last_steps(state, &play, sources, self.die);
        } else if sources == 0 && self.is_longest(made) {
            self.sink.emit(&play, state.board());
        }
    }

    /// Returns `true` if this many steps are the most made so far. Results with fewer steps are
    /// discarded.
    #[inline]
    fn is_longest(&mut self, made: u8) -> bool {
        if made > self.most {
            self.most = made;
            self.sink.discard();
        }
        made == self.most
    }
}
