//! Claiming a game that the other side has left: a win, or a draw for the kind. In a team there is nothing to win that way; there a bot
//! takes the seat of whoever left, so that the others can go on.

use parlor_core::{Outcome, Seat};
use parlor_games::bots;

use crate::{By, Claim, Event, How, Refused, Table, Timestamp};

/// In a game with clocks: so long without a connection, on turn.
const AWAY_MS: i64 = 60_000;
/// In a game without clocks: so long without a move.
const SILENT_MS: i64 = 7 * 24 * 3_600_000;

pub(crate) fn claim(
    table: &mut Table,
    now: Timestamp,
    by: &By,
    claim: Claim,
    absent_since: Option<Timestamp>,
) -> Result<(), Refused> {
    let seat = table.seat_of(by)?;
    table.must_be_playing(now)?;
    let missing = table
        .on_turn()
        .filter(|on_turn| !table.held(by).contains(on_turn));
    let missing = missing
        .filter(|_| suits(table, claim))
        .ok_or(Refused::NothingToClaim)?;
    if !table.players[missing.index()].is_human() || !may(table, now, absent_since) {
        return Err(Refused::NothingToClaim);
    }
    table.push(now, Event::Claimed { seat, claim });
    match claim {
        Claim::Win => table.end(now, How::Claim, Some(Outcome::won(missing.next(2)).into())),
        Claim::Draw => table.end(now, How::Claim, Some(Outcome::Draw.into())),
        Claim::StandIn => stand_in(table, now, missing),
    }
    Ok(())
}

fn suits(table: &Table, claim: Claim) -> bool {
    match claim {
        Claim::Win | Claim::Draw => table.is_duel(),
        Claim::StandIn => table.kind.is_cooperative(),
    }
}

/// A bot plays for the seat from now on; whoever left it has given it up.
fn stand_in(table: &mut Table, now: Timestamp, missing: Seat) {
    let bot = bots::weakest(&table.position);
    table.push(
        now,
        Event::Resigned {
            seat: missing,
            replaced_by: Some(bot),
        },
    );
}

fn may(table: &Table, now: Timestamp, absent_since: Option<Timestamp>) -> bool {
    let passed = |since: Timestamp| now.millis() - since.millis();
    match &table.clock {
        None => passed(table.turn_since) >= SILENT_MS,
        Some(clock) if clock.control().is_correspondence() => false,
        Some(_) => absent_since.is_some_and(|since| passed(since.max(table.turn_since)) >= AWAY_MS),
    }
}
