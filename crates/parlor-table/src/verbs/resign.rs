//! Giving up. Between two the other wins; in a larger game a bot plays on for the seat, and the game ends when no person is left.

use parlor_core::{Outcome, Seat};
use parlor_games::bots;

use crate::{By, Event, How, Refused, Table, Timestamp};

pub(crate) fn resign(table: &mut Table, now: Timestamp, by: &By) -> Result<(), Refused> {
    let seat = table.seat_of(by)?;
    table.must_be_playing(now)?;
    if table.position.seats() == 2 {
        table.push(now, Event::Resigned { seat, replaced_by: None });
        table.end(now, How::Resignation, Some(Outcome::won(other(seat)).into()));
        return Ok(());
    }
    let held = table.held(by);
    let persons = table.players.iter().filter(|player| player.is_human()).count();
    if persons <= held.len() {
        table.push(now, Event::Resigned { seat, replaced_by: None });
        table.end(now, How::Resignation, None);
        return Ok(());
    }
    let stand_in = bots::weakest(&table.position);
    for seat in held.into_iter().filter(|seat| table.players[seat.index()].is_human()).collect::<Vec<_>>() {
        table.push(now, Event::Resigned { seat, replaced_by: Some(stand_in.clone()) });
    }
    Ok(())
}

fn other(seat: Seat) -> Seat {
    seat.next(2)
}
