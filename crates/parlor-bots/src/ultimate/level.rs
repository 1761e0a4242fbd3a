//! Opponents of five strengths, with mistakes a person might make.

use parlor_core::{Position, Seat, below};
use parlor_tictactoe::ultimate::{Game, Move, Rules};
use rand_xoshiro::rand_core::SeedableRng;

use super::factory;
use super::keen::lines;
use super::state::bits;
use crate::{AtMost, Budget, Choice, Level, Prng, Strategy};

/// How attentive a level is; chances in percent.
struct Habits {
    /// To see that it can win a board.
    sees_win: u32,
    /// To see that the other could win the board.
    sees_block: u32,
    /// To play anywhere instead of thinking.
    careless: u32,
    /// Nodes per thought: with the net, and with playouts under rules that have none.
    nodes: [u64; 2],
}

const HABITS: [Habits; 5] = [
    Habits {
        sees_win: 50,
        sees_block: 25,
        careless: 95,
        nodes: [1, 20],
    },
    Habits {
        sees_win: 95,
        sees_block: 60,
        careless: 55,
        nodes: [2, 60],
    },
    Habits {
        sees_win: 100,
        sees_block: 90,
        careless: 22,
        nodes: [8, 200],
    },
    Habits {
        sees_win: 100,
        sees_block: 100,
        careless: 6,
        nodes: [100, 1_000],
    },
    Habits {
        sees_win: 100,
        sees_block: 100,
        careless: 0,
        nodes: [u64::MAX, 50_000],
    },
];

/// An opponent of a given strength for ultimate tic-tac-toe.
///
/// The lower levels overlook lines on the small boards, and now and then do not think at all. Level 5 does neither: it is as
/// strong as the house plays.
pub struct Leveled {
    level: Level,
    seed: u64,
    rng: Prng,
    nodes: u64,
    thinker: Box<dyn Strategy<Game>>,
}

impl Leveled {
    /// An opponent for games under these rules.
    pub fn new(level: Level, rules: &Rules, seed: u64) -> Leveled {
        let nodes = habits(level).nodes[usize::from(*rules != Rules::default())];
        Leveled {
            level,
            seed,
            rng: rng(level, seed),
            nodes,
            thinker: factory::tree_search(rules, seed),
        }
    }

    fn chance(&mut self, percent: u32) -> bool {
        below(&mut self.rng, 100) < percent
    }

    fn any(&mut self, moves: &[Move]) -> Option<Move> {
        let count = moves.len() as u32;
        (count > 0).then(|| moves[below(&mut self.rng, count) as usize])
    }

    /// What a level does before it thinks: a line, a block, or a mistake. `None` when it does think.
    fn reflex(&mut self, game: &Game, seat: Seat) -> Option<Move> {
        let habits = habits(self.level);
        if !self.chance(habits.careless) {
            return None;
        }
        let (wins, blocks) = (making_lines(game, seat), making_lines(game, seat.next(2)));
        if !wins.is_empty() && self.chance(habits.sees_win) {
            return self.any(&wins);
        }
        if !blocks.is_empty() && self.chance(habits.sees_block) {
            return self.any(&blocks);
        }
        let mut quiet = game.legal_moves();
        quiet.retain(|m| !wins.contains(m) && !blocks.contains(m));
        self.any(&quiet).or_else(|| self.any(&game.legal_moves()))
    }
}

/// The moves with which a seat would win a board.
fn making_lines(game: &Game, seat: Seat) -> Vec<Move> {
    let boards = bits(game.playable() & !game.decided());
    let of = |board| {
        bits(lines(game, seat, board))
            .filter_map(move |square| Move::new(board as u8, square as u8).ok())
    };
    boards.flat_map(of).collect()
}

fn habits(level: Level) -> &'static Habits {
    &HABITS[usize::from(level.number()) - 1]
}

fn rng(level: Level, seed: u64) -> Prng {
    Prng::seed_from_u64(seed ^ u64::from(level.number()) << 56)
}

impl Strategy<Game> for Leveled {
    fn name(&self) -> String {
        format!("level:{}", self.level.number())
    }

    fn choose(&mut self, game: &Game, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        let seat = game.turn().seat()?;
        if let Some(m) = self.reflex(game, seat) {
            return Some(Choice::blind(m));
        }
        self.thinker.choose(
            game,
            &mut AtMost {
                nodes: self.nodes,
                inner: budget,
            },
        )
    }

    fn forget(&mut self) {
        self.rng = rng(self.level, self.seed);
        self.thinker.forget();
    }
}
