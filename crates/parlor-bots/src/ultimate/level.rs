//! Opponents of five strengths that make human mistakes.

use parlor_core::{Position, Seat, random_below};
use parlor_tictactoe::ultimate::{Game, Move, Rules};
use rand_xoshiro::rand_core::SeedableRng;

use super::factory;
use super::playouts::lines;
use super::state::bits;
use crate::{AtMost, Budget, Choice, Level, Prng, Strategy};

/// Attentiveness of a level; chances in percent.
struct UltimateLevelSettings {
    /// Chance to see that it can win a board.
    sees_win: u32,
    /// Chance to see that the opponent could win the board.
    sees_block: u32,
    /// Chance to play a random move instead of searching.
    careless: u32,
    /// Nodes per search: with the net, and with playouts under rules that have none.
    nodes: [u64; 2],
}

const LEVELS: [UltimateLevelSettings; 5] = [
    UltimateLevelSettings {
        sees_win: 50,
        sees_block: 25,
        careless: 95,
        nodes: [1, 20],
    },
    UltimateLevelSettings {
        sees_win: 95,
        sees_block: 60,
        careless: 55,
        nodes: [2, 60],
    },
    UltimateLevelSettings {
        sees_win: 100,
        sees_block: 90,
        careless: 22,
        nodes: [8, 200],
    },
    UltimateLevelSettings {
        sees_win: 100,
        sees_block: 100,
        careless: 6,
        nodes: [100, 1_000],
    },
    UltimateLevelSettings {
        sees_win: 100,
        sees_block: 100,
        careless: 0,
        nodes: [u64::MAX, 50_000],
    },
];

/// Opponent of a given strength for ultimate tic-tac-toe.
///
/// The lower levels overlook lines on the small boards, and sometimes move without searching. Level
/// 5 always searches at full strength.
pub struct UltimateOpponent {
    level: Level,
    seed: u64,
    rng: Prng,
    nodes: u64,
    thinker: Box<dyn Strategy<Game>>,
}

impl UltimateOpponent {
    /// Creates an opponent for games under these rules.
    pub fn new(level: Level, rules: &Rules, seed: u64) -> UltimateOpponent {
        let nodes = level_settings(level).nodes[usize::from(*rules != Rules::default())];
        UltimateOpponent {
            level,
            seed,
            rng: rng(level, seed),
            nodes,
            thinker: factory::tree_search(rules, seed),
        }
    }

    fn chance(&mut self, percent: u32) -> bool {
        random_below(&mut self.rng, 100) < percent
    }

    fn any(&mut self, moves: &[Move]) -> Option<Move> {
        let count = moves.len() as u32;
        (count > 0).then(|| moves[random_below(&mut self.rng, count) as usize])
    }

    /// Returns a move made without searching: a line, a block, or a mistake. Returns `None` if the
    /// level searches instead.
    fn reflex(&mut self, game: &Game, seat: Seat) -> Option<Move> {
        let level_settings = level_settings(self.level);
        if !self.chance(level_settings.careless) {
            return None;
        }
        let (wins, blocks) = (making_lines(game, seat), making_lines(game, seat.next(2)));
        if !wins.is_empty() && self.chance(level_settings.sees_win) {
            return self.any(&wins);
        }
        if !blocks.is_empty() && self.chance(level_settings.sees_block) {
            return self.any(&blocks);
        }
        let mut quiet = game.legal_moves();
        quiet.retain(|m| !wins.contains(m) && !blocks.contains(m));
        self.any(&quiet).or_else(|| self.any(&game.legal_moves()))
    }
}

/// Returns the moves with which a seat would win a board.
fn making_lines(game: &Game, seat: Seat) -> Vec<Move> {
    let boards = bits(game.playable() & !game.decided());
    let lines_on = |board| {
        bits(lines(game, seat, board))
            .filter_map(move |square| Move::new(board as u8, square as u8).ok())
    };
    boards.flat_map(lines_on).collect()
}

fn level_settings(level: Level) -> &'static UltimateLevelSettings {
    &LEVELS[usize::from(level.number()) - 1]
}

fn rng(level: Level, seed: u64) -> Prng {
    Prng::seed_from_u64(seed ^ u64::from(level.number()) << 56)
}

impl Strategy<Game> for UltimateOpponent {
    fn name(&self) -> String {
        format!("level:{}", self.level.number())
    }

    fn choose(&mut self, game: &Game, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        let seat = game.turn().seat()?;
        if let Some(m) = self.reflex(game, seat) {
            return Some(Choice::new(m));
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

    fn memory(&self) -> usize {
        self.thinker.memory()
    }
}
