//! Looking ahead: which play, and what a position is worth before the dice fall.
//!
//! Plies are counted as usual in backgammon: with 0 the net judges the positions after each play; with 1 each of these is worth the mean
//! over the other's 21 rolls, each answered by the best play in the eyes of the net; with 2 one's own next rolls follow.

use std::sync::Arc;

use parlor_backgammon::{Board, Dice, Play, Roll};

use super::chances::Chances;
use super::eval::Eval;
use super::stakes::{Ends, Weights};
use crate::Budget;

/// A play that is thought about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) play: Play,
    /// The board after it, seen from the other player.
    pub(super) after: Board,
    /// What the player's chances are.
    pub(super) chances: Chances,
    /// What they are worth to the player.
    pub(super) worth: f64,
}

/// What the chances of a position are worth to whoever has just played, by the board seen from the other player.
pub(super) type Worth<'a> = &'a dyn Fn(&Chances, &Board) -> f64;

/// Which plays are looked at more deeply: so many, and none that seems worse than the best by more.
struct Filter {
    most: usize,
    /// In shares of what a single win is worth more than a loss, halved: points of money play.
    within: f64,
}

/// For each ply beyond 0.
const FILTERS: [Filter; 3] =
    [Filter { most: 8, within: 0.2 }, Filter { most: 5, within: 0.1 }, Filter { most: 3, within: 0.05 }];

/// The most plies that can be looked ahead.
pub(super) const MOST_PLIES: u32 = FILTERS.len() as u32;

/// A search with its buffers.
pub(super) struct Search {
    eval: Arc<Eval>,
    /// One for each depth of the search.
    results: Vec<Vec<Board>>,
    /// Positions judged since the search was asked.
    pub(super) nodes: u64,
}

impl Search {
    pub(super) fn new(eval: Arc<Eval>) -> Search {
        Search { eval, results: Vec::new(), nodes: 0 }
    }

    /// All plays of these dice, the best first, and how many plies were looked ahead: as many as asked for unless the budget
    /// ends it. `ends` says what matters to the player when replies are chosen.
    pub(super) fn plays(
        &mut self,
        board: &Board,
        dice: Dice,
        plies: u32,
        ends: &Ends,
        worth: Worth<'_>,
        budget: &mut dyn Budget,
    ) -> (Vec<Candidate>, u32) {
        let mut candidates = self.judged(board, dice, worth);
        candidates.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        let point = (ends.wins[0] - ends.losses[0]).max(1e-9) / 2.0;
        for (filter, depth) in FILTERS.iter().zip(1..=plies) {
            let least = candidates[0].worth - filter.within * point;
            let likely = candidates.iter().take(filter.most).take_while(|candidate| candidate.worth >= least).count();
            if likely < 2 {
                return (candidates, depth - 1);
            }
            let Some(deeper) = self.deepened(&candidates[..likely], depth, ends, worth, budget) else {
                return (candidates, depth - 1);
            };
            candidates[..likely].copy_from_slice(&deeper);
            // The others stay behind, in their order; what they seem to be worth is not comparable.
            candidates[..likely].sort_by(|a, b| b.worth.total_cmp(&a.worth));
        }
        (candidates, plies.min(MOST_PLIES))
    }

    /// All plays as the net judges the positions after them.
    fn judged(&mut self, board: &Board, dice: Dice, worth: Worth<'_>) -> Vec<Candidate> {
        let mut results = Vec::new();
        board.results_into(dice, &mut results);
        self.nodes += results.len() as u64;
        let base = self.eval.base(&board.swapped());
        let judged = results.into_iter().map(|(play, after)| {
            let after = after.swapped();
            let chances = self.eval.chances_from(&base, &after).swapped();
            Candidate { play, after, chances, worth: worth(&chances, &after) }
        });
        judged.collect()
    }

    /// The same candidates, looked at more deeply; `None` when the budget does not suffice.
    fn deepened(
        &mut self,
        candidates: &[Candidate],
        depth: u32,
        ends: &Ends,
        worth: Worth<'_>,
        budget: &mut dyn Budget,
    ) -> Option<Vec<Candidate>> {
        let theirs = ends.swapped();
        let deeper = candidates.iter().map(|candidate| {
            let chances = self.chances(&candidate.after, depth, &theirs, budget)?.swapped();
            Some(Candidate { chances, worth: worth(&chances, &candidate.after), ..*candidate })
        });
        deeper.collect()
    }

    /// The chances of the player to move, before the dice fall; `None` when the budget ends the search.
    pub(super) fn chances(
        &mut self,
        board: &Board,
        plies: u32,
        ends: &Ends,
        budget: &mut dyn Budget,
    ) -> Option<Chances> {
        let weights = [ends.weights(), ends.swapped().weights()];
        self.look(board, plies, &weights, budget)
    }

    /// As [`Search::chances`]; the first weights are those of the player to move, the second the other's.
    fn look(&mut self, board: &Board, plies: u32, weights: &[Weights; 2], budget: &mut dyn Budget) -> Option<Chances> {
        if plies == 0 || board.mover().off() == 15 || board.other().off() == 15 {
            self.nodes += 1;
            return Some(self.eval.chances(board));
        }
        if budget.spent(self.nodes) {
            return None;
        }
        let turned = [weights[1], weights[0]];
        let base = self.eval.base(&board.swapped());
        let mut results = self.results.pop().unwrap_or_default();
        let mut sum = [0.0; Chances::COUNT];
        for roll in Roll::all() {
            board.afterstates_into(roll.into(), &mut results);
            self.nodes += results.len() as u64;
            let judged = results.iter().map(|after| {
                let after = after.swapped();
                let chances = self.eval.chances_from(&base, &after);
                (weights[1].sum(&chances), after, chances)
            });
            // What is worst for the other.
            let best = judged.min_by(|(a, ..), (b, ..)| a.total_cmp(b));
            let (_, after, judged) = best.expect("a pass is a result, too");
            let theirs = if plies > 1 { self.look(&after, plies - 1, &turned, budget) } else { Some(judged) };
            let Some(theirs) = theirs else {
                self.results.push(results);
                return None;
            };
            let share = roll.weight() as f32 / 36.0;
            sum.iter_mut().zip(theirs.swapped().to_array()).for_each(|(sum, chance)| *sum += share * chance);
        }
        self.results.push(results);
        Some(Chances::from_array(sum).proper(board))
    }
}
