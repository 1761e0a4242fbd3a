//! Players in the seats of a table.

use serde::{Deserialize, Serialize};

use crate::{Issuer, Refusal, SeatKey, UserId, characters};

/// Occupant of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Player {
    /// The seat is still open.
    Open,
    /// A person, or a member's program that plays under an account of its own.
    Human {
        /// Display name.
        name: String,
        /// Key that owns the seat.
        key: SeatKey,
        /// Account of the person, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<UserId>,
        /// Name of the member to whom the program belongs; `None` for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<String>,
    },
    /// A bot run by the driver.
    Bot {
        /// Spec understood by the game's bot factory, such as `level:3`.
        spec: String,
    },
}

impl Player {
    /// Maximum length of a name, in characters.
    pub const NAME_LIMIT: usize = 40;

    /// Creates a person with a name. Surrounding white space is removed from the name.
    ///
    /// # Errors
    /// [`Refusal::BadName`] if the name is empty, too long or contains control or invisible characters.
    pub fn human(name: &str, key: SeatKey) -> Result<Player, Refusal> {
        Player::person(name, key, None, None)
    }

    /// Creates a member, that is, a person with an account. Surrounding white space is removed from
    /// the name.
    ///
    /// # Errors
    /// As [`Player::human`].
    pub fn member(name: &str, user: UserId) -> Result<Player, Refusal> {
        Player::person(name, SeatKey::from_member(user), Some(user), None)
    }

    /// Creates a member's program, which has an account of its own. `owner` is the member's name.
    ///
    /// # Errors
    /// As [`Player::human`].
    pub fn program(name: &str, user: UserId, owner: &str) -> Result<Player, Refusal> {
        let owner = Some(owner.to_owned());
        Player::person(name, SeatKey::from_member(user), Some(user), owner)
    }

    /// Creates a player from the issuer of a command, a name and, for a member's program, its owner.
    pub(crate) fn from_issuer(
        by: &Issuer,
        name: &str,
        owner: Option<&str>,
    ) -> Result<Player, Refusal> {
        match (by, owner) {
            (Issuer::Key(key), _) => Player::human(name, *key),
            (Issuer::Member(user), None) => Player::member(name, *user),
            (Issuer::Member(user), Some(owner)) => Player::program(name, *user, owner),
            (Issuer::Bot(_) | Issuer::Driver, _) => Err(Refusal::NotSeated),
        }
    }

    /// Returns true if a person can have this name.
    #[must_use]
    pub fn is_valid_name(name: &str) -> bool {
        (1..=Self::NAME_LIMIT).contains(&name.chars().count()) && characters::is_name(name)
    }

    fn person(
        name: &str,
        key: SeatKey,
        user: Option<UserId>,
        owner: Option<String>,
    ) -> Result<Player, Refusal> {
        let name = name.trim();
        if !Player::is_valid_name(name) {
            return Err(Refusal::BadName);
        }
        Ok(Player::Human {
            name: name.to_owned(),
            key,
            user,
            owner,
        })
    }

    /// Creates a bot from its spec.
    pub fn bot(spec: impl Into<String>) -> Player {
        Player::Bot { spec: spec.into() }
    }

    /// Returns true if this is the person with this key.
    pub fn has_key(&self, wanted: &SeatKey) -> bool {
        matches!(self, Player::Human { key, .. } if key == wanted)
    }

    /// Returns true for a person or a member's program, false for a bot of the driver or an open seat.
    pub fn is_human(&self) -> bool {
        matches!(self, Player::Human { .. })
    }

    /// Returns the person's account, if any.
    pub fn user(&self) -> Option<UserId> {
        match self {
            Player::Human { user, .. } => *user,
            Player::Open | Player::Bot { .. } => None,
        }
    }

    /// Returns the name of the member to whom this program belongs; `None` for everybody else.
    pub fn owner(&self) -> Option<&str> {
        match self {
            Player::Human { owner, .. } => owner.as_deref(),
            Player::Open | Player::Bot { .. } => None,
        }
    }

    /// Returns true if one of the two is the other's program, or both are programs of one member.
    pub fn is_allied_with(&self, other: &Player) -> bool {
        let is_any_program = self.owner().is_some() || other.owner().is_some();
        let behind = self.member_behind();
        is_any_program && behind.is_some() && behind == other.member_behind()
    }

    /// Returns the name of the member who plays or to whom the program belongs.
    fn member_behind(&self) -> Option<&str> {
        match self {
            Player::Human {
                user: Some(_),
                name,
                owner,
                ..
            } => Some(owner.as_deref().unwrap_or(name)),
            Player::Open | Player::Human { .. } | Player::Bot { .. } => None,
        }
    }

    /// Returns the display name, which is the spec for a bot; `None` for an open seat.
    pub fn name(&self) -> Option<&str> {
        match self {
            Player::Open => None,
            Player::Human { name, .. } => Some(name),
            Player::Bot { spec } => Some(spec),
        }
    }
}
