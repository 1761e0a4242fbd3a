//! Moves of a turn as places on the board, and the ways between them.

use parlor_core::Position;
use parlor_pandemic::{Action, City, EventPlay, Game, Move, TurnStep};

use crate::pandemic::svg::ids;

/// Returns the element ids of each move's place, or of the way of a pawn. Moves without a place are left
/// out.
pub(super) fn places(game: &Game, moves: &[Move]) -> Vec<Vec<String>> {
    let mut game = *game;
    let mut places: Vec<Vec<String>> = Vec::new();
    for m in moves {
        let place = way(&game, m);
        if !place.is_empty() && places.last() != Some(&place) {
            places.push(place);
        }
        game.play_unchecked(m);
    }
    places
}

/// Returns the element ids of a legal move's place, or of the way of a pawn; none for a move without a place.
pub(in crate::pandemic) fn way(game: &Game, m: &Move) -> Vec<String> {
    let between = |from: City, to: City| vec![ids::city(from), ids::city(to)];
    match *m {
        Move::Action(Action::Travel { pawn, to, .. })
        | Move::Event(EventPlay::Airlift { pawn, to }) => between(game.pawn(pawn), to),
        Move::Action(Action::Expert { to, .. }) => between(game.pawn(game.active()), to),
        Move::Action(action) => vec![ids::city(super::place(game, action))],
        Move::Event(EventPlay::Grant { at, .. }) => vec![ids::city(at)],
        Move::Event(EventPlay::Resilient { city }) | Move::Step(TurnStep::Next { city }) => {
            vec![ids::city(city)]
        }
        Move::Step(TurnStep::Discard { card }) => vec![ids::card(card)],
        Move::Event(EventPlay::Forecast | EventPlay::QuietNight) | Move::Step(_) => Vec::new(),
    }
}
