//! What a decision was worth, and what the dice brought.

use parlor_backgammon::{Chance, Game, Move};
use parlor_core::Seat;

use super::chances::Chances;

/// A decision of a seat with everything that could have been decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Who decides.
    pub seat: Seat,
    /// The chances of that seat before the decision, with the best play.
    pub chances: Chances,
    /// What can be decided, the best first.
    pub ranked: Vec<Ranked>,
    /// Which of them was chosen, as an index; `None` when nothing was, or something that is not judged (a resignation).
    pub played: Option<usize>,
    /// Whether it counts in error rates: a play with more than one different result, or a cube decision that is close or wrong.
    pub counts: bool,
}

/// Something that can be decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// The move.
    pub mv: Move,
    /// The chances after it, seen from who decides.
    pub chances: Chances,
    /// What it is worth to who decides, with the cube: in money play points per unit of the cube, in a match the chance to win it on
    /// the same scale (1 is a single game won, -1 one lost, at the present cube).
    pub equity: f64,
    /// How much less than the best, 0 or more.
    pub loss: f64,
    /// How many plies it was looked ahead.
    pub plies: u32,
}

/// What a roll brought to who rolled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Luck {
    /// Who rolled.
    pub seat: Seat,
    /// What this roll is worth, played best.
    pub equity: f64,
    /// What all rolls are worth on average. The luck is the difference.
    pub mean: f64,
}

/// How bad a mistake is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// None, or next to nothing.
    Fine,
    /// At least 0.02.
    Inaccuracy,
    /// At least 0.04.
    Error,
    /// At least 0.08.
    Blunder,
}

/// What happens in a game, to be judged one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A seat decides.
    Move(&'a Move),
    /// The dice fall.
    Chance(&'a Chance),
}

/// What an event shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Judged {
    /// A decision.
    Decision(Decision),
    /// A roll.
    Luck(Luck),
    /// Nothing: a pass, a resignation, the roll for who begins where it is not luck.
    Nothing,
}

/// Judges the positions of games.
pub trait Analyst {
    /// A decision in this game, in which `played` was or would be chosen. `None` when it is nobody's turn.
    fn decision(&mut self, game: &Game, played: Option<&Move>) -> Option<Decision>;

    /// The luck of a roll in this game.
    fn luck(&mut self, game: &Game, roll: &Chance) -> Option<Luck>;
}
