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

/// First move with the best turn that begins with it.
#[derive(Clone, Debug, PartialEq)]
pub struct AdvisedTurn {
    /// Moves of the whole team until luck decides, at least one.
    pub moves: Vec<Move>,
    /// Position after them.
    pub end: Game,
    /// Chance to win after them.
    pub estimate: WinEstimate,
    /// Loss of chance against the best turn, 0 or more.
    pub loss: f64,
    /// Standard error of the loss. Both turns are rolled out with the same luck, so that it is
    /// less than the errors of the chances suggest.
    pub loss_error: f64,
}

/// Advice for a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// Turns with distinct first moves, best first; at least one.
    pub turns: Vec<AdvisedTurn>,
    /// Index of the turn that begins with the move played.
    pub played: Option<usize>,
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

    /// Compares the moves of a position, `played` among them if it is one. `None` if no seat is to
    /// move.
    pub fn advise(
        &mut self,
        game: &Game,
        played: Option<&Move>,
        budget: &mut dyn Budget,
    ) -> Option<Advice> {
        game.turn().seat()?;
        let game = without_hidden_state(game);
        let played = played.filter(|m| game.check(m).is_ok());
        let (mut candidates, mut nodes) = self.candidates(&game, budget);
        if let Some(m) = played
            && !candidates.iter().any(|one| one.moves.first() == Some(m))
        {
            let (played, more) = self.continued(&game, m, &candidates, &mut |searched: u64| {
                budget.spent(nodes + searched)
            });
            candidates.push(played);
            nodes += more;
        }
        self.roll_out(&mut candidates, nodes, budget);
        let best = candidates
            .iter()
            .max_by(|a, b| a.estimate().chance.total_cmp(&b.estimate().chance))?;
        let best = (best.estimate(), best.results_or_outcome());
        let mut turns: Vec<AdvisedTurn> = candidates
            .into_iter()
            .map(|one| one.compared(&best))
            .collect();
        turns.sort_by(|a, b| b.estimate.chance.total_cmp(&a.estimate.chance));
        let played = turns.iter().position(|turn| turn.moves.first() == played);
        Some(Advice { turns, played })
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

    /// Returns the best turn of each promising first move, and the nodes used.
    fn candidates(&mut self, game: &Game, budget: &mut dyn Budget) -> (Vec<Candidate>, u64) {
        let ideas = self.planner.ideas(game, EventScope::Team);
        let (plans, mut nodes) = self.planner.judge(ideas, budget);
        let mut candidates: Vec<Candidate> = Vec::new();
        for plan in plans {
            let is_new = |one: &Candidate| one.moves.first() != plan.moves.first();
            if candidates.len() < self.settings.options && candidates.iter().all(is_new) {
                candidates.push(Candidate::new(game, plan.moves));
            }
        }
        if candidates.is_empty() {
            for answer in answers(game) {
                let spent = &mut |searched: u64| budget.spent(nodes + searched);
                let (candidate, more) = self.continued(game, &answer, &[], spent);
                candidates.push(candidate);
                nodes += more;
            }
        }
        // The best turns may all begin with the same move. Whoever asks wants something to compare it with.
        if self.settings.options > 1
            && let [only] = candidates.as_slice()
            && let Some(first) = self.other_first(game, only.moves.first())
        {
            let spent = &mut |searched: u64| budget.spent(nodes + searched);
            let (candidate, more) = self.continued(game, &first, &[], spent);
            candidates.push(candidate);
            nodes += more;
        }
        (candidates, nodes)
    }

    /// Returns the best legal move but one, by the quick policy.
    fn other_first(&mut self, game: &Game, but: Option<&Move>) -> Option<Move> {
        let mut others = game.legal_moves();
        others.retain(|other| Some(other) != but);
        let valued = others.into_iter().map(|other| {
            let mut after = *game;
            after.play_unchecked(&other);
            (self.policy.value(&after), other)
        });
        let best = valued.max_by(|(a, _), (b, _)| a.total_cmp(b));
        best.map(|(_, other)| other)
    }

    /// Returns the best turn that begins with a move, and the nodes used. If one of the `known` turns
    /// ends as well that way, with the moves in another order, it is that turn.
    fn continued(
        &mut self,
        game: &Game,
        first: &Move,
        known: &[Candidate],
        budget: &mut dyn Budget,
    ) -> (Candidate, u64) {
        let mut after = *game;
        after.play_unchecked(first);
        let ideas = match after.turn() {
            Turn::Move(_) => self.planner.ideas(&after, EventScope::Team),
            Turn::Chance | Turn::Over(_) => Vec::new(),
        };
        let same = |idea: &Idea| known.first().is_some_and(|best| best.end == idea.game);
        let (rest, nodes) = match ideas.iter().find(|idea| same(idea)) {
            Some(idea) => (idea.moves.clone(), 0),
            None => {
                let (plans, nodes) = self.planner.judge(ideas, budget);
                let best = plans.into_iter().next();
                (
                    best.map(|plan: TeamPlan| plan.moves).unwrap_or_default(),
                    nodes,
                )
            }
        };
        let moves = [*first].into_iter().chain(rest).collect();
        (Candidate::new(game, moves), nodes)
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

    /// Compares the candidate with the chance and the results of the best one.
    fn compared(self, (chance, best): &(WinEstimate, Vec<f32>)) -> AdvisedTurn {
        let estimate = self.estimate();
        let results = self.results_or_outcome();
        // A decided game has one result, which stands for all rollouts of the other.
        let count = best.len().max(results.len());
        let at = |results: &[f32], n: usize| {
            let result = results.get(n).or(results.first());
            f64::from(result.copied().unwrap_or_default())
        };
        let (rolled, error) = mean((0..count).map(|n| at(best, n) - at(&results, n)));
        let loss = (chance.chance - estimate.chance).max(0.0);
        // The mean slope between the two.
        let slope = if rolled > 0.0 { loss / rolled } else { 0.0 };
        AdvisedTurn {
            estimate,
            loss,
            loss_error: error * slope,
            moves: self.moves,
            end: self.end,
        }
    }
}

/// Returns the answers to a request for consent; none in other positions.
fn answers(game: &Game) -> Vec<Move> {
    if !matches!(game.interrupt(), Some(Interrupt::Consent { .. })) {
        return Vec::new();
    }
    let answers = [TurnStep::Agree, TurnStep::Decline].map(Move::from);
    answers
        .into_iter()
        .filter(|m| game.check(m).is_ok())
        .collect()
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
