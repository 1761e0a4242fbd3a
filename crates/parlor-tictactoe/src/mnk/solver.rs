//! Exact solver for small boards with two seats.
//!
//! ```
//! use parlor_core::Notation;
//! use parlor_tictactoe::mnk::{Board, Cell, Rules, solver::{self, GameValue}};
//!
//! assert_eq!(solver::solve(&Board::new(Rules::classic()))?, GameValue::Draw);
//! let board = Board::from_text("3x3x3 XO XX./OO./...")?;
//! assert_eq!(solver::best_moves(&board)?, [Cell::new(0, 2)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Two questions decide a position: can the seat to move force a win, and if not, can the other?
//! Each is answered by a proof search (`proof`) with a table of positions normalized by the
//! symmetries of the board (`squares`). Boards of up to [`DISTANCE_CELLS`] cells are searched
//! exhaustively instead (`distance`), so that wins are as quick and losses as slow as possible.
//!
//! From the empty board most shapes within the limits take a fraction of a second on one core; 7x4
//! with four in a row, one of the hardest, takes about a second.

mod distance;
mod proof;
mod squares;

use parlor_core::{Position, Seat};

use self::distance::Distances;
use self::proof::WinProver;
use self::squares::Squares;
use super::{Board, BoardShape, Cell};

/// Maximum number of rows and of columns that the solver accepts.
pub const MAX_SIDE: u8 = 7;
/// Maximum number of cells that the solver accepts.
pub const MAX_CELLS: u16 = 36;
/// Maximum number of cells for which the solver finds the quickest win and the slowest loss.
pub const DISTANCE_CELLS: u16 = 12;
/// Default number of positions that one call may visit; see [`Solver::with_limit`].
pub const DEFAULT_LIMIT: u64 = 20_000_000;

/// Value of a position for the seat to move, with perfect play by both.
///
/// Values are ordered by preference: a loss is less than a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameValue {
    /// The other seat can force a win, or has won.
    Loss,
    /// Neither seat can force a win.
    Draw,
    /// The seat to move can force a win.
    Win,
}

impl GameValue {
    /// Returns the value for the other seat.
    pub const fn reversed(self) -> GameValue {
        match self {
            GameValue::Loss => GameValue::Win,
            GameValue::Draw => GameValue::Draw,
            GameValue::Win => GameValue::Loss,
        }
    }
}

/// Error for a position that cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// The board has too many rows, columns or cells.
    #[error(
        "a {rows}x{columns} board is too large to solve: at most {MAX_SIDE} rows and columns and {MAX_CELLS} cells"
    )]
    TooLarge {
        /// Rows of the board.
        rows: u8,
        /// Columns of the board.
        columns: u8,
    },
    /// The game has more than two seats.
    #[error("games with {0} seats cannot be solved: only games with 2 seats can")]
    TooManySeats(u8),
    /// The search exceeded its limit.
    #[error("the position could not be solved within {limit} positions")]
    TooHard {
        /// Number of positions that one call may visit.
        limit: u64,
    },
}

/// Returns the value of a position. Keep a [`Solver`] to solve several positions of one game.
///
/// # Errors
/// Fails if the position is beyond the limits of this module.
pub fn solve(board: &Board) -> Result<GameValue, SolverError> {
    Solver::new().value(board)
}

/// Returns all best moves in a position; see [`Solver::best_moves`].
///
/// # Errors
/// Fails if the position is beyond the limits of this module.
pub fn best_moves(board: &Board) -> Result<Vec<Cell>, SolverError> {
    Solver::new().best_moves(board)
}

/// Checks that a board of this shape is within the solver's limits.
///
/// # Errors
/// [`SolverError::TooManySeats`] or [`SolverError::TooLarge`].
pub fn check_limits(shape: BoardShape) -> Result<(), SolverError> {
    if shape.seats() != 2 {
        return Err(SolverError::TooManySeats(shape.seats()));
    }
    if shape.rows() > MAX_SIDE || shape.columns() > MAX_SIDE || shape.cells() > MAX_CELLS {
        return Err(SolverError::TooLarge {
            rows: shape.rows(),
            columns: shape.columns(),
        });
    }
    Ok(())
}

/// A solver that caches its results as long as the board's shape stays the same.
///
/// Results do not depend on earlier calls; only the time taken does.
#[derive(Debug)]
pub struct Solver {
    limit: u64,
    cache: Option<SolverCache>,
}

#[derive(Debug)]
struct SolverCache {
    shape: BoardShape,
    distances: Distances,
    prover: WinProver,
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}

impl Solver {
    /// Creates a solver with an empty cache.
    pub const fn new() -> Solver {
        Solver::with_limit(DEFAULT_LIMIT)
    }

    /// Creates a solver whose calls give up after visiting `limit` positions each.
    pub const fn with_limit(limit: u64) -> Solver {
        Solver { limit, cache: None }
    }

    /// Returns the value for the seat to move; in a finished game, for the seat whose turn it would
    /// be.
    ///
    /// # Errors
    /// Fails if the position is beyond the limits of this module.
    pub fn value(&mut self, board: &Board) -> Result<GameValue, SolverError> {
        let cache = self.cache(board)?;
        cache.prover.reset_count();
        let position = Squares::from_board(board);
        if is_small(board) {
            return Ok(cache.distances.value(position).value());
        }
        if let Some(outcome) = board.turn().outcome() {
            return Ok(if outcome.winner().is_some() {
                GameValue::Loss
            } else {
                GameValue::Draw
            });
        }
        if cache.prover.mover_wins(position)? {
            return Ok(GameValue::Win);
        }
        Ok(if cache.prover.other_wins(position)? {
            GameValue::Loss
        } else {
            GameValue::Draw
        })
    }

    /// Returns the number of plies to the end if the winner hurries and the loser delays; `None`
    /// for a draw and on boards of more than [`DISTANCE_CELLS`] cells.
    ///
    /// # Errors
    /// Fails if the position is beyond the limits of this module.
    pub fn plies_to_win(&mut self, board: &Board) -> Result<Option<u16>, SolverError> {
        let cache = self.cache(board)?;
        if !is_small(board) {
            return Ok(None);
        }
        Ok(cache.distances.value(Squares::from_board(board)).plies())
    }

    /// Returns all moves that keep the value, row by row; none if the game is over.
    ///
    /// On boards of up to [`DISTANCE_CELLS`] cells, only the quickest wins and the slowest losses.
    /// On larger boards every move in a lost position counts as best.
    ///
    /// # Errors
    /// Fails if the position is beyond the limits of this module.
    pub fn best_moves(&mut self, board: &Board) -> Result<Vec<Cell>, SolverError> {
        let value = self.value(board)?;
        let moves = board.legal_moves();
        if value == GameValue::Loss && !is_small(board) {
            return Ok(moves);
        }
        let cache = self.cache(board)?;
        let position = Squares::from_board(board);
        let mut best = Vec::new();
        for cell in moves {
            let child = position.after(cell);
            let keeps = if is_small(board) {
                cache.distances.value(position) == cache.distances.value(child).one_ply_earlier()
            } else if value == GameValue::Win {
                cache.prover.other_wins(child)?
            } else {
                !cache.prover.mover_wins(child)?
            };
            if keeps {
                best.push(cell);
            }
        }
        Ok(best)
    }

    fn cache(&mut self, board: &Board) -> Result<&mut SolverCache, SolverError> {
        let shape = board.rules().shape();
        check_limits(shape)?;
        let limit = self.limit;
        let fresh = || SolverCache {
            shape,
            distances: Distances::new(shape),
            prover: WinProver::new(shape, limit),
        };
        match &mut self.cache {
            Some(cache) if cache.shape == shape => {}
            stale => *stale = Some(fresh()),
        }
        Ok(self.cache.as_mut().expect("the cache was just made"))
    }
}

fn is_small(board: &Board) -> bool {
    board.rules().shape().cells() <= DISTANCE_CELLS
}

/// Returns the seat to move, or whose turn it would be.
fn next_seat(board: &Board) -> Seat {
    if board.stones().is_multiple_of(2) {
        Seat::FIRST
    } else {
        Seat::SECOND
    }
}
