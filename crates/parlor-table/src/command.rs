//! What can be asked of a table, and by whom.

use parlor_core::Seat;
use serde::{Deserialize, Serialize};

use crate::{Key, Refused, TableId, Timestamp, UserId};

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// The person who holds this key; one person may hold several seats.
    Key(Key),
    /// A member; so may one.
    Member(UserId),
    /// The bot in this seat, moved by the driver.
    Bot(Seat),
    /// The driver itself, when time has come.
    House,
}

impl By {
    /// What this person's seats are held by; nothing for bots.
    pub fn key(&self) -> Option<Key> {
        match self {
            By::Key(key) => Some(*key),
            By::Member(user) => Some(Key::of_member(*user)),
            By::Bot(_) | By::House => None,
        }
    }
}

/// What is claimed of a game that the other side, or a partner, has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// The win.
    Win,
    /// A draw.
    Draw,
    /// A bot in the seat, where all win or lose together.
    StandIn,
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
        /// The version the mover saw. A newer table refuses the move, unless all that is new is that somebody is ready, was given time, or declined an offer.
        version: Option<u64>,
    },
    /// Type in what luck did, at a table where the players bring their own.
    Luck {
        /// What came up, as text.
        chance: String,
        /// The version the caller saw; a newer table refuses it in the same way.
        version: Option<u64>,
    },
    /// Say that one is there; it starts the clock of the seat that begins.
    Ready,
    /// Offer a draw, or agree to it.
    OfferDraw,
    /// Agree to a draw that another seat offers.
    AcceptDraw,
    /// Decline a draw that another seat offers.
    DeclineDraw,
    /// Ask for one's last move back. Where all win or lose together it is taken back at once, unless luck or another seat has done
    /// something since.
    OfferTakeback,
    /// Let the other side have its move back.
    AcceptTakeback,
    /// Insist on what was played.
    DeclineTakeback,
    /// Give the other side more time.
    GiveTime {
        /// How much, in seconds; 15 when not said. In a correspondence game it is always a day.
        seconds: Option<u32>,
    },
    /// Claim a game that the other side, or a partner, has left while on turn.
    Claim {
        /// What is claimed.
        claim: Claim,
        /// Since when the seat on turn has had no connection, as the driver knows it.
        absent_since: Option<Timestamp>,
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
    /// Let happen what time brings by itself; only the driver asks for it. See [`Table::due_at`](crate::Table::due_at).
    Tick,
    /// Mix a text of one's own into the luck of this table.
    LuckText {
        /// The text.
        text: String,
    },
}

impl Command {
    /// Takes the first open seat.
    pub fn join(name: impl Into<String>) -> Command {
        Command::Join {
            seat: None,
            name: name.into(),
            invite: None,
            luck_text: None,
        }
    }

    /// Plays a move without id and version.
    pub fn play(text: impl Into<String>) -> Command {
        Command::Move {
            text: text.into(),
            id: None,
            version: None,
        }
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

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
