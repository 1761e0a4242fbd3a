//! A player.

use super::constants::{Unknown, city, role};
use crate::{City, HAND_LIMIT, Role};

/// A player: plain data, read where it is used.
///
/// ```
/// use parlor_pandemic::pydemic::{Player, ROLE_MEDIC};
/// let player = Player { single_use: vec!["Airlift".to_owned()], ..Player::new("Ann", ROLE_MEDIC, "Atlanta") };
/// assert_eq!(player.cards_over_limit(), 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// What the player is called.
    pub name: String,
    /// One of the `ROLE_` texts.
    pub role: String,
    /// Where the pawn is.
    pub city: String,
    /// City cards.
    pub hand: Vec<String>,
    /// Event cards.
    pub single_use: Vec<String>,
}

impl Player {
    /// A player with no cards.
    pub fn new(
        name: impl Into<String>,
        role: impl Into<String>,
        city: impl Into<String>,
    ) -> Player {
        let (name, role, city) = (name.into(), role.into(), city.into());
        Player {
            name,
            role,
            city,
            ..Player::default()
        }
    }

    /// How many cards have to be discarded: cities and events together may be seven.
    pub fn cards_over_limit(&self) -> usize {
        (self.hand.len() + self.single_use.len()).saturating_sub(HAND_LIMIT as usize)
    }

    /// Who stands where.
    pub(super) fn place(&self) -> Result<(Role, City), Unknown> {
        Ok((role(&self.role)?, city(&self.city)?))
    }
}
