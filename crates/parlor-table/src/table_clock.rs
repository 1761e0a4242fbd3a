//! The clocks of a table.

use parlor_core::Seat;
use serde::Serialize;

use crate::lag::LagQuota;
use crate::{ClockReading, Lag, LagView, MoveLag, TimeControl, Timestamp};

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
    /// Gains of the seats by their moves, one entry for each move.
    gains: Vec<MoveGain>,
    /// Allowance of each seat for the delay of the network; empty at tables without one.
    lags: Vec<SeatLag>,
}

/// Gain of a seat by a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MoveGain {
    seat: Seat,
    /// True if it received the increment.
    increment: bool,
    /// Time that was allowed for the delay of the network, in milliseconds.
    allowed: i64,
    /// The seat's allowance before the move, at tables that have one.
    before: Option<SeatLag>,
}

/// Allowance of a seat for the delay of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SeatLag {
    quota: LagQuota,
    /// Delay of the seat's last move, if it was measured.
    last: Option<MoveLag>,
}

impl SeatLag {
    /// Time for which a clock that has run out waits for a move that may be on its way, in milliseconds:
    /// as much as was allowed for the last one.
    fn grace_ms(self) -> i64 {
        let last = self.last.map_or(0, |last| i64::from(last.allowed_ms()));
        last.min(self.quota.left_ms())
    }

    fn view(self) -> LagView {
        LagView {
            measured_ms: self.last.map_or(0, |last| last.measured().millis()),
            allowed_ms: self.last.map_or(0, MoveLag::allowed_ms),
            quota_ms: self.quota.left_ms(),
        }
    }
}

impl TableClock {
    /// Creates the clocks of a table; `allows` is true if they allow for the delay of the network.
    pub(crate) fn new(control: TimeControl, seats: usize, allows: bool) -> TableClock {
        let quota = LagQuota::new(control).filter(|_| allows);
        let lags = quota.map(|quota| vec![SeatLag { quota, last: None }; seats]);
        TableClock {
            control,
            left: vec![control.initial(); seats],
            running: None,
            turn: None,
            gains: Vec::new(),
            lags: lags.unwrap_or_default(),
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

    /// Time at which the seat has lost whose clock runs: when that is at zero, and no move of the seat
    /// can be on its way any more.
    pub(crate) fn lost_at(&self) -> Option<Timestamp> {
        let (seat, _) = self.running?;
        let grace = self.lags.get(seat.index()).map_or(0, |lag| lag.grace_ms());
        let flag = self.flag_at()?;
        Some(Timestamp::from_millis(flag.millis() + grace))
    }

    /// Seat that has lost by its clock at `now`.
    pub(crate) fn lost(&self, now: Timestamp) -> Option<Seat> {
        let is_over = self.lost_at().is_some_and(|end| end <= now);
        self.running.filter(|_| is_over).map(|(seat, _)| seat)
    }

    /// Returns the delay of a move by `seat` for which `measured` was told, with the part that is taken
    /// off its turn: as much as its quota has, but no more than the turn would be charged. `None` at tables
    /// without an allowance, or without a delay.
    pub(crate) fn lag_of_move(&self, seat: Seat, at: Timestamp, measured: Lag) -> Option<MoveLag> {
        let lag = self.lags.get(seat.index())?;
        let charged = match self.running {
            Some((running, since)) if running == seat => {
                at.millis() - since.millis() - self.standing_ms()
            }
            _ => 0,
        };
        let most = lag.quota.left_ms().min(charged);
        (measured > Lag::ZERO).then(|| MoveLag::within(measured, most))
    }

    /// Returns true if the running clock, which is at zero, had time left when a move with this delay was
    /// made.
    pub(crate) fn is_in_time(&self, at: Timestamp, lag: MoveLag) -> bool {
        let allowed = i64::from(lag.allowed_ms());
        let made = Timestamp::from_millis(at.millis() - allowed);
        self.flagged(made).is_none() && self.lost(at).is_none()
    }

    /// Returns the seats' allowances for the delay of the network; empty at tables without one.
    pub(crate) fn lag_views(&self) -> Vec<LagView> {
        self.lags.iter().map(|lag| lag.view()).collect()
    }

    /// Seat whose clock has run out at `now`.
    pub(crate) fn flagged(&self, now: Timestamp) -> Option<Seat> {
        self.flag_at()
            .filter(|end| *end <= now)
            .and(self.running)
            .map(|(seat, _)| seat)
    }

    /// Charges `mover` for its move, less what is allowed for the delay of the network, and starts the
    /// clock of `next`. A first move made before the mover was ready costs no time and earns no increment.
    pub(crate) fn moved(
        &mut self,
        mover: Seat,
        at: Timestamp,
        lag: Option<MoveLag>,
        next: Option<Seat>,
    ) {
        let increment = self.running.is_some_and(|(seat, _)| seat == mover);
        let mut allowed = 0;
        if increment {
            allowed = lag.map_or(0, |lag| i64::from(lag.allowed_ms()));
            self.charge_but(at, allowed);
            self.left[mover.index()] += self.increment();
        }
        self.gains.push(MoveGain {
            seat: mover,
            increment,
            allowed,
            before: self.lags.get(mover.index()).copied(),
        });
        if let Some(allowance) = self.lags.get_mut(mover.index()) {
            allowance.quota = allowance.quota.after_move(allowed);
            allowance.last = lag;
        }
        self.run(at, next);
    }

    fn increment(&self) -> i64 {
        i64::try_from(self.control.increment_ms()).expect("at most ten minutes")
    }

    /// Revokes what was gained by the last `moves` moves, which a team took back, so that undoing moves
    /// does not gain time: the increments and what was allowed for the delay of the network.
    pub(crate) fn taken_back(&mut self, moves: usize) {
        self.revoke(moves, true);
    }

    /// Revokes what was gained by the last `moves` moves, which opponents agreed to take back, but the
    /// increments only if they return. Nobody loses on time by that: a second is left, or what there was
    /// if it was less.
    pub(crate) fn taken_back_by_consent(&mut self, at: Timestamp, moves: usize, increments: bool) {
        self.charge(at);
        let before = self.left.clone();
        self.revoke(moves, increments);
        for (left, before) in self.left.iter_mut().zip(before) {
            *left = (*left).max(before.min(LEAST_LEFT));
        }
    }

    fn revoke(&mut self, moves: usize, increments: bool) {
        let increment = self.increment();
        let first = self.gains.len().saturating_sub(moves);
        for gain in self.gains.split_off(first).into_iter().rev() {
            let seat = gain.seat.index();
            if increments && gain.increment {
                self.left[seat] -= increment;
            }
            if gain.allowed > 0 {
                self.left[seat] = (self.left[seat] - gain.allowed).max(0);
            }
            if let (Some(lag), Some(before)) = (self.lags.get_mut(seat), gain.before) {
                *lag = before;
            }
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
        if let Some(lag) = self.lags.get_mut(seat.index()) {
            lag.last = None;
        }
        std::mem::replace(&mut self.left[seat.index()], self.control.initial())
    }

    /// Lets a seat's turn begin with its whole delay, because another player goes on with it.
    fn forget_spent(&mut self, seat: Seat) {
        let whole = self.control.turn_delay();
        if let Some((_, delay)) = self.turn.as_mut().filter(|(turn, _)| *turn == seat) {
            *delay = whole;
        }
    }

    /// Returns the number of moves for which the clocks know what was gained by them.
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
            gain.increment &= gain.seat != seat;
        }
    }

    fn charge(&mut self, at: Timestamp) {
        self.charge_but(at, 0);
    }

    /// Charges the running clock for the time that has passed, but for `allowed` milliseconds of it.
    fn charge_but(&mut self, at: Timestamp, allowed: i64) {
        let standing = self.standing_ms();
        if let Some((seat, since)) = &mut self.running {
            let passed = at.millis() - since.millis() - allowed;
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
    /// Allowance of each seat for the delay of the network; empty at tables without one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lag: Vec<LagView>,
    /// Time of the next timeout, in milliseconds since the Unix epoch: a clock has run out, and a move on
    /// its way would have come, or a game that has not begun is aborted.
    pub due_at: Option<Timestamp>,
    /// True if that timeout aborts the table: it waits for players or for a first move.
    pub aborts: bool,
}
