//! The strategy that plays the standard rules with the net.

use std::sync::{Arc, LazyLock};

use parlor_core::{Position, Seat};
use parlor_tictactoe::ultimate::{Game, Move, Rules};

use super::eval::Eval;
use super::net::Net;
use super::search::Search;
use super::state::{FREE, State, Step, split};
use super::tree::Settings;
use crate::{Budget, Choice, Info, Strategy};

/// The weights in the repository; `examples/train_ultimate.rs` made them.
static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// The tables made from them, shared by all searches.
static EVAL: LazyLock<Arc<Eval>> = LazyLock::new(|| Arc::new(Eval::new(&Net::house())));

/// Tree search in which a small net judges every move when it is first seen; for the standard rules.
///
/// - The net is trained on games against itself; it is read from tables, one row per content of a board.
/// - What is proven counts exactly: wins, losses and draws are carried up the tree, and near the end a search for proof
///   comes first.
/// - The tree is kept: when the next position is in it, at most two moves below the last one, it is built on.
///
/// For a seed, a budget in nodes and a series of positions, its moves are the same everywhere. One node of the budget is one
/// simulation, which looks at all moves of one position.
pub struct NetSearch(Search);

impl NetSearch {
    /// With the weights of the house; the seed decides between moves that are about as good.
    pub fn new(seed: u64) -> NetSearch {
        NetSearch(Search::new(Arc::clone(&EVAL), Settings::default(), seed))
    }

    /// With other weights or settings.
    pub fn with(net: &Net, settings: Settings, seed: u64) -> NetSearch {
        NetSearch(Search::new(Arc::new(Eval::new(net)), settings, seed))
    }

    /// The moves from the last position, with how often each was looked at (at first once) and what it is worth to its mover.
    pub fn looked_at(&self) -> Vec<(Move, u32, f32)> {
        self.0
            .moves()
            .filter_map(|node| Some((move_of(node.step)?, node.visits, node.mean())))
            .collect()
    }
}

impl Net {
    /// What the weights in the repository are.
    pub fn house() -> Net {
        Net::from_bytes(WEIGHTS).expect("the stored net has the shape of this version")
    }

    /// What the net expects of a standard game, for the seat on turn, from -1 to 1; slow and exact. `None` when it is over.
    pub fn judge(&self, game: &Game) -> Option<f32> {
        state_of(game).map(|state| self.evaluate(&state))
    }
}

/// The position of a standard game; `None` under other rules and when the game is over.
pub(super) fn state_of(game: &Game) -> Option<State> {
    let side = game.turn().seat()?.number();
    let seats = [Seat::FIRST, Seat::SECOND];
    (game.rules() == Rules::default()).then(|| State {
        marks: seats.map(|seat| std::array::from_fn(|board| game.marks(seat, board as u8))),
        won: seats.map(|seat| game.won(seat)),
        drawn: game.drawn(),
        target: game.target().unwrap_or(FREE),
        side,
    })
}

fn move_of(step: Step) -> Option<Move> {
    let (board, square) = split(step);
    Move::new(board as u8, square as u8).ok()
}

impl Strategy<Game> for NetSearch {
    fn name(&self) -> String {
        "mcts".to_owned()
    }

    fn choose(&mut self, game: &Game, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        let found = self.0.think(&state_of(game)?, budget)?;
        let info = Info {
            nodes: found.nodes,
            value: Some(f64::from(found.value)),
            exact: found.exact,
            depth: found.depth,
            line: found.line.into_iter().map_while(move_of).collect(),
        };
        Some(Choice {
            mv: move_of(found.step)?,
            info,
        })
    }

    fn forget(&mut self) {
        self.0.forget();
    }
}
