//! Giving up one's seats before the game starts. A table that the last person leaves is called off.

use crate::table::Status;
use crate::{By, Event, How, Player, Refused, Table, Timestamp};

pub(crate) fn leave(table: &mut Table, now: Timestamp, by: &By) -> Result<(), Refused> {
    let seats = table.held(by);
    if seats.is_empty() {
        return Err(Refused::NotSeated);
    }
    if table.status != Status::Open {
        return Err(Refused::Started);
    }
    for seat in seats {
        table.push(now, Event::Left { seat });
    }
    if !table.players.iter().any(Player::is_human) {
        table.end(now, How::Abort, None);
    }
    Ok(())
}
