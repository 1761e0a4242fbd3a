//! The clocks of a table.

use parlor_core::Seat;
use serde::Serialize;

use crate::{ClockReading, TimeControl, Timestamp};

/// Time that a takeback leaves on a clock, in milliseconds.
const LEAST_LEFT: i64 = 1_000;

/// The clocks of a table, derived from its events: each change is charged at the event's timestamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableClock {
    control: TimeControl,
    /// Milliseconds left for each seat, as of the last change.
    left: Vec<i64>,
    /// Seat whose clock is running, and the time it was last charged.
    running: Option<(Seat, Timestamp)>,
    /// Seat whose turn it is, with what is left of its delay. Luck that decides in between, such as a
    /// roll of dice, does not end a turn.
    turn: Option<(Seat, i64)>,
    /// For each move, the seat that received the increment for it.
    gains: Vec<Option<Seat>>,
}

impl TableClock {
    pub(crate) fn new(control: TimeControl, seats: usize) -> TableClock {
        TableClock {
            control,
            left: vec![control.initial(); seats],
            running: None,
            turn: None,
            gains: Vec::new(),
        }
    }

    pub(crate) fn control(&self) -> TimeControl {
        self.control
    }

    pub(crate) fn left(&self) -> &[i64] {
        &self.left
    }

    pub(crate) fn running(&self) -> Option<(Seat, Timestamp)> {
        self.running
    }

    /// Returns what the clocks show at `at`.
    pub(crate) fn reading(&self, at: Timestamp) -> ClockReading {
        let mut now = self.clone();
        now.charge(at);
        ClockReading {
            running: now.running.map(|(seat, _)| seat.number()),
            delay_ms: now.standing_ms(),
            left_ms: now.left,
        }
    }

    /// Time, from the last charge on, for which the running clock stands still, in milliseconds.
    pub(crate) fn standing_ms(&self) -> i64 {
        self.running
            .filter(|_| self.control.waits())
            .map_or(0, |(seat, _)| self.delay_left(seat))
    }

    /// Rest of the delay of a seat's turn, in milliseconds.
    fn delay_left(&self, seat: Seat) -> i64 {
        self.turn
            .filter(|(turn, _)| *turn == seat)
            .map_or(0, |(_, delay)| delay)
    }

    /// Time at which the running clock reaches zero.
    pub(crate) fn flag_at(&self) -> Option<Timestamp> {
        let (seat, since) = self.running?;
        Some(Timestamp::from_millis(
            since.millis() + self.standing_ms() + self.left[seat.index()],
        ))
    }

    /// Seat whose clock has run out at `now`.
    pub(crate) fn flagged(&self, now: Timestamp) -> Option<Seat> {
        self.flag_at()
            .filter(|end| *end <= now)
            .and(self.running)
            .map(|(seat, _)| seat)
    }

    /// Charges `mover` for its move and starts the clock of `next`. A first move made before the
    /// mover was ready costs no time and earns no increment.
    pub(crate) fn moved(&mut self, mover: Seat, at: Timestamp, next: Option<Seat>) {
        let charged = self.running.is_some_and(|(seat, _)| seat == mover);
        if charged {
            self.charge(at);
            self.left[mover.index()] +=
                i64::try_from(self.control.increment_ms()).expect("at most ten minutes");
        }
        self.gains.push(charged.then_some(mover));
        self.run(at, next);
    }

    /// Revokes the increments of the last `moves` moves, which a team took back, so that undoing
    /// moves does not gain time.
    pub(crate) fn taken_back(&mut self, moves: usize) {
        let increment = i64::try_from(self.control.increment_ms()).expect("at most ten minutes");
        for seat in self
            .gains
            .split_off(self.gains.len().saturating_sub(moves))
            .into_iter()
            .flatten()
        {
            self.left[seat.index()] -= increment;
        }
    }

    /// Revokes the increments of the last `moves` moves, which opponents agreed to take back. Nobody
    /// loses on time by that: a second is left, or what there was if it was less.
    pub(crate) fn taken_back_by_consent(&mut self, at: Timestamp, moves: usize) {
        self.charge(at);
        let before = self.left.clone();
        self.taken_back(moves);
        for (left, before) in self.left.iter_mut().zip(before) {
            *left = (*left).max(before.min(LEAST_LEFT));
        }
    }

    /// Charges the running clock, then starts the clock of `next`.
    pub(crate) fn run(&mut self, at: Timestamp, next: Option<Seat>) {
        self.charge(at);
        let goes_on = next.is_some() && next == self.running.map(|(seat, _)| seat);
        if let Some(seat) = next.filter(|_| self.control.is_correspondence() && !goes_on) {
            self.left[seat.index()] = self.control.initial();
        }
        if let Some(seat) = next.filter(|seat| self.turn.is_none_or(|(turn, _)| turn != *seat)) {
            self.end_turn();
            self.turn = Some((seat, self.control.turn_delay()));
        }
        self.running = next.map(|seat| (seat, at));
    }

    /// Returns the time of a turn that a Bronstein delay covers, unless the clock has run out.
    fn end_turn(&mut self) {
        let Some((seat, delay)) = self.turn.filter(|_| !self.control.waits()) else {
            return;
        };
        let left = &mut self.left[seat.index()];
        if *left > 0 {
            *left += (self.control.turn_delay() - delay).max(0);
        }
    }

    /// Adds `ms` milliseconds to a seat's clock.
    pub(crate) fn give(&mut self, seat: Seat, ms: i64) {
        self.left[seat.index()] += ms;
    }

    /// Gives the seat on turn the time back that has passed on its clock between two times.
    pub(crate) fn stand_still(&mut self, from: Timestamp, until: Timestamp) {
        if let Some((seat, since)) = self.running {
            let passed = until.millis().saturating_sub(from.max(since).millis());
            let passed = passed.max(0);
            let is_standing = from.max(since).millis() - since.millis() < self.standing_ms();
            let is_returned = self.control.delay_ms() > 0 && !self.control.waits();
            if let Some((_, delay)) = self
                .turn
                .as_mut()
                .filter(|(turn, _)| *turn == seat && (is_standing || is_returned))
            {
                *delay += passed;
            }
            if !is_standing {
                self.left[seat.index()] += passed;
            }
        }
    }

    /// Resets a seat's clock to its initial time, because a new player has taken it over. Returns the
    /// milliseconds that were left on it.
    pub(crate) fn renew(&mut self, seat: Seat, at: Timestamp) -> i64 {
        self.charge(at);
        self.forget_spent(seat);
        std::mem::replace(&mut self.left[seat.index()], self.control.initial())
    }

    /// Lets a seat's turn begin with its whole delay, because another player goes on with it.
    fn forget_spent(&mut self, seat: Seat) {
        let whole = self.control.turn_delay();
        if let Some((_, delay)) = self.turn.as_mut().filter(|(turn, _)| *turn == seat) {
            *delay = whole;
        }
    }

    /// Returns the number of moves for which the clocks know who received an increment.
    pub(crate) fn moves(&self) -> usize {
        self.gains.len()
    }

    /// Leaves at most `ms` milliseconds on a seat's clock, because the player who had that time left has
    /// taken it back. The increments for moves after the first `moves` were another player's.
    pub(crate) fn limit(&mut self, seat: Seat, at: Timestamp, ms: i64, moves: usize) {
        self.charge(at);
        self.forget_spent(seat);
        let left = &mut self.left[seat.index()];
        *left = (*left).min(ms);
        for gain in self.gains.iter_mut().skip(moves) {
            gain.take_if(|gained| *gained == seat);
        }
    }

    fn charge(&mut self, at: Timestamp) {
        let standing = self.standing_ms();
        if let Some((seat, since)) = &mut self.running {
            let passed = at.millis() - since.millis();
            let left = &mut self.left[seat.index()];
            *left = (*left - (passed - standing.min(passed.max(0)))).max(0);
            if let Some((_, delay)) = self.turn.as_mut().filter(|(turn, _)| *turn == *seat) {
                *delay = (*delay - passed.max(0)).max(0);
            }
            *since = at;
        }
    }
}

/// Public view of a table's clocks.
///
/// The running seat has `left_ms[running]` minus the time elapsed since `since`, of which the first
/// `delay_ms` take nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClockView {
    /// Time limit that applies to every seat.
    pub control: TimeControl,
    /// The control as text, such as "5 min + 3 s".
    pub words: String,
    /// Milliseconds left for each seat, as of `since`.
    pub left_ms: Vec<i64>,
    /// Seat whose clock is running.
    pub running: Option<u8>,
    /// Time at which `left_ms` was last updated, in milliseconds since the Unix epoch.
    pub since: Option<Timestamp>,
    /// Time from `since` on for which the running clock stands still, in milliseconds; 0 without a
    /// delay.
    pub delay_ms: i64,
    /// Time of the next timeout, in milliseconds since the Unix epoch: a clock runs out, or a game
    /// that has not begun is aborted.
    pub due_at: Option<Timestamp>,
    /// True if that timeout aborts the table: it waits for players or for a first move.
    pub aborts: bool,
}
