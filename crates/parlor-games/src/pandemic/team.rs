//! Out-of-turn moves, and requests between seats.

use parlor_core::{Notation, Position, Seat};
use parlor_pandemic::{Game, Interrupt, TurnStep};

use crate::Consent;

/// Returns the seats other than the one on turn that hold an event they can play now.
pub(super) fn out_of_turn(game: &Game) -> Vec<Seat> {
    let on_turn = game.turn().seat();
    let movers: Vec<Seat> = game
        .legal_moves()
        .iter()
        .filter_map(|m| game.mover(m))
        .collect();
    game.rules()
        .seats()
        .filter(|seat| Some(*seat) != on_turn && movers.contains(seat))
        .collect()
}

/// Returns the open request, if any.
pub(super) fn consent(game: &Game) -> Option<Consent> {
    let Interrupt::Consent { asked, by, .. } = game.interrupt()? else {
        return None;
    };
    Some(Consent {
        by,
        seat: asked,
        agree: game.move_text(&TurnStep::Agree.into()),
    })
}
