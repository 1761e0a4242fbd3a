//! Looking ahead: which play, and what a position is worth before the dice fall.
//!
//! Plies are counted as usual in backgammon: with 0 the net judges the positions after each play; with 1 each of these is worth the mean
//! over the other's 21 rolls, each answered by the best play in the eyes of the net; with 2 one's own next rolls follow.
//!
//! The plays that are to be chosen from are all judged by the net proper. Of the answers further ahead the quick net picks the likely ones
//! first. What was looked ahead is remembered, and a crew shares the work; neither changes any number.

mod cubeful;

use std::sync::Arc;

use parlor_backgammon::{Board, CHECKERS, Dice, Play, Roll};

use super::cache::{Cache, Question};
use super::chances::Chances;
use super::eval::{Base, Eval};
use super::stakes::{Ends, Weights};
use crate::crew::gather;
use crate::{Alone, Budget, Crew};

pub(super) use cubeful::Doubling;

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
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter {
    pub(super) most: usize,
    /// In shares of what a single win is worth more than a loss, halved: points of money play.
    pub(super) within: f64,
}

/// Which answers are judged by the net proper where checkers can still be hit, in the eyes of the quick net: so many, and none that
/// seems worse than the best by more than points of money play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Likely {
    pub(super) most: usize,
    pub(super) within: f32,
}

/// With how much care is looked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Care {
    /// For each ply beyond 0.
    pub(super) filters: [Filter; MOST_PLIES as usize],
    /// For the answers of the last ply, and for those that are looked at further; `None` judges them all.
    pub(super) likely: Option<[Likely; 2]>,
    /// Whether what was looked ahead is remembered.
    pub(super) remembers: bool,
}

/// The most plies that can be looked ahead.
pub(super) const MOST_PLIES: u32 = 3;

impl Care {
    /// What plays in the house.
    ///
    /// Measured with the nets of a million games on positions of games of the nets against themselves, with checkers that can still be
    /// hit, 17 plays for a roll on average. The list of eight within 0.3 holds the best answer in 98.1 of 100 cases, that of sixteen in
    /// 99.5; what is lost on average is 0.4 and 0.15 thousandths of a point, and 5.1 and 7.2 answers are judged. Decisions at 2 plies,
    /// held against a search with wide filters and without lists (32 ms each on a busy core), lose 0.024 thousandths of a point with
    /// these filters and no lists (16 ms), 0.053 with these lists (8 ms), 0.18 with four within 0.15 for the last ply (7 ms).
    ///
    /// GNU Backgammon, looking 2 plies ahead, finds a loss of 7.05 thousandths at 0 plies in 1,248 decisions, 3.80 at 1 ply and 1.95
    /// (standard error 0.2) at 2 plies; 2.00 in 0.7 of the time with filters of 6 within 0.12 and 3 within 0.08, 1.94 in 1.4 times the time
    /// with 12 within 0.3 and 8 within 0.15, 2.03 with the shorter lists, 2.08 in 2.1 times the time without lists.
    pub(super) const USUAL: Care = Care {
        filters: [
            Filter {
                most: 8,
                within: 0.2,
            },
            Filter {
                most: 5,
                within: 0.1,
            },
            Filter {
                most: 3,
                within: 0.05,
            },
        ],
        likely: Some([
            Likely {
                most: 8,
                within: 0.3,
            },
            Likely {
                most: 16,
                within: 0.3,
            },
        ]),
        remembers: true,
    };
}

/// How many ways to throw two dice there are.
const ROLLS: usize = 21;

/// A search with what it remembers.
pub(super) struct Search {
    eval: Arc<Eval>,
    crew: Arc<dyn Crew>,
    care: Care,
    cache: Cache,
    /// Positions judged since the search was asked. Those that only the quick net has seen are not counted.
    pub(super) nodes: u64,
}

impl Search {
    pub(super) fn new(eval: Arc<Eval>) -> Search {
        Search {
            eval,
            crew: Arc::new(Alone),
            care: Care::USUAL,
            cache: Cache::default(),
            nodes: 0,
        }
    }

    /// Shares what is looked at deeper than 0 plies among a crew.
    pub(super) fn with_crew(self, crew: Arc<dyn Crew>) -> Search {
        Search { crew, ..self }
    }

    /// With how much care it looks, to change it.
    pub(super) fn care_mut(&mut self) -> &mut Care {
        &mut self.care
    }

    /// Forgets what was looked at.
    pub(super) fn forget(&mut self) {
        self.cache.clear();
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
        for (filter, depth) in self.care.filters.into_iter().zip(1..=plies) {
            let least = candidates[0].worth - filter.within * point;
            let likely = candidates
                .iter()
                .take(filter.most)
                .take_while(|candidate| candidate.worth >= least)
                .count();
            if likely < 2 {
                return (candidates, depth - 1);
            }
            let Some(deeper) = self.deepened(&candidates[..likely], depth, ends, worth, budget)
            else {
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
            Candidate {
                play,
                after,
                chances,
                worth: worth(&chances, &after),
            }
        });
        judged.collect()
    }

    /// The same candidates, looked at more deeply; `None` when the budget does not suffice.
    pub(super) fn deepened(
        &mut self,
        candidates: &[Candidate],
        depth: u32,
        ends: &Ends,
        worth: Worth<'_>,
        budget: &mut dyn Budget,
    ) -> Option<Vec<Candidate>> {
        let boards: Vec<Board> = candidates.iter().map(|candidate| candidate.after).collect();
        let theirs = self.look(&boards, depth, &weights(&ends.swapped()), budget)?;
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

    /// The chances of the player to move, before the dice fall; `None` when the budget ends the search.
    pub(super) fn chances(
        &mut self,
        board: &Board,
        plies: u32,
        ends: &Ends,
        budget: &mut dyn Budget,
    ) -> Option<Chances> {
        if plies == 0 {
            self.nodes += 1;
            return Some(self.eval.chances(board));
        }
        self.look(&[*board], plies, &weights(ends), budget)?.pop()
    }

    /// As [`Search::chances`], ply by ply as far as the budget allows; and how many plies that was.
    pub(super) fn deepest_chances(
        &mut self,
        board: &Board,
        plies: u32,
        ends: &Ends,
        budget: &mut dyn Budget,
    ) -> (Chances, u32) {
        let mut found = (self.chances(board, 0, ends, budget).unwrap_or_default(), 0);
        for plies in 1..=plies.min(MOST_PLIES) {
            match self.chances(board, plies, ends, budget) {
                Some(chances) => found = (chances, plies),
                None => break,
            }
        }
        found
    }

    /// The chances of whoever is to move on each of these boards, looked ahead at least one ply; `None` when the budget ends the search,
    /// which is asked once for each board before any is looked at. The first weights are those of the player to move, the second the other's.
    fn look(
        &mut self,
        boards: &[Board],
        plies: u32,
        weights: &[Weights; 2],
        budget: &mut dyn Budget,
    ) -> Option<Vec<Chances>> {
        let question = |board: &Board| Question {
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
                None => self.known(&question(board)).ok_or(open.len()),
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
            self.care
                .likely
                .map(|likely| likely[usize::from(plies > 1)]),
        );
        let answers = gather(&*self.crew, open.len(), |n| {
            Answers::to(&open[n], eval, likely, &weights[1])
        });
        self.nodes += answers.iter().map(|answers| answers.judged).sum::<u64>();
        let mut looked = Vec::with_capacity(open.len());
        for (board, answers) in open.iter().zip(answers) {
            let theirs = match plies {
                1 => answers.chances,
                _ => self.look(
                    &answers.boards,
                    plies - 1,
                    &[weights[1], weights[0]],
                    budget,
                )?,
            };
            let chances = mean(&theirs).proper(board);
            if self.care.remembers {
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

    /// What needs no look.
    fn known(&mut self, question: &Question) -> Option<Chances> {
        let board = &question.board;
        if is_over(board) {
            self.nodes += 1;
            return Some(self.eval.chances(board));
        }
        self.cache.get(question).filter(|_| self.care.remembers)
    }
}

fn is_over(board: &Board) -> bool {
    board.mover().off() == CHECKERS || board.other().off() == CHECKERS
}

/// How much the chances count for a player and for the other. Only how they compare matters, so that cubes of all values are alike.
pub(super) fn weights(ends: &Ends) -> [Weights; 2] {
    let unit = (ends.wins[0] - ends.losses[0]).max(1e-9);
    let ends = Ends {
        wins: ends.wins.map(|x| x / unit),
        losses: ends.losses.map(|x| x / unit),
    };
    [ends.weights(), ends.swapped().weights()]
}

/// The mean over all rolls of the chances of who moves after them, seen from who rolls.
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

/// The best answers of a player to all rolls, in the order of [`Roll::all`].
pub(super) struct Answers {
    /// The boards after them, seen from who moves next.
    pub(super) boards: Vec<Board>,
    /// That player's chances there.
    pub(super) chances: Vec<Chances>,
    /// How many positions were judged to find them.
    judged: u64,
}

impl Answers {
    /// `other` is what counts for who does not move.
    pub(super) fn to(
        board: &Board,
        eval: &Eval,
        likely: Option<Likely>,
        other: &Weights,
    ) -> Answers {
        let mut answers = Answers {
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
                    glance(eval, &base, after, other)
                });
            }
            answers.judged += results.len() as u64;
            let judged = results.iter().map(|after| {
                let chances = eval.chances_from(&base, after);
                (other.sum(&chances), after, chances)
            });
            // What is worst for the other.
            let best = judged.min_by(|(a, ..), (b, ..)| a.total_cmp(b));
            let (_, after, chances) = best.expect("a pass is a result, too");
            answers.boards.push(*after);
            answers.chances.push(chances);
        }
        answers
    }
}

/// What the quick net sees of it.
#[inline]
fn glance(eval: &Eval, base: &Base, after: &Board, weights: &Weights) -> f32 {
    let chances = if is_over(after) {
        eval.chances(after)
    } else {
        eval.glance_from(base, after)
    };
    weights.sum(&chances)
}

impl Likely {
    /// Keeps the boards that seem worst for who moves next, in their order; of those that seem alike none without the others.
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
        // Weights are such that a single win is worth 1 more than a loss, which is 2 points.
        let most = last.min(worst + self.within / 2.0);
        let mut seen = glances.iter();
        results.retain(|_| seen.next().is_some_and(|seems| *seems <= most));
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::rand_core::SeedableRng;

    use super::super::bot::house;
    use super::super::stakes::Stakes;
    use super::super::training::{From, Player};
    use super::*;
    use crate::Prng;

    #[test]
    fn the_best_answer_is_nearly_always_among_the_likely_ones() {
        let eval = house(0);
        let mut samples = Vec::new();
        let mut rng = Prng::seed_from_u64(7);
        while samples.len() < 1_000 {
            Player::new((*eval).clone(), false).game(From::Start, &mut rng, 0.0, &mut samples);
        }
        let [_, other] = weights(&Ends::at(Stakes::Money, 1, true));
        let (mut rolls, mut held, mut lost, mut judged) = (0, 0, 0.0, [0; 2]);
        for board in samples
            .iter()
            .step_by(5)
            .map(|sample| &sample.board)
            .filter(|board| !board.is_race())
        {
            let all = Answers::to(board, &eval, None, &other);
            let some = Answers::to(
                board,
                &eval,
                Care::USUAL.likely.map(|likely| likely[0]),
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
