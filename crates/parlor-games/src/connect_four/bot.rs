//! Bots of Connect Four: five levels, and the individual search algorithms.

use std::sync::Arc;

use parlor_bots::{
    AtMost, Budget, Choice, Crew, Info, Level, Mcts, Prng, Random, Spec, Strategy, Unsuitable,
};
use parlor_connect_four::heuristic::{ChosenMove, HeuristicSearch};
use parlor_connect_four::master::Master;
use parlor_connect_four::{Board, Move};
use parlor_core::{Position, random_below};
use rand_xoshiro::rand_core::SeedableRng;

use crate::bots::Bots;

/// Number of positions that count as one node of a budget. A position takes about a sixteenth of
/// the time of a node in other games.
const POSITIONS_PER_NODE: u64 = 16;

/// Factory of Connect Four's bots.
pub(super) struct ConnectFourBots;

impl Bots<Board> for ConnectFourBots {
    fn offers(&self, _: &Board) -> Vec<Spec> {
        let others = [
            Spec::Random,
            Spec::Mcts { nodes: None },
            Spec::AlphaBeta { nodes: None },
        ];
        Level::all().map(Spec::Level).chain(others).collect()
    }

    fn check(&self, spec: Spec, _: &Board) -> Result<(), Unsuitable> {
        match spec {
            Spec::Perfect => Err(Unsuitable {
                spec,
                reason: "level:5 is perfect where this game is solved".to_owned(),
            }),
            _ => Ok(()),
        }
    }

    fn build(
        &self,
        spec: Spec,
        board: &Board,
        seed: u64,
        _: Arc<dyn Crew>,
    ) -> Result<Box<dyn Strategy<Board>>, Unsuitable> {
        self.check(spec, board)?;
        Ok(match spec {
            Spec::Level(Level::HIGHEST) => Box::new(MasterBot::default()),
            Spec::Level(level) => Box::new(LeveledBot::new(level, seed)),
            Spec::AlphaBeta { nodes } => Box::new(SearchBot::new(nodes)),
            Spec::Mcts { nodes } => Box::new(TreeSearchBot::new(nodes, seed)),
            Spec::Random | Spec::Perfect => Box::new(Random::new(seed)),
        })
    }
}

/// Converts the result of the search to a choice.
fn choice(found: ChosenMove) -> Choice<Move> {
    let info = Info {
        nodes: found.visited / POSITIONS_PER_NODE,
        value: Some(found.payoff),
        exact: found.proven,
        depth: found.depth,
        line: vec![found.mv],
    };
    Choice { mv: found.mv, info }
}

/// Level 5: opening book, solver and search.
#[derive(Default)]
struct MasterBot {
    master: Master,
}

impl MasterBot {
    /// Limit per move, in nodes.
    const NODES: u64 = 200_000;
}

impl Strategy<Board> for MasterBot {
    fn name(&self) -> String {
        Spec::Level(Level::HIGHEST).to_string()
    }

    fn choose(&mut self, board: &Board, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        let mut budget = AtMost {
            nodes: Self::NODES,
            inner: budget,
        };
        let mut stop = |positions| budget.spent(positions / POSITIONS_PER_NODE);
        self.master.choose(board, &mut stop).map(choice)
    }

    fn forget(&mut self) {
        self.master.forget();
    }

    fn memory(&self) -> usize {
        self.master.memory()
    }
}

/// Alpha-beta search without book and solver.
struct SearchBot {
    nodes: Option<u64>,
    search: HeuristicSearch,
}

impl SearchBot {
    fn new(nodes: Option<u64>) -> SearchBot {
        SearchBot {
            nodes,
            search: HeuristicSearch::new(),
        }
    }
}

impl Strategy<Board> for SearchBot {
    fn name(&self) -> String {
        Spec::AlphaBeta { nodes: self.nodes }.to_string()
    }

    fn choose(&mut self, board: &Board, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        let mut budget = AtMost {
            nodes: self.nodes.unwrap_or(u64::MAX),
            inner: budget,
        };
        let mut stop = |positions| budget.spent(positions / POSITIONS_PER_NODE);
        self.search.choose(board, u32::MAX, &mut stop).map(choice)
    }

    fn forget(&mut self) {
        self.search.forget();
    }

    fn memory(&self) -> usize {
        self.search.memory()
    }
}

/// Monte Carlo tree search with its own limit.
struct TreeSearchBot {
    nodes: Option<u64>,
    search: Mcts<Board>,
}

impl TreeSearchBot {
    fn new(nodes: Option<u64>, seed: u64) -> TreeSearchBot {
        TreeSearchBot {
            nodes,
            search: Mcts::new(seed),
        }
    }
}

impl Strategy<Board> for TreeSearchBot {
    fn name(&self) -> String {
        Spec::Mcts { nodes: self.nodes }.to_string()
    }

    fn choose(&mut self, board: &Board, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        let mut budget = AtMost {
            nodes: self.nodes.unwrap_or(u64::MAX),
            inner: budget,
        };
        self.search.choose(board, &mut budget)
    }

    fn forget(&mut self) {
        self.search.forget();
    }

    fn memory(&self) -> usize {
        self.search.memory()
    }
}

/// Attention of a lower level; probabilities in percent.
struct Attention {
    /// Probability of noticing a winning move.
    win: u32,
    /// Probability of noticing a win threatened by the other seat.
    block: u32,
    /// Probability of a random move instead of a search.
    careless: u32,
    /// Plies looked ahead.
    depth: u32,
}

const ATTENTION: [Attention; 4] = [
    Attention {
        win: 75,
        block: 40,
        careless: 80,
        depth: 1,
    },
    Attention {
        win: 95,
        block: 85,
        careless: 40,
        depth: 2,
    },
    Attention {
        win: 100,
        block: 98,
        careless: 15,
        depth: 4,
    },
    Attention {
        win: 100,
        block: 100,
        careless: 4,
        depth: 8,
    },
];

/// Levels 1 to 4: they search a few plies deep, overlook threats, and sometimes move at random.
struct LeveledBot {
    level: Level,
    seed: u64,
    rng: Prng,
    search: HeuristicSearch,
}

impl LeveledBot {
    fn new(level: Level, seed: u64) -> LeveledBot {
        LeveledBot {
            level,
            seed,
            rng: Prng::seed_from_u64(seed ^ u64::from(level.number()) << 56),
            search: HeuristicSearch::with_table(12),
        }
    }

    fn happens(&mut self, percent: u32) -> bool {
        random_below(&mut self.rng, 100) < percent
    }

    /// Returns a random move other than the overlooked one, if there is another.
    fn careless(&mut self, board: &Board, overlooked: Option<Move>) -> Option<Move> {
        let mut moves = board.legal_moves();
        if moves.len() > 1 {
            moves.retain(|&m| Some(m) != overlooked);
        }
        let count = u32::try_from(moves.len()).ok()?;
        moves
            .get(random_below(&mut self.rng, count) as usize)
            .copied()
    }

    /// Returns an obvious or random move; `None` to search.
    fn reflex(&mut self, board: &Board, attention: &Attention) -> Option<Move> {
        if let Some(win) = board.winning_move() {
            let seen = self.happens(attention.win);
            return if seen {
                Some(win)
            } else {
                self.careless(board, Some(win))
            };
        }
        if let Some(block) = board.blocking_move() {
            let seen = self.happens(attention.block);
            return if seen {
                Some(block)
            } else {
                self.careless(board, Some(block))
            };
        }
        let careless = self.happens(attention.careless);
        careless.then(|| self.careless(board, None)).flatten()
    }
}

impl Strategy<Board> for LeveledBot {
    fn name(&self) -> String {
        Spec::Level(self.level).to_string()
    }

    fn choose(&mut self, board: &Board, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        board.turn().seat()?;
        let attention = &ATTENTION[usize::from(self.level.number() - 1).min(ATTENTION.len() - 1)];
        if let Some(m) = self.reflex(board, attention) {
            return Some(Choice::new(m));
        }
        let mut stop = |positions| budget.spent(positions / POSITIONS_PER_NODE);
        self.search
            .choose(board, attention.depth, &mut stop)
            .map(choice)
    }

    fn forget(&mut self) {
        *self = LeveledBot::new(self.level, self.seed);
    }

    fn memory(&self) -> usize {
        self.search.memory()
    }
}
