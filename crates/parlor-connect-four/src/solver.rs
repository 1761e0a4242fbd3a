//! Exact values of positions on boards of up to 64 bits, such as 7x6, 8x7 and 9x6.
//!
//! ```
//! use parlor_connect_four::{Board, Rules};
//! use parlor_connect_four::solver::{ExactSolver, ProvenValue};
//!
//! let board = Board::from_moves(Rules::STANDARD, "2252576253462244111563365343671351441")?;
//! let mut solver = ExactSolver::new();
//! assert_eq!(solver.value(&board, &mut |_| false), Ok(ProvenValue::Loss));
//! assert_eq!(solver.score(&board, &mut |_| false), Ok(-1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Method
//! Alpha-beta search in negamax form with a window of one point. The threats of all moves are
//! computed at once with shifts. A node considers only moves that do not lose at once; moves with
//! more threats come first, then those nearer to the middle. Mirrored positions share an entry of
//! the table. If every column has an even number of empty slots, the seat not on turn can answer
//! each disc with one on top of it. If the other seat then has no possible line left, it cannot
//! win, and the position is decided without a search.
//!
//! # Scores
//! Scores are those of other published solvers: 0 for a draw, `n` for a win with the winner's
//! `n`-th last disc, so 1 for the last and 18 for the fourth on the standard board, and the
//! negative of that for a loss. The score of the empty standard board is 1: the first seat wins
//! with the 41st disc of the game.

mod search;
mod table;

use parlor_core::Position;

use crate::geometry::{AnyLayout, Layout, SearchNode, StandardLayout};
use crate::{Board, BoardBits, Move, Rules, Stacks};

use self::search::{Proof, Unfinished};
use self::table::BoundTable;

/// Value of a position under perfect play, for the seat to move.
///
/// Ordered by the seat's preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProvenValue {
    /// The other seat can force a win, or has won.
    Loss,
    /// Neither seat can force a win.
    Draw,
    /// The seat to move can force a win.
    Win,
}

impl ProvenValue {
    /// Returns the value of a score: its sign.
    pub const fn from_score(score: i32) -> ProvenValue {
        match score {
            ..0 => ProvenValue::Loss,
            0 => ProvenValue::Draw,
            1.. => ProvenValue::Win,
        }
    }

    /// Returns the payoff of the seat to move: 1 for a win, 0 for a draw, -1 for a loss.
    pub const fn payoff(self) -> i8 {
        match self {
            ProvenValue::Loss => -1,
            ProvenValue::Draw => 0,
            ProvenValue::Win => 1,
        }
    }

    /// Returns the same position's value for the other seat.
    pub const fn reversed(self) -> ProvenValue {
        match self {
            ProvenValue::Loss => ProvenValue::Win,
            ProvenValue::Draw => ProvenValue::Draw,
            ProvenValue::Win => ProvenValue::Loss,
        }
    }
}

/// Reason why a position was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolved {
    /// The board has more than 64 bits.
    #[error(
        "a board of {columns}x{rows} is too large to solve: columns times rows plus one is at most 64"
    )]
    TooLarge {
        /// Number of columns.
        columns: u8,
        /// Number of rows.
        rows: u8,
    },
    /// The search was stopped.
    #[error("the position was not solved in the time given")]
    Stopped,
}

/// Exact solver, which keeps its table until the size of the board changes.
///
/// Each query takes a closure `stop`, which is called periodically with the number of positions
/// visited by the query and ends the search by returning true.
///
/// Results do not depend on earlier queries; only the time does.
#[derive(Clone, Debug)]
pub struct ExactSolver {
    table: BoundTable,
    rules: Option<Rules>,
    visited: u64,
}

impl Default for ExactSolver {
    fn default() -> ExactSolver {
        ExactSolver::new()
    }
}

/// Evaluates an expression with the search for the position's board size.
macro_rules! with_proof {
    ($solver:ident, $stacks:ident, $stop:ident, $proof:ident => $body:expr) => {{
        $solver.visited = 0;
        if $solver.rules != Some($stacks.rules()) {
            $solver.table.clear();
            $solver.rules = Some($stacks.rules());
        }
        if $stacks.rules() == Rules::STANDARD {
            let mut $proof = Proof::new(StandardLayout, &mut $solver.table, $stop);
            let result = $body;
            $solver.visited = $proof.visited;
            result
        } else {
            let mut $proof = Proof::new(AnyLayout($stacks.rules()), &mut $solver.table, $stop);
            let result = $body;
            $solver.visited = $proof.visited;
            result
        }
    }};
}

impl ExactSolver {
    /// Returns the size of the table in bytes.
    pub fn memory(&self) -> usize {
        self.table.memory()
    }

    /// Creates a solver with a table of 2 MiB, which is enough for all 7x6 positions except
    /// openings.
    pub fn new() -> ExactSolver {
        ExactSolver::with_table(BoundTable::MIN_BITS)
    }

    /// Creates a solver with a table of `2^bits` times 32 bytes, at least 2 MiB.
    pub fn with_table(bits: u32) -> ExactSolver {
        ExactSolver {
            table: BoundTable::new(bits),
            rules: None,
            visited: 0,
        }
    }

    /// Returns true if boards of this size can be solved, given enough time.
    pub const fn accepts(rules: Rules) -> bool {
        Stacks::<u64>::fits(rules)
    }

    /// Returns the number of positions visited by the last query.
    pub const fn visited(&self) -> u64 {
        self.visited
    }

    /// Clears the table.
    pub fn forget(&mut self) {
        self.table.clear();
    }

    /// Returns the value of a position for the seat to move; in a finished game for the seat that
    /// would be next.
    ///
    /// # Errors
    /// If the board is too large, or `stop` returns true.
    pub fn value(
        &mut self,
        board: &Board,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Result<ProvenValue, Unsolved> {
        let stacks = small(board)?;
        if let Some(score) = final_score(stacks) {
            return Ok(ProvenValue::from_score(score));
        }
        let value =
            with_proof!(self, stacks, stop, proof => value(&mut proof, SearchNode::new(stacks)));
        value.map_err(|Unfinished| Unsolved::Stopped)
    }

    /// Returns the score of a position for the seat to move; see [Scores](self#scores).
    ///
    /// # Errors
    /// If the board is too large, or `stop` returns true.
    pub fn score(
        &mut self,
        board: &Board,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Result<i32, Unsolved> {
        let stacks = small(board)?;
        if let Some(score) = final_score(stacks) {
            return Ok(score);
        }
        let score =
            with_proof!(self, stacks, stop, proof => score(&mut proof, SearchNode::new(stacks)));
        score.map_err(|Unfinished| Unsolved::Stopped)
    }

    /// Returns a move that keeps the value of a position, and the value; `None` if the game is
    /// over.
    ///
    /// This is the first such move found, not necessarily the quickest way to win.
    ///
    /// # Errors
    /// If the board is too large, or `stop` returns true.
    pub fn good_move(
        &mut self,
        board: &Board,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<(Move, ProvenValue)>, Unsolved> {
        let stacks = small(board)?;
        if stacks.turn().is_over() {
            return Ok(None);
        }
        let found = with_proof!(self, stacks, stop, proof => good_disc(&mut proof, SearchNode::new(stacks)));
        let (disc, value) = found.map_err(|Unfinished| Unsolved::Stopped)?;
        Ok(Some((stacks.move_of(disc), value)))
    }

    /// Returns a move that keeps the score of a position, and the score; `None` if the game is
    /// over.
    ///
    /// The move wins as soon as possible, or loses as late as possible.
    ///
    /// # Errors
    /// If the board is too large, or `stop` returns true.
    pub fn best_move(
        &mut self,
        board: &Board,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<(Move, i32)>, Unsolved> {
        let stacks = small(board)?;
        if stacks.turn().is_over() {
            return Ok(None);
        }
        let found = with_proof!(self, stacks, stop, proof => best_disc(&mut proof, SearchNode::new(stacks)));
        let (disc, score) = found.map_err(|Unfinished| Unsolved::Stopped)?;
        Ok(Some((stacks.move_of(disc), score)))
    }
}

fn small(board: &Board) -> Result<&Stacks<u64>, Unsolved> {
    match board.bits() {
        BoardBits::Bits64(stacks) => Ok(stacks),
        BoardBits::Bits128(_) | BoardBits::Bits192(_) => Err(Unsolved::TooLarge {
            columns: board.rules().columns(),
            rows: board.rules().rows(),
        }),
    }
}

/// Returns the score of a finished game; `None` while it goes on.
fn final_score(stacks: &Stacks<u64>) -> Option<i32> {
    let left = i32::from(stacks.rules().slots()) - i32::from(stacks.plies());
    let outcome = stacks.turn().outcome()?;
    Some(if outcome.winner().is_some() {
        -(left / 2 + 1)
    } else {
        0
    })
}

fn value<L: Layout>(
    proof: &mut Proof<'_, L>,
    node: SearchNode<u64>,
) -> Result<ProvenValue, Unfinished> {
    if proof.geometry.wins(node) != 0 || proof.search(node, 0, 1)? > 0 {
        return Ok(ProvenValue::Win);
    }
    let score = proof.search(node, -1, 0)?;
    Ok(ProvenValue::from_score(score))
}

/// Determines the score by bisection, starting with its sign.
fn score<L: Layout>(proof: &mut Proof<'_, L>, node: SearchNode<u64>) -> Result<i32, Unfinished> {
    let left = proof.geometry.left(node);
    if proof.geometry.wins(node) != 0 {
        return Ok((left + 1) / 2);
    }
    let (mut low, mut high) = (-(left / 2), (left - 1) / 2);
    while low < high {
        let mut middle = low + (high - low) / 2;
        if middle <= 0 && low / 2 < middle {
            middle = low / 2;
        } else if middle >= 0 && high / 2 > middle {
            middle = high / 2;
        }
        let found = proof.search(node, middle, middle + 1)?;
        if found <= middle {
            high = found;
        } else {
            low = found;
        }
    }
    Ok(low)
}

/// Returns a disc that keeps the value of a position that is not over, and the value.
fn good_disc<L: Layout>(
    proof: &mut Proof<'_, L>,
    node: SearchNode<u64>,
) -> Result<(u64, ProvenValue), Unfinished> {
    let sensible = proof.geometry.sensible(node);
    let first = sensible.as_slice()[0];
    if proof.geometry.wins(node) != 0 {
        return Ok((first, ProvenValue::Win));
    }
    if proof.geometry.safe_landings(node) == 0 {
        let full = proof.geometry.left(node) == 1;
        return Ok((
            first,
            if full {
                ProvenValue::Draw
            } else {
                ProvenValue::Loss
            },
        ));
    }
    // Moves that win according to the table come first, so that nothing is proven twice.
    for known in [true, false] {
        for &disc in sensible.as_slice() {
            let child = node.after(disc);
            if proof.is_known_loss(child) == known && proof.search(child, -1, 0)? < 0 {
                return Ok((disc, ProvenValue::Win));
            }
        }
    }
    for &disc in sensible.as_slice() {
        if proof.search(node.after(disc), 0, 1)? <= 0 {
            return Ok((disc, ProvenValue::Draw));
        }
    }
    Ok((first, ProvenValue::Loss))
}

/// Returns a disc that keeps the score of a position that is not over, and the score.
fn best_disc<L: Layout>(
    proof: &mut Proof<'_, L>,
    node: SearchNode<u64>,
) -> Result<(u64, i32), Unfinished> {
    let best = score(proof, node)?;
    let sensible = proof.geometry.sensible(node);
    let first = sensible.as_slice()[0];
    if proof.geometry.wins(node) != 0 || proof.geometry.safe_landings(node) == 0 {
        return Ok((first, best));
    }
    for &disc in sensible.as_slice() {
        if proof.search(node.after(disc), -best, 1 - best)? <= -best {
            return Ok((disc, best));
        }
    }
    Ok((first, best))
}
