//! Stand-ins: bots that play for people who left a game that goes on. In a team, those who remain
//! choose how well the bot plays, and those who left can take their seats back.

use parlor_core::Seat;
use parlor_games::bots;

use crate::table_clock::TableClock;
use crate::{
    Claim, HandoverReason, Issuer, Player, RecordedHandover, Refusal, SeatKey, Table, TableEvent,
    Timestamp,
};

/// Person for whom a bot plays.
#[derive(Clone, Debug)]
pub(crate) struct Departure {
    /// The person.
    player: Player,
    /// Time left on the clock, in milliseconds; `None` at tables without clocks.
    left_ms: Option<i64>,
    /// Number of moves that had been made in the seat.
    moves: usize,
    /// Number of all moves that the clocks knew of.
    timed_moves: usize,
}

/// Chooses the bot that plays for somebody who left.
pub(crate) fn choose(
    table: &mut Table,
    now: Timestamp,
    by: &Issuer,
    seat: Seat,
    spec: String,
) -> Result<(), Refusal> {
    by.key().ok_or(Refusal::NotSeated)?;
    let own = table.acting_seat(by)?;
    table.ensure_playing()?;
    let seats = table.position.seats();
    if seat.number() >= seats {
        return Err(Refusal::NoSuchSeat(seats - 1));
    }
    if !table.kind.is_cooperative() || table.person_gone(seat).is_none() {
        return Err(Refusal::NoStandIn);
    }
    bots::check(&table.position, &spec).map_err(|error| Refusal::UnknownBot(error.to_string()))?;
    if table.players[seat.index()] != Player::bot(spec.as_str()) {
        let by = own;
        table.push(now, TableEvent::StandInChosen { seat, by, spec });
    }
    Ok(())
}

/// Gives the issuer's seats back.
pub(crate) fn take_back(table: &mut Table, now: Timestamp, by: &Issuer) -> Result<(), Refusal> {
    let key = by.key().ok_or(Refusal::NotSeated)?;
    let seats = table.seats_to_take_back(&key)?;
    table.ensure_time_left(now)?;
    for seat in seats {
        let name = table.person_gone(seat).and_then(Player::name);
        let name = name.unwrap_or_default().to_owned();
        table.push(now, TableEvent::Returned { seat, name });
    }
    Ok(())
}

impl Table {
    /// Returns the person who left a seat and for whom a bot plays there; `None` if there is none.
    pub fn person_gone(&self, seat: Seat) -> Option<&Player> {
        let departure = self.departed.get(seat.index())?.as_ref();
        departure.map(|departure| &departure.player)
    }

    /// Returns the seats that the person with this key can take back from bots.
    ///
    /// A seat gets at most the time back that was left on its clock. In a correspondence game, that
    /// concerns only the move that was under way.
    ///
    /// # Errors
    /// The reason if there is no such seat: a [`Refusal`] as of [`Command::Return`](crate::Command::Return).
    pub fn seats_to_take_back(&self, key: &SeatKey) -> Result<Vec<Seat>, Refusal> {
        let mut seats: Vec<Seat> = Seat::all(self.position.seats())
            .filter(|seat| {
                self.person_gone(*seat)
                    .is_some_and(|person| person.has_key(key))
            })
            .collect();
        if seats.is_empty() {
            let is_here = !self.seats_with_key(key).is_empty();
            return Err(if is_here {
                Refusal::NotGone
            } else {
                Refusal::NotSeated
            });
        }
        self.ensure_playing()?;
        if !self.kind.is_cooperative() {
            return Err(Refusal::NoReturn);
        }
        seats.retain(|seat| self.time_on_return(*seat).is_none_or(|ms| ms > 0));
        if seats.is_empty() {
            return Err(Refusal::NoTimeToReturn);
        }
        Ok(seats)
    }

    /// Returns the spec of the bot that takes over a seat at first.
    pub(crate) fn usual_stand_in(&self) -> String {
        if self.kind.is_cooperative() {
            bots::stand_in(&self.position)
        } else {
            bots::weakest(&self.position)
        }
    }

    /// Returns the name of the person who leaves a seat, or who has left it to a bot.
    pub(crate) fn name_to_keep(&self, seat: Seat) -> Option<String> {
        let player = &self.players[seat.index()];
        let person = Some(player).filter(|player| player.is_human());
        let name = person.or(self.person_gone(seat)).and_then(Player::name);
        name.map(str::to_owned)
    }

    /// Returns the reason why an event that follows the log so far hands a seat over to a bot.
    pub(crate) fn reason_to_replace(&self, event: &TableEvent) -> HandoverReason {
        match (event, self.log.last().map(|entry| &entry.event)) {
            (TableEvent::Flagged { .. }, _) => HandoverReason::Time,
            (_, Some(TableEvent::Claimed { claim, .. })) if *claim == Claim::StandIn => {
                HandoverReason::Away
            }
            _ => HandoverReason::Resigned,
        }
    }

    /// Lets a bot play in a seat of the table, for the person there or for the one that a bot stands in
    /// for already.
    pub(crate) fn replace(&mut self, seat: Seat, spec: &str, why: HandoverReason, at: Timestamp) {
        let moves = self.move_count(seat);
        let player = std::mem::replace(&mut self.players[seat.index()], Player::bot(spec));
        let timed_moves = self.clock.as_ref().map_or(0, TableClock::moves);
        let left_ms = self.clock.as_mut().map(|clock| clock.renew(seat, at));
        if player.is_human() {
            self.departed[seat.index()] = Some(Departure {
                player,
                left_ms,
                moves,
                timed_moves,
            });
        }
        self.note_handover(seat, why, Some(spec), at);
    }

    /// Lets another bot play for the person who left a seat.
    pub(crate) fn change_stand_in(&mut self, seat: Seat, spec: &str, at: Timestamp) {
        self.players[seat.index()] = Player::bot(spec);
        self.note_handover(seat, HandoverReason::Chosen, Some(spec), at);
    }

    /// Gives a seat back to the person who left it.
    pub(crate) fn give_back(&mut self, seat: Seat, at: Timestamp) {
        let left = self.time_on_return(seat);
        self.note_handover(seat, HandoverReason::Returned, None, at);
        let Some(departure) = self.departed[seat.index()].take() else {
            return;
        };
        self.players[seat.index()] = departure.player;
        if let (Some(clock), Some(ms)) = (&mut self.clock, left) {
            clock.limit(seat, at, ms, departure.timed_moves);
        }
    }

    /// Returns the most time, in milliseconds, that the person who left a seat gets back; `None` if the
    /// clock of the bot is as good.
    fn time_on_return(&self, seat: Seat) -> Option<i64> {
        let control = self.clock.as_ref()?.control();
        let departure = self.departed.get(seat.index())?.as_ref()?;
        let is_next_move = control.is_correspondence() && self.move_count(seat) != departure.moves;
        departure.left_ms.filter(|_| !is_next_move)
    }

    fn note_handover(&mut self, seat: Seat, why: HandoverReason, bot: Option<&str>, at: Timestamp) {
        let Some(name) = self.person_gone(seat).and_then(Player::name) else {
            return;
        };
        let handover = RecordedHandover {
            step: self.steps.len(),
            seat: seat.number(),
            at,
            why,
            name: name.to_owned(),
            bot: bot.map(str::to_owned),
        };
        self.handovers.push(handover);
    }
}
