//! Taking a seat. The last one to sit down starts the game.

use parlor_core::{Seat, Turn};

use super::luck_text;
use crate::table::Status;
use crate::{By, Event, Key, Player, Refused, Table, Timestamp};

pub(crate) struct Request {
    pub(crate) seat: Option<Seat>,
    pub(crate) name: String,
    pub(crate) invite: Option<Key>,
    pub(crate) luck_text: Option<String>,
}

pub(crate) fn join(
    table: &mut Table,
    now: Timestamp,
    by: &By,
    request: Request,
) -> Result<(), Refused> {
    let key = by.key().ok_or(Refused::NotSeated)?;
    match table.status {
        Status::Over | Status::Aborted => return Err(Refused::Over),
        Status::Playing => return Err(Refused::Full),
        Status::Open => {}
    }
    let invited = table
        .invite
        .is_none_or(|invite| request.invite == Some(invite) || key == invite);
    if !invited && table.seats_of(&key).is_empty() {
        return Err(Refused::InviteNeeded);
    }
    let seat = open_seat(table, request.seat)?;
    let player = Player::of(by, &request.name)?;
    table.may_sit(&player)?;
    if let Some(text) = &request.luck_text {
        luck_text::may_add(table, text)?;
    }
    let last = table
        .players
        .iter()
        .filter(|player| **player == Player::Open)
        .count()
        == 1;
    if last && table.position.turn() == Turn::Chance {
        table.luck_is_here(Turn::Chance)?;
    }
    table.push(now, Event::Joined { seat, player });
    if let Some(text) = request.luck_text {
        luck_text::add(table, now, seat, text)?;
    }
    table.start_if_full(now)
}

fn open_seat(table: &Table, wanted: Option<Seat>) -> Result<Seat, Refused> {
    let mut seats = Seat::all(table.position.seats());
    let is_open = |seat: &Seat| table.players[seat.index()] == Player::Open;
    match wanted {
        None => seats.find(is_open).ok_or(Refused::Full),
        Some(seat) if seat.number() >= table.position.seats() => {
            Err(Refused::NoSuchSeat(table.position.seats() - 1))
        }
        Some(seat) if is_open(&seat) => Ok(seat),
        Some(_) => Err(Refused::SeatTaken),
    }
}
