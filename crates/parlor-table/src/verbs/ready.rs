//! Declaring oneself ready. The clock starts when the seat that moves first is ready.

use crate::{Issuer, Refusal, Table, TableEvent, Timestamp};

pub(crate) fn ready(table: &mut Table, now: Timestamp, by: &Issuer) -> Result<(), Refusal> {
    table.acting_seat(by)?;
    table.ensure_time_left(now)?;
    for seat in table.seats_of(by) {
        if !table.ready[seat.index()] {
            table.push(now, TableEvent::Ready { seat });
        }
    }
    Ok(())
}
