//! Claiming a game that the opponent has left: as a win, or generously as a draw. In a cooperative
//! game a bot takes over the seat of the missing player instead, so that the others can go on.

use parlor_core::{Outcome, Seat};
use parlor_games::bots;

use crate::{Claim, EndReason, Issuer, Refusal, Table, TableEvent, Timestamp};

/// Minimum time without a connection while on turn, in games with clocks, in milliseconds.
const AWAY_MS: i64 = 60_000;
/// Minimum time without a move, in games without clocks, in milliseconds.
const SILENT_MS: i64 = 7 * 24 * 3_600_000;

pub(crate) fn claim(
    table: &mut Table,
    now: Timestamp,
    by: &Issuer,
    claim: Claim,
    absent_since: Option<Timestamp>,
) -> Result<(), Refusal> {
    let seat = table.acting_seat(by)?;
    table.ensure_time_left(now)?;
    let missing = table
        .on_turn()
        .filter(|on_turn| !table.seats_of(by).contains(on_turn));
    let missing = missing
        .filter(|_| claim_fits(table, claim))
        .ok_or(Refusal::NothingToClaim)?;
    if !table.players[missing.index()].is_human() || !absent_long_enough(table, now, absent_since) {
        return Err(Refusal::NothingToClaim);
    }
    table.push(now, TableEvent::Claimed { seat, claim });
    match claim {
        Claim::Win => table.end(
            now,
            EndReason::Claim,
            Some(Outcome::won(missing.next(2)).into()),
        ),
        Claim::Draw => table.end(now, EndReason::Claim, Some(Outcome::Draw.into())),
        Claim::StandIn => stand_in(table, now, missing),
    }
    Ok(())
}

fn claim_fits(table: &Table, claim: Claim) -> bool {
    match claim {
        Claim::Win | Claim::Draw => table.is_duel(),
        Claim::StandIn => table.kind.is_cooperative(),
    }
}

/// Replaces the player of a seat by a bot, which counts as that player's resignation.
fn stand_in(table: &mut Table, now: Timestamp, missing: Seat) {
    let bot = bots::weakest(&table.position);
    table.push(
        now,
        TableEvent::Resigned {
            seat: missing,
            replaced_by: Some(bot),
        },
    );
}

fn absent_long_enough(table: &Table, now: Timestamp, absent_since: Option<Timestamp>) -> bool {
    let passed = |since: Timestamp| now.millis() - since.millis();
    match &table.clock {
        None => passed(table.turn_since) >= SILENT_MS,
        Some(clock) if clock.control().is_correspondence() => false,
        Some(_) => absent_since.is_some_and(|since| passed(since.max(table.turn_since)) >= AWAY_MS),
    }
}
