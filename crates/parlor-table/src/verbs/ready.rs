//! Saying that one is there. When the seat that begins is ready, its clock starts.

use crate::{By, Event, Refused, Table, Timestamp};

pub(crate) fn ready(table: &mut Table, now: Timestamp, by: &By) -> Result<(), Refused> {
    table.seat_of(by)?;
    table.must_be_playing(now)?;
    for seat in table.held(by) {
        if !table.ready[seat.index()] {
            table.push(now, Event::Ready { seat });
        }
    }
    Ok(())
}
