//! Playing a move.

use parlor_core::Seat;
use parlor_games::{AnyPosition, PlayError};

use crate::{By, Event, MoveId, Refused, Table, Timestamp};

pub(crate) fn play(
    table: &mut Table,
    now: Timestamp,
    by: &By,
    text: &str,
    id: Option<MoveId>,
    version: Option<u64>,
) -> Result<(), Refused> {
    let candidates = seats(table, by)?;
    if let Some(done) = id.as_ref().and_then(|id| table.played.get(id)) {
        return if is_retry(table, done, &candidates, text) {
            Ok(())
        } else {
            Err(Refused::IdReused)
        };
    }
    table.must_be_on()?;
    table.must_have_seen(version)?;
    if table
        .flagged(now)
        .is_some_and(|seat| candidates.contains(&seat))
    {
        return Err(Refused::TimeExceeded);
    }
    let (seat, canonical, after) = first_legal(table, &candidates, text)?;
    table.luck_is_here(after.turn())?;
    table.push(
        now,
        Event::Moved {
            seat,
            text: canonical,
            id,
        },
    );
    table.settle(now);
    Ok(())
}

/// The seats that the caller may move for, the one on turn first.
fn seats(table: &Table, by: &By) -> Result<Vec<Seat>, Refused> {
    let first = table.seat_of(by)?;
    let mut seats = table.held(by);
    seats.sort_by_key(|seat| *seat != first);
    Ok(seats)
}

fn is_retry(table: &Table, (seat, done): &(Seat, String), candidates: &[Seat], text: &str) -> bool {
    // The move may be written otherwise than the log writes it; a finished game no longer reads moves.
    let same_text = text == done
        || table
            .position
            .canonical(text)
            .is_ok_and(|canonical| canonical == *done);
    candidates.contains(seat) && same_text
}

/// Tries the move for each seat of the caller: some games let a seat move out of turn.
fn first_legal(
    table: &Table,
    seats: &[Seat],
    text: &str,
) -> Result<(Seat, String, AnyPosition), Refused> {
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
