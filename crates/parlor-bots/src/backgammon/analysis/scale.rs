//! From what something is worth to the equities that are told.

use super::super::chances::Chances;
use super::super::offer::View;
use super::super::stakes::Stakes;

/// The scale on which a single win at the present cube is 1 and a single loss -1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// What an equity of 0 is worth.
    zero: f64,
    /// What an equity of 1 is worth more.
    one: f64,
    is_match: bool,
}

impl Scale {
    pub(super) fn of(view: &View) -> Scale {
        let (won, lost) = (
            view.stakes.points(view.value),
            view.stakes.points(-view.value),
        );
        Scale {
            zero: (won + lost) / 2.0,
            one: (won - lost) / 2.0,
            is_match: view.stakes != Stakes::Money,
        }
    }

    pub(super) fn equity(&self, worth: f64) -> f64 {
        (worth - self.zero) / self.one
    }

    /// The other way round.
    pub(super) fn worth(&self, equity: f64) -> f64 {
        self.zero + self.one * equity
    }

    /// What an equity of 1 is worth more than one of 0.
    pub(super) fn one(&self) -> f64 {
        self.one
    }

    /// What an equity of 1 amounts to: points, or a share of the match.
    pub(super) fn stake(&self) -> f64 {
        // What a match is worth goes from -1 to 1.
        if self.is_match {
            self.one / 2.0
        } else {
            self.one
        }
    }

    /// How likely the match is won, or the single game.
    pub(super) fn winning(&self, worth: f64, chances: &Chances) -> f64 {
        if self.is_match {
            ((worth + 1.0) / 2.0).clamp(0.0, 1.0)
        } else {
            f64::from(chances.win)
        }
    }
}
