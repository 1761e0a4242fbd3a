//! Advice: first moves, compared by fresh rollouts of the best turns that begin with them.

use std::sync::Arc;

use parlor_core::{Outcome, Position, Turn};
use parlor_pandemic::{Chance, Game, Interrupt, Move, TurnStep};
use rand_xoshiro::rand_core::SeedableRng;

use super::calibration::{LikelyChance, likely};
use super::plans::Idea;
use super::policy::{EventScope, PandemicPolicy};
use super::search::{Planner, PlannerSettings, TeamPlan, without_hidden_state};
use super::weights::PolicyWeights;
use crate::crew::gather;
use crate::{Alone, Budget, Crew, Prng};

/// Parameters of advice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdviserSettings {
    /// Search that finds the turns to compare.
    pub planner: PlannerSettings,
    /// Number of fresh rollouts of each of these turns.
    pub rollouts: u32,
    /// Maximum number of first moves that are compared, in addition to the move played.
    pub options: usize,
}

/// The team's chance to win if computers of level 4 play on, as estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinEstimate {
    /// Chance, from 0 to 1.
    pub chance: f64,
    /// Standard error of the chance by the number of rollouts.
    pub error: f64,
    /// Number of rollouts; 0 if the game is decided, so that the chance is exactly 0 or 1.
    pub rollouts: u32,
}

/// Compares the moves of a position for the team, and estimates its chance to win.
///
/// It knows what the players know: decks have no order, and luck is drawn anew in each rollout. For
/// a seed and budgets in nodes the result is the same everywhere, with any crew. One node is one
/// move of a rollout.
pub struct PandemicAdviser {
    planner: Planner,
    policy: PandemicPolicy,
    settings: AdviserSettings,
    seed: u64,
    crew: Arc<dyn Crew>,
    /// Position that was estimated last: in a game, the next chance often starts from it.
    last: Option<(Game, WinEstimate)>,
}

/// Turn that is rolled out, with the result of each rollout.
struct Candidate {
    moves: Vec<Move>,
    end: Game,
    results: Vec<f32>,
}

/// Number of rollouts of a candidate per batch.
const BATCH: u32 = 32;
/// Difference between the seeds of the search and of the fresh rollouts, so that what the search
/// chose for its luck is judged with other luck.
const FRESH: u64 = 0x5851_F42D_4C95_7F2D;

impl PandemicAdviser {
    /// Creates an adviser for games of `players` seats.
    pub fn new(players: u8, settings: AdviserSettings, seed: u64) -> PandemicAdviser {
        PandemicAdviser {
            planner: Planner::new(players, settings.planner, seed),
            policy: PandemicPolicy::new(PolicyWeights::built_in(players)),
            settings,
            seed: seed ^ FRESH,
            crew: Arc::new(Alone),
            last: None,
        }
    }

    /// Shares rollouts among a crew. The results stay the same.
    #[must_use]
    pub fn with_crew(self, crew: Arc<dyn Crew>) -> PandemicAdviser {
        PandemicAdviser {
            planner: self.planner.with_crew(Arc::clone(&crew)),
            crew,
            ..self
        }
    }

    /// Estimates the chance to win of a position in which anything may come next.
    pub fn estimate(&self, game: &Game, budget: &mut dyn Budget) -> WinEstimate {
        let mut one = [Candidate {
            moves: Vec::new(),
            end: without_hidden_state(game),
            results: Vec::new(),
        }];
        self.roll_out(&mut one, 0, budget);
        one[0].estimate()
    }

    /// Returns the change of the team's chance to win by what luck decides, with its standard error;
    /// `None` if that cannot happen here.
    pub fn luck(
        &mut self,
        game: &Game,
        chance: &Chance,
        budget: &mut dyn Budget,
    ) -> Option<(f64, f64)> {
        let mut next = *game;
        next.try_resolve(chance).ok()?;
        let known = self.last.filter(|(last, _)| last == game);
        let before = known.map_or_else(|| self.estimate(game, budget), |(_, estimate)| estimate);
        let after = self.estimate(&next, budget);
        self.last = Some((next, after));
        let error = before.error.hypot(after.error);
        Some((after.chance - before.chance, error))
    }

    /// Rolls candidates out with the same luck each, in at least one batch. `nodes` were used before.
    fn roll_out(&self, candidates: &mut [Candidate], mut nodes: u64, budget: &mut dyn Budget) {
        let open: Vec<usize> = (0..candidates.len())
            .filter(|n| !candidates[*n].end.turn().is_over())
            .collect();
        let mut done = 0;
        while !open.is_empty() && done < self.settings.rollouts {
            let batch = done..(done + BATCH).min(self.settings.rollouts);
            let played = gather(&*self.crew, open.len(), |n| {
                let (mut policy, end) = (self.policy.clone(), candidates[open[n]].end);
                let (mut results, mut steps) = (Vec::new(), 0);
                for number in batch.clone() {
                    let luck = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    let mut rng = Prng::seed_from_u64(self.seed ^ luck);
                    let rolled = policy.roll_out(end, self.settings.planner.turns, &mut rng);
                    results.push(rolled.win);
                    steps += u64::from(rolled.steps);
                }
                (results, steps)
            });
            for (n, (results, steps)) in open.iter().zip(played) {
                candidates[*n].results.extend(results);
                nodes += steps;
            }
            done = batch.end;
            if budget.spent(nodes) {
                return;
            }
        }
    }
}

impl Candidate {
    fn new(game: &Game, moves: Vec<Move>) -> Candidate {
        let mut end = *game;
        moves.iter().for_each(|m| end.play_unchecked(m));
        Candidate {
            moves,
            end,
            results: Vec::new(),
        }
    }

    /// Returns the results of the rollouts or, if the game is decided, its outcome.
    fn results_or_outcome(&self) -> Vec<f32> {
        match self.end.turn() {
            Turn::Over(outcome) => vec![f32::from(u8::from(outcome == Outcome::TeamWon))],
            Turn::Move(_) | Turn::Chance => self.results.clone(),
        }
    }

    fn estimate(&self) -> WinEstimate {
        let results = self.results_or_outcome();
        let (rolled, error) = mean(results.iter().map(|result| f64::from(*result)));
        let LikelyChance { chance, slope } = likely(rolled, &self.end);
        WinEstimate {
            chance,
            error: error * slope,
            rollouts: self.results.len() as u32,
        }
    }

}

/// Returns the mean of some values and its standard error; 0 for none.
fn mean(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for value in values {
        count += 1.0;
        sum += value;
        squares += value * value;
    }
    if count < 1.0 {
        return (0.0, 0.0);
    }
    let mean = sum / count;
    let variance = (squares / count - mean * mean).max(0.0);
    (mean, (variance / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_mean_shrinks_with_the_root_of_the_count() {
        let coins = |count: u32| mean((0..count).map(|n| f64::from(n % 2)));
        assert_eq!(coins(100), (0.5, 0.05));
        assert_eq!(coins(400), (0.5, 0.025));
        assert_eq!(mean([].into_iter()), (0.0, 0.0));
    }
}
