//! Aborting a game. Any seated player can do so until every seat has moved, and so can an invited
//! player while the table is still open.

use crate::table::TableStatus;
use crate::{EndReason, Issuer, Refusal, Table, Timestamp};

pub(crate) fn abort(table: &mut Table, now: Timestamp, by: &Issuer) -> Result<(), Refusal> {
    let invited =
        table.status == TableStatus::Open && table.invite.is_some() && table.invite == by.key();
    if !invited {
        table.acting_seat(by)?;
    }
    match table.status {
        TableStatus::Over | TableStatus::Aborted => return Err(Refusal::Over),
        TableStatus::Playing if !table.can_be_aborted() => return Err(Refusal::TooLateToAbort),
        TableStatus::Playing | TableStatus::Open => {}
    }
    table.end(now, EndReason::Abort, None);
    Ok(())
}
