//! What can be asked of a table, and by whom.

use parlor_core::Seat;
use serde::{Deserialize, Serialize};

use crate::{Key, Refused, TableId};

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// The person who holds this key; one person may hold several seats.
    Key(Key),
    /// The bot in this seat, moved by the driver.
    Bot(Seat),
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Take a seat.
    Join {
        /// Which one; the first open one when not said.
        seat: Option<Seat>,
        /// The name to be shown.
        name: String,
        /// What the link of a private table carries.
        invite: Option<Key>,
        /// A text to be mixed into the luck of this table.
        luck_text: Option<String>,
    },
    /// Give up a seat before the game starts.
    Leave,
    /// Play a move.
    Move {
        /// The move's text.
        text: String,
        /// Makes a retry harmless: a move with an id that was seen is not played again.
        id: Option<MoveId>,
        /// The version the mover saw; a newer table refuses the move.
        version: Option<u64>,
    },
    /// Give up the game.
    Resign,
    /// Call the game off; only before every seat has moved.
    Abort,
    /// Ask for another game, or agree to it. The last to agree gets it under the id given.
    Rematch {
        /// The id of the next table, should this command bring it about.
        next: TableId,
    },
    /// Mix a text of one's own into the luck of this table.
    LuckText {
        /// The text.
        text: String,
    },
}

impl Command {
    /// Takes the first open seat.
    pub fn join(name: impl Into<String>) -> Command {
        Command::Join { seat: None, name: name.into(), invite: None, luck_text: None }
    }

    /// Plays a move without id and version.
    pub fn play(text: impl Into<String>) -> Command {
        Command::Move { text: text.into(), id: None, version: None }
    }
}

/// A client's own name for one move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MoveId(String);

impl MoveId {
    /// An id of 1 to 64 characters of `a-z`, `A-Z`, `0-9`, `-` and `_`.
    ///
    /// # Errors
    /// [`Refused::BadMoveId`].
    pub fn new(text: &str) -> Result<MoveId, Refused> {
        let sound = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
        if (1..=64).contains(&text.len()) && text.bytes().all(sound) {
            Ok(MoveId(text.to_owned()))
        } else {
            Err(Refused::BadMoveId)
        }
    }
}
