//! Playing on by the quick policy.

use parlor_core::{Outcome, Position, Turn};
use parlor_pandemic::{Game, Stage};

use super::features::{FEATURES, Listed};
use super::greedy::{Events, Greedy};
use super::outlook::Ways;
use super::scene::Scene;
use crate::Prng;

/// How a roll-out ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rolled {
    /// The chance of a win: 1 or 0 where the game came to its end.
    pub win: f32,
    /// Moves played.
    pub steps: u32,
}

impl Greedy {
    /// Plays on through this many ends of turns and says how likely a win then is; to the end with a large number.
    pub fn roll_out(&mut self, mut game: Game, turns: u32, rng: &mut Prng) -> Rolled {
        let (mut steps, mut ended, mut active) = (0, 0, game.active());
        let mut scratch = Vec::new();
        loop {
            match game.turn() {
                Turn::Over(outcome) => {
                    return Rolled {
                        win: f32::from(u8::from(outcome == Outcome::TeamWon)),
                        steps,
                    };
                }
                Turn::Chance => match game.random_chance(rng, &mut scratch) {
                    Some(chance) => game.resolve_unchecked(&chance),
                    None => return Rolled { win: 0.0, steps },
                },
                Turn::Move(_) => {
                    if game.active() != active && game.stage() == Stage::Actions {
                        (active, ended) = (game.active(), ended + 1);
                        if ended >= turns {
                            return Rolled {
                                win: self.chance(&game),
                                steps,
                            };
                        }
                    }
                    let Some(m) = self.decide(&game, Events::Team) else {
                        return Rolled { win: 0.0, steps };
                    };
                    game.play_unchecked(&m);
                    steps += 1;
                }
            }
        }
    }

    /// The chance of a win by what a position looks like at the beginning of a turn.
    pub fn chance(&mut self, game: &Game) -> f32 {
        self.look(game);
        let mut features = Listed([0.0; FEATURES]);
        self.reader().all(
            game,
            &Scene::new(game, &Ways::new(game.stations())),
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
