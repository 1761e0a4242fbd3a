//! Luck of the dice.

use parlor_backgammon::{Chance, Game};
use parlor_core::{Position, Seat};

use super::super::chances::Chances;
use super::super::cube_state::CubeState;
use super::super::stakes::EndingValues;
use super::BackgammonAnalyst;
use super::plays::worth_after;
use super::scale::EquityScale;
use crate::Nodes;

/// Luck of a roll for the seat that rolled.
///
/// It is evaluated without looking ahead, as is usual: all rolls are treated alike, so the errors
/// of the net mostly cancel out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollLuck {
    /// Seat that rolled; for an opening roll, the seat that starts.
    pub seat: Seat,
    /// Equity of this roll for that seat, played best.
    pub equity: f64,
    /// Mean equity over all rolls. For an opening roll the mean is over all thirty, since starting
    /// is luck too.
    pub mean: f64,
    /// Value of an equity of 1: points, or a share of the match.
    pub stake: f64,
}

impl RollLuck {
    /// Returns how much better the roll was than the average, in equity.
    pub fn luck(&self) -> f64 {
        self.equity - self.mean
    }
}

impl BackgammonAnalyst {
    /// Returns the luck of a roll in this game; `None` if the roll is not possible here.
    pub fn luck(&mut self, game: &Game, roll: &Chance) -> Option<RollLuck> {
        let mut thrown = game.clone();
        thrown.try_resolve(roll).ok()?;
        let seat = thrown.on_roll();
        let scale = EquityScale::new(&CubeState::new(game, seat));
        let chances = game.chances();
        let all: u32 = chances.iter().map(|(_, weight)| weight).sum();
        let mut mean = 0.0;
        for (chance, weight) in &chances {
            let mut thrown = game.clone();
            thrown.resolve(chance);
            let worth = self.best_worth(&thrown);
            // After an opening roll the opponent may be on roll; convert to this seat's point of
            // view.
            let mine = if thrown.on_roll() == seat {
                worth
            } else {
                -worth
            };
            mean += mine * f64::from(*weight) / f64::from(all);
        }
        let equity = scale.equity(self.best_worth(&thrown));
        Some(RollLuck {
            seat,
            equity,
            mean: scale.equity(mean),
            stake: scale.stake(),
        })
    }

    /// Returns the value of a roll to the seat that plays it.
    fn best_worth(&mut self, game: &Game) -> f64 {
        let Some(dice) = game.dice() else { return 0.0 };
        let (view, cubeful) = (CubeState::new(game, game.on_roll()), self.settings.cubeful);
        let ends: EndingValues = view.ends();
        let worth = |chances: &Chances, after: &_| worth_after(&view, cubeful, chances, after);
        let (plays, _) =
            self.search
                .plays(&game.board(), dice, 0, &ends, &worth, &mut Nodes(u64::MAX));
        plays.first().map_or(0.0, |best| best.worth)
    }
}
