//! Mixing a text of one's own into the luck of a table, before the first draw.

use parlor_core::Seat;

use crate::luck::TEXT_LIMIT;
use crate::{By, Event, Refused, Table, Timestamp};

pub(crate) fn luck_text(
    table: &mut Table,
    now: Timestamp,
    by: &By,
    text: String,
) -> Result<(), Refused> {
    let seat = table.seat_of(by)?;
    add(table, now, seat, text)
}

pub(crate) fn add(
    table: &mut Table,
    now: Timestamp,
    seat: Seat,
    text: String,
) -> Result<(), Refused> {
    may_add(table, &text)?;
    if seat.number() >= table.position.seats() {
        return Err(Refused::NoSuchSeat(table.position.seats() - 1));
    }
    table.push(now, Event::LuckText { seat, text });
    Ok(())
}

pub(crate) fn may_add(table: &Table, text: &str) -> Result<(), Refused> {
    let luck = table.luck.as_ref().ok_or(Refused::NoLuck)?;
    if luck.drawn > 0 || luck.revealed {
        return Err(Refused::LuckDrawn);
    }
    if text.chars().count() > TEXT_LIMIT {
        Err(Refused::BadLuckText)
    } else {
        Ok(())
    }
}
