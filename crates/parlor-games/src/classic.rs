//! Public record of classic tic-tac-toe games, for API clients.

use parlor_core::{Outcome, Seat};
use parlor_tictactoe::mnk::{Board, Rules};
use serde_json::Value;

use crate::mnk::options;
use crate::{AnyPosition, OutcomeView};

pub use parlor_formats::classic::{Game, MOVE_RESPONSE, MoveResponse, Square, Status, utc};

/// Game that these records describe.
pub use crate::mnk::KIND;

/// Returns the complete options of a classic game.
pub fn options() -> Value {
    options::to_json(&Board::new(Rules::classic()))
}

/// Returns the record of a game, with times in milliseconds since the Unix epoch; `None` if it is not
/// a classic one. `outcome` is that of a finished game, however it ended.
///
/// ```
/// use parlor_games::classic;
/// let position = classic::KIND.start(&classic::options()).expect("classic options make a game");
/// let game = classic::from_position(&position, None, 7, 0, 0).expect("a classic game");
/// assert_eq!(game.to_string(), "Game 7 - In Progress");
/// ```
pub fn from_position(
    position: &AnyPosition,
    outcome: Option<OutcomeView>,
    id: i64,
    created_at: i64,
    updated_at: i64,
) -> Option<Game> {
    let board = position.downcast_ref::<Board>()?.clone();
    let game = Game::from_board(id, board, created_at, updated_at).ok()?;
    let outcome = match outcome {
        None => return Some(game),
        Some(OutcomeView::Won { seat, points }) => Outcome::Won {
            by: Seat::new(seat).ok()?,
            points,
        },
        Some(OutcomeView::Draw) => Outcome::Draw,
        Some(OutcomeView::TeamWon) => Outcome::TeamWon,
        Some(OutcomeView::TeamLost) => Outcome::TeamLost,
    };
    Some(game.ended(outcome))
}
