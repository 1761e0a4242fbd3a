//! Taking back the last move of the seat that asks, together with the replies to it, if the
//! opponent agrees. Bots always agree. The increments for the moves are taken back, too.
//!
//! A team needs no agreement: each seat takes back its own last moves, one at a time, as long as
//! neither luck nor another seat has acted since. This never undoes what a player has learned or
//! answered.

use parlor_core::Seat;

use crate::{Issuer, RecordStep, Refusal, Table, TableEvent, Timestamp};

pub(crate) fn offer(table: &mut Table, now: Timestamp, by: &Issuer) -> Result<(), Refusal> {
    if table.kind.is_cooperative() {
        return undo_team_move(table, now, by);
    }
    let held = seats_allowed_to_ask(table, now, by)?;
    let (seat, _) = last_move_by(table, &held).ok_or(Refusal::NothingToTakeBack)?;
    if table
        .offers
        .takeback
        .is_some_and(|asking| !held.contains(&asking))
    {
        return accept(table, now, by);
    }
    if table.offers.takeback.is_none() {
        table.push(now, TableEvent::TakebackOffered { seat });
    }
    if !table
        .players
        .iter()
        .enumerate()
        .any(|(n, player)| player.is_human() && !held.iter().any(|s| s.index() == n))
    {
        take_back(table, now, seat)?;
    }
    Ok(())
}

pub(crate) fn accept(table: &mut Table, now: Timestamp, by: &Issuer) -> Result<(), Refusal> {
    let held = seats_allowed_to_ask(table, now, by)?;
    let asking = asking_seat(table, &held)?;
    take_back(table, now, asking)
}

pub(crate) fn decline(table: &mut Table, now: Timestamp, by: &Issuer) -> Result<(), Refusal> {
    let held = seats_allowed_to_ask(table, now, by)?;
    asking_seat(table, &held)?;
    table.push(now, TableEvent::TakebackDeclined { seat: held[0] });
    Ok(())
}

fn seats_allowed_to_ask(table: &Table, now: Timestamp, by: &Issuer) -> Result<Vec<Seat>, Refusal> {
    table.acting_seat(by)?;
    table.ensure_time_left(now)?;
    if table.kind.is_cooperative() {
        return Err(Refusal::NothingOffered);
    }
    if table.kind.has_luck() || table.position.seats() != 2 {
        return Err(Refusal::NoTakebacks);
    }
    Ok(table.seats_of(by))
}

fn asking_seat(table: &Table, held: &[Seat]) -> Result<Seat, Refusal> {
    table
        .offers
        .takeback
        .filter(|asking| !held.contains(asking))
        .ok_or(Refusal::NothingOffered)
}

/// Returns the seat of the last move by any of these seats, and the number of steps before that
/// move.
fn last_move_by(table: &Table, seats: &[Seat]) -> Option<(Seat, usize)> {
    let before = table
        .steps
        .iter()
        .rposition(|step| step.mover().is_some_and(|seat| seats.contains(&seat)))?;
    Some((table.steps[before].mover()?, before))
}

fn take_back(table: &mut Table, now: Timestamp, seat: Seat) -> Result<(), Refusal> {
    let (_, before) = last_move_by(table, &[seat]).ok_or(Refusal::NothingToTakeBack)?;
    let moves = u32::try_from(table.steps.len() - before).expect("a game has fewer moves");
    table.push(now, TableEvent::TakenBack { moves });
    Ok(())
}

/// Takes back a team's last move at once, without asking.
fn undo_team_move(table: &mut Table, now: Timestamp, by: &Issuer) -> Result<(), Refusal> {
    table.acting_seat(by)?;
    table.ensure_time_left(now)?;
    let held = table.seats_of(by);
    let moves = undoable(table, &held)?;
    table.push(now, TableEvent::TakenBack { moves });
    Ok(())
}

/// Returns the number of moves that an undo by the holder of these seats takes back. This is one,
/// except that a request to another seat of the same person is taken back along with its automatic
/// answer.
fn undoable(table: &Table, held: &[Seat]) -> Result<u32, Refusal> {
    match table.steps.last().map(RecordStep::mover) {
        None => Err(Refusal::NothingToTakeBack),
        Some(None) if table.steps.iter().all(|step| step.mover().is_none()) => {
            Err(Refusal::NothingToTakeBack)
        }
        Some(None) => Err(Refusal::LuckHasDecided),
        Some(Some(seat)) if !held.contains(&seat) => Err(Refusal::OthersHaveMoved),
        Some(Some(seat)) => {
            let before = table.replay_steps(&table.steps[..table.steps.len() - 1]);
            let question = before.and_then(|position| position.consent());
            let own = question.is_some_and(|asked| asked.seat == seat && held.contains(&asked.by));
            Ok(if own { 2 } else { 1 })
        }
    }
}

impl Table {
    /// Returns the seat that may take back its last move at once, in cooperative games; `None` if a
    /// bot made the last move.
    pub fn undo_seat(&self) -> Option<Seat> {
        let seat = self.steps.last()?.mover()?;
        let allowed = self.kind.is_cooperative() && self.status == crate::TableStatus::Playing;
        Some(seat).filter(|_| allowed && self.players[seat.index()].is_human())
    }
}
