//! The search: ideas are played on many times with the same luck, and the worse half is given up again and again.

use std::sync::Arc;

use parlor_core::{Notation, Seat};
use parlor_pandemic::{Event, Game, Move};
use rand_xoshiro::rand_core::SeedableRng;

use super::greedy::{Events, Greedy};
use super::plans::Idea;
use super::weights::Weights;
use crate::crew::gather;
use crate::{Alone, Budget, Crew, Prng};

/// How a search thinks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How many positions a turn is planned from after each action.
    pub width: usize,
    /// How many plans are played on.
    pub plans: usize,
    /// Roll-outs for one decision, at most.
    pub roll_outs: u32,
    /// How many turns they reach.
    pub turns: u32,
}

/// What could be done, and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The moves, those of the team mates among them.
    pub moves: Vec<Move>,
    /// The chance that the team wins, from 0 to 1.
    pub chance_of_win: f64,
    /// How often it was played on.
    pub roll_outs: u32,
}

/// Finds plans for the team, and judges them.
///
/// For a seed and budgets in nodes it finds the same everywhere, with any crew. One node is one move of a roll-out.
pub struct Planner {
    greedy: Greedy,
    settings: Settings,
    seed: u64,
    crew: Arc<dyn Crew>,
}

/// An idea under trial.
struct Trial {
    idea: Idea,
    total: f64,
    count: u32,
}

impl Trial {
    fn mean(&self) -> f64 {
        if self.count == 0 {
            f64::from(self.idea.value) * 1e-6
        } else {
            self.total / f64::from(self.count)
        }
    }
}

/// Roll-outs that are done in one piece.
const PIECE: u32 = 8;

impl Planner {
    /// A planner with the weights of the house for games of so many players.
    pub fn new(players: u8, settings: Settings, seed: u64) -> Planner {
        Planner::with(Weights::house(players), settings, seed)
    }

    /// A planner with other weights.
    pub fn with(weights: Arc<Weights>, settings: Settings, seed: u64) -> Planner {
        Planner {
            greedy: Greedy::new(weights),
            settings,
            seed,
            crew: Arc::new(Alone),
        }
    }

    /// Shares roll-outs among a crew. What is found is the same.
    #[must_use]
    pub fn with_crew(self, crew: Arc<dyn Crew>) -> Planner {
        Planner { crew, ..self }
    }

    /// What the seat on turn could do, and the team with it, the best first; and how many nodes it took. Empty when no seat is to move.
    pub fn plans(
        &mut self,
        game: &Game,
        events: Events,
        budget: &mut dyn Budget,
    ) -> (Vec<Plan>, u64) {
        let ideas = self.ideas(game, events);
        self.judge(ideas, budget)
    }

    /// What could be done, not judged yet.
    pub(super) fn ideas(&mut self, game: &Game, events: Events) -> Vec<Idea> {
        self.greedy.ideas(
            &plain(game),
            events,
            self.settings.width,
            self.settings.plans,
        )
    }

    /// Whether a seat has an event that belongs among the actions of a turn.
    pub(super) fn lifts(&self, game: &Game, seat: Seat) -> bool {
        [Event::Airlift, Event::GovernmentGrant]
            .into_iter()
            .any(|event| game.holder(event) == Some(seat))
    }

    /// Plays ideas on.
    pub(super) fn judge(&self, ideas: Vec<Idea>, budget: &mut dyn Budget) -> (Vec<Plan>, u64) {
        let mut trials: Vec<Trial> = ideas
            .into_iter()
            .map(|idea| Trial {
                idea,
                total: 0.0,
                count: 0,
            })
            .collect();
        let rounds = (usize::BITS - trials.len().max(2).leading_zeros()) as usize;
        let each = self.settings.roll_outs / rounds as u32;
        let (mut alive, mut nodes, mut spent) = (trials.len(), 0, false);
        while alive > 1 && !spent {
            let pieces = (each / alive as u32).div_ceil(PIECE).max(1);
            for _ in 0..pieces {
                spent = budget.spent(nodes);
                if spent {
                    break;
                }
                nodes += self.round(&mut trials[..alive]);
            }
            trials[..alive].sort_by(|a, b| b.mean().total_cmp(&a.mean()));
            alive = if alive == 2 { 1 } else { alive.div_ceil(2) };
        }
        let plan = |trial: Trial| Plan {
            chance_of_win: trial.mean(),
            roll_outs: trial.count,
            moves: trial.idea.moves,
        };
        (trials.into_iter().map(plan).collect(), nodes)
    }

    /// Some roll-outs more for each trial, and how many moves they took.
    fn round(&self, trials: &mut [Trial]) -> u64 {
        let done = gather(&*self.crew, trials.len(), |n| {
            let (mut greedy, trial) = (self.greedy.clone(), &trials[n]);
            let (mut total, mut steps) = (0.0, 0);
            for number in trial.count..trial.count + PIECE {
                let mut rng = Prng::seed_from_u64(
                    self.seed ^ u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15),
                );
                let rolled = greedy.roll_out(trial.idea.game, self.settings.turns, &mut rng);
                total += f64::from(rolled.win);
                steps += u64::from(rolled.steps);
            }
            (total, steps)
        });
        for (trial, (total, _)) in trials.iter_mut().zip(&done) {
            trial.total += total;
            trial.count += PIECE;
        }
        done.iter().map(|(_, steps)| steps).sum()
    }
}

/// The same position without anything that does not show, so that roll-outs depend on what is seen and on nothing else. Nobody is asked in it.
fn plain(game: &Game) -> Game {
    let game = game.with_consent(false);
    Game::from_text(&game.text()).unwrap_or(game)
}
