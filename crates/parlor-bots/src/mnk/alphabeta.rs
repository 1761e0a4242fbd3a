//! Alpha-beta search for m,n,k games of two seats.

use parlor_core::Turn;
use parlor_tictactoe::mnk::{BoardShape, Cell, MnkPosition};

use super::transposition::{Bound, TranspositionEntry, TranspositionTable};
use super::windows::Windows;
use crate::{Budget, Choice, Info, Strategy};

/// Score of a win now; a win in n plies scores n less. Estimates stay far below.
const WIN: i32 = 1_000_000;
/// Scores beyond this are wins.
const WON: i32 = WIN - 10_000;
/// Maximum number of cells of a board that is searched without leaving out moves.
const NARROW: u16 = 36;
/// Number of moves searched on larger boards: those with the highest weight.
const WIDTH: usize = 20;
/// Maximum number of forcing moves in a row in the search for a forced win.
const FORCING: u32 = 10;
/// Maximum number of nodes of one search for a forced win, at the root and at a leaf.
const FORCING_NODES: [u64; 2] = [5_000, 60];

/// Iterative deepening alpha-beta with a transposition table, killer moves and history, for two
/// seats.
///
/// It counts, for both seats, the windows of k cells in which only one of them has stones. A threat
/// to complete a run is answered without using up depth, and wins by a series of such threats are
/// found beyond the horizon. If the search covers everything that matters, the value is exact and
/// the search stops.
///
/// It is deterministic; one node of the budget is one position searched.
///
/// ```
/// use parlor_bots::{Nodes, Strategy, mnk::AlphaBeta};
/// use parlor_core::Notation;
/// use parlor_tictactoe::mnk::{Board, Cell};
/// let board = Board::from_text("5x5x4 XO XXX../OO.../O..../...../.....")?;
/// let choice = AlphaBeta::new().choose(&board, &mut Nodes(1_000)).expect("a seat is to move");
/// assert_eq!((choice.mv, choice.info.value), (Cell::new(0, 3), Some(1.0)));
/// # Ok::<(), parlor_core::NotationError>(())
/// ```
pub struct AlphaBeta {
    bits: u32,
    memory: Option<AlphaBetaMemory>,
}

/// Data kept from one move to the next.
struct AlphaBetaMemory {
    shape: BoardShape,
    table: TranspositionTable,
    /// For each seat and cell, how often the move caused a cutoff.
    history: [Vec<i32>; 2],
}

impl AlphaBeta {
    /// Creates a search with an empty table.
    pub const fn new() -> AlphaBeta {
        AlphaBeta::with_table(18)
    }

    /// Creates a search with a table of `1 << bits` positions of 24 bytes, for searches of few
    /// nodes or very many. The table is allocated with the first move.
    pub const fn with_table(bits: u32) -> AlphaBeta {
        AlphaBeta { bits, memory: None }
    }

    fn memory_for(&mut self, shape: BoardShape) -> &mut AlphaBetaMemory {
        if self
            .memory
            .as_ref()
            .is_none_or(|memory| memory.shape != shape)
        {
            let cells = usize::from(shape.cells());
            let history = [vec![0; cells], vec![0; cells]];
            self.memory = Some(AlphaBetaMemory {
                shape,
                table: TranspositionTable::new(self.bits),
                history,
            });
        }
        self.memory.as_mut().expect("the memory was just made")
    }
}

impl Default for AlphaBeta {
    fn default() -> Self {
        AlphaBeta::new()
    }
}

impl<F: MnkPosition> Strategy<F> for AlphaBeta {
    fn name(&self) -> String {
        "alphabeta".to_owned()
    }

    /// Returns `None` also if the game has more than two seats.
    fn choose(&mut self, field: &F, budget: &mut dyn Budget) -> Option<Choice<Cell>> {
        let Turn::Move(_) = field.turn() else {
            return None;
        };
        if field.shape().seats() != 2 {
            return None;
        }
        let memory = self.memory_for(field.shape());
        memory
            .history
            .iter_mut()
            .flatten()
            .for_each(|merit| *merit /= 8);
        let board = Windows::from_position(field);
        let killers = vec![[u16::MAX; 2]; usize::from(board.left) + 1];
        let mut search = AlphaBetaSearch {
            board,
            memory,
            budget,
            nodes: 0,
            stopped: false,
            killers,
            moves: Vec::new(),
        };
        Some(search.deepen())
    }

    fn forget(&mut self) {
        self.memory = None;
    }

    fn memory(&self) -> usize {
        self.memory
            .as_ref()
            .map_or(0, |memory| memory.table.memory())
    }
}

/// Search for one move.
struct AlphaBetaSearch<'a> {
    board: Windows,
    memory: &'a mut AlphaBetaMemory,
    budget: &'a mut dyn Budget,
    nodes: u64,
    stopped: bool,
    /// By ply, the last two moves that caused a cutoff.
    killers: Vec<[u16; 2]>,
    /// Move lists of all plies, one after the other.
    moves: Vec<(i32, u16)>,
}

/// Score for the seat to move, and whether it is proven within the window.
#[derive(Clone, Copy)]
struct ProvenScore {
    score: i32,
    proven: bool,
}

impl ProvenScore {
    const DRAW: ProvenScore = ProvenScore {
        score: 0,
        proven: true,
    };
    const LEAST: ProvenScore = ProvenScore {
        score: -WIN,
        proven: true,
    };

    fn proven(score: i32) -> ProvenScore {
        ProvenScore {
            score,
            proven: true,
        }
    }

    /// Returns the score for the other seat one ply earlier: wins are one ply further away.
    fn before(self) -> ProvenScore {
        ProvenScore {
            score: later(-self.score),
            ..self
        }
    }
}

/// Returns a score as seen one ply earlier.
fn later(score: i32) -> i32 {
    if score.abs() > WON {
        score - score.signum()
    } else {
        score
    }
}

/// Returns the inverse of [`later`].
fn sooner(score: i32) -> i32 {
    if score.abs() > WON {
        score + score.signum()
    } else {
        score
    }
}

impl AlphaBetaSearch<'_> {
    fn deepen(&mut self) -> Choice<Cell> {
        let (mut best, mut found, mut depth) = (self.quick_move(), None, 0);
        let won = self.forced_win(FORCING_NODES[0]);
        if let Some((cell, plies)) = won {
            (best, found, depth) = (cell, Some(ProvenScore::proven(WIN - plies)), plies as u32);
        }
        let deepest = u32::from(self.board.left);
        for next in 1..=deepest {
            let settled =
                found.is_some_and(|score: ProvenScore| score.proven || score.score.abs() > WON);
            if settled || self.budget.spent(self.nodes) {
                break;
            }
            let score = self.search(next as i32, -WIN, WIN, 0);
            if self.stopped {
                break;
            }
            (found, depth) = (Some(score), next);
            best = self
                .memory
                .table
                .get(self.board.key)
                .map_or(best, |entry| entry.best);
        }
        self.choice(best, found, depth)
    }

    /// Returns a move without searching: a win, a block, or the cell with the highest weight.
    fn quick_move(&mut self) -> u16 {
        let (own, other) = (self.board.mover, 1 - self.board.mover);
        let urgent = self
            .board
            .completing(own)
            .or_else(|| self.board.completing(other));
        let (start, _) = self.list(0, None);
        let first = self.moves.get(start).map(|&(_, cell)| cell);
        self.moves.truncate(start);
        let any = || (0..self.board.count()).find(|&cell| self.board.is_empty(cell));
        urgent
            .map(|(cell, _)| cell)
            .or(first)
            .or_else(any)
            .expect("a game that goes on has an empty cell")
    }

    fn choice(&mut self, best: u16, found: Option<ProvenScore>, depth: u32) -> Choice<Cell> {
        let value = found.map(|found| match found {
            ProvenScore { score, .. } if score > WON => 1.0,
            ProvenScore { score, .. } if score < -WON => -1.0,
            ProvenScore {
                score: 0,
                proven: true,
            } => 0.0,
            ProvenScore { score, .. } => (f64::from(score) / 2_000.0).tanh() * 0.95,
        });
        let exact = found.is_some_and(|found| found.proven);
        let line = self.line(best, depth.max(1));
        let info = Info {
            nodes: self.nodes,
            value,
            exact,
            depth,
            line,
        };
        Choice {
            mv: self.board.cell(best),
            info,
        }
    }

    /// Returns the expected moves, as far as the table contains them.
    fn line(&mut self, first: u16, plies: u32) -> Vec<Cell> {
        let mut line = vec![first];
        self.board.place(first);
        while line.len() < plies as usize
            && self.board.left > 0
            && self.board.live(1 - self.board.mover, self.board.k) == 0
        {
            let known = self
                .memory
                .table
                .get(self.board.key)
                .map(|entry| entry.best);
            let urgent = self
                .board
                .completing(self.board.mover)
                .map(|(cell, _)| cell);
            let Some(next) = urgent.or(known).filter(|&cell| self.board.is_empty(cell)) else {
                break;
            };
            line.push(next);
            self.board.place(next);
        }
        line.iter().rev().for_each(|&cell| self.board.unplace(cell));
        line.into_iter().map(|cell| self.board.cell(cell)).collect()
    }

    /// Negamax search within a window, for a board on which neither seat has a run. The score is
    /// meaningless once `stopped`.
    fn search(&mut self, depth: i32, alpha: i32, beta: i32, ply: usize) -> ProvenScore {
        self.nodes += 1;
        if ply > 0 && self.budget.spent(self.nodes) {
            self.stopped = true;
            return ProvenScore::DRAW;
        }
        let (own, other) = (self.board.mover, 1 - self.board.mover);
        if ply > 0 && self.board.live(own, self.board.k - 1) > 0 {
            return ProvenScore::proven(WIN - 1);
        }
        if self.board.left == 0 || (ply > 0 && self.board.open == [0, 0]) {
            return ProvenScore::DRAW;
        }
        // A seat that has no open window left cannot win.
        if ply > 0
            && ((self.board.open[own] == 0 && alpha >= 0)
                || (self.board.open[other] == 0 && beta <= 0))
        {
            return ProvenScore::DRAW;
        }
        match self.board.completing(other).filter(|_| ply > 0) {
            Some((_, Some(_))) => return ProvenScore::proven(2 - WIN),
            Some((cell, None)) => return self.play(cell, depth, alpha, beta, ply),
            None => {}
        }
        if depth <= 0 {
            return self.evaluate();
        }
        let known = self.memory.table.get(self.board.key);
        if ply > 0
            && let Some(score) = known.and_then(|entry| usable(entry, depth, alpha, beta))
        {
            return score;
        }
        self.try_all(depth, alpha, beta, ply, known.map(|entry| entry.best))
    }

    /// Tries the moves in order, each but the first with a null window first.
    fn try_all(
        &mut self,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: usize,
        hint: Option<u16>,
    ) -> ProvenScore {
        let (start, narrowed) = self.list(ply, hint);
        let (mut best, mut best_move) = (ProvenScore::LEAST, self.moves[start].1);
        let mut all_proven = !narrowed;
        let mut low = alpha;
        for at in start..self.moves.len() {
            let cell = self.moves[at].1;
            let score = if at == start {
                self.play(cell, depth - 1, low, beta, ply)
            } else {
                let probe = self.play(cell, depth - 1, low, low + 1, ply);
                let again = probe.score > low && probe.score < beta && !self.stopped;
                if again {
                    self.play(cell, depth - 1, low, beta, ply)
                } else {
                    probe
                }
            };
            if self.stopped {
                break;
            }
            all_proven &= score.proven;
            if score.score > best.score || at == start {
                (best, best_move) = (score, cell);
            }
            low = low.max(score.score);
            if low >= beta {
                self.remember_refutation(cell, depth, ply);
                break;
            }
        }
        self.moves.truncate(start);
        if self.stopped {
            return ProvenScore::DRAW;
        }
        // A lower bound needs one proven move, anything else the proof of all.
        let wins = best.score > WON;
        best.proven = if best.score >= beta || wins {
            best.proven
        } else {
            all_proven
        };
        let bound = if best.score >= beta {
            Bound::Lower
        } else if best.score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        let entry = TranspositionEntry {
            key: self.board.key,
            score: best.score,
            best: best_move,
            depth: depth.min(i32::from(i8::MAX)) as i8,
            bound,
            proven: best.proven,
        };
        self.memory.table.put(entry);
        best
    }

    /// Returns the score of a move, for the seat that plays it.
    fn play(&mut self, cell: u16, depth: i32, alpha: i32, beta: i32, ply: usize) -> ProvenScore {
        let seat = self.board.mover;
        self.board.place(cell);
        let score = if self.board.live(seat, self.board.k) > 0 {
            ProvenScore::proven(WIN - 1)
        } else {
            self.search(depth, -sooner(beta), -sooner(alpha), ply + 1)
                .before()
        };
        self.board.unplace(cell);
        score
    }

    fn evaluate(&mut self) -> ProvenScore {
        if let Some((_, plies)) = self.forced_win(FORCING_NODES[1]) {
            return ProvenScore::proven(WIN - plies);
        }
        let (own, other) = (self.board.mover, 1 - self.board.mover);
        // Being on turn is worth about half a stone more in one's own windows.
        let score = self.board.sum[own] + self.board.sum[own] / 4 - self.board.sum[other];
        ProvenScore {
            score: score.clamp(1 - WON / 2, WON / 2 - 1),
            proven: false,
        }
    }

    /// Appends moves to `moves`, the most promising first. Returns the start of the list, and
    /// whether moves were left out that might be better.
    ///
    /// If the other seat is one short of a run, only the cells that stop it are listed; otherwise
    /// all cells that matter, since the rest are equivalent to a pass.
    fn list(&mut self, ply: usize, hint: Option<u16>) -> (usize, bool) {
        let start = self.moves.len();
        let seat = self.board.mover;
        if let Some((cell, second)) = self.board.completing(1 - seat) {
            self.moves.extend(
                [Some(cell), second]
                    .into_iter()
                    .flatten()
                    .map(|cell| (0, cell)),
            );
            return (start, false);
        }
        let killers = self.killers.get(ply).copied().unwrap_or([u16::MAX; 2]);
        for cell in 0..self.board.count() {
            if !self.board.is_empty(cell) {
                continue;
            }
            let matters = self.board.matters(cell, seat);
            if matters == 0 {
                continue;
            }
            let merit = matters + self.memory.history[seat][usize::from(cell)].min(matters);
            let merit = if killers.contains(&cell) {
                merit + merit / 2
            } else {
                merit
            };
            self.moves
                .push((if Some(cell) == hint { i32::MAX } else { merit }, cell));
        }
        let first = |a: &(i32, u16), b: &(i32, u16)| b.0.cmp(&a.0).then(a.1.cmp(&b.1));
        let narrowed = self.board.count() > NARROW && self.moves.len() > start + WIDTH;
        if narrowed {
            self.moves[start..].select_nth_unstable_by(WIDTH, first);
            self.moves.truncate(start + WIDTH);
        }
        self.moves[start..].sort_unstable_by(first);
        if self.moves.len() == start {
            // Only at the root, where a drawn game is played to its end.
            self.moves.extend(
                (0..self.board.count())
                    .find(|&cell| self.board.is_empty(cell))
                    .map(|cell| (0, cell)),
            );
        }
        (start, narrowed)
    }

    fn remember_refutation(&mut self, cell: u16, depth: i32, ply: usize) {
        let seat = self.board.mover;
        let merit = &mut self.memory.history[seat][usize::from(cell)];
        *merit = (*merit + depth * depth).min(1 << 20);
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != cell
        {
            *killers = [cell, killers[0]];
        }
    }

    /// Returns the first move and the number of plies of a win by consecutive threats to complete a
    /// run.
    fn forced_win(&mut self, nodes: u64) -> Option<(u16, i32)> {
        let mut left = nodes;
        self.force(FORCING, &mut left)
    }

    fn force(&mut self, threats: u32, left: &mut u64) -> Option<(u16, i32)> {
        let (own, other, k) = (self.board.mover, 1 - self.board.mover, self.board.k);
        if let Some((cell, _)) = self.board.completing(own) {
            return Some((cell, 1));
        }
        let must = match self.board.completing(other) {
            Some((_, Some(_))) => return None,
            must => must.map(|(cell, _)| cell),
        };
        if threats == 0 || *left == 0 || k < 2 || self.board.live(own, k - 2) == 0 {
            return None;
        }
        let start = self.moves.len();
        self.moves
            .extend(threatening(&self.board, own, must).map(|cell| (0, cell)));
        self.moves[start..].sort_unstable();
        let mut found = None;
        for at in start..self.moves.len() {
            let cell = self.moves[at].1;
            if at > start && self.moves[at - 1].1 == cell {
                continue;
            }
            found = self
                .threaten(cell, threats, left)
                .map(|plies| (cell, plies + 2));
            if found.is_some() || *left == 0 {
                break;
            }
        }
        self.moves.truncate(start);
        found
    }

    /// Returns the plies to a forced win after this threat and its answer, if there is one.
    fn threaten(&mut self, cell: u16, threats: u32, left: &mut u64) -> Option<i32> {
        *left = left.saturating_sub(1);
        self.nodes += 1;
        let own = self.board.mover;
        self.board.place(cell);
        let plies = match self.board.completing(own) {
            Some((_, Some(_))) => Some(1),
            Some((answer, None)) => {
                self.board.place(answer);
                let plies = self.force(threats - 1, left).map(|(_, plies)| plies);
                self.board.unplace(answer);
                plies
            }
            None => None,
        };
        self.board.unplace(cell);
        plies
    }
}

/// Iterates over the cells that bring a seat to one short of a run, with repetitions; only `must`
/// if there is one.
fn threatening(board: &Windows, seat: usize, must: Option<u16>) -> impl Iterator<Item = u16> {
    let windows = board.live_windows(seat, board.k - 2);
    windows
        .flat_map(|w| board.gaps(w))
        .filter(move |&cell| must.is_none_or(|must| must == cell))
}

/// Returns the score of a table entry if it is sufficient for this depth and window.
fn usable(entry: TranspositionEntry, depth: i32, alpha: i32, beta: i32) -> Option<ProvenScore> {
    let deep = entry.proven || i32::from(entry.depth) >= depth;
    let tells = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    };
    (deep && tells).then_some(ProvenScore {
        score: entry.score,
        proven: entry.proven,
    })
}
