//! Giving up. Between two the other wins. In a larger game, and in a team of any size, a bot plays on for the seats of whoever
//! leaves; when no person is left the game is over, and a team has lost it.

use parlor_core::{Outcome, Seat};

use crate::{By, Event, How, Refused, Table, Timestamp};

pub(crate) fn resign(table: &mut Table, now: Timestamp, by: &By) -> Result<(), Refused> {
    let seat = table.seat_of(by)?;
    table.must_be_playing(now)?;
    if table.is_duel() {
        table.push(
            now,
            Event::Resigned {
                seat,
                replaced_by: None,
            },
        );
        table.end(
            now,
            How::Resignation,
            Some(Outcome::won(seat.next(2)).into()),
        );
        return Ok(());
    }
    let mut held: Vec<Seat> = table
        .held(by)
        .into_iter()
        .filter(|seat| table.players[seat.index()].is_human())
        .collect();
    held.sort_by_key(|other| *other != seat);
    table.give_up(now, &held, How::Resignation, |seat, replaced_by| {
        Event::Resigned { seat, replaced_by }
    });
    Ok(())
}
