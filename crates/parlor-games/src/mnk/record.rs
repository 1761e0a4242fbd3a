//! The public record of classic games, for those who speak its API.

use parlor_tictactoe::mnk::{Board, Rules};
use serde_json::Value;

use crate::tenant::Tenant;
use crate::{AnyPosition, GameKind};

pub use parlor_tictactoe::mnk::record::{Game, MOVED, Moved, Square, Status, utc};

/// The game that records are of.
pub const KIND: GameKind = GameKind::Mnk;

/// The complete options of a classic game.
pub fn options() -> Value {
    super::options::of(&Board::new(Rules::classic()))
}

/// The record of a position; times in milliseconds since 1970 UTC. `None` unless the game is a classic one.
///
/// ```
/// use parlor_games::mnk::record;
/// let position = record::KIND.start(&record::options()).expect("classic options make a game");
/// let game = record::of(&position, 7, 0, 0).expect("a classic game");
/// assert_eq!(game.to_string(), "Game 7 - In Progress");
/// ```
pub fn of(position: &AnyPosition, id: i64, created_at: i64, updated_at: i64) -> Option<Game> {
    Game::from_board(id, Board::of(position)?.clone(), created_at, updated_at).ok()
}
