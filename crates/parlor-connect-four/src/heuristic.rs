//! Depth-limited search with a heuristic estimate, for boards and positions that cannot be solved.
//!
//! ```
//! use parlor_connect_four::heuristic::HeuristicSearch;
//! use parlor_connect_four::{Board, Move, Rules};
//!
//! let board = Board::from_moves(Rules::new(8, 8, 4)?, "454545")?;
//! let mut search = HeuristicSearch::new();
//! let found = search.choose(&board, 8, &mut |_| false).expect("the game goes on");
//! assert_eq!((found.mv, found.proven), (Move::new(3), true), "four in a column");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The estimate counts the lines still possible through each disc, and the slots that would
//! complete a line. If the number of rows is even, slots in odd rows, counted from 1 at the bottom,
//! are worth more to the first seat and slots in even rows to the second: these are the slots each
//! seat gets once all others are filled.

mod estimate;

use parlor_core::Position;

use crate::bits::BitWord;
use crate::geometry::{AnyLayout, BoardGeometry, Layout, SearchNode};
use crate::solver::ProvenValue;
use crate::{Board, BoardBits, Move, Rules, Stacks};

use self::estimate::Weights;

/// Score of a win, before subtracting the number of discs on the board at that point.
const WIN: i32 = 10_000;
/// Scores above this, or below its negative, are wins and losses found by the search.
const SURE: i32 = WIN - 200;
/// Number of positions between calls of `stop`.
const ASK_EVERY: u64 = 256;

/// Result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenMove {
    /// Best move found.
    pub mv: Move,
    /// Expected payoff of the seat to move, from -1 to 1.
    pub payoff: f64,
    /// True if `payoff` is the value of the position under perfect play.
    pub proven: bool,
    /// Number of plies searched in full.
    pub depth: u32,
    /// Number of positions visited.
    pub visited: u64,
}

impl ChosenMove {
    /// Returns the result for a move that keeps the known value of a position.
    pub(crate) fn proven(mv: Move, value: ProvenValue) -> ChosenMove {
        ChosenMove {
            mv,
            payoff: f64::from(value.payoff()),
            proven: true,
            depth: 0,
            visited: 0,
        }
    }
}

/// Iterative-deepening alpha-beta search, which keeps its table of positions until the size of the
/// board changes.
#[derive(Clone, Debug)]
pub struct HeuristicSearch {
    table: Vec<TableEntry>,
    rules: Option<Rules>,
}

impl Default for HeuristicSearch {
    fn default() -> HeuristicSearch {
        HeuristicSearch::new()
    }
}

impl HeuristicSearch {
    /// Creates a search with a table of 2 MiB.
    pub fn new() -> HeuristicSearch {
        HeuristicSearch::with_table(17)
    }

    /// Creates a search with a table of `2^bits` entries of 16 bytes.
    pub fn with_table(bits: u32) -> HeuristicSearch {
        HeuristicSearch {
            table: vec![TableEntry::default(); 1 << bits.clamp(1, 30)],
            rules: None,
        }
    }

    /// Clears the table.
    pub fn forget(&mut self) {
        self.rules = None;
    }

    /// Returns the size of the table in bytes.
    pub fn memory(&self) -> usize {
        size_of_val(self.table.as_slice())
    }

    /// Chooses a move by searching ever deeper, up to `depth` plies, until `stop`, which is called
    /// periodically with the number of positions visited, returns true. `None` if the game is over.
    pub fn choose(
        &mut self,
        board: &Board,
        depth: u32,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<ChosenMove> {
        if self.rules != Some(board.rules()) {
            self.rules = Some(board.rules());
            self.table.fill(TableEntry::default());
        }
        match board.bits() {
            BoardBits::Bits64(stacks) => self.deepen(stacks, depth, stop),
            BoardBits::Bits128(stacks) => self.deepen(stacks, depth, stop),
            BoardBits::Bits192(stacks) => self.deepen(stacks, depth, stop),
        }
    }

    fn deepen<W: BitWord>(
        &mut self,
        stacks: &Stacks<W>,
        depth: u32,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<ChosenMove> {
        stacks.turn().seat()?;
        let geometry = BoardGeometry::new(AnyLayout(stacks.rules()));
        let mut walk = Walk {
            weights: Weights::new(&geometry),
            geometry,
            table: &mut self.table,
            stop,
            visited: 0,
        };
        let node = SearchNode::new(stacks);
        let left = geometry.left(node) as u32;
        let mut discs = geometry.sensible(node).as_slice().to_vec();
        let mut found = ChosenMove {
            mv: stacks.move_of(discs[0]),
            payoff: 0.0,
            proven: false,
            depth: 0,
            visited: 0,
        };
        for depth in 1..=depth.clamp(1, left) {
            let Some((best, score)) = walk.root(node, &discs, depth as i32) else {
                break;
            };
            // Try the best move of this depth first at the next.
            discs.retain(|&disc| disc != best);
            discs.insert(0, best);
            found = ChosenMove {
                mv: stacks.move_of(best),
                payoff: payoff(score),
                proven: score.abs() > SURE || depth == left,
                depth,
                visited: 0,
            };
            if found.proven {
                break;
            }
        }
        found.visited = walk.visited;
        Some(found)
    }
}

/// Returns the expected payoff for a score.
fn payoff(score: i32) -> f64 {
    if score.abs() > SURE {
        f64::from(score.signum())
    } else {
        (f64::from(score) / 60.0).tanh()
    }
}

/// Entry of the table: bound on a score.
#[derive(Clone, Copy, Debug, Default)]
struct TableEntry {
    key: u64,
    score: i16,
    /// Plies searched below the position; 0 for no entry.
    depth: u8,
    /// Bit of the slot of the best move.
    best: u8,
    kind: EntryKind,
}

impl TableEntry {
    /// Returns the stored score if it is sufficient for this depth and window.
    fn answer(&self, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
        let score = i32::from(self.score);
        let fits = match self.kind {
            EntryKind::Exact => true,
            EntryKind::AtLeast => score >= beta,
            EntryKind::AtMost => score <= alpha,
        };
        (fits && (i32::from(self.depth) >= depth || score.abs() > SURE)).then_some(score)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum EntryKind {
    #[default]
    Exact,
    AtLeast,
    AtMost,
}

/// State of one search.
struct Walk<'a, W> {
    geometry: BoardGeometry<W, AnyLayout>,
    weights: Weights<W>,
    table: &'a mut [TableEntry],
    stop: &'a mut dyn FnMut(u64) -> bool,
    visited: u64,
}

impl<W: BitWord> Walk<'_, W> {
    /// Returns the best of these moves and its score; `None` if the search was stopped.
    fn root(&mut self, node: SearchNode<W>, discs: &[W], depth: i32) -> Option<(W, i32)> {
        let mut best = None;
        let mut alpha = -WIN;
        for &disc in discs {
            let score = if self.geometry.layout.has_line(node.own | disc) {
                WIN - 1 - node.plies as i32
            } else {
                -self.search(node.after(disc), depth - 1, -WIN, -alpha)?
            };
            if best.is_none() || score > alpha {
                best = Some((disc, score));
                alpha = score;
            }
        }
        best
    }

    /// Returns the score of a position for the seat to move; `None` if the search was stopped. No
    /// seat may have won.
    fn search(
        &mut self,
        node: SearchNode<W>,
        depth: i32,
        mut alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        self.visited += 1;
        if self.visited.is_multiple_of(ASK_EVERY) && (self.stop)(self.visited) {
            return None;
        }
        if self.geometry.left(node) == 0 {
            return Some(0);
        }
        if !self.geometry.wins(node).is_zero() {
            return Some(WIN - 1 - node.plies as i32);
        }
        let moves = self.geometry.safe_landings(node);
        if moves.is_zero() {
            let last = self.geometry.left(node) == 1;
            return Some(if last { 0 } else { node.plies as i32 + 2 - WIN });
        }
        if depth <= 0 {
            return Some(self.estimate(node));
        }
        let key = self.geometry.key(node).fold();
        let at = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize % self.table.len();
        let entry = self.table[at];
        let known = entry.depth > 0 && entry.key == key;
        if known && let Some(score) = entry.answer(depth, alpha, beta) {
            return Some(score);
        }
        let mut discs = self.geometry.ordered(node, moves);
        if known {
            let hint = W::bit(u32::from(entry.best));
            let at = discs.as_slice().iter().position(|&disc| disc == hint);
            discs.as_mut_slice()[..=at.unwrap_or(0)].rotate_right(1);
        }
        let (mut best, mut choice, low) = (-WIN, W::ZERO, alpha);
        for &disc in discs.as_slice() {
            let score = -self.search(node.after(disc), depth - 1, -beta, -alpha)?;
            if score > best {
                (best, choice) = (score, disc);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        self.table[at] = TableEntry {
            key,
            score: best as i16,
            depth: depth.min(255) as u8,
            best: choice.lowest() as u8,
            kind: match best {
                _ if best >= beta => EntryKind::AtLeast,
                _ if best <= low => EntryKind::AtMost,
                _ => EntryKind::Exact,
            },
        };
        Some(best)
    }

    fn estimate(&self, node: SearchNode<W>) -> i32 {
        let empty = self.geometry.empty(node.filled);
        let threats = |discs| self.geometry.layout.completing(discs) & empty;
        self.weights
            .estimate(node, threats(node.own), threats(node.other()))
    }
}
