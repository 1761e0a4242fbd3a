//! Cubeful search: the value of a double when either side may double again before each later roll.
//!
//! The model of the cube is applied only to the last positions, for each state the cube may be in
//! by then. On the way back each player to roll doubles if that is better, and the opponent drops
//! if that is better.

use parlor_backgammon::{Board, Roll};

use super::super::bearoff;
use super::super::chances::Chances;
use super::super::cube;
use super::super::cube_state::{CubeState, DoubleValues, is_over};
use super::super::evaluator::BackgammonEvaluator;
use super::super::stakes::{ChanceWeights, Stakes};
use super::{BackgammonSearch, BestReplies, LikelyReplies, MAX_PLIES, mean, weights};
use crate::Budget;
use crate::crew::gather;

/// States of the cube that may arise before a given roll, as the player to roll then sees the game.
struct CubeStage {
    /// Possible states; they differ in the cube.
    states: Vec<CubeState>,
    /// For each state, the index in this stage of the state after a double is taken; `None` if no
    /// double is allowed.
    doubled: Vec<Option<usize>>,
    /// For each state, its index in the next stage.
    next: Vec<usize>,
}

/// Value of a double, as deep as it was searched.
pub(in super::super) struct DoublingResult {
    pub(in super::super) offer: DoubleValues,
    /// Chances of the player to roll.
    pub(in super::super) chances: Chances,
    pub(in super::super) plies: u32,
}

impl BackgammonSearch {
    /// Returns the value of a double on this board before the roll, searched `plies` deep or as
    /// deep as the budget allows. It is exact for the last checkers, and at 0 plies it comes from
    /// the model of the cube.
    pub(in super::super) fn doubling(
        &mut self,
        view: &CubeState,
        board: &Board,
        plies: u32,
        budget: &mut dyn Budget,
    ) -> DoublingResult {
        let chances = self.eval.chances(board);
        self.nodes += 1;
        let plies = plies.min(MAX_PLIES);
        if let Some(offer) = DoubleValues::exact(view, board) {
            return DoublingResult {
                offer,
                chances,
                plies,
            };
        }
        let mut found = DoublingResult {
            offer: DoubleValues::new(view, &chances, cube::liveliness(board)),
            chances,
            plies: 0,
        };
        for plies in 1..=plies {
            let Some((offer, chances)) = self.double_values(view, board, plies, budget) else {
                break;
            };
            found = DoublingResult {
                offer,
                chances,
                plies,
            };
        }
        found
    }

    /// Returns the value of a double on this board and the chances of the player to roll, searched
    /// at least one ply; `None` if the budget is already spent.
    fn double_values(
        &mut self,
        view: &CubeState,
        board: &Board,
        plies: u32,
        budget: &mut dyn Budget,
    ) -> Option<(DoubleValues, Chances)> {
        if budget.spent(self.nodes) {
            return None;
        }
        let doubled = view.doubled();
        let [before, after] = [view, &doubled].map(|view| weights(&view.ends()));
        // Gammons may count more or less after a double, and plays are chosen accordingly.
        let (held, taken, chances) = if before == after {
            let found = self.search_states(vec![*view, doubled], before, board, plies);
            (found.held[0], found.held[1], found.chances)
        } else {
            let held = self.search_states(vec![*view], before, board, plies);
            let taken = self.search_states(vec![doubled], after, board, plies);
            (held.held[0], taken.held[0], held.chances)
        };
        // Beavers exist only where points count linearly.
        let beavered = if view.stakes == Stakes::Money {
            2.0 * taken
        } else {
            taken
        };
        let dropped = view.stakes.points(view.value);
        Some((
            DoubleValues {
                held,
                taken,
                dropped,
                beavered,
                slack: view.slack(),
            },
            chances,
        ))
    }

    /// Returns the value of rolling in each of these states of the cube.
    fn search_states(
        &mut self,
        states: Vec<CubeState>,
        weights: [ChanceWeights; 2],
        board: &Board,
        plies: u32,
    ) -> CubefulResult {
        let stages = stages(states, plies as usize);
        let look = CubefulSearch {
            eval: &self.eval,
            likely: self.options.likely,
            stages: &stages,
            weights,
        };
        let first = look.answers(board, 0);
        let each = gather(&*self.crew, first.boards.len(), |n| {
            look.before_roll(&first.boards[n], first.chances[n], 1)
        });
        let found = look.combine(board, 0, first.judged, &each);
        self.nodes += found.judged;
        found
    }
}

/// Result of searching a board, for the player to roll.
struct CubefulResult {
    /// Value of rolling without a double, for each state of the cube.
    held: Vec<f64>,
    chances: Chances,
    /// Number of positions evaluated.
    judged: u64,
}

/// Parameters shared by all nodes of a search.
struct CubefulSearch<'a> {
    eval: &'a BackgammonEvaluator,
    likely: Option<[LikelyReplies; 2]>,
    stages: &'a [CubeStage],
    /// Weights by which the player who rolls first, and the other, choose replies.
    weights: [ChanceWeights; 2],
}

impl CubefulSearch<'_> {
    fn answers(&self, board: &Board, depth: usize) -> BestReplies {
        let further = self.stages.len() - depth > 2;
        let likely = self.likely.map(|likely| likely[usize::from(further)]);
        BestReplies::new(board, self.eval, likely, &self.weights[1 - depth % 2])
    }

    /// Searches for the player who rolls after `depth` rolls.
    fn before_roll(&self, board: &Board, chances: Chances, depth: usize) -> CubefulResult {
        let stage = &self.stages[depth];
        if let Some(held) = stage.known_worth(board, &chances) {
            return CubefulResult {
                held,
                chances,
                judged: 0,
            };
        }
        if depth + 1 == self.stages.len() {
            let liveliness = cube::liveliness(board);
            let worth =
                |state: &CubeState| state.worth(&chances, state.value, state.owner, liveliness);
            return CubefulResult {
                held: stage.states.iter().map(worth).collect(),
                chances,
                judged: 0,
            };
        }
        let answers = self.answers(board, depth);
        let boards = answers.boards.iter().zip(&answers.chances);
        let each: Vec<CubefulResult> = boards
            .map(|(board, chances)| self.before_roll(board, *chances, depth + 1))
            .collect();
        self.combine(board, depth, answers.judged, &each)
    }

    /// Combines the results of the replies to all rolls.
    fn combine(
        &self,
        board: &Board,
        depth: usize,
        judged: u64,
        each: &[CubefulResult],
    ) -> CubefulResult {
        let (stage, next) = (&self.stages[depth], &self.stages[depth + 1]);
        let mut held = vec![0.0; stage.states.len()];
        for (roll, found) in Roll::all().zip(each) {
            let share = f64::from(roll.weight()) / 36.0;
            let worth = next.before_double(&found.held);
            held.iter_mut()
                .zip(&stage.next)
                .for_each(|(sum, state)| *sum -= share * worth[*state]);
        }
        let chances: Vec<Chances> = each.iter().map(|found| found.chances).collect();
        let judged = judged + each.iter().map(|found| found.judged).sum::<u64>();
        CubefulResult {
            held,
            chances: mean(&chances).clamped_to(board),
            judged,
        }
    }
}

/// Returns the stages from these states on, for this roll and `plies` more.
fn stages(first: Vec<CubeState>, plies: usize) -> Vec<CubeStage> {
    let mut stages = vec![CubeStage::new(first)];
    for n in 0..plies {
        let next = stages[n].next_stage();
        stages.push(next);
    }
    stages
}

impl CubeStage {
    /// Creates a stage of these states and those that doubles lead to.
    fn new(mut states: Vec<CubeState>) -> CubeStage {
        let mut doubled = Vec::new();
        while let Some(state) = states.get(doubled.len()).copied() {
            doubled.push(
                state
                    .may_double()
                    .then(|| index_of(&mut states, state.doubled())),
            );
        }
        CubeStage {
            states,
            doubled,
            next: Vec::new(),
        }
    }

    /// Returns the next stage, seen from the other player.
    fn next_stage(&mut self) -> CubeStage {
        let mut states = Vec::new();
        self.next = self
            .states
            .iter()
            .map(|state| index_of(&mut states, state.swapped()))
            .collect();
        CubeStage::new(states)
    }

    /// Returns the value of each state to the player who may double before the roll, given the
    /// values of rolling.
    fn before_double(&self, held: &[f64]) -> Vec<f64> {
        let each = self.states.iter().zip(held).zip(&self.doubled);
        let worth = |((state, here), doubled): ((&CubeState, &f64), &Option<usize>)| match doubled {
            Some(taken) => here.max(held[*taken].min(state.stakes.points(state.value))),
            None => *here,
        };
        each.map(worth).collect()
    }

    /// Returns the values if no search is needed: a finished game, or the last checkers.
    fn known_worth(&self, board: &Board, chances: &Chances) -> Option<Vec<f64>> {
        if is_over(board) {
            return Some(
                self.states
                    .iter()
                    .map(|state| state.ends().worth(chances))
                    .collect(),
            );
        }
        let pair = bearoff::pair(board).filter(|_| {
            self.states
                .iter()
                .all(|state| state.stakes == Stakes::Money)
        })?;
        Some(
            self.states
                .iter()
                .map(|state| state.points_from_pair(pair))
                .collect(),
        )
    }
}

/// Returns the index of a state in a list, appending it if it is new.
fn index_of(states: &mut Vec<CubeState>, state: CubeState) -> usize {
    let known = states.iter().position(|other| *other == state);
    known.unwrap_or_else(|| {
        states.push(state);
        states.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parlor_backgammon::Side;

    use super::super::super::cube::CubeOwner;
    use super::super::super::net::BackgammonNets;
    use super::*;
    use crate::Nodes;

    fn side(points: &[(usize, u8)]) -> Side {
        let mut counts = [0; 26];
        points.iter().for_each(|(point, n)| counts[*point] += n);
        counts[0] = 15 - counts.iter().sum::<u8>();
        Side::from_counts(&counts).expect("fifteen checkers")
    }

    #[test]
    fn the_search_agrees_with_the_exact_values_of_the_last_checkers() {
        let mut search = BackgammonSearch::new(Arc::new(BackgammonEvaluator::new(
            &BackgammonNets::built_in(),
        )));
        let sides = [
            side(&[(6, 1), (4, 2)]),
            side(&[(1, 4)]),
            side(&[(5, 1), (2, 1)]),
            side(&[(6, 2), (3, 3), (1, 1)]),
        ];
        for mover in sides {
            for other in sides {
                let board = Board::new(mover, other).expect("homes do not meet");
                for owner in [CubeOwner::Centered, CubeOwner::Me] {
                    let view = CubeState {
                        stakes: Stakes::Money,
                        value: 1,
                        owner,
                        gammons: true,
                    };
                    let known = DoubleValues::exact(&view, &board).expect("few checkers");
                    for plies in 1..=2 {
                        let (found, _) = search
                            .double_values(&view, &board, plies, &mut Nodes(u64::MAX))
                            .expect("no limit");
                        // Replies are chosen for the most wins, which with the cube is not always
                        // best.
                        let miss = (found.held - known.held)
                            .abs()
                            .max((found.taken - known.taken).abs());
                        assert!(
                            miss < 0.01,
                            "{board:?} {owner:?} {plies}: {found:?} {known:?}"
                        );
                    }
                }
            }
        }
    }
}
