//! Opponents of five strengths, with mistakes a person might make.

use parlor_core::{Position, below};
use parlor_tictactoe::mnk::{Board, Cell, Rules};
use rand_xoshiro::rand_core::SeedableRng;

use super::threats::{Near, Urgent, urgent};
use super::{AlphaBeta, Perfect, factory};
use crate::{AtMost, Budget, Choice, Level, Prng, Strategy};

/// How attentive a level is; chances in percent.
struct Habits {
    /// To see that a stone here wins.
    sees_win: u32,
    /// To see that the next seat would win.
    sees_block: u32,
    /// To play somewhere near the others' stones instead of thinking.
    careless: u32,
    /// Nodes per thought: alpha-beta with two seats, tree search with more.
    nodes: [u64; 2],
}

impl Habits {
    /// On large boards a node takes longer, and there are fewer of them.
    fn nodes_for(&self, rules: &Rules) -> u64 {
        let cells = u64::from(rules.shape().cells());
        match rules.seats() {
            2 => self.nodes[0] * 225 / cells.max(225),
            _ => self.nodes[1] * 36 / cells.max(36),
        }
    }
}

const HABITS: [Habits; 5] = [
    Habits {
        sees_win: 75,
        sees_block: 35,
        careless: 85,
        nodes: [30, 30],
    },
    Habits {
        sees_win: 95,
        sees_block: 80,
        careless: 45,
        nodes: [60, 100],
    },
    Habits {
        sees_win: 100,
        sees_block: 96,
        careless: 22,
        nodes: [300, 400],
    },
    Habits {
        sees_win: 100,
        sees_block: 99,
        careless: 10,
        nodes: [1_500, 1_500],
    },
    Habits {
        sees_win: 100,
        sees_block: 100,
        careless: 0,
        nodes: [60_000, 5_000],
    },
];

/// An opponent of a given strength for m,n,k games.
///
/// The lower levels overlook wins and threats, and now and then do not think at all. Level 5 does neither: it is perfect
/// where the game is solved at once (up to [`Perfect::QUICK_CELLS`] cells), and as strong as the house plays elsewhere.
pub struct Leveled {
    level: Level,
    seed: u64,
    rng: Prng,
    thinker: Box<dyn Strategy<Board>>,
}

impl Leveled {
    /// An opponent for games under these rules.
    pub fn new(level: Level, rules: &Rules, seed: u64) -> Leveled {
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
        Leveled {
            level,
            seed,
            rng: rng(level, seed),
            thinker,
        }
    }

    fn chance(&mut self, percent: u32) -> bool {
        below(&mut self.rng, 100) < percent
    }

    /// A move without a thought: near the stones, but not one that has been overlooked.
    fn careless(&mut self, board: &Board, overlooked: &[Cell]) -> Option<Cell> {
        let moves = board.legal_moves();
        let stones = Near::stones(board);
        let near = |cell: &&Cell| stones.contains(**cell) && !overlooked.contains(cell);
        let mut tempting: Vec<Cell> = moves.iter().filter(near).copied().collect();
        if tempting.is_empty() {
            tempting = moves;
        }
        let count = tempting.len() as u32;
        (count > 0).then(|| tempting[below(&mut self.rng, count) as usize])
    }

    /// What a level does before it thinks: the urgent thing, or a mistake. `None` when it does think.
    fn reflex(&mut self, board: &Board, habits: &Habits) -> Option<Cell> {
        match urgent(board) {
            Some(Urgent::Win(cells)) if self.chance(habits.sees_win) => cells.first().copied(),
            Some(Urgent::Block(cells)) if self.chance(habits.sees_block) => {
                Some(cells[below(&mut self.rng, cells.len() as u32) as usize])
            }
            Some(Urgent::Win(cells) | Urgent::Block(cells)) => self.careless(board, &cells),
            None if self.chance(habits.careless) => self.careless(board, &[]),
            None => None,
        }
    }
}

fn rng(level: Level, seed: u64) -> Prng {
    Prng::seed_from_u64(seed ^ u64::from(level.number()) << 56)
}

impl Strategy<Board> for Leveled {
    fn name(&self) -> String {
        format!("level:{}", self.level.number())
    }

    fn choose(&mut self, board: &Board, budget: &mut dyn Budget) -> Option<Choice<Cell>> {
        board.turn().seat()?;
        let habits = &HABITS[usize::from(self.level.number()) - 1];
        if self.level < Level::HIGHEST
            && let Some(cell) = self.reflex(board, habits)
        {
            return Some(Choice::blind(cell));
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
}
