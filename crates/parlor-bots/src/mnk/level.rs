//! Opponents of five strengths that make human mistakes.

use parlor_core::{Position, random_below};
use parlor_tictactoe::mnk::{Board, Cell, Rules};
use rand_xoshiro::rand_core::SeedableRng;

use super::threats::{NearbyCells, UrgentCells, urgent_cells};
use super::{AlphaBeta, Perfect, factory};
use crate::{AtMost, Budget, Choice, Level, Prng, Strategy};

/// Attentiveness of a level; chances in percent.
struct MnkLevelSettings {
    /// Chance to see a winning cell.
    sees_win: u32,
    /// Chance to see that the next seat would win.
    sees_block: u32,
    /// Chance to play somewhere near the stones instead of searching.
    careless: u32,
    /// Nodes per search: alpha-beta with two seats, tree search with more.
    nodes: [u64; 2],
}

impl MnkLevelSettings {
    /// Returns the nodes per search, fewer on large boards, where each takes longer.
    fn nodes_for(&self, rules: &Rules) -> u64 {
        let cells = u64::from(rules.shape().cells());
        match rules.seats() {
            2 => self.nodes[0] * 225 / cells.max(225),
            _ => self.nodes[1] * 36 / cells.max(36),
        }
    }
}

const LEVELS: [MnkLevelSettings; 5] = [
    MnkLevelSettings {
        sees_win: 75,
        sees_block: 35,
        careless: 85,
        nodes: [30, 30],
    },
    MnkLevelSettings {
        sees_win: 95,
        sees_block: 80,
        careless: 45,
        nodes: [60, 100],
    },
    MnkLevelSettings {
        sees_win: 100,
        sees_block: 96,
        careless: 22,
        nodes: [300, 400],
    },
    MnkLevelSettings {
        sees_win: 100,
        sees_block: 99,
        careless: 10,
        nodes: [1_500, 1_500],
    },
    MnkLevelSettings {
        sees_win: 100,
        sees_block: 100,
        careless: 0,
        nodes: [60_000, 5_000],
    },
];

/// Opponent of a given strength for m,n,k games.
///
/// The lower levels overlook wins and threats, and sometimes move without searching. Level 5 never
/// does: it is perfect where the game is solved at once (up to [`Perfect::QUICK_CELLS`] cells), and
/// as strong as possible elsewhere.
pub struct MnkOpponent {
    level: Level,
    seed: u64,
    rng: Prng,
    thinker: Box<dyn Strategy<Board>>,
}

impl MnkOpponent {
    /// Creates an opponent for games under these rules.
    pub fn new(level: Level, rules: &Rules, seed: u64) -> MnkOpponent {
        let solved = level == Level::HIGHEST && Perfect::is_quick(rules.shape());
        let thinker: Box<dyn Strategy<Board>> = if solved {
            Box::new(Perfect::new(seed))
        } else if rules.seats() == 2 {
            Box::new(AlphaBeta::with_table(if level == Level::HIGHEST {
                17
            } else {
                12
            }))
        } else {
            factory::tree_search(rules, seed)
        };
        MnkOpponent {
            level,
            seed,
            rng: rng(level, seed),
            thinker,
        }
    }

    fn chance(&mut self, percent: u32) -> bool {
        random_below(&mut self.rng, 100) < percent
    }

    /// Returns a move made without searching: near the stones, but not one that was overlooked.
    fn careless(&mut self, board: &Board, overlooked: &[Cell]) -> Option<Cell> {
        let moves = board.legal_moves();
        let stones = NearbyCells::around_stones(board);
        let near = |cell: &&Cell| stones.contains(**cell) && !overlooked.contains(cell);
        let mut tempting: Vec<Cell> = moves.iter().filter(near).copied().collect();
        if tempting.is_empty() {
            tempting = moves;
        }
        let count = tempting.len() as u32;
        (count > 0).then(|| tempting[random_below(&mut self.rng, count) as usize])
    }

    /// Returns a move made without searching: an urgent one, or a mistake. Returns `None` if the
    /// level searches instead.
    fn reflex(&mut self, board: &Board, habits: &MnkLevelSettings) -> Option<Cell> {
        match urgent_cells(board) {
            Some(UrgentCells::Win(cells)) if self.chance(habits.sees_win) => cells.first().copied(),
            Some(UrgentCells::Block(cells)) if self.chance(habits.sees_block) => {
                Some(cells[random_below(&mut self.rng, cells.len() as u32) as usize])
            }
            Some(UrgentCells::Win(cells) | UrgentCells::Block(cells)) => {
                self.careless(board, &cells)
            }
            None if self.chance(habits.careless) => self.careless(board, &[]),
            None => None,
        }
    }
}

fn rng(level: Level, seed: u64) -> Prng {
    Prng::seed_from_u64(seed ^ u64::from(level.number()) << 56)
}

impl Strategy<Board> for MnkOpponent {
    fn name(&self) -> String {
        format!("level:{}", self.level.number())
    }

    fn choose(&mut self, board: &Board, budget: &mut dyn Budget) -> Option<Choice<Cell>> {
        board.turn().seat()?;
        let habits = &LEVELS[usize::from(self.level.number()) - 1];
        if self.level < Level::HIGHEST
            && let Some(cell) = self.reflex(board, habits)
        {
            return Some(Choice::new(cell));
        }
        let nodes = habits.nodes_for(board.rules());
        self.thinker.choose(
            board,
            &mut AtMost {
                nodes,
                inner: budget,
            },
        )
    }

    fn forget(&mut self) {
        self.rng = rng(self.level, self.seed);
        self.thinker.forget();
    }

    fn memory(&self) -> usize {
        self.thinker.memory()
    }
}
