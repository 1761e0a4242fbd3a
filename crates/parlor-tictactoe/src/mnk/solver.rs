//! The exact value of positions of small boards with two seats.
//!
//! ```
//! use parlor_core::Notation;
//! use parlor_tictactoe::mnk::{Board, Cell, Rules, solver::{self, Value}};
//!
//! assert_eq!(solver::solve(&Board::new(Rules::classic()))?, Value::Draw);
//! let board = Board::from_text("3x3x3 XO XX./OO./...")?;
//! assert_eq!(solver::best_moves(&board)?, [Cell::new(0, 2)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Two questions settle a position: can the seat to move force a win, and if not, can the other? Each is a
//! search for yes or no (`proof`) with a table of positions that are equal up to the symmetries of the board
//! (`squares`). On boards of up to [`DISTANCE_CELLS`] cells every line of play is followed to the end instead
//! (`distance`), so that a win is the quickest and a loss the slowest.
//!
//! From the empty board most shapes within the limits take a fraction of a second on one core, 7x4 with four in a
//! row as one of the hardest about a second.

mod distance;
mod proof;
mod squares;

use parlor_core::{Position, Seat};

use self::distance::Distances;
use self::proof::Prover;
use self::squares::Squares;
use super::{Board, Cell, Shape};

/// The most rows, and the most columns, that the solver accepts.
pub const MAX_SIDE: u8 = 7;
/// The most cells that the solver accepts.
pub const MAX_CELLS: u16 = 36;
/// Up to this many cells a win is the quickest and a loss the slowest.
pub const DISTANCE_CELLS: u16 = 12;
/// How many positions one call may look at before it gives up, unless [`Solver::with_limit`] says otherwise.
pub const DEFAULT_LIMIT: u64 = 20_000_000;

/// What a position is worth to the seat to move under perfect play of both.
///
/// The order is the seat's preference: a loss is less than a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The other seat can force a win, or has won.
    Loss,
    /// Neither can force a win.
    Draw,
    /// The seat to move can force a win.
    Win,
}

impl Value {
    /// The same from the other seat's view.
    pub const fn reversed(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

/// Why a position is not solved.
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
    /// More than two seats.
    #[error("a game of {0} seats has no exact value: only games of 2 seats are solved")]
    TooManySeats(u8),
    /// The search took too long.
    #[error("the position is not solved within {limit} positions looked at")]
    TooHard {
        /// How many positions one call may look at.
        limit: u64,
    },
}

/// The value of a position; for several positions of one game keep a [`Solver`].
///
/// # Errors
/// When the position is beyond the limits of this module.
pub fn solve(board: &Board) -> Result<Value, SolverError> {
    Solver::new().value(board)
}

/// All best moves of a position, see [`Solver::best_moves`].
///
/// # Errors
/// When the position is beyond the limits of this module.
pub fn best_moves(board: &Board) -> Result<Vec<Cell>, SolverError> {
    Solver::new().best_moves(board)
}

/// Checks that a board of this shape is within the limits.
///
/// # Errors
/// [`SolverError::TooManySeats`] or [`SolverError::TooLarge`].
pub fn accepts(shape: Shape) -> Result<(), SolverError> {
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

/// Solves positions and remembers what it found, for as long as the board's shape stays the same.
///
/// The answers do not depend on what was asked before; only the time does.
#[derive(Debug)]
pub struct Solver {
    limit: u64,
    memory: Option<Memory>,
}

#[derive(Debug)]
struct Memory {
    shape: Shape,
    distances: Distances,
    prover: Prover,
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}

impl Solver {
    /// A solver that remembers nothing yet.
    pub const fn new() -> Solver {
        Solver::with_limit(DEFAULT_LIMIT)
    }

    /// A solver whose calls give up after looking at `limit` positions each.
    pub const fn with_limit(limit: u64) -> Solver {
        Solver {
            limit,
            memory: None,
        }
    }

    /// The value for the seat to move; in a finished game for the seat whose turn it would be.
    ///
    /// # Errors
    /// When the position is beyond the limits of this module.
    pub fn value(&mut self, board: &Board) -> Result<Value, SolverError> {
        let memory = self.memory(board)?;
        memory.prover.refill();
        let position = Squares::of(board);
        if is_small(board) {
            return Ok(memory.distances.value(position).value());
        }
        if let Some(outcome) = board.turn().outcome() {
            return Ok(if outcome.winner().is_some() {
                Value::Loss
            } else {
                Value::Draw
            });
        }
        if memory.prover.mover_wins(position)? {
            return Ok(Value::Win);
        }
        Ok(if memory.prover.other_wins(position)? {
            Value::Loss
        } else {
            Value::Draw
        })
    }

    /// In how many plies the game ends when the winner hurries and the loser holds out; `None` for a draw, and on
    /// boards of more than [`DISTANCE_CELLS`] cells.
    ///
    /// # Errors
    /// When the position is beyond the limits of this module.
    pub fn plies_to_win(&mut self, board: &Board) -> Result<Option<u16>, SolverError> {
        let memory = self.memory(board)?;
        if !is_small(board) {
            return Ok(None);
        }
        Ok(memory.distances.value(Squares::of(board)).plies())
    }

    /// All moves that keep the value, row by row; none when the game is over.
    ///
    /// On boards of up to [`DISTANCE_CELLS`] cells only those that win quickest or lose slowest. On larger ones every
    /// move of a lost position is a best move.
    ///
    /// # Errors
    /// When the position is beyond the limits of this module.
    pub fn best_moves(&mut self, board: &Board) -> Result<Vec<Cell>, SolverError> {
        let value = self.value(board)?;
        let moves = board.legal_moves();
        if value == Value::Loss && !is_small(board) {
            return Ok(moves);
        }
        let memory = self.memory(board)?;
        let position = Squares::of(board);
        let mut best = Vec::new();
        for cell in moves {
            let child = position.after(cell);
            let keeps = if is_small(board) {
                memory.distances.value(position) == memory.distances.value(child).one_ply_earlier()
            } else if value == Value::Win {
                memory.prover.other_wins(child)?
            } else {
                !memory.prover.mover_wins(child)?
            };
            if keeps {
                best.push(cell);
            }
        }
        Ok(best)
    }

    fn memory(&mut self, board: &Board) -> Result<&mut Memory, SolverError> {
        let shape = board.rules().shape();
        accepts(shape)?;
        let limit = self.limit;
        let fresh = || Memory {
            shape,
            distances: Distances::new(shape),
            prover: Prover::new(shape, limit),
        };
        match &mut self.memory {
            Some(memory) if memory.shape == shape => {}
            stale => *stale = Some(fresh()),
        }
        Ok(self.memory.as_mut().expect("the memory was just made"))
    }
}

fn is_small(board: &Board) -> bool {
    board.rules().shape().cells() <= DISTANCE_CELLS
}

/// The seat to move, or whose turn it would be.
fn next_seat(board: &Board) -> Seat {
    if board.stones().is_multiple_of(2) {
        Seat::FIRST
    } else {
        Seat::SECOND
    }
}
