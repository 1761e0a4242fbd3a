//! Play that is proven to be best.

use parlor_core::{Position, below};
use parlor_tictactoe::mnk::{
    Board, Shape,
    solver::{self, Solver, SolverError, Value},
};
use rand_xoshiro::rand_core::SeedableRng;

use crate::{Budget, Choice, Info, Prng, Strategy};

/// Plays a best move, chosen at random among equals: on small boards the quickest win and the slowest loss.
///
/// It thinks as long as the proof takes and asks no budget.
pub struct Perfect {
    seed: u64,
    rng: Prng,
    solver: Solver,
}

impl Perfect {
    /// The most cells of a board on which every position is solved at once.
    pub const MAX_CELLS: u16 = 16;

    /// A strategy that chooses among equals by this seed.
    pub fn new(seed: u64) -> Perfect {
        Perfect { seed, rng: Prng::seed_from_u64(seed), solver: Solver::new() }
    }

    /// Whether every position of this shape is solved at once.
    ///
    /// # Errors
    /// Why not.
    pub fn suits(shape: Shape) -> Result<(), String> {
        match solver::accepts(shape) {
            Err(SolverError::TooManySeats(_)) => Err("perfect play is known only for two seats".to_owned()),
            Ok(()) if shape.cells() <= Self::MAX_CELLS => Ok(()),
            Ok(()) | Err(_) => Err(format!("perfect play is known only on boards of up to {} cells", Self::MAX_CELLS)),
        }
    }
}

impl Strategy<Board> for Perfect {
    fn name(&self) -> String {
        "perfect".to_owned()
    }

    /// `None` also when the board is too large to be solved, see [`Perfect::suits`].
    fn choose(&mut self, board: &Board, _: &mut dyn Budget) -> Option<Choice<<Board as Position>::Move>> {
        let value = self.solver.value(board).ok()?;
        let moves = self.solver.best_moves(board).ok()?;
        let mv = *moves.get(below(&mut self.rng, moves.len() as u32) as usize)?;
        let plies = self.solver.plies_to_win(board).ok().flatten().unwrap_or(0);
        let worth = match value {
            Value::Loss => -1.0,
            Value::Draw => 0.0,
            Value::Win => 1.0,
        };
        let info = Info { nodes: 0, value: Some(worth), exact: true, depth: u32::from(plies), line: vec![mv] };
        Some(Choice { mv, info })
    }

    fn forget(&mut self) {
        *self = Perfect::new(self.seed);
    }
}
