//! Play that is proven to be best.

use parlor_core::below;
use parlor_tictactoe::mnk::{
    Board, Cell, Shape,
    solver::{self, Solver, SolverError, Value},
};
use rand_xoshiro::rand_core::SeedableRng;

use super::AlphaBeta;
use crate::{Budget, Choice, Info, Nodes, Prng, Strategy};

/// Plays a best move.
///
/// On boards of up to [`DISTANCE_CELLS`](solver::DISTANCE_CELLS) cells a win is the quickest and a loss the slowest, and equal
/// moves are chosen at random. On larger ones, of the moves that keep the value, it prefers the one that an alpha-beta search
/// would play, which does not dawdle.
///
/// It asks no budget; a proof takes less than a second.
pub struct Perfect {
    seed: u64,
    rng: Prng,
    solver: Solver,
    taste: AlphaBeta,
}

impl Perfect {
    /// The most cells of a board on which every position is solved soon.
    pub const MAX_CELLS: u16 = 25;
    /// The most cells of a board on which every position is solved at once.
    pub const QUICK_CELLS: u16 = 20;
    const TASTE: Nodes = Nodes(5_000);

    /// A strategy that chooses among equals by this seed.
    pub fn new(seed: u64) -> Perfect {
        let taste = AlphaBeta::with_table(13);
        Perfect {
            seed,
            rng: Prng::seed_from_u64(seed),
            solver: Solver::new(),
            taste,
        }
    }

    /// Whether every position of this shape is solved soon.
    ///
    /// # Errors
    /// Why not.
    pub fn suits(shape: Shape) -> Result<(), String> {
        match solver::accepts(shape) {
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

    /// Whether level 5 of this shape is perfect: every position is solved at once.
    pub(super) fn is_quick(shape: Shape) -> bool {
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
            .get(below(&mut self.rng, moves.len() as u32) as usize)
            .copied()
    }
}

impl Strategy<Board> for Perfect {
    fn name(&self) -> String {
        "perfect".to_owned()
    }

    /// `None` also when the board is too large to be solved, see [`Perfect::suits`].
    fn choose(&mut self, board: &Board, _: &mut dyn Budget) -> Option<Choice<Cell>> {
        let value = self.solver.value(board).ok()?;
        let moves = self.solver.best_moves(board).ok()?;
        let mv = self.prefer(board, &moves)?;
        let plies = self.solver.plies_to_win(board).ok().flatten().unwrap_or(0);
        let worth = match value {
            Value::Loss => -1.0,
            Value::Draw => 0.0,
            Value::Win => 1.0,
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
