//! Public record of classic tic-tac-toe games, for API clients.

use parlor_tictactoe::mnk::{Board, Rules};
use serde_json::Value;

use crate::AnyPosition;
use crate::mnk::options;

pub use parlor_formats::classic::{Game, MOVE_RESPONSE, MoveResponse, Square, Status, utc};

/// Game that these records describe.
pub use crate::mnk::KIND;

/// Returns the complete options of a classic game.
pub fn options() -> Value {
    options::to_json(&Board::new(Rules::classic()))
}

/// Returns the record of a position, with times in milliseconds since the Unix epoch; `None` if the
/// game is not a classic one.
///
/// ```
/// use parlor_games::classic;
/// let position = classic::KIND.start(&classic::options()).expect("classic options make a game");
/// let game = classic::from_position(&position, 7, 0, 0).expect("a classic game");
/// assert_eq!(game.to_string(), "Game 7 - In Progress");
/// ```
pub fn from_position(
    position: &AnyPosition,
    id: i64,
    created_at: i64,
    updated_at: i64,
) -> Option<Game> {
    Game::from_board(
        id,
        position.downcast_ref::<Board>()?.clone(),
        created_at,
        updated_at,
    )
    .ok()
}
