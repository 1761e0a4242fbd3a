//! Ids of clickable elements. They are the same in all pictures of a table, so that a page can tell
//! which piece has moved.

use parlor_core::Seat;
use parlor_pandemic::{Card, City, Color, Role};

/// Id of the research stations next to the board.
pub(crate) const STATIONS: &str = "stations";
/// Id of the player deck.
pub(crate) const PLAYER_DECK: &str = "player-deck";
/// Id of the player discard pile.
pub(crate) const PLAYER_DISCARD: &str = "player-discard";
/// Id of the infection deck.
pub(crate) const INFECTION_DECK: &str = "infection-deck";
/// Id of the infection discard pile.
pub(crate) const INFECTION_DISCARD: &str = "infection-discard";
/// Id of the button for the Operations Expert's flight.
pub(crate) const EXPERT: &str = "expert-flight";

/// Returns the id of a city on the map: `city-Sao-Paulo`.
pub(crate) fn city(city: City) -> String {
    format!("city-{}", city.text())
}

/// Returns the id of a face-up player card anywhere: `card-Sao-Paulo`, `card-Airlift`.
pub(crate) fn card(card: Card) -> String {
    format!("card-{}", card.text())
}

/// Returns the id of a pawn: `pawn-Medic`.
pub(crate) fn pawn(role: Role) -> String {
    format!("pawn-{}", role.text())
}

/// Returns the id of a player's area: `player-0`.
pub(crate) fn player(seat: Seat) -> String {
    format!("player-{}", seat.number())
}

/// Returns the id of a cure's mark: `cure-blue`.
pub(crate) fn cure(color: Color) -> String {
    format!("cure-{color}")
}

/// Returns the id of the cubes next to the board: `supply-blue`.
pub(crate) fn supply(color: Color) -> String {
    format!("supply-{color}")
}

/// Returns the id of a card shown by a forecast: `forecast-Paris`.
pub(crate) fn forecast(city: City) -> String {
    format!("forecast-{}", city.text())
}
