//! Typing in what luck did, at a table where the players bring their own: real dice, for example.

use parlor_core::Turn;
use parlor_games::PlayError;

use crate::{By, Event, Refused, Table, Timestamp};

pub(crate) fn luck(
    table: &mut Table,
    now: Timestamp,
    by: &By,
    chance: &str,
    version: Option<u64>,
) -> Result<(), Refused> {
    table.seat_of(by)?;
    table.must_be_on()?;
    if !table.luck_by_hand() {
        return Err(Refused::DrawnByHouse);
    }
    table.must_have_seen(version)?;
    if table.position.turn() != Turn::Chance {
        return Err(Refused::NotLucksTurn);
    }
    let chance = table
        .position
        .canonical_chance(chance)
        .map_err(PlayError::Notation)?;
    table.position.clone().resolve(&chance)?;
    let n = table.luck.as_ref().map_or(0, |luck| luck.drawn);
    table.push(now, Event::Chance { n, chance });
    table.settle(now);
    Ok(())
}
