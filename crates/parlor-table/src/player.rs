//! Who sits in a seat.

use serde::{Deserialize, Serialize};

use crate::{By, Key, Refused, UserId};

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
        /// The person's account, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<UserId>,
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
        Player::person(name, key, None)
    }

    /// A member, that is a person with an account; blanks around the name are dropped.
    ///
    /// # Errors
    /// As [`Player::human`].
    pub fn member(name: &str, user: UserId) -> Result<Player, Refused> {
        Player::person(name, Key::of_member(user), Some(user))
    }

    /// Whoever asks, under this name.
    pub(crate) fn of(by: &By, name: &str) -> Result<Player, Refused> {
        match by {
            By::Key(key) => Player::human(name, *key),
            By::Member(user) => Player::member(name, *user),
            By::Bot(_) | By::House => Err(Refused::NotSeated),
        }
    }

    fn person(name: &str, key: Key, user: Option<UserId>) -> Result<Player, Refused> {
        let name = name.trim();
        let length = name.chars().count();
        if length == 0 || length > Self::NAME_LIMIT || name.chars().any(char::is_control) {
            return Err(Refused::BadName);
        }
        Ok(Player::Human {
            name: name.to_owned(),
            key,
            user,
        })
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

    /// The account of the person who sits here.
    pub fn user(&self) -> Option<UserId> {
        match self {
            Player::Human { user, .. } => *user,
            Player::Open | Player::Bot { .. } => None,
        }
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
