//! Search for the best play, and evaluation of positions before the roll.
//!
//! Plies are counted as usual in backgammon. At 0 plies the net evaluates the position after each
//! play. At 1 ply the value of each is the mean over the opponent's 21 rolls, each answered by the
//! best play according to the net. At 2 plies the player's own next rolls follow.
//!
//! All plays to choose from are evaluated by the full net. Of the replies further ahead the quick
//! net preselects likely ones. Results are cached and a crew shares the work; neither changes any
//! number.

mod cubeful;

use std::sync::Arc;

use parlor_backgammon::{Board, CHECKERS, Dice, Play, Roll};

use super::cache::{CacheKey, SearchCache};
use super::chances::Chances;
use super::evaluator::{BackgammonEvaluator, BaseBoard};
use super::stakes::{ChanceWeights, EndingValues};
use crate::crew::gather;
use crate::{Alone, Budget, Crew};

pub(super) use cubeful::DoublingResult;

/// Play under consideration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) play: Play,
    /// Board after the play, seen from the opponent.
    pub(super) after: Board,
    /// Chances of the player who makes the play.
    pub(super) chances: Chances,
    /// Value of the chances to that player.
    pub(super) worth: f64,
}

/// Value of chances to the player who has just played; the board is seen from the opponent.
pub(super) type WorthFn<'a> = &'a dyn Fn(&Chances, &Board) -> f64;

/// Selection of the plays that are searched more deeply: a maximum number, and a maximum distance
/// from the best.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayFilter {
    pub(super) most: usize,
    /// Maximum distance in points of money play: half the difference in value between a single win
    /// and a single loss.
    pub(super) within: f64,
}

/// Selection of the replies that the full net evaluates in contact positions, by the quick net: a
/// maximum number, and a maximum distance from the best in points of money play.
#[derive(Clone, Copy, Debug)]
pub(super) struct LikelyReplies {
    pub(super) most: usize,
    pub(super) within: f32,
}

/// Selectivity of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchOptions {
    /// Filter for each ply beyond 0.
    pub(super) filters: [PlayFilter; MAX_PLIES as usize],
    /// Selection of the replies at the last ply, and of those searched further; `None` evaluates
    /// all.
    pub(super) likely: Option<[LikelyReplies; 2]>,
    /// True to cache positions that were searched.
    pub(super) uses_cache: bool,
}

/// Maximum number of plies.
pub(super) const MAX_PLIES: u32 = 3;

impl SearchOptions {
    /// The selection used in play.
    ///
    /// Measured with the nets of a million games on contact positions from self-play, with 17 plays
    /// per roll on average. The list of eight within 0.3 contains the best reply in 98.1 of 100
    /// cases, that of sixteen in 99.5; the mean loss is 0.4 and 0.15 thousandths of a point, and
    /// 5.1 and 7.2 replies are evaluated. Decisions at 2 plies, compared with a search with wide
    /// filters and without lists (32 ms each on a busy core), lose 0.024 thousandths of a point
    /// with these filters and no lists (16 ms), 0.053 with these lists (8 ms), and 0.18 with four
    /// within 0.15 at the last ply (7 ms).
    ///
    /// GNU Backgammon at 2 plies finds a loss of 7.05 thousandths at 0 plies over 1,248 decisions,
    /// 3.80 at 1 ply and 1.95 (standard error 0.2) at 2 plies. The loss is 2.00 in 0.7 of the time
    /// with filters of 6 within 0.12 and 3 within 0.08; 1.94 in 1.4 times the time with 12 within
    /// 0.3 and 8 within 0.15; 2.03 with the shorter lists; 2.08 in 2.1 times the time without
    /// lists.
    pub(super) const DEFAULT: SearchOptions = SearchOptions {
        filters: [
            PlayFilter {
                most: 8,
                within: 0.2,
            },
            PlayFilter {
                most: 5,
                within: 0.1,
            },
            PlayFilter {
                most: 3,
                within: 0.05,
            },
        ],
        likely: Some([
            LikelyReplies {
                most: 8,
                within: 0.3,
            },
            LikelyReplies {
                most: 16,
                within: 0.3,
            },
        ]),
        uses_cache: true,
    };
}

/// Number of different rolls of two dice.
const ROLLS: usize = 21;

/// Search with its cache.
pub(super) struct BackgammonSearch {
    eval: Arc<BackgammonEvaluator>,
    crew: Arc<dyn Crew>,
    options: SearchOptions,
    cache: SearchCache,
    /// Positions evaluated since the caller last reset it. Evaluations by the quick net alone are
    /// not counted.
    pub(super) nodes: u64,
}

impl BackgammonSearch {
    pub(super) fn new(eval: Arc<BackgammonEvaluator>) -> BackgammonSearch {
        BackgammonSearch {
            eval,
            crew: Arc::new(Alone),
            options: SearchOptions::DEFAULT,
            cache: SearchCache::default(),
            nodes: 0,
        }
    }

    /// Shares searches deeper than 0 plies among a crew.
    pub(super) fn with_crew(self, crew: Arc<dyn Crew>) -> BackgammonSearch {
        BackgammonSearch { crew, ..self }
    }

    /// Returns the search options for modification.
    pub(super) fn options_mut(&mut self) -> &mut SearchOptions {
        &mut self.options
    }

    /// Returns the size of the cache in bytes.
    pub(super) fn memory(&self) -> usize {
        self.cache.memory()
    }

    /// Clears the cache.
    pub(super) fn forget(&mut self) {
        self.cache.clear();
    }

    /// Returns all plays of these dice, best first, and the number of plies searched: `plies`,
    /// unless the budget ends the search earlier. `ends` gives the value of each ending to the
    /// player, by which replies are chosen.
    pub(super) fn plays(
        &mut self,
        board: &Board,
        dice: Dice,
        plies: u32,
        ends: &EndingValues,
        worth: WorthFn<'_>,
        budget: &mut dyn Budget,
    ) -> (Vec<Candidate>, u32) {
        let mut candidates = self.evaluate_plays(board, dice, worth);
        candidates.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        let point = (ends.wins[0] - ends.losses[0]).max(1e-9) / 2.0;
        for (filter, depth) in self.options.filters.into_iter().zip(1..=plies) {
            let least = candidates[0].worth - filter.within * point;
            let likely = candidates
                .iter()
                .take(filter.most)
                .take_while(|candidate| candidate.worth >= least)
                .count();
            if likely < 2 {
                return (candidates, depth - 1);
            }
            let Some(deeper) = self.deepen(&candidates[..likely], depth, ends, worth, budget)
            else {
                return (candidates, depth - 1);
            };
            candidates[..likely].copy_from_slice(&deeper);
            // The others stay behind in their order; their values are not comparable.
            candidates[..likely].sort_by(|a, b| b.worth.total_cmp(&a.worth));
        }
        (candidates, plies.min(MAX_PLIES))
    }

    /// Returns all plays, evaluated at 0 plies.
    fn evaluate_plays(&mut self, board: &Board, dice: Dice, worth: WorthFn<'_>) -> Vec<Candidate> {
        let mut results = Vec::new();
        board.results_into(dice, &mut results);
        self.nodes += results.len() as u64;
        let base = self.eval.base(&board.swapped());
        let judged = results.into_iter().map(|(play, after)| {
            let after = after.swapped();
            let chances = self.eval.chances_from(&base, &after).swapped();
            Candidate {
                play,
                after,
                chances,
                worth: worth(&chances, &after),
            }
        });
        judged.collect()
    }

    /// Searches candidates more deeply; returns `None` if the budget does not suffice.
    pub(super) fn deepen(
        &mut self,
        candidates: &[Candidate],
        depth: u32,
        ends: &EndingValues,
        worth: WorthFn<'_>,
        budget: &mut dyn Budget,
    ) -> Option<Vec<Candidate>> {
        let boards: Vec<Board> = candidates.iter().map(|candidate| candidate.after).collect();
        let theirs = self.look_ahead(&boards, depth, &weights(&ends.swapped()), budget)?;
        let deeper = candidates.iter().zip(theirs).map(|(candidate, theirs)| {
            let chances = theirs.swapped();
            Candidate {
                chances,
                worth: worth(&chances, &candidate.after),
                ..*candidate
            }
        });
        Some(deeper.collect())
    }

    /// Returns the chances of the player to move, before the roll; `None` if the budget ends the
    /// search.
    pub(super) fn chances(
        &mut self,
        board: &Board,
        plies: u32,
        ends: &EndingValues,
        budget: &mut dyn Budget,
    ) -> Option<Chances> {
        if plies == 0 {
            self.nodes += 1;
            return Some(self.eval.chances(board));
        }
        self.look_ahead(&[*board], plies, &weights(ends), budget)?
            .pop()
    }

    /// Deepens [`BackgammonSearch::chances`] ply by ply as far as the budget allows. Returns the
    /// chances and the number of plies searched.
    pub(super) fn deepest_chances(
        &mut self,
        board: &Board,
        plies: u32,
        ends: &EndingValues,
        budget: &mut dyn Budget,
    ) -> (Chances, u32) {
        let mut found = (self.chances(board, 0, ends, budget).unwrap_or_default(), 0);
        for plies in 1..=plies.min(MAX_PLIES) {
            match self.chances(board, plies, ends, budget) {
                Some(chances) => found = (chances, plies),
                None => break,
            }
        }
        found
    }

    /// Returns the chances of the player to move on each of these boards, searched at least one
    /// ply. The budget is asked once for each board before any is searched; the result is `None` if
    /// it is spent. The first weights are those of the player to move, the second the opponent's.
    fn look_ahead(
        &mut self,
        boards: &[Board],
        plies: u32,
        weights: &[ChanceWeights; 2],
        budget: &mut dyn Budget,
    ) -> Option<Vec<Chances>> {
        let question = |board: &Board| CacheKey {
            board: *board,
            plies,
            weights: *weights,
        };
        let mut open: Vec<Board> = Vec::new();
        let mut found: Vec<Result<Chances, usize>> = Vec::with_capacity(boards.len());
        for board in boards {
            // Different rolls can lead to the same board.
            let known = match open.iter().position(|other| other == board) {
                Some(number) => Err(number),
                None => self.known_chances(&question(board)).ok_or(open.len()),
            };
            if known == Err(open.len()) {
                if budget.spent(self.nodes) {
                    return None;
                }
                open.push(*board);
            }
            found.push(known);
        }
        let (eval, likely) = (
            &*self.eval,
            self.options
                .likely
                .map(|likely| likely[usize::from(plies > 1)]),
        );
        let answers = gather(&*self.crew, open.len(), |n| {
            BestReplies::new(&open[n], eval, likely, &weights[1])
        });
        self.nodes += answers.iter().map(|answers| answers.judged).sum::<u64>();
        let mut looked = Vec::with_capacity(open.len());
        for (board, answers) in open.iter().zip(answers) {
            let theirs = match plies {
                1 => answers.chances,
                _ => self.look_ahead(
                    &answers.boards,
                    plies - 1,
                    &[weights[1], weights[0]],
                    budget,
                )?,
            };
            let chances = mean(&theirs).clamped_to(board);
            if self.options.uses_cache {
                self.cache.put(question(board), chances);
            }
            looked.push(chances);
        }
        Some(
            found
                .into_iter()
                .map(|found| found.unwrap_or_else(|number| looked[number]))
                .collect(),
        )
    }

    /// Returns the chances if no search is needed.
    fn known_chances(&mut self, question: &CacheKey) -> Option<Chances> {
        let board = &question.board;
        if is_over(board) {
            self.nodes += 1;
            return Some(self.eval.chances(board));
        }
        self.cache.get(question).filter(|_| self.options.uses_cache)
    }
}

fn is_over(board: &Board) -> bool {
    board.mover().off() == CHECKERS || board.other().off() == CHECKERS
}

/// Returns the weights of the chances for a player and for the opponent, normalized so that cubes
/// of all values compare alike.
pub(super) fn weights(ends: &EndingValues) -> [ChanceWeights; 2] {
    let unit = (ends.wins[0] - ends.losses[0]).max(1e-9);
    let ends = EndingValues {
        wins: ends.wins.map(|x| x / unit),
        losses: ends.losses.map(|x| x / unit),
    };
    [ends.weights(), ends.swapped().weights()]
}

/// Averages the chances of the players who move after each roll, seen from the player who rolls.
pub(super) fn mean(theirs: &[Chances]) -> Chances {
    let mut sum = [0.0; Chances::COUNT];
    for (roll, theirs) in Roll::all().zip(theirs) {
        let share = roll.weight() as f32 / 36.0;
        sum.iter_mut()
            .zip(theirs.swapped().to_array())
            .for_each(|(sum, chance)| *sum += share * chance);
    }
    Chances::from_array(sum)
}

/// Best replies of a player to all rolls, in the order of [`Roll::all`].
pub(super) struct BestReplies {
    /// Boards after the replies, seen from the player who moves next.
    pub(super) boards: Vec<Board>,
    /// Chances of that player on each board.
    pub(super) chances: Vec<Chances>,
    /// Number of positions evaluated to find them.
    judged: u64,
}

impl BestReplies {
    /// Finds the best replies; `other` are the weights of the player who does not move.
    pub(super) fn new(
        board: &Board,
        eval: &BackgammonEvaluator,
        likely: Option<LikelyReplies>,
        other: &ChanceWeights,
    ) -> BestReplies {
        let mut answers = BestReplies {
            boards: Vec::with_capacity(ROLLS),
            chances: Vec::with_capacity(ROLLS),
            judged: 0,
        };
        let base = eval.base(&board.swapped());
        let likely = likely.filter(|_| !board.is_race());
        let (mut results, mut glances) = (Vec::new(), Vec::new());
        for roll in Roll::all() {
            board.afterstates_into(roll.into(), &mut results);
            results
                .iter_mut()
                .for_each(|after| *after = after.swapped());
            if let Some(likely) = likely {
                likely.keep(&mut results, &mut glances, |after| {
                    quick_worth(eval, &base, after, other)
                });
            }
            answers.judged += results.len() as u64;
            let judged = results.iter().map(|after| {
                let chances = eval.chances_from(&base, after);
                (other.sum(&chances), after, chances)
            });
            // The best reply is the worst for the other player.
            let best = judged.min_by(|(a, ..), (b, ..)| a.total_cmp(b));
            let (_, after, chances) = best.expect("a pass is a result, too");
            answers.boards.push(*after);
            answers.chances.push(chances);
        }
        answers
    }
}

/// Returns the value of a board by the quick net.
#[inline]
fn quick_worth(
    eval: &BackgammonEvaluator,
    base: &BaseBoard,
    after: &Board,
    weights: &ChanceWeights,
) -> f32 {
    let chances = if is_over(after) {
        eval.chances(after)
    } else {
        eval.quick_chances_from(base, after)
    };
    weights.sum(&chances)
}

impl LikelyReplies {
    /// Keeps the boards that seem worst for the player who moves next, in their order. Boards with
    /// equal values are kept or dropped together.
    fn keep(
        self,
        results: &mut Vec<Board>,
        glances: &mut Vec<f32>,
        glance: impl Fn(&Board) -> f32,
    ) {
        if results.len() <= self.most {
            return;
        }
        glances.clear();
        glances.extend(results.iter().map(glance));
        let mut ranked = glances.clone();
        let (better, last, _) = ranked.select_nth_unstable_by(self.most - 1, f32::total_cmp);
        let worst = better.iter().copied().fold(*last, f32::min);
        // In these weights a single win is worth 1 more than a loss, which is 2 points.
        let most = last.min(worst + self.within / 2.0);
        let mut seen = glances.iter();
        results.retain(|_| seen.next().is_some_and(|seems| *seems <= most));
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::rand_core::SeedableRng;

    use super::super::net_player::built_in;
    use super::super::stakes::Stakes;
    use super::super::training::{BackgammonSelfPlayer, GameStart};
    use super::*;
    use crate::Prng;

    #[test]
    fn the_best_reply_is_nearly_always_among_the_likely_ones() {
        let eval = built_in(0);
        let mut samples = Vec::new();
        let mut rng = Prng::seed_from_u64(7);
        while samples.len() < 1_000 {
            BackgammonSelfPlayer::new((*eval).clone(), false).game(
                GameStart::Start,
                &mut rng,
                0.0,
                &mut samples,
            );
        }
        let [_, other] = weights(&EndingValues::new(Stakes::Money, 1, true));
        let (mut rolls, mut held, mut lost, mut judged) = (0, 0, 0.0, [0; 2]);
        for board in samples
            .iter()
            .step_by(5)
            .map(|sample| &sample.board)
            .filter(|board| !board.is_race())
        {
            let all = BestReplies::new(board, &eval, None, &other);
            let some = BestReplies::new(
                board,
                &eval,
                SearchOptions::DEFAULT.likely.map(|likely| likely[0]),
                &other,
            );
            judged[0] += all.judged;
            judged[1] += some.judged;
            for (best, found) in all.chances.iter().zip(&some.chances) {
                rolls += 1;
                held += usize::from(best == found);
                lost += found.equity() - best.equity();
            }
        }
        let lost = 1_000.0 * lost / rolls as f32;
        assert!(2 * judged[1] < judged[0], "{judged:?}");
        assert!(
            held * 100 > rolls * 96 && (0.0..2.0).contains(&lost),
            "{held} of {rolls}, {lost} thousandths lost"
        );
    }
}
