//! The ids of what can be clicked. They mean the same in every picture of a table, so that a page
//! can tell what has moved.

use parlor_core::Seat;
use parlor_pandemic::{Card, City, Color, Role};

/// The research stations beside the board.
pub(crate) const STATIONS: &str = "stations";
/// The player deck.
pub(crate) const PLAYER_DECK: &str = "player-deck";
/// The player discard pile.
pub(crate) const PLAYER_DISCARD: &str = "player-discard";
/// The infection deck.
pub(crate) const INFECTION_DECK: &str = "infection-deck";
/// The infection discard pile.
pub(crate) const INFECTION_DISCARD: &str = "infection-discard";
/// The Operations Expert's own flight.
pub(crate) const EXPERT: &str = "expert-flight";

/// A city on the map: `city-Sao-Paulo`.
pub(crate) fn city(city: City) -> String {
    format!("city-{}", city.text())
}

/// A player card, wherever it lies face up: `card-Sao-Paulo`, `card-Airlift`.
pub(crate) fn card(card: Card) -> String {
    format!("card-{}", card.text())
}

/// A pawn: `pawn-Medic`.
pub(crate) fn pawn(role: Role) -> String {
    format!("pawn-{}", role.text())
}

/// A player's place at the table: `player-0`.
pub(crate) fn player(seat: Seat) -> String {
    format!("player-{}", seat.number())
}

/// The mark of a cure: `cure-blue`.
pub(crate) fn cure(color: Color) -> String {
    format!("cure-{color}")
}

/// The cubes beside the board: `supply-blue`.
pub(crate) fn supply(color: Color) -> String {
    format!("supply-{color}")
}

/// A card that a forecast shows: `forecast-Paris`.
pub(crate) fn forecast(city: City) -> String {
    format!("forecast-{}", city.text())
}
