//! Conversion between values and reported equities.

use super::super::chances::Chances;
use super::super::cube_state::CubeState;
use super::super::stakes::Stakes;

/// Linear scale on which a single win at the present cube is 1 and a single loss -1.
#[derive(Clone, Copy, Debug)]
pub(super) struct EquityScale {
    /// Value of an equity of 0.
    zero: f64,
    /// Difference in value between equities 1 and 0.
    unit: f64,
    is_match: bool,
}

impl EquityScale {
    pub(super) fn new(view: &CubeState) -> EquityScale {
        let (won, lost) = (
            view.stakes.points(view.value),
            view.stakes.points(-view.value),
        );
        EquityScale {
            zero: (won + lost) / 2.0,
            unit: (won - lost) / 2.0,
            is_match: view.stakes != Stakes::Money,
        }
    }

    pub(super) fn equity(&self, worth: f64) -> f64 {
        (worth - self.zero) / self.unit
    }

    /// Converts an equity back to a value.
    pub(super) fn worth(&self, equity: f64) -> f64 {
        self.zero + self.unit * equity
    }

    /// Returns the difference in value between equities 1 and 0.
    pub(super) fn unit(&self) -> f64 {
        self.unit
    }

    /// Returns the value of an equity of 1: points, or a share of the match.
    pub(super) fn stake(&self) -> f64 {
        // Match values range from -1 to 1.
        if self.is_match {
            self.unit / 2.0
        } else {
            self.unit
        }
    }

    /// Returns the probability of winning the match, or the game if there is no match.
    pub(super) fn winning(&self, worth: f64, chances: &Chances) -> f64 {
        if self.is_match {
            ((worth + 1.0) / 2.0).clamp(0.0, 1.0)
        } else {
            f64::from(chances.win)
        }
    }
}
