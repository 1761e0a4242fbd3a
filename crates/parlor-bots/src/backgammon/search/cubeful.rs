//! Looking ahead with the cube: what a double is worth, when everybody may double again before each of the rolls that follow.
//!
//! The model of the cube is asked only about the last positions that are looked at, for each state the cube may be in by then. From there
//! on back whoever is to roll doubles when that is better, and the other drops when that is better.

use parlor_backgammon::{Board, Roll};

use super::super::bearoff;
use super::super::chances::Chances;
use super::super::cube;
use super::super::eval::Eval;
use super::super::offer::{Offer, View, is_over};
use super::super::stakes::{Stakes, Weights};
use super::{Answers, Likely, MOST_PLIES, Search, mean, weights};
use crate::Budget;
use crate::crew::gather;

/// The states of the cube that may come up before so many rolls, as who is to roll then sees the game.
struct Stage {
    /// A view for each, which differ in the cube.
    states: Vec<View>,
    /// For each state: which of the same stage is that after a double is taken, if there may be a double.
    doubled: Vec<Option<usize>>,
    /// For each state: which of the next stage it becomes.
    next: Vec<usize>,
}

/// What a double is worth, as far as it was looked ahead.
pub(in super::super) struct Doubling {
    pub(in super::super) offer: Offer,
    /// Of who is to roll.
    pub(in super::super) chances: Chances,
    pub(in super::super) plies: u32,
}

impl Search {
    /// What a double is worth on this board, before the dice fall, looked ahead so many plies or as many as the budget allows. It is
    /// exact for the last checkers, and by the model of the cube with 0 plies.
    pub(in super::super) fn doubling(
        &mut self,
        view: &View,
        board: &Board,
        plies: u32,
        budget: &mut dyn Budget,
    ) -> Doubling {
        let chances = self.eval.chances(board);
        self.nodes += 1;
        let plies = plies.min(MOST_PLIES);
        if let Some(offer) = Offer::exact(view, board) {
            return Doubling {
                offer,
                chances,
                plies,
            };
        }
        let mut found = Doubling {
            offer: Offer::new(view, &chances, cube::life(board)),
            chances,
            plies: 0,
        };
        for plies in 1..=plies {
            let Some((offer, chances)) = self.offer(view, board, plies, budget) else {
                break;
            };
            found = Doubling {
                offer,
                chances,
                plies,
            };
        }
        found
    }

    /// What a double is worth on this board, and the chances of who is to roll, looked ahead at least one ply; `None` when the budget
    /// is spent before it begins.
    fn offer(
        &mut self,
        view: &View,
        board: &Board,
        plies: u32,
        budget: &mut dyn Budget,
    ) -> Option<(Offer, Chances)> {
        if budget.spent(self.nodes) {
            return None;
        }
        let doubled = view.doubled();
        let [before, after] = [view, &doubled].map(|view| weights(&view.ends()));
        // Gammons may count for more or less after a double, and plays are chosen for what counts.
        let (held, taken, chances) = if before == after {
            let found = self.ahead(vec![*view, doubled], before, board, plies);
            (found.held[0], found.held[1], found.chances)
        } else {
            let held = self.ahead(vec![*view], before, board, plies);
            let taken = self.ahead(vec![doubled], after, board, plies);
            (held.held[0], taken.held[0], held.chances)
        };
        // Where there are beavers each point counts alike.
        let beavered = if view.stakes == Stakes::Money {
            2.0 * taken
        } else {
            taken
        };
        let dropped = view.stakes.points(view.value);
        Some((
            Offer {
                held,
                taken,
                dropped,
                beavered,
                slack: view.slack(),
            },
            chances,
        ))
    }

    /// What it is worth to roll in each of these states of the cube.
    fn ahead(
        &mut self,
        states: Vec<View>,
        weights: [Weights; 2],
        board: &Board,
        plies: u32,
    ) -> Found {
        let stages = stages(states, plies as usize);
        let look = Look {
            eval: &self.eval,
            likely: self.care.likely,
            stages: &stages,
            weights,
        };
        let first = look.answers(board, 0);
        let each = gather(&*self.crew, first.boards.len(), |n| {
            look.before_roll(&first.boards[n], first.chances[n], 1)
        });
        let found = look.together(board, 0, first.judged, &each);
        self.nodes += found.judged;
        found
    }
}

/// What was found out about a board, for who is to roll.
struct Found {
    /// For each state of the cube, what it is worth to roll without a double.
    held: Vec<f64>,
    chances: Chances,
    /// How many positions were judged for it.
    judged: u64,
}

/// All that a look ahead goes by.
struct Look<'a> {
    eval: &'a Eval,
    likely: Option<[Likely; 2]>,
    stages: &'a [Stage],
    /// What counts for who rolls first, and for the other, when answers are chosen.
    weights: [Weights; 2],
}

impl Look<'_> {
    fn answers(&self, board: &Board, depth: usize) -> Answers {
        let further = self.stages.len() - depth > 2;
        let likely = self.likely.map(|likely| likely[usize::from(further)]);
        Answers::to(board, self.eval, likely, &self.weights[1 - depth % 2])
    }

    /// For who rolls after so many rolls.
    fn before_roll(&self, board: &Board, chances: Chances, depth: usize) -> Found {
        let stage = &self.stages[depth];
        if let Some(held) = stage.known(board, &chances) {
            return Found {
                held,
                chances,
                judged: 0,
            };
        }
        if depth + 1 == self.stages.len() {
            let life = cube::life(board);
            let worth = |state: &View| state.worth(&chances, state.value, state.owner, life);
            return Found {
                held: stage.states.iter().map(worth).collect(),
                chances,
                judged: 0,
            };
        }
        let answers = self.answers(board, depth);
        let boards = answers.boards.iter().zip(&answers.chances);
        let each: Vec<Found> = boards
            .map(|(board, chances)| self.before_roll(board, *chances, depth + 1))
            .collect();
        self.together(board, depth, answers.judged, &each)
    }

    /// What the answers to all rolls are worth together.
    fn together(&self, board: &Board, depth: usize, judged: u64, each: &[Found]) -> Found {
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
        Found {
            held,
            chances: mean(&chances).proper(board),
            judged,
        }
    }
}

/// The states from some on, for this roll and so many more.
fn stages(first: Vec<View>, plies: usize) -> Vec<Stage> {
    let mut stages = vec![Stage::new(first)];
    for n in 0..plies {
        let next = stages[n].followed();
        stages.push(next);
    }
    stages
}

impl Stage {
    /// With these states, and those that a double leads to.
    fn new(mut states: Vec<View>) -> Stage {
        let mut doubled = Vec::new();
        while let Some(state) = states.get(doubled.len()).copied() {
            doubled.push(
                state
                    .may_double()
                    .then(|| number(&mut states, state.doubled())),
            );
        }
        Stage {
            states,
            doubled,
            next: Vec::new(),
        }
    }

    /// The next stage, of the other player.
    fn followed(&mut self) -> Stage {
        let mut states = Vec::new();
        self.next = self
            .states
            .iter()
            .map(|state| number(&mut states, state.swapped()))
            .collect();
        Stage::new(states)
    }

    /// What each state is worth to who may double before the roll, when so much is what it is worth to roll.
    fn before_double(&self, held: &[f64]) -> Vec<f64> {
        let each = self.states.iter().zip(held).zip(&self.doubled);
        let worth = |((state, here), doubled): ((&View, &f64), &Option<usize>)| match doubled {
            Some(taken) => here.max(held[*taken].min(state.stakes.points(state.value))),
            None => *here,
        };
        each.map(worth).collect()
    }

    /// What needs no look: a game that is over, and the last checkers.
    fn known(&self, board: &Board, chances: &Chances) -> Option<Vec<f64>> {
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
                .map(|state| state.points_of(pair))
                .collect(),
        )
    }
}

/// The place of a state in a list, in which it may be new.
fn number(states: &mut Vec<View>, state: View) -> usize {
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

    use super::super::super::cube::Owner;
    use super::super::super::net::Nets;
    use super::*;
    use crate::Nodes;

    fn side(points: &[(usize, u8)]) -> Side {
        let mut counts = [0; 26];
        points.iter().for_each(|(point, n)| counts[*point] += n);
        counts[0] = 15 - counts.iter().sum::<u8>();
        Side::from_counts(&counts).expect("fifteen checkers")
    }

    #[test]
    fn what_is_looked_ahead_is_what_is_known_of_the_last_checkers() {
        let mut search = Search::new(Arc::new(Eval::new(&Nets::house())));
        let sides = [
            side(&[(6, 1), (4, 2)]),
            side(&[(1, 4)]),
            side(&[(5, 1), (2, 1)]),
            side(&[(6, 2), (3, 3), (1, 1)]),
        ];
        for mover in sides {
            for other in sides {
                let board = Board::new(mover, other).expect("homes do not meet");
                for owner in [Owner::Nobody, Owner::Me] {
                    let view = View {
                        stakes: Stakes::Money,
                        value: 1,
                        owner,
                        gammons: true,
                    };
                    let known = Offer::exact(&view, &board).expect("few checkers");
                    for plies in 1..=2 {
                        let (found, _) = search
                            .offer(&view, &board, plies, &mut Nodes(u64::MAX))
                            .expect("no limit");
                        // It answers for the most wins, which with the cube is not always best.
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
