//! Another game of the same kind. All persons at the table must ask for it; bots always agree.

use crate::table::Status;
use crate::{By, Event, Player, Refused, Table, TableId, Timestamp};

pub(crate) fn rematch(
    table: &mut Table,
    now: Timestamp,
    by: &By,
    next: TableId,
) -> Result<(), Refused> {
    table.seat_of(by)?;
    match table.status {
        Status::Open => return Err(Refused::NotStarted),
        Status::Playing => return Err(Refused::NotOver),
        Status::Over | Status::Aborted => {}
    }
    if table.players.contains(&Player::Open) {
        return Err(Refused::NotStarted);
    }
    if table.next.is_some() {
        return Ok(());
    }
    for seat in table.held(by) {
        if !table.wants_rematch[seat.index()] {
            table.push(now, Event::RematchOffered { seat });
        }
    }
    let mut agreed = table.players.iter().zip(&table.wants_rematch);
    if agreed.all(|(player, wants)| *wants || !player.is_human()) {
        table.push(now, Event::RematchAgreed { next });
    }
    Ok(())
}
