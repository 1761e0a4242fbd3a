//! What the dice brought.

use parlor_backgammon::{Chance, Game};
use parlor_core::{Position, Seat};

use super::super::chances::Chances;
use super::super::offer::View;
use super::super::stakes::Ends;
use super::Analyst;
use super::plays::worth_after;
use super::scale::Scale;
use crate::Nodes;

/// What a roll brought to who rolled.
///
/// It is judged without looking ahead, as is usual: all rolls are judged alike, so what the net does not see is mostly the same in both
/// numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Luck {
    /// Who rolled; of an opening roll, who begins.
    pub seat: Seat,
    /// What this roll is worth to that seat, played best.
    pub equity: f64,
    /// What all rolls are worth on average. Of an opening roll, all thirty: it is luck to begin, too.
    pub mean: f64,
    /// What an equity of 1 amounts to: points, or a share of the match.
    pub stake: f64,
}

impl Luck {
    /// How much better than the average roll.
    pub fn luck(&self) -> f64 {
        self.equity - self.mean
    }
}

impl Analyst {
    /// The luck of a roll in this game; `None` when the dice do not fall so here.
    pub fn luck(&mut self, game: &Game, roll: &Chance) -> Option<Luck> {
        let mut thrown = game.clone();
        thrown.try_resolve(roll).ok()?;
        let seat = thrown.on_roll();
        let scale = Scale::of(&View::of(game, seat));
        let chances = game.chances();
        let all: u32 = chances.iter().map(|(_, weight)| weight).sum();
        let mut mean = 0.0;
        for (chance, weight) in &chances {
            let mut thrown = game.clone();
            thrown.resolve(chance);
            let worth = self.played_best(&thrown);
            // What an opening roll is worth to the other, seen from this seat.
            let mine = if thrown.on_roll() == seat {
                worth
            } else {
                -worth
            };
            mean += mine * f64::from(*weight) / f64::from(all);
        }
        let equity = scale.equity(self.played_best(&thrown));
        Some(Luck {
            seat,
            equity,
            mean: scale.equity(mean),
            stake: scale.stake(),
        })
    }

    /// What a roll is worth to the seat that plays it.
    fn played_best(&mut self, game: &Game) -> f64 {
        let Some(dice) = game.dice() else { return 0.0 };
        let (view, cubeful) = (View::of(game, game.on_roll()), self.settings.cubeful);
        let ends: Ends = view.ends();
        let worth = |chances: &Chances, after: &_| worth_after(&view, cubeful, chances, after);
        let (plays, _) =
            self.search
                .plays(&game.board(), dice, 0, &ends, &worth, &mut Nodes(u64::MAX));
        plays.first().map_or(0.0, |best| best.worth)
    }
}
