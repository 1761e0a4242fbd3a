//! Asking the seats that can move out of turn, and their answers. The seat on turn waits for them.

use parlor_core::Seat;
use parlor_games::{LegalMove, Moment};

use crate::table::is_one_person;
use crate::{AskWhen, Issuer, Refusal, Table, TableEvent, TableStatus, Timestamp};

/// Time within which a seat that is asked answers, in milliseconds.
pub(crate) const ANSWER_MS: i64 = 20_000;

/// Questions to the seats that can move out of turn.
#[derive(Clone, Debug)]
pub(crate) struct Questions {
    /// For each seat, when it is asked.
    pub(crate) when: Vec<AskWhen>,
    open: Option<OpenQuestion>,
    /// For each seat, true if it has passed since the last move.
    passed: Vec<bool>,
    /// For each seat, the seat in whose turn it is not asked again.
    resting: Vec<Option<Seat>>,
}

/// Seats that have not answered yet.
#[derive(Clone, Debug)]
struct OpenQuestion {
    seats: Vec<Seat>,
    until: Timestamp,
}

impl Questions {
    pub(crate) fn new(seats: usize) -> Questions {
        Questions {
            when: vec![AskWhen::Never; seats],
            open: None,
            passed: vec![false; seats],
            resting: vec![None; seats],
        }
    }

    pub(crate) fn ask(&mut self, seats: Vec<Seat>, until: Timestamp) {
        self.open = Some(OpenQuestion { seats, until });
    }

    /// Notes that a seat has passed, in the turn of another one if it need not be asked again then.
    pub(crate) fn pass(&mut self, seat: Seat, rest_in: Option<Seat>) {
        self.passed[seat.index()] = true;
        self.resting[seat.index()] = rest_in;
        self.excuse(seat);
    }

    /// Waits for a seat no longer.
    pub(crate) fn excuse(&mut self, seat: Seat) {
        if let Some(open) = &mut self.open {
            open.seats.retain(|asked| *asked != seat);
        }
        self.open.take_if(|open| open.seats.is_empty());
    }

    /// Forgets the answers, after the position has changed. It is now the turn of this seat.
    pub(crate) fn moved(&mut self, turn_of: Option<Seat>) {
        self.open = None;
        self.passed.fill(false);
        for rest in &mut self.resting {
            // While luck decides, the turn goes on.
            rest.take_if(|turn| turn_of.is_some_and(|turn_of| turn_of != *turn));
        }
    }

    /// Returns the seats that have not answered yet.
    pub(crate) fn asked(&self) -> &[Seat] {
        self.open.as_ref().map_or(&[], |open| &open.seats)
    }

    /// Returns the time until which they can.
    pub(crate) fn until(&self) -> Option<Timestamp> {
        self.open.as_ref().map(|open| open.until)
    }
}

/// Chooses when the issuer's seats are asked.
pub(crate) fn choose(
    table: &mut Table,
    now: Timestamp,
    by: &Issuer,
    when: AskWhen,
) -> Result<(), Refusal> {
    table.acting_seat(by)?;
    if matches!(table.status, TableStatus::Over | TableStatus::Aborted) {
        return Err(Refusal::Over);
    }
    for seat in table.seats_of(by) {
        if table.questions.when[seat.index()] != when {
            table.push(now, TableEvent::Asking { seat, when });
        }
    }
    Ok(())
}

/// Asks those of the seats that can be asked now.
pub(crate) fn ask(table: &mut Table, now: Timestamp, seats: &[Seat]) {
    let mut asked = table.to_ask();
    asked.retain(|seat| seats.contains(seat));
    if !asked.is_empty() {
        let until = Timestamp::from_millis(now.millis() + ANSWER_MS);
        let seats = asked.into_iter().map(Seat::number).collect();
        table.push(now, TableEvent::Asked { seats, until });
    }
}

pub(crate) fn pass(
    table: &mut Table,
    now: Timestamp,
    by: &Issuer,
    rest_of_turn: bool,
) -> Result<(), Refusal> {
    table.acting_seat(by)?;
    table.ensure_time_left(now)?;
    let mut seats = table.seats_of(by);
    seats.retain(|seat| table.questions.asked().contains(seat));
    if seats.is_empty() {
        return Err(Refusal::NotAsked);
    }
    pass_all(table, now, &seats, rest_of_turn, false);
    Ok(())
}

/// Lets those pass who have not answered in time. They are not asked again in this turn.
pub(crate) fn expire(table: &mut Table, now: Timestamp) {
    let seats = table.questions.asked().to_vec();
    pass_all(table, now, &seats, true, true);
}

fn pass_all(
    table: &mut Table,
    now: Timestamp,
    seats: &[Seat],
    rest_of_turn: bool,
    unanswered: bool,
) {
    for &seat in seats {
        table.push(
            now,
            TableEvent::Passed {
                seat,
                rest_of_turn,
                unanswered,
            },
        );
    }
    if table.questions.asked().is_empty() {
        go_on(table, now);
    }
}

/// Makes the move of the seat on turn if it has only one, and luck can follow it.
fn go_on(table: &mut Table, now: Timestamp) {
    let Some(seat) = table.on_turn() else { return };
    let mut moves = table.position.legal();
    moves.retain(|legal| legal.seat == seat);
    let [LegalMove { text, .. }] = &moves[..] else {
        return;
    };
    let mut after = table.position.clone();
    if after.play(text, seat).is_err() || table.ensure_drawable(after.turn()).is_err() {
        return;
    }
    table.push(now, TableEvent::forced(seat, text.clone()));
    table.advance_to_decision(now);
}

impl Table {
    /// Returns the seats that wish to be asked now whether they move out of turn, if they are there.
    /// The driver asks them with [`Command::Ask`](crate::Command::Ask).
    pub fn to_ask(&self) -> Vec<Seat> {
        let Some(on_turn) = self.on_turn().filter(|_| self.questions.open.is_none()) else {
            return Vec::new();
        };
        let Some(moment) = self.position.moment() else {
            return Vec::new();
        };
        let turn_of = self.turn_of();
        let mut seats = self.position.out_of_turn();
        seats.retain(|seat| {
            let (n, player) = (seat.index(), &self.players[seat.index()]);
            let wishes = match self.questions.when[n] {
                AskWhen::Never => false,
                AskWhen::Crucial => moment == Moment::Crucial,
                AskWhen::Always => true,
            };
            let rests = self.questions.resting[n].is_some_and(|turn| Some(turn) == turn_of);
            let is_tired = self.questions.passed[n] || rests;
            let other = &self.players[on_turn.index()];
            wishes && !is_tired && player.is_human() && !is_one_person(player, other)
        });
        seats
    }

    /// Returns the seat in whose turn a seat is to move, which may be another one: one that answers a
    /// request, or has to discard.
    pub(crate) fn turn_of(&self) -> Option<Seat> {
        self.on_turn().and_then(|_| self.position.turn_of())
    }

    /// Returns the seats that are asked whether they move out of turn and have not answered, and for
    /// which the seat on turn waits.
    pub fn asked(&self) -> &[Seat] {
        self.questions.asked()
    }

    /// Returns the time until which the seats that are asked can answer.
    pub fn asked_until(&self) -> Option<Timestamp> {
        self.questions.until()
    }

    /// Returns when a seat is asked for moves out of turn.
    pub fn asks_when(&self, seat: Seat) -> AskWhen {
        self.questions
            .when
            .get(seat.index())
            .copied()
            .unwrap_or_default()
    }

    /// Returns the seat whose time runs: that of the first seat that is asked, or of the one on turn.
    pub(crate) fn deciding(&self) -> Option<Seat> {
        self.asked().first().copied().or_else(|| self.on_turn())
    }
}
