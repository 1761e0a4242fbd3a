//! `state.json`: a game of backgammon as a file.

use parlor_backgammon::Game;
use serde_json::Value;

use crate::OptionsError;

/// Reads a position.
pub(crate) fn position(_: &Value) -> Result<Game, OptionsError> {
    Err(OptionsError::one("", "not yet"))
}
