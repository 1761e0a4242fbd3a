//! Calling a game off: by any person at the table, as long as not every seat has moved; and by whom it waits for.

use crate::table::Status;
use crate::{By, How, Refused, Table, Timestamp};

pub(crate) fn abort(table: &mut Table, now: Timestamp, by: &By) -> Result<(), Refused> {
    let invited =
        table.status == Status::Open && table.invite.is_some() && table.invite == by.key();
    if !invited {
        table.seat_of(by)?;
    }
    match table.status {
        Status::Over | Status::Aborted => return Err(Refused::Over),
        Status::Playing if !table.may_be_called_off() => return Err(Refused::TooLateToAbort),
        Status::Playing | Status::Open => {}
    }
    table.end(now, How::Abort, None);
    Ok(())
}
