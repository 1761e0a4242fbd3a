//! Move generator: every distinct result of a roll, each exactly once.
//!
//! With two different dice, a result is determined by the *pair* of sources (point moved from with
//! the high die, point moved from with the low die), in whatever order. Two pairs give the same
//! result only if one checker makes both steps without hitting anything either way, or if both
//! checkers are borne off. With equal dice, a result is determined by the number of steps that
//! start on each point, and the steps can always be made from the rear to the front. So results
//! never have to be searched for duplicates.

mod pairs;
mod same;
mod sink;
mod state;

use rand::Rng;

use self::pairs::SourcePairs;
use self::same::EqualDice;
use self::sink::RandomPlay;
use self::state::GeneratorState;
use crate::play::Play;
use crate::{Board, Dice};

pub(crate) use self::sink::PlaySink;

impl Board {
    /// Replaces the contents of `out` with one play for each distinct result of these dice, or a
    /// single pass if nothing can be moved.
    ///
    /// As many dice as possible are played, and if only one of two can be, the higher one if it
    /// can.
    pub fn plays_into(&self, dice: Dice, out: &mut Vec<Play>) {
        out.clear();
        generate(self, dice, out);
    }

    /// Like [`Board::plays_into`], for any kind of sink.
    pub(crate) fn plays_to<S: PlaySink>(&self, dice: Dice, out: &mut S) {
        generate(self, dice, out);
    }

    /// Like [`Board::plays_into`], but yields only the resulting boards, seen from the mover. Bots
    /// that score results need no more.
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

    /// Replaces the contents of `out` with the plays and the boards they lead to, seen from the
    /// mover.
    pub fn results_into(&self, dice: Dice, out: &mut Vec<(Play, Board)>) {
        out.clear();
        generate(self, dice, out);
    }

    /// Returns the number of distinct results; a pass counts as one.
    pub fn count_plays(&self, dice: Dice) -> u64 {
        let mut count = 0u64;
        generate(self, dice, &mut count);
        count
    }

    /// Returns one of all plays uniformly at random, without listing the others.
    pub fn random_play<R: Rng + ?Sized>(&self, dice: Dice, rng: &mut R) -> Play {
        let mut random = RandomPlay::new(rng);
        generate(self, dice, &mut random);
        random.play()
    }
}

#[inline]
fn generate<S: PlaySink>(board: &Board, dice: Dice, sink: &mut S) {
    let start = GeneratorState::new(board);
    match dice {
        Dice::Two { high, low } => two(&start, high.pips(), low.pips(), sink),
        Dice::Same { die, times } => EqualDice::generate(die.pips(), times, &start, sink),
    }
}

/// Generates the results of two different dice.
#[inline]
fn two<S: PlaySink>(start: &GeneratorState, high: u8, low: u8, sink: &mut S) {
    let pairs = SourcePairs::new(start, high, low);
    if pairs.emit(start, sink) {
        return;
    }
    let (sources, die) = pairs.single_die();
    if sources == 0 {
        return sink.emit(&Play::PASS, start.board());
    }
    sink.emit_last_steps(start, &Play::PASS, sources, die);
}
