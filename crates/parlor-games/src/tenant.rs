//! What a game brings when it moves in, beside its rules and notation.

use parlor_core::{Notation, Seat};
use serde::Serialize;
use serde_json::Value;

use crate::{AnyPosition, GameKind};

/// The house's side of a game: how it is shown and clicked.
pub(crate) trait Tenant: Notation {
    /// The game's place in the catalogue.
    const KIND: GameKind;

    /// The position inside, if it is one of this game.
    fn of(any: &AnyPosition) -> Option<&Self>;

    /// What a seat is called.
    fn seat_name(&self, seat: Seat) -> String;

    /// The JSON view; see [`DynPosition::view`](crate::DynPosition::view).
    fn view(&self, last: Option<&str>) -> Value;

    /// The click paths of all legal moves.
    fn clicks(&self) -> Vec<Click>;

    /// A move in words; see [`DynPosition::label`](crate::DynPosition::label).
    fn label(&self, text: &str) -> String;

    /// The board for a terminal; see [`DynPosition::terminal`](crate::DynPosition::terminal).
    fn terminal(&self, last: Option<&str>) -> String;
}

/// How a move is made with a pointer or keys on the board's picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Click {
    /// The move's canonical text.
    #[serde(rename = "move")]
    pub text: String,
    /// Ids of the picture's elements, to be clicked in this order.
    pub path: Vec<String>,
    /// The move in words, for a screen reader.
    pub label: String,
}
