//! Who sits in a seat.

use serde::{Deserialize, Serialize};

use crate::{Key, Refused};

/// Who sits in a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Player {
    /// Nobody yet.
    Open,
    /// A person.
    Human {
        /// The name shown.
        name: String,
        /// What the person proves to be the same one with.
        key: Key,
    },
    /// A bot of the house.
    Bot {
        /// Which one, in the words of the game's bot factory: `level:3`.
        spec: String,
    },
}

impl Player {
    /// The longest name, in characters.
    pub const NAME_LIMIT: usize = 40;

    /// A person with a name; blanks around the name are dropped.
    ///
    /// # Errors
    /// [`Refused::BadName`] when the name is empty, too long, or holds control characters.
    pub fn human(name: &str, key: Key) -> Result<Player, Refused> {
        let name = name.trim();
        let length = name.chars().count();
        if length == 0 || length > Self::NAME_LIMIT || name.chars().any(char::is_control) {
            return Err(Refused::BadName);
        }
        Ok(Player::Human { name: name.to_owned(), key })
    }

    /// A bot.
    pub fn bot(spec: impl Into<String>) -> Player {
        Player::Bot { spec: spec.into() }
    }

    /// Whether this is the person with `key`.
    pub fn has_key(&self, wanted: &Key) -> bool {
        matches!(self, Player::Human { key, .. } if key == wanted)
    }

    /// Whether a person sits here.
    pub fn is_human(&self) -> bool {
        matches!(self, Player::Human { .. })
    }

    /// The name to show; a bot's is its spec.
    pub fn name(&self) -> Option<&str> {
        match self {
            Player::Open => None,
            Player::Human { name, .. } => Some(name),
            Player::Bot { spec } => Some(spec),
        }
    }
}
