//! A player.

use parlor_pandemic::{City, HAND_LIMIT, Role};

use super::constants::{Unknown, city, role};

/// A player, as plain data.
///
/// ```
/// use parlor_formats::pydemic::{Player, ROLE_MEDIC};
/// let mut player = Player::new("Ann", ROLE_MEDIC, "Atlanta");
/// player.single_use.push("Airlift".to_owned());
/// assert_eq!(player.cards_over_limit(), 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// Name of the player.
    pub name: String,
    /// Role, one of the `ROLE_` texts.
    pub role: String,
    /// City of the pawn.
    pub city: String,
    /// City cards.
    pub hand: Vec<String>,
    /// Event cards.
    pub single_use: Vec<String>,
}

impl Player {
    /// Creates a player without cards.
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

    /// Returns the number of cards to discard: a player may hold seven cities and events together.
    pub fn cards_over_limit(&self) -> usize {
        (self.hand.len() + self.single_use.len()).saturating_sub(HAND_LIMIT as usize)
    }

    /// Returns the player's role and city.
    pub(super) fn place(&self) -> Result<(Role, City), Unknown> {
        Ok((role(&self.role)?, city(&self.city)?))
    }
}
