//! Agreeing on a draw. An offer stands until another player declines it or moves. Offering a draw
//! when all others do completes the agreement.

use parlor_core::{Outcome, Seat};

use crate::{EndReason, Issuer, Player, Refusal, Table, TableEvent, Timestamp};

pub(crate) fn offer(table: &mut Table, now: Timestamp, by: &Issuer) -> Result<(), Refusal> {
    let held = seats_allowed_to_agree(table, now, by)?;
    if table
        .players
        .iter()
        .any(|player| matches!(player, Player::Bot { .. }))
    {
        return Err(Refusal::BotsPlayOn);
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
            .any(|seat| table.offers.draw_at[seat.index()] == Some(table.move_count(*seat)))
    {
        return Err(Refusal::OfferedAlready);
    }
    for seat in offering {
        table.push(now, TableEvent::DrawOffered { seat });
    }
    if table.offers.draw.iter().all(|offers| *offers) {
        table.end(now, EndReason::Agreement, Some(Outcome::Draw.into()));
    }
    Ok(())
}

pub(crate) fn accept(table: &mut Table, now: Timestamp, by: &Issuer) -> Result<(), Refusal> {
    let held = seats_allowed_to_agree(table, now, by)?;
    others_offer(table, &held)?;
    offer(table, now, by)
}

pub(crate) fn decline(table: &mut Table, now: Timestamp, by: &Issuer) -> Result<(), Refusal> {
    let held = seats_allowed_to_agree(table, now, by)?;
    let seat = others_offer(table, &held)?;
    table.push(now, TableEvent::DrawDeclined { seat });
    Ok(())
}

fn seats_allowed_to_agree(
    table: &Table,
    now: Timestamp,
    by: &Issuer,
) -> Result<Vec<Seat>, Refusal> {
    table.acting_seat(by)?;
    table.ensure_time_left(now)?;
    if !table.position.kind().can_be_drawn() {
        return Err(Refusal::NoDraws);
    }
    Ok(table.seats_of(by))
}

/// Returns the caller's seat that answers a draw offered by others.
fn others_offer(table: &Table, held: &[Seat]) -> Result<Seat, Refusal> {
    let offered = Seat::all(table.position.seats())
        .any(|s| table.offers.draw[s.index()] && !held.contains(&s));
    held.first()
        .copied()
        .filter(|_| offered)
        .ok_or(Refusal::NothingOffered)
}
