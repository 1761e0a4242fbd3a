//! All that can be done with a roll, each result once.
//!
//! With two different dice a result follows from who moves by which die, the *pair* (source of the high die, source of the low
//! die), in whatever order. Two pairs have the same result only when one checker makes both steps and meets nobody on either
//! way, or when both checkers go off. With equal dice a result follows from how many steps begin on each point, and the
//! steps can always be made from the rear to the front. So no result has to be looked for among the others.

mod pairs;
mod same;
mod sink;
mod state;

use rand::Rng;

use self::pairs::Pairs;
use self::same::Same;
use self::sink::Chosen;
use self::state::State;
use crate::play::Play;
use crate::{Board, Dice};

pub(crate) use self::sink::Sink;

impl Board {
    /// Replaces the contents of `out` by one play for each distinct result of playing these dice; a single pass when nothing
    /// can be moved.
    ///
    /// As many dice as possible are played, and when only one of two can be, the higher if it can.
    pub fn plays_into(&self, dice: Dice, out: &mut Vec<Play>) {
        out.clear();
        generate(self, dice, out);
    }

    /// The same into anything that takes results.
    pub(crate) fn plays_to<S: Sink>(&self, dice: Dice, out: &mut S) {
        generate(self, dice, out);
    }

    /// As [`Board::plays_into`], only the boards that come of it, seen from the mover. A bot that scores results needs no more.
    ///
    /// ```
    /// use parlor_backgammon::{Board, Roll};
    /// let mut after = Vec::new();
    /// let roll: Roll = "31".parse()?;
    /// Board::START.afterstates_into(roll.into(), &mut after);
    /// assert_eq!(after.len(), 16);
    /// # Ok::<(), parlor_core::NotationError>(())
    /// ```
    pub fn afterstates_into(&self, dice: Dice, out: &mut Vec<Board>) {
        out.clear();
        generate(self, dice, out);
    }

    /// Plays and the boards that come of them, seen from the mover.
    pub fn results_into(&self, dice: Dice, out: &mut Vec<(Play, Board)>) {
        out.clear();
        generate(self, dice, out);
    }

    /// How many distinct results there are; a pass is one.
    pub fn count_plays(&self, dice: Dice) -> u64 {
        let mut count = 0u64;
        generate(self, dice, &mut count);
        count
    }

    /// One of all plays, each with the same probability, without a list of the others.
    pub fn random_play<R: Rng + ?Sized>(&self, dice: Dice, rng: &mut R) -> Play {
        let mut chosen = Chosen::by(rng);
        generate(self, dice, &mut chosen);
        chosen.play()
    }
}

#[inline]
fn generate<S: Sink>(board: &Board, dice: Dice, sink: &mut S) {
    let state = State::of(board);
    match dice {
        Dice::Two { high, low } => two(&state, high.pips(), low.pips(), sink),
        Dice::Same { die, times } => Same::run(die.pips(), times, &state, sink),
    }
}

/// Two different dice.
#[inline]
fn two<S: Sink>(start: &State, high: u8, low: u8, sink: &mut S) {
    let pairs = Pairs::of(start, high, low);
    if pairs.tell(start, sink) {
        return;
    }
    let (sources, die) = pairs.single();
    if sources == 0 {
        return sink.take(&Play::PASS, start.board());
    }
    sink.take_last(start, &Play::PASS, sources, die);
}
