//! Taking a seat. The last player to join starts the game.

use parlor_core::{Seat, Turn};

use super::luck_text;
use crate::table::TableStatus;
use crate::{Issuer, Player, Refusal, SeatKey, Table, TableEvent, Timestamp};

pub(crate) struct JoinRequest {
    pub(crate) seat: Option<Seat>,
    pub(crate) name: String,
    pub(crate) owner: Option<String>,
    pub(crate) invite: Option<SeatKey>,
    pub(crate) luck_text: Option<String>,
}

pub(crate) fn join(
    table: &mut Table,
    now: Timestamp,
    by: &Issuer,
    request: JoinRequest,
) -> Result<(), Refusal> {
    let key = by.key().ok_or(Refusal::NotSeated)?;
    let invited = table
        .invite
        .is_none_or(|invite| request.invite == Some(invite) || key == invite);
    if !invited && table.seats_with_key(&key).is_empty() {
        return Err(Refusal::InviteNeeded);
    }
    match table.status {
        TableStatus::Over | TableStatus::Aborted => return Err(Refusal::Over),
        TableStatus::Playing => return Err(Refusal::Full),
        TableStatus::Open => {}
    }
    let seat = open_seat(table, request.seat)?;
    let player = Player::from_issuer(by, &request.name, request.owner.as_deref())?;
    table.ensure_can_sit(&player)?;
    if let Some(text) = &request.luck_text {
        luck_text::ensure_can_add(table, text)?;
    }
    let last = table
        .players
        .iter()
        .filter(|player| **player == Player::Open)
        .count()
        == 1;
    if last && table.position.turn() == Turn::Chance {
        table.ensure_drawable(Turn::Chance)?;
    }
    table.push(now, TableEvent::Joined { seat, player });
    if let Some(text) = request.luck_text {
        luck_text::add(table, now, seat, text)?;
    }
    table.start_if_full(now)
}

fn open_seat(table: &Table, wanted: Option<Seat>) -> Result<Seat, Refusal> {
    let mut seats = Seat::all(table.position.seats());
    let is_open = |seat: &Seat| table.players[seat.index()] == Player::Open;
    match wanted {
        None => seats.find(is_open).ok_or(Refusal::Full),
        Some(seat) if seat.number() >= table.position.seats() => {
            Err(Refusal::NoSuchSeat(table.position.seats() - 1))
        }
        Some(seat) if is_open(&seat) => Ok(seat),
        Some(_) => Err(Refusal::SeatTaken),
    }
}
