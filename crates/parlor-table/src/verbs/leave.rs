//! Giving up seats before the game starts. A table is aborted when the last person leaves it.

use crate::table::TableStatus;
use crate::{EndReason, Issuer, Player, Refusal, Table, TableEvent, Timestamp};

pub(crate) fn leave(table: &mut Table, now: Timestamp, by: &Issuer) -> Result<(), Refusal> {
    let seats = table.seats_of(by);
    if seats.is_empty() {
        return Err(Refusal::NotSeated);
    }
    if table.status != TableStatus::Open {
        return Err(Refusal::Started);
    }
    for seat in seats {
        table.push(now, TableEvent::Left { seat });
    }
    if !table.players.iter().any(Player::is_human) {
        table.end(now, EndReason::Abort, None);
    }
    Ok(())
}
