//! Entering chances by hand, at a table where the players bring their own luck, such as real dice.

use parlor_core::Turn;
use parlor_games::PlayError;

use crate::{Issuer, Refusal, Table, TableEvent, Timestamp};

pub(crate) fn luck(
    table: &mut Table,
    now: Timestamp,
    by: &Issuer,
    chance: &str,
    version: Option<u64>,
) -> Result<(), Refusal> {
    table.acting_seat(by)?;
    table.ensure_playing()?;
    if !table.luck_by_hand() {
        return Err(Refusal::DrawnByServer);
    }
    table.ensure_up_to_date(version)?;
    if table.position.turn() != Turn::Chance {
        return Err(Refusal::NoChanceDue);
    }
    let chance = table
        .position
        .canonical_chance(chance)
        .map_err(PlayError::Notation)?;
    table.position.clone().resolve(&chance)?;
    let n = table.luck.as_ref().map_or(0, |luck| luck.drawn);
    table.push(now, TableEvent::Chance { n, chance });
    table.advance_to_decision(now);
    Ok(())
}
