//! Playing a move.

use parlor_core::Seat;
use parlor_games::{AnyPosition, PlayError};

use crate::{Issuer, Lag, MoveId, MoveLag, Player, Refusal, Table, TableEvent, Timestamp};

pub(crate) fn play(
    table: &mut Table,
    now: Timestamp,
    by: &Issuer,
    text: &str,
    id: Option<MoveId>,
    version: Option<u64>,
    measured: Lag,
) -> Result<(), Refusal> {
    let candidates = seats(table, by)?;
    if let Some(done) = id.as_ref().and_then(|id| table.played.get(id)) {
        return if is_retry(table, done, &candidates, text) {
            Ok(())
        } else {
            Err(Refusal::IdReused)
        };
    }
    table.ensure_playing()?;
    table.ensure_up_to_date(version)?;
    // The house's bots have no network before them.
    let measured = by.key().map_or(Lag::ZERO, |_| measured);
    let lag_of = |seat| lag(table, seat, now, measured);
    let late = table.flagged(now).filter(|seat| candidates.contains(seat));
    if late.is_some_and(|seat| !is_in_time(table, now, lag_of(seat))) {
        return Err(Refusal::TimeExceeded);
    }
    let (seat, canonical, after) = first_legal(table, &candidates, text)?;
    if late.is_some_and(|late| late != seat) {
        return Err(Refusal::TimeExceeded);
    }
    let lag = lag_of(seat);
    if !table.asked().is_empty() && table.on_turn() == Some(seat) {
        return Err(Refusal::OthersAsked);
    }
    table.ensure_drawable(after.turn())?;
    table.push(
        now,
        TableEvent::Moved {
            seat,
            text: canonical,
            id,
            lag,
        },
    );
    table.advance_to_decision(now);
    Ok(())
}

/// Returns the delay of a move by a seat, with what clocks allow for it.
fn lag(table: &Table, seat: Seat, now: Timestamp, measured: Lag) -> Option<MoveLag> {
    let clock = table.clock.as_ref()?;
    clock.lag_of_move(seat, now, measured)
}

/// Returns true if the clock that has run out had time left when a move with this delay was made.
fn is_in_time(table: &Table, now: Timestamp, lag: Option<MoveLag>) -> bool {
    let clock = table.clock.as_ref();
    clock
        .zip(lag)
        .is_some_and(|(clock, lag)| clock.is_in_time(now, lag))
}

/// Returns the seats that the issuer may move for, the acting seat first.
fn seats(table: &Table, by: &Issuer) -> Result<Vec<Seat>, Refusal> {
    // The person for whom a bot was thinking may have come back.
    if matches!(by, Issuer::Bot(seat) if table.players.get(seat.index()).is_some_and(Player::is_human))
    {
        return Err(Refusal::NotSeated);
    }
    let first = table.acting_seat(by)?;
    let mut seats = table.seats_of(by);
    seats.sort_by_key(|seat| *seat != first);
    Ok(seats)
}

fn is_retry(table: &Table, (seat, done): &(Seat, String), candidates: &[Seat], text: &str) -> bool {
    // The move may be spelled differently from the log; a finished game no longer parses
    // moves.
    let same_text = text == done
        || table
            .position
            .canonical(text)
            .is_ok_and(|canonical| canonical == *done);
    candidates.contains(seat) && same_text
}

/// Tries the move for each of the issuer's seats, because some games let seats move out of turn.
fn first_legal(
    table: &Table,
    seats: &[Seat],
    text: &str,
) -> Result<(Seat, String, AnyPosition), Refusal> {
    let mut refused = None;
    for seat in seats {
        let mut after = table.position.clone();
        match after.play(text, *seat) {
            Ok(canonical) => return Ok((*seat, canonical, after)),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    Err(refused.unwrap_or(PlayError::NotYourTurn).into())
}
