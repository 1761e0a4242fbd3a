//! Out-of-turn moves, and requests between seats.

use parlor_core::{Notation, Position, Seat};
use parlor_pandemic::{Game, Interrupt, Move, TurnStep};

use crate::{Consent, Moment};

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

/// Returns the seat whose turn it is, while any seat is to move.
pub(super) fn turn_of(game: &Game) -> Option<Seat> {
    game.turn().seat().map(|_| game.active())
}

/// Returns the urgency of events. It is greatest before the infection deck is shuffled, before
/// a second epidemic, and before the first city of a turn is infected. A discard takes nothing from the
/// other seats, whose events can be played after it as well.
pub(super) fn moment(game: &Game) -> Option<Moment> {
    if game.interrupt().is_some() {
        return None;
    }
    let moments = game.legal_moves().into_iter().filter_map(|m| match m {
        Move::Step(TurnStep::Intensify | TurnStep::Epidemic) => Some(Moment::Crucial),
        Move::Step(TurnStep::Infect) if game.infections_left() == game.rate() => {
            Some(Moment::Crucial)
        }
        Move::Step(TurnStep::Infect | TurnStep::Draw | TurnStep::Discard { .. }) => {
            Some(Moment::Possible)
        }
        Move::Action(_) | Move::Event(_) | Move::Step(_) => None,
    });
    moments.max()
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

/// Returns true if the seat on turn has to agree or decline, or to discard.
pub(super) fn awaits_answer(game: &Game) -> bool {
    let is_answer = |m: &Move| matches!(m, Move::Step(TurnStep::Agree | TurnStep::Discard { .. }));
    game.legal_moves().iter().any(is_answer)
}
