//! Mixing a player's own text into the luck of a table, before the first draw.

use parlor_core::Seat;

use crate::luck::TEXT_LIMIT;
use crate::{Issuer, Refusal, Table, TableEvent, Timestamp};

pub(crate) fn luck_text(
    table: &mut Table,
    now: Timestamp,
    by: &Issuer,
    text: String,
) -> Result<(), Refusal> {
    let seat = table.acting_seat(by)?;
    add(table, now, seat, text)
}

pub(crate) fn add(
    table: &mut Table,
    now: Timestamp,
    seat: Seat,
    text: String,
) -> Result<(), Refusal> {
    ensure_can_add(table, &text)?;
    if seat.number() >= table.position.seats() {
        return Err(Refusal::NoSuchSeat(table.position.seats() - 1));
    }
    table.push(now, TableEvent::LuckText { seat, text });
    Ok(())
}

pub(crate) fn ensure_can_add(table: &Table, text: &str) -> Result<(), Refusal> {
    let luck = table.luck.as_ref().ok_or(Refusal::NoLuck)?;
    if luck.drawn > 0 || luck.revealed {
        return Err(Refusal::LuckDrawn);
    }
    if text.chars().count() > TEXT_LIMIT {
        Err(Refusal::BadLuckText)
    } else {
        Ok(())
    }
}
