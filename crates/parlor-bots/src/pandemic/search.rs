//! Search for plans: ideas are rolled out with common random numbers, and the worse half is dropped
//! in each round (sequential halving).

use std::sync::Arc;

use parlor_core::{Notation, Seat};
use parlor_pandemic::{Consent, EventCard, Game, Move};
use rand_xoshiro::rand_core::SeedableRng;

use super::plans::Idea;
use super::policy::{EventScope, PandemicPolicy};
use super::weights::PolicyWeights;
use crate::crew::gather;
use crate::{Alone, Budget, Crew, Prng};

/// Parameters of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannerSettings {
    /// Beam width: number of positions kept after each action of a turn.
    pub width: usize,
    /// Maximum number of plans that are rolled out.
    pub plans: usize,
    /// Maximum number of rollouts per decision.
    pub rollouts: u32,
    /// Length of a rollout in turns.
    pub turns: u32,
}

/// Sequence of moves and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct TeamPlan {
    /// Moves, including those of team mates.
    pub moves: Vec<Move>,
    /// Chance that the team wins, from 0 to 1.
    pub chance_of_win: f64,
    /// Number of rollouts of this plan.
    pub rollouts: u32,
}

/// Finds plans for the team and evaluates them.
///
/// For a seed and budgets in nodes the result is the same everywhere, with any crew. One node is
/// one move of a rollout.
pub struct Planner {
    greedy: PandemicPolicy,
    settings: PlannerSettings,
    seed: u64,
    crew: Arc<dyn Crew>,
}

/// Idea with its rollout results.
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

/// Number of rollouts per batch.
const BATCH: u32 = 8;

impl Planner {
    /// Creates a planner with the built-in weights for games of `players` seats.
    pub fn new(players: u8, settings: PlannerSettings, seed: u64) -> Planner {
        Planner::with(PolicyWeights::built_in(players), settings, seed)
    }

    /// Creates a planner with other weights.
    pub fn with(weights: Arc<PolicyWeights>, settings: PlannerSettings, seed: u64) -> Planner {
        Planner {
            greedy: PandemicPolicy::new(weights),
            settings,
            seed,
            crew: Arc::new(Alone),
        }
    }

    /// Shares rollouts among a crew. The results stay the same.
    #[must_use]
    pub fn with_crew(self, crew: Arc<dyn Crew>) -> Planner {
        Planner { crew, ..self }
    }

    /// Returns plans for the seat on turn and its team, best first, and the nodes used. There are
    /// none if no seat is to move.
    pub fn plans(
        &mut self,
        game: &Game,
        events: EventScope,
        budget: &mut dyn Budget,
    ) -> (Vec<TeamPlan>, u64) {
        let ideas = self.ideas(game, events);
        self.judge(ideas, budget)
    }

    /// Returns plans that are not evaluated yet.
    pub(super) fn ideas(&mut self, game: &Game, events: EventScope) -> Vec<Idea> {
        self.greedy.ideas(
            &without_hidden_state(game),
            events,
            self.settings.width,
            self.settings.plans,
        )
    }

    /// Returns true if a seat holds an event that belongs among the actions of a turn.
    pub(super) fn holds_action_event(&self, game: &Game, seat: Seat) -> bool {
        [EventCard::Airlift, EventCard::GovernmentGrant]
            .into_iter()
            .any(|event| game.holder(event) == Some(seat))
    }

    /// Rolls ideas out and returns them as plans, best first, with the nodes used.
    pub(super) fn judge(&self, ideas: Vec<Idea>, budget: &mut dyn Budget) -> (Vec<TeamPlan>, u64) {
        let mut trials: Vec<Trial> = ideas
            .into_iter()
            .map(|idea| Trial {
                idea,
                total: 0.0,
                count: 0,
            })
            .collect();
        let rounds = (usize::BITS - trials.len().max(2).leading_zeros()) as usize;
        let each = self.settings.rollouts / rounds as u32;
        let (mut alive, mut nodes, mut spent) = (trials.len(), 0, false);
        while alive > 1 && !spent {
            let batches = (each / alive as u32).div_ceil(BATCH).max(1);
            for _ in 0..batches {
                spent = budget.spent(nodes);
                if spent {
                    break;
                }
                nodes += self.run_batch(&mut trials[..alive]);
            }
            trials[..alive].sort_by(|a, b| b.mean().total_cmp(&a.mean()));
            alive = if alive == 2 { 1 } else { alive.div_ceil(2) };
        }
        let plan = |trial: Trial| TeamPlan {
            chance_of_win: trial.mean(),
            rollouts: trial.count,
            moves: trial.idea.moves,
        };
        (trials.into_iter().map(plan).collect(), nodes)
    }

    /// Adds a batch of rollouts to each trial and returns the number of moves played.
    fn run_batch(&self, trials: &mut [Trial]) -> u64 {
        let done = gather(&*self.crew, trials.len(), |n| {
            let (mut greedy, trial) = (self.greedy.clone(), &trials[n]);
            let (mut total, mut steps) = (0.0, 0);
            for number in trial.count..trial.count + BATCH {
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
            trial.count += BATCH;
        }
        done.iter().map(|(_, steps)| steps).sum()
    }
}

/// Returns the same position without hidden state, so that rollouts depend only on what the players
/// see. Partners are not asked for consent in it.
pub(super) fn without_hidden_state(game: &Game) -> Game {
    let game = game.with_consent(Consent::Implied);
    Game::from_text(&game.text()).unwrap_or(game)
}
