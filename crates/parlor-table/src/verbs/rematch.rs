//! Agreeing on a rematch. All people at the table must ask for it; bots always agree.

use parlor_core::Seat;

use crate::table::TableStatus;
use crate::{Issuer, Player, Refusal, Table, TableEvent, TableId, Timestamp};

/// Checks that `by` may ask for a rematch now.
pub(crate) fn check(table: &Table, by: &Issuer) -> Result<(), Refusal> {
    table.acting_seat(by)?;
    match table.status {
        TableStatus::Playing => Err(Refusal::NotOver),
        TableStatus::Open => Err(Refusal::NotStarted),
        TableStatus::Over | TableStatus::Aborted if table.players.contains(&Player::Open) => {
            Err(Refusal::NotStarted)
        }
        TableStatus::Over | TableStatus::Aborted => Ok(()),
    }
}

pub(crate) fn rematch(
    table: &mut Table,
    now: Timestamp,
    by: &Issuer,
    next: TableId,
) -> Result<(), Refusal> {
    check(table, by)?;
    if table.next.is_some() {
        return Ok(());
    }
    for seat in table.seats_of(by) {
        if !table.wants_rematch[seat.index()] {
            table.push(now, TableEvent::RematchOffered { seat });
        }
    }
    let mut agreed = table.players.iter().zip(&table.wants_rematch);
    if agreed.all(|(player, wants)| *wants || !player.is_human()) {
        table.push(now, TableEvent::RematchAgreed { next });
    }
    Ok(())
}

pub(crate) fn decline(table: &mut Table, now: Timestamp, by: &Issuer) -> Result<(), Refusal> {
    let seat = table.acting_seat(by)?;
    let mine = table.seats_of(by);
    let mut asking =
        Seat::all(table.position.seats()).filter(|seat| table.wants_rematch[seat.index()]);
    if table.next.is_some() || asking.all(|seat| mine.contains(&seat)) {
        return Err(Refusal::NothingOffered);
    }
    table.push(now, TableEvent::RematchDeclined { seat });
    Ok(())
}
