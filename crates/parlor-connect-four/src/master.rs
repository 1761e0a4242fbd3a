//! Strongest player of this crate, which combines the opening book, the exact solver and the
//! heuristic search.

use crate::book::OpeningBook;
use crate::heuristic::{ChosenMove, HeuristicSearch};
use crate::solver::{ExactSolver, ProvenValue};
use parlor_core::Position;

use crate::{Board, Move};

/// Number of positions that the first attempt at a proof may visit; it doubles with each further
/// attempt.
const FIRST_ATTEMPT: u64 = 1 << 16;
/// Ratio of the positions of a proof to those of the heuristic search before it.
const ESTIMATE_SHARE: u64 = 4;

/// The strongest player, which keeps its tables until the size of the board changes.
///
/// On the standard board it never gives away a win or a draw if it follows its book from the start;
/// elsewhere it does not if there is time for a proof. If time permits it wins as soon as possible
/// and loses as late as possible.
///
/// ```
/// use parlor_connect_four::master::Master;
/// use parlor_connect_four::{Board, Move, Rules};
///
/// let mut master = Master::new();
/// let start = Board::new(Rules::STANDARD);
/// let chosen = master.choose(&start, &mut |_| false).expect("the game goes on");
/// assert_eq!((chosen.mv, chosen.payoff, chosen.proven), (Move::new(3), 1.0, true));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Master {
    solver: ExactSolver,
    search: HeuristicSearch,
}

impl Master {
    /// Creates a player with empty tables.
    pub fn new() -> Master {
        Master::default()
    }

    /// Returns the size of all tables in bytes.
    pub fn memory(&self) -> usize {
        self.solver.memory() + self.search.memory()
    }

    /// Clears all tables.
    pub fn forget(&mut self) {
        self.solver.forget();
        self.search.forget();
    }

    /// Chooses a move before `stop`, which is called periodically with the number of positions
    /// visited, returns true. `None` if the game is over.
    pub fn choose(
        &mut self,
        board: &Board,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<ChosenMove> {
        if let Some((mv, value)) = OpeningBook::standard().find(board) {
            return Some(ChosenMove::proven(mv, value));
        }
        if !ExactSolver::accepts(board.rules()) {
            return self.search.choose(board, u32::MAX, stop);
        }
        let (mut visited, mut limit) = (0, FIRST_ATTEMPT);
        loop {
            let mut enough = |n| n >= limit / ESTIMATE_SHARE || stop(visited + n);
            let mut chosen = self.search.choose(board, u32::MAX, &mut enough)?;
            visited += chosen.visited;
            chosen.visited = visited;
            if chosen.proven || stop(visited) {
                return Some(chosen);
            }
            let proof = self
                .solver
                .good_move(board, &mut |n| n >= limit || stop(visited + n));
            visited += self.solver.visited();
            if let Ok(Some((mv, value))) = proof {
                let mut rest = |n| n >= limit || stop(visited + n);
                let mv = self.refined(board, mv, value, chosen.mv, &mut rest);
                visited += self.solver.visited();
                return Some(ChosenMove {
                    visited,
                    depth: chosen.depth,
                    ..ChosenMove::proven(mv, value)
                });
            }
            limit *= 2;
        }
    }

    /// Returns the best of the moves that keep the value of a position: the quickest win, the
    /// slowest loss, or the draw with the best estimate. If time runs out this is `proven`, or in a
    /// lost position the move with the best estimate.
    fn refined(
        &mut self,
        board: &Board,
        proven: Move,
        value: ProvenValue,
        promising: Move,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Move {
        let fallback = match value {
            ProvenValue::Win => proven,
            ProvenValue::Loss => promising,
            ProvenValue::Draw => {
                let mut after = *board;
                after.play_unchecked(&promising);
                let draws = self.solver.value(&after, stop) == Ok(ProvenValue::Draw);
                return if draws { promising } else { proven };
            }
        };
        match self.solver.best_move(board, stop) {
            Ok(Some((mv, _))) => mv,
            _ => fallback,
        }
    }
}
