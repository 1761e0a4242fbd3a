//! Claiming a game that the opponent has left: as a win, or generously as a draw. In a cooperative
//! game a bot takes over the seat of the missing player instead, so that the others can go on.

use parlor_core::{Outcome, Seat};

use crate::{Claim, EndReason, Issuer, Refusal, Table, TableEvent, Timestamp};

/// Minimum absence on turn before a bot stands in at a table without clocks, in milliseconds.
const PARTNER_AWAY_MS: i64 = 5 * 60_000;
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
        .filter(|on_turn| !table.seats_of(by).contains(on_turn))
        .filter(|_| claim_fits(table, claim))
        .ok_or(Refusal::NothingToClaim)?;
    if table
        .claimable_from(absent_since)
        .is_none_or(|from| now < from)
    {
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
    let (bot, name) = (table.usual_stand_in(), table.name_to_keep(missing));
    table.push(
        now,
        TableEvent::Resigned {
            seat: missing,
            replaced_by: Some(bot),
            name,
        },
    );
}

impl Table {
    /// Returns the time from which the other players can claim the game of the player on turn, if
    /// that player stays away since `absent_since`; `None` if they cannot: nobody is away, or a bot
    /// is on turn, or more than two play, or a rated game waits for a first move.
    ///
    /// With clocks, the absence counts; see [`TimeControl`](crate::TimeControl). Without them, a bot
    /// can stand in for a partner after five minutes of absence, and everything else takes a week
    /// without a move.
    pub fn claimable_from(&self, absent_since: Option<Timestamp>) -> Option<Timestamp> {
        let on_turn = self.on_turn()?;
        if self.awaited_first_move().is_some() {
            return None;
        }
        let is_team = self.kind.is_cooperative();
        if !self.players[on_turn.index()].is_human() || !(is_team || self.is_duel()) {
            return None;
        }
        let after = |since: Timestamp, ms| Timestamp::from_millis(since.millis() + ms);
        let away = absent_since.map(|since| since.max(self.turn_since));
        let silent = after(self.turn_since, SILENT_MS);
        match &self.clock {
            Some(clock) => Some(after(away?, clock.control().ms_to_return())),
            None if is_team => {
                let away = away.map(|away| after(away, PARTNER_AWAY_MS));
                Some(away.map_or(silent, |away| away.min(silent)))
            }
            None => Some(silent),
        }
    }
}
