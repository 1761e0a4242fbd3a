//! Strategy that plays the standard rules with the net.

use std::sync::{Arc, LazyLock};

use parlor_core::{Position, Seat};
use parlor_tictactoe::ultimate::{Game, Move, Rules};

use super::evaluator::UltimateEvaluator;
use super::net::UltimateNet;
use super::search::UltimateSearch;
use super::state::{FREE, MoveCode, UltimateState, split};
use super::tree::NetSearchSettings;
use crate::{Budget, Choice, Info, Strategy};

/// Weights in the repository, made by `examples/train_ultimate.rs`.
static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// Lookup tables of the built-in net, shared by all searches.
static BUILT_IN: LazyLock<Arc<UltimateEvaluator>> =
    LazyLock::new(|| Arc::new(UltimateEvaluator::new(&UltimateNet::built_in())));

/// Monte Carlo tree search for the standard rules in which a small net evaluates every move when it
/// is first seen.
///
/// - The net is trained by self-play; it is evaluated from tables, with one row per content of a
///   board.
/// - Proven wins, losses and draws are carried up the tree, and near the end an exact search comes
///   first.
/// - The tree is kept: it is reused if the next position is in it, at most two moves below the last
///   one.
///
/// For a seed, a budget in nodes and a series of positions, its moves are the same everywhere. One
/// node of the budget is one simulation, which evaluates all moves of one position.
pub struct NetSearch(UltimateSearch);

impl NetSearch {
    /// Creates a search with the built-in net; the seed decides between moves that are about as
    /// good.
    pub fn new(seed: u64) -> NetSearch {
        NetSearch(UltimateSearch::new(
            Arc::clone(&BUILT_IN),
            NetSearchSettings::default(),
            seed,
        ))
    }

    /// Creates a search with another net or other settings.
    pub fn with_net(net: &UltimateNet, settings: NetSearchSettings, seed: u64) -> NetSearch {
        NetSearch(UltimateSearch::new(
            Arc::new(UltimateEvaluator::new(net)),
            settings,
            seed,
        ))
    }

    /// Returns the moves from the last position with their visits (the first evaluation counts as
    /// one) and their value to the mover.
    pub fn root_moves(&self) -> Vec<(Move, u32, f32)> {
        self.0
            .moves()
            .filter_map(|node| Some((to_move(node.step)?, node.visits, node.mean())))
            .collect()
    }
}

impl UltimateNet {
    /// Returns the net in the repository.
    pub fn built_in() -> UltimateNet {
        UltimateNet::from_bytes(WEIGHTS).expect("the stored net has the shape of this version")
    }

    /// Evaluates a standard game for the seat on turn, from -1 to 1, without the lookup tables:
    /// slow and exact. Returns `None` if the game is over.
    pub fn evaluate_game(&self, game: &Game) -> Option<f32> {
        to_state(game).map(|state| self.evaluate(&state))
    }
}

/// Converts a standard game; returns `None` under other rules and if the game is over.
pub(super) fn to_state(game: &Game) -> Option<UltimateState> {
    let side = game.turn().seat()?.number();
    let seats = [Seat::FIRST, Seat::SECOND];
    (game.rules() == Rules::default()).then(|| UltimateState {
        marks: seats.map(|seat| std::array::from_fn(|board| game.marks(seat, board as u8))),
        won: seats.map(|seat| game.won(seat)),
        drawn: game.drawn(),
        target: game.target().unwrap_or(FREE),
        side,
    })
}

fn to_move(step: MoveCode) -> Option<Move> {
    let (board, square) = split(step);
    Move::new(board as u8, square as u8).ok()
}

impl Strategy<Game> for NetSearch {
    fn name(&self) -> String {
        "mcts".to_owned()
    }

    fn choose(&mut self, game: &Game, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        let found = self.0.search(&to_state(game)?, budget)?;
        let info = Info {
            nodes: found.nodes,
            value: Some(f64::from(found.value)),
            exact: found.exact,
            depth: found.depth,
            line: found.line.into_iter().map_while(to_move).collect(),
        };
        Some(Choice {
            mv: to_move(found.step)?,
            info,
        })
    }

    fn forget(&mut self) {
        self.0.forget();
    }

    fn memory(&self) -> usize {
        self.0.memory()
    }
}
