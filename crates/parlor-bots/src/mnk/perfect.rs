//! Proven perfect play.

use parlor_core::random_below;
use parlor_tictactoe::mnk::{
    Board, BoardShape, Cell,
    solver::{self, GameValue, Solver, SolverError},
};
use rand_xoshiro::rand_core::SeedableRng;

use super::AlphaBeta;
use crate::{Budget, Choice, Info, Nodes, Prng, Strategy};

/// Plays a best move.
///
/// On boards of up to [`DISTANCE_CELLS`](solver::DISTANCE_CELLS) cells it wins as fast and loses as
/// slowly as possible, and chooses among equal moves at random. On larger ones, among the moves
/// that keep the value, it prefers the one of an alpha-beta search, which avoids needless delay.
///
/// It ignores the budget; a proof takes less than a second.
pub struct Perfect {
    seed: u64,
    rng: Prng,
    solver: Solver,
    taste: AlphaBeta,
}

impl Perfect {
    /// Maximum number of cells of a board on which every position is solved within a second.
    pub const MAX_CELLS: u16 = 25;
    /// Maximum number of cells of a board on which every position is solved at once.
    pub const QUICK_CELLS: u16 = 20;
    const TASTE: Nodes = Nodes(5_000);

    /// Creates a strategy that chooses among equal moves by this seed.
    pub fn new(seed: u64) -> Perfect {
        let taste = AlphaBeta::with_table(13);
        Perfect {
            seed,
            rng: Prng::seed_from_u64(seed),
            solver: Solver::new(),
            taste,
        }
    }

    /// Checks that every position of this shape is solved within a second.
    ///
    /// # Errors
    /// The reason, as a sentence.
    pub fn suits(shape: BoardShape) -> Result<(), String> {
        match solver::check_limits(shape) {
            Err(SolverError::TooManySeats(_)) => {
                Err("perfect play is known only for two seats".to_owned())
            }
            Ok(()) if shape.cells() <= Self::MAX_CELLS => Ok(()),
            Ok(()) | Err(_) => Err(format!(
                "perfect play is known only on boards of up to {} cells and {} a side",
                Self::MAX_CELLS,
                solver::MAX_SIDE,
            )),
        }
    }

    /// Returns true if level 5 plays this shape perfectly: every position is solved at once.
    pub(super) fn is_quick(shape: BoardShape) -> bool {
        Self::suits(shape).is_ok() && shape.cells() <= Self::QUICK_CELLS
    }

    fn prefer(&mut self, board: &Board, moves: &[Cell]) -> Option<Cell> {
        if board.rules().shape().cells() > solver::DISTANCE_CELLS {
            let liked = self
                .taste
                .choose(board, &mut { Self::TASTE })
                .map(|choice| choice.mv);
            if liked.is_some_and(|cell| moves.contains(&cell)) {
                return liked;
            }
        }
        moves
            .get(random_below(&mut self.rng, moves.len() as u32) as usize)
            .copied()
    }
}

impl Strategy<Board> for Perfect {
    fn name(&self) -> String {
        "perfect".to_owned()
    }

    /// Returns `None` also if the board is too large to be solved; see [`Perfect::suits`].
    fn choose(&mut self, board: &Board, _: &mut dyn Budget) -> Option<Choice<Cell>> {
        let value = self.solver.value(board).ok()?;
        let moves = self.solver.best_moves(board).ok()?;
        let mv = self.prefer(board, &moves)?;
        let plies = self.solver.plies_to_win(board).ok().flatten().unwrap_or(0);
        let worth = match value {
            GameValue::Loss => -1.0,
            GameValue::Draw => 0.0,
            GameValue::Win => 1.0,
        };
        let info = Info {
            nodes: 0,
            value: Some(worth),
            exact: true,
            depth: u32::from(plies),
            line: vec![mv],
        };
        Some(Choice { mv, info })
    }

    fn forget(&mut self) {
        *self = Perfect::new(self.seed);
    }
}
