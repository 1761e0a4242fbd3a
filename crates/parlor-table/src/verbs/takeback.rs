//! Taking a move back: the last one of the seat that asks, and what was answered to it, if the others agree. Bots agree.

use parlor_core::Seat;

use crate::{By, Event, Refused, Table, Timestamp};

pub(crate) fn offer(table: &mut Table, now: Timestamp, by: &By) -> Result<(), Refused> {
    let held = may(table, now, by)?;
    let (seat, _) = last_move_of(table, &held).ok_or(Refused::NothingToTakeBack)?;
    if table.offers.takeback.is_some_and(|asking| !held.contains(&asking)) {
        return accept(table, now, by);
    }
    if table.offers.takeback.is_none() {
        table.push(now, Event::TakebackOffered { seat });
    }
    if !table.players.iter().enumerate().any(|(n, player)| player.is_human() && !held.iter().any(|s| s.index() == n)) {
        take_back(table, now, seat)?;
    }
    Ok(())
}

pub(crate) fn accept(table: &mut Table, now: Timestamp, by: &By) -> Result<(), Refused> {
    let held = may(table, now, by)?;
    let asking = asking(table, &held)?;
    take_back(table, now, asking)
}

pub(crate) fn decline(table: &mut Table, now: Timestamp, by: &By) -> Result<(), Refused> {
    let held = may(table, now, by)?;
    asking(table, &held)?;
    table.push(now, Event::TakebackDeclined { seat: held[0] });
    Ok(())
}

fn may(table: &Table, now: Timestamp, by: &By) -> Result<Vec<Seat>, Refused> {
    table.seat_of(by)?;
    table.must_be_playing(now)?;
    if table.kind.has_luck() || table.position.seats() != 2 {
        return Err(Refused::NoTakebacks);
    }
    Ok(table.held(by))
}

fn asking(table: &Table, held: &[Seat]) -> Result<Seat, Refused> {
    table.offers.takeback.filter(|asking| !held.contains(asking)).ok_or(Refused::NothingOffered)
}

/// The last move of these seats: whose, and how many moves there were before it.
fn last_move_of(table: &Table, seats: &[Seat]) -> Option<(Seat, usize)> {
    let before = table.steps.iter().rposition(|step| step.mover().is_some_and(|seat| seats.contains(&seat)))?;
    Some((table.steps[before].mover()?, before))
}

fn take_back(table: &mut Table, now: Timestamp, seat: Seat) -> Result<(), Refused> {
    let (_, before) = last_move_of(table, &[seat]).ok_or(Refused::NothingToTakeBack)?;
    let moves = u32::try_from(table.steps.len() - before).expect("a game has fewer moves");
    table.push(now, Event::TakenBack { moves });
    Ok(())
}
