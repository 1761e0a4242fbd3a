//! Agreeing on a draw. An offer stands until somebody else declines it or moves; who offers while all others do has agreed.

use parlor_core::{Outcome, Seat};

use crate::{By, Event, How, Player, Refused, Table, Timestamp};

pub(crate) fn offer(table: &mut Table, now: Timestamp, by: &By) -> Result<(), Refused> {
    let held = may(table, now, by)?;
    if table
        .players
        .iter()
        .any(|player| matches!(player, Player::Bot { .. }))
    {
        return Err(Refused::BotsPlayOn);
    }
    let fresh = |seat: &Seat| !table.offers.draw[seat.index()];
    let offering: Vec<Seat> = held.into_iter().filter(fresh).collect();
    let answers = offering.iter().all(|seat| {
        table
            .offers
            .draw
            .iter()
            .enumerate()
            .any(|(n, d)| *d && n != seat.index())
    });
    if !answers
        && offering
            .iter()
            .any(|seat| table.offers.draw_at[seat.index()] == Some(table.moves_of(*seat)))
    {
        return Err(Refused::OfferedAlready);
    }
    for seat in offering {
        table.push(now, Event::DrawOffered { seat });
    }
    if table.offers.draw.iter().all(|offers| *offers) {
        table.end(now, How::Agreement, Some(Outcome::Draw.into()));
    }
    Ok(())
}

pub(crate) fn accept(table: &mut Table, now: Timestamp, by: &By) -> Result<(), Refused> {
    let held = may(table, now, by)?;
    others_offer(table, &held)?;
    offer(table, now, by)
}

pub(crate) fn decline(table: &mut Table, now: Timestamp, by: &By) -> Result<(), Refused> {
    let held = may(table, now, by)?;
    let seat = others_offer(table, &held)?;
    table.push(now, Event::DrawDeclined { seat });
    Ok(())
}

fn may(table: &Table, now: Timestamp, by: &By) -> Result<Vec<Seat>, Refused> {
    table.seat_of(by)?;
    table.must_be_playing(now)?;
    if !table.position.kind().can_be_drawn() {
        return Err(Refused::NoDraws);
    }
    Ok(table.held(by))
}

/// The seat that would answer.
fn others_offer(table: &Table, held: &[Seat]) -> Result<Seat, Refused> {
    let offered = Seat::all(table.position.seats())
        .any(|s| table.offers.draw[s.index()] && !held.contains(&s));
    held.first()
        .copied()
        .filter(|_| offered)
        .ok_or(Refused::NothingOffered)
}
