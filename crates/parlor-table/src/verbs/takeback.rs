//! Taking a move back: the last one of the seat that asks, and what was answered to it, if the others agree. Bots agree.
//!
//! A team plays with open hands and asks nobody: each takes back what it did last, step by step, as long as neither luck nor another
//! seat has done something since. So nothing that was seen is ever unseen, and an answer to a question keeps what was asked for.

use parlor_core::Seat;

use crate::{By, Event, Refused, Step, Table, Timestamp};

pub(crate) fn offer(table: &mut Table, now: Timestamp, by: &By) -> Result<(), Refused> {
    if table.kind.is_cooperative() {
        return undo(table, now, by);
    }
    let held = may(table, now, by)?;
    let (seat, _) = last_move_of(table, &held).ok_or(Refused::NothingToTakeBack)?;
    if table
        .offers
        .takeback
        .is_some_and(|asking| !held.contains(&asking))
    {
        return accept(table, now, by);
    }
    if table.offers.takeback.is_none() {
        table.push(now, Event::TakebackOffered { seat });
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
    if table.kind.is_cooperative() {
        return Err(Refused::NothingOffered);
    }
    if table.kind.has_luck() || table.position.seats() != 2 {
        return Err(Refused::NoTakebacks);
    }
    Ok(table.held(by))
}

fn asking(table: &Table, held: &[Seat]) -> Result<Seat, Refused> {
    table
        .offers
        .takeback
        .filter(|asking| !held.contains(asking))
        .ok_or(Refused::NothingOffered)
}

/// The last move of these seats: whose, and how many moves there were before it.
fn last_move_of(table: &Table, seats: &[Seat]) -> Option<(Seat, usize)> {
    let before = table
        .steps
        .iter()
        .rposition(|step| step.mover().is_some_and(|seat| seats.contains(&seat)))?;
    Some((table.steps[before].mover()?, before))
}

fn take_back(table: &mut Table, now: Timestamp, seat: Seat) -> Result<(), Refused> {
    let (_, before) = last_move_of(table, &[seat]).ok_or(Refused::NothingToTakeBack)?;
    let moves = u32::try_from(table.steps.len() - before).expect("a game has fewer moves");
    table.push(now, Event::TakenBack { moves });
    Ok(())
}

/// A team's way: at once.
fn undo(table: &mut Table, now: Timestamp, by: &By) -> Result<(), Refused> {
    table.seat_of(by)?;
    table.must_be_playing(now)?;
    let held = table.held(by);
    let moves = undoable(table, &held)?;
    table.push(now, Event::TakenBack { moves });
    Ok(())
}

/// How many moves an undo by somebody who holds these seats takes back. It is one, but for a question to oneself, which goes with its
/// answer: nobody wants to be asked what the table answers by itself.
fn undoable(table: &Table, held: &[Seat]) -> Result<u32, Refused> {
    match table.steps.last().map(Step::mover) {
        None => Err(Refused::NothingToTakeBack),
        Some(None) if table.steps.iter().all(|step| step.mover().is_none()) => {
            Err(Refused::NothingToTakeBack)
        }
        Some(None) => Err(Refused::LuckSince),
        Some(Some(seat)) if !held.contains(&seat) => Err(Refused::OthersSince),
        Some(Some(seat)) => {
            let before = table.position_after(&table.steps[..table.steps.len() - 1]);
            let question = before.and_then(|position| position.consent());
            let own = question.is_some_and(|asked| asked.seat == seat && held.contains(&asked.by));
            Ok(if own { 2 } else { 1 })
        }
    }
}

impl Table {
    /// The seat that could take back at once what it played last, as a team's seats do; nothing while a bot's move is the last.
    pub fn may_undo(&self) -> Option<Seat> {
        let seat = self.steps.last()?.mover()?;
        let may = self.kind.is_cooperative() && self.status == crate::Status::Playing;
        Some(seat).filter(|_| may && self.players[seat.index()].is_human())
    }
}
