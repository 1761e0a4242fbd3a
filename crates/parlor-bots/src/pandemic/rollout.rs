//! Rollouts by the quick policy.

use parlor_core::{Outcome, Position, Turn};
use parlor_pandemic::{Game, Stage};

use super::features::{FEATURES, FeatureList};
use super::outlook::TravelDistances;
use super::policy::{EventScope, PandemicPolicy};
use super::scene::PandemicScene;
use crate::Prng;

/// Result of a rollout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RolloutResult {
    /// Chance of a win: 1 or 0 if the game ended.
    pub win: f32,
    /// Number of moves played.
    pub steps: u32,
}

impl PandemicPolicy {
    /// Plays this many turns and returns the estimated chance of a win. A large number plays to the
    /// end.
    pub fn roll_out(&mut self, mut game: Game, turns: u32, rng: &mut Prng) -> RolloutResult {
        let (mut steps, mut ended, mut active) = (0, 0, game.active());
        let mut scratch = Vec::new();
        loop {
            match game.turn() {
                Turn::Over(outcome) => {
                    return RolloutResult {
                        win: f32::from(u8::from(outcome == Outcome::TeamWon)),
                        steps,
                    };
                }
                Turn::Chance => match game.random_chance(rng, &mut scratch) {
                    Some(chance) => game.resolve_unchecked(&chance),
                    None => return RolloutResult { win: 0.0, steps },
                },
                Turn::Move(_) => {
                    if game.active() != active && game.stage() == Stage::Actions {
                        (active, ended) = (game.active(), ended + 1);
                        if ended >= turns {
                            return RolloutResult {
                                win: self.chance(&game),
                                steps,
                            };
                        }
                    }
                    let Some(m) = self.decide(&game, EventScope::Team) else {
                        return RolloutResult { win: 0.0, steps };
                    };
                    game.play_unchecked(&m);
                    steps += 1;
                }
            }
        }
    }

    /// Estimates the chance of a win from the features of a position at the start of a turn.
    pub fn chance(&mut self, game: &Game) -> f32 {
        self.update_outlook(game);
        let mut features = FeatureList([0.0; FEATURES]);
        self.reader().all(
            game,
            &PandemicScene::new(game, &TravelDistances::new(game.stations())),
            &mut features,
        );
        let odds: f32 = features
            .0
            .iter()
            .zip(&self.weights.leaf)
            .map(|(value, weight)| value * weight)
            .sum();
        1.0 / (1.0 + (-odds).exp())
    }
}
