//! Resigning. With two players the other one wins; a rated game in which one of them has not moved yet
//! is aborted instead. In a larger game, and in a team of any size, a
//! bot takes over the seats of the player who resigns. When no person is left, the game is over,
//! and a team has lost it. Those who leave a team can come back; see [`super::stand_in`].

use parlor_core::{Outcome, Seat};

use crate::{EndReason, Issuer, Refusal, Table, TableEvent, Timestamp};

pub(crate) fn resign(table: &mut Table, now: Timestamp, by: &Issuer) -> Result<(), Refusal> {
    let seat = table.acting_seat(by)?;
    table.ensure_time_left(now)?;
    if table.is_duel() {
        if table.rated && table.can_be_aborted() {
            table.end(now, EndReason::Abort, None);
            return Ok(());
        }
        table.push(
            now,
            TableEvent::Resigned {
                seat,
                replaced_by: None,
                name: None,
            },
        );
        table.end(
            now,
            EndReason::Resignation,
            Some(Outcome::won(seat.next(2)).into()),
        );
        return Ok(());
    }
    let mut held: Vec<Seat> = table
        .seats_of(by)
        .into_iter()
        .filter(|seat| table.players[seat.index()].is_human())
        .collect();
    held.sort_by_key(|other| *other != seat);
    let how = EndReason::Resignation;
    table.replace_or_end(now, &held, how, |seat, replaced_by, name| {
        TableEvent::Resigned {
            seat,
            replaced_by,
            name,
        }
    });
    Ok(())
}
