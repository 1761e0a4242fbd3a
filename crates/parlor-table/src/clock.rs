//! Time controls and the clocks of a table.

use std::str::FromStr;

use parlor_core::Seat;
use parlor_games::GameClock;
use serde::{Deserialize, Serialize};

use crate::{ClockReading, Timestamp};

const SECOND: u64 = 1_000;
const HOUR: u64 = 3_600 * SECOND;
const DAY: u64 = 24 * HOUR;
/// Time that a takeback leaves on a clock, in milliseconds.
const LEAST_LEFT: i64 = 1_000;

/// Time limit that applies to every seat.
///
/// A player on turn who is away can lose the game after a tenth of the time for forty moves, between
/// twenty seconds and an hour, or in a correspondence game after half of the time for a move, but not
/// before a day.
///
/// ```
/// use parlor_table::TimeControl;
/// let blitz = TimeControl::total(300_000, 3_000)?;
/// assert_eq!(blitz.to_string(), "5 min + 3 s");
/// assert_eq!(serde_json::to_value(blitz).expect("plain data")["initial_ms"], 300_000);
/// # Ok::<(), parlor_table::BadTimeControl>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "TimeControlJson", into = "TimeControlJson")]
pub struct TimeControl(TimeKind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum TimeKind {
    Total { initial: u64, increment: u64 },
    Delay { initial: u64, delay: u64 },
    Bronstein { initial: u64, delay: u64 },
    Correspondence { days: u64 },
}

/// JSON form of a [`TimeControl`].
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum TimeControlJson {
    Total {
        initial_ms: u64,
        #[serde(default)]
        increment_ms: u64,
    },
    Delay {
        initial_ms: u64,
        delay_ms: u64,
    },
    Bronstein {
        initial_ms: u64,
        delay_ms: u64,
    },
    Correspondence {
        days: u64,
    },
}

impl TimeControl {
    /// Format of events since which there are clocks with a delay.
    pub const DELAY_SINCE: u16 = 4;

    /// Creates a control with a total time per seat and an increment per move, in milliseconds.
    ///
    /// # Errors
    /// [`BadTimeControl`] if the total is not between one second and one day, or the increment
    /// exceeds ten minutes.
    pub fn total(initial_ms: u64, increment_ms: u64) -> Result<TimeControl, BadTimeControl> {
        ensure_within_bounds(initial_ms, increment_ms)?;
        Ok(TimeControl(TimeKind::Total {
            initial: initial_ms,
            increment: increment_ms,
        }))
    }

    /// Creates a control with a total time per seat, of which the first part of each turn takes
    /// nothing (a simple delay, also known as US delay), in milliseconds.
    ///
    /// # Errors
    /// [`BadTimeControl`] if the total is not between one second and one day, or the delay is not
    /// between one millisecond and ten minutes.
    pub fn delay(initial_ms: u64, delay_ms: u64) -> Result<TimeControl, BadTimeControl> {
        ensure_within_bounds(initial_ms, delay_ms)?;
        ensure_positive(delay_ms)?;
        Ok(TimeControl(TimeKind::Delay {
            initial: initial_ms,
            delay: delay_ms,
        }))
    }

    /// Creates a control with a total time per seat, to which the time spent on each turn is returned
    /// after it, up to `delay_ms` (a Bronstein delay), in milliseconds.
    ///
    /// # Errors
    /// [`BadTimeControl`] if the total is not between one second and one day, or the delay is not
    /// between one millisecond and ten minutes.
    pub fn bronstein(initial_ms: u64, delay_ms: u64) -> Result<TimeControl, BadTimeControl> {
        ensure_within_bounds(initial_ms, delay_ms)?;
        ensure_positive(delay_ms)?;
        Ok(TimeControl(TimeKind::Bronstein {
            initial: initial_ms,
            delay: delay_ms,
        }))
    }

    /// Creates a correspondence control with this many days for each move.
    ///
    /// # Errors
    /// [`BadTimeControl`] unless `days` is between 1 and 30.
    pub fn correspondence(days: u64) -> Result<TimeControl, BadTimeControl> {
        if (1..=30).contains(&days) {
            Ok(TimeControl(TimeKind::Correspondence { days }))
        } else {
            Err(BadTimeControl)
        }
    }

    /// Returns true for a correspondence control, which gives days for each move.
    pub const fn is_correspondence(self) -> bool {
        matches!(self.0, TimeKind::Correspondence { .. })
    }

    /// Time on a seat's clock at the start, or for each move of a correspondence game, in
    /// milliseconds.
    pub const fn initial_ms(self) -> u64 {
        match self.0 {
            TimeKind::Total { initial, .. }
            | TimeKind::Delay { initial, .. }
            | TimeKind::Bronstein { initial, .. } => initial,
            TimeKind::Correspondence { days } => days * DAY,
        }
    }

    /// Time added after each move, in milliseconds.
    pub const fn increment_ms(self) -> u64 {
        match self.0 {
            TimeKind::Total { increment, .. } => increment,
            TimeKind::Delay { .. }
            | TimeKind::Bronstein { .. }
            | TimeKind::Correspondence { .. } => 0,
        }
    }

    /// Time of each turn that takes nothing from the clock, or that is returned after it, in
    /// milliseconds.
    pub const fn delay_ms(self) -> u64 {
        match self.0 {
            TimeKind::Delay { delay, .. } | TimeKind::Bronstein { delay, .. } => delay,
            TimeKind::Total { .. } | TimeKind::Correspondence { .. } => 0,
        }
    }

    /// Returns true if the clock stands still during the delay. Otherwise it runs, and the time is
    /// returned.
    pub(crate) const fn waits(self) -> bool {
        matches!(self.0, TimeKind::Delay { .. })
    }

    /// Returns the format of events that whoever reads a table with this control must know.
    pub const fn event_format(self) -> u16 {
        match self.0 {
            TimeKind::Delay { .. } | TimeKind::Bronstein { .. } => Self::DELAY_SINCE,
            TimeKind::Total { .. } | TimeKind::Correspondence { .. } => 0,
        }
    }

    /// Returns the control in brief, as [`str::parse`] reads it: "300+3" has seconds and an increment,
    /// "120d8" a delay, "120b8" a Bronstein delay, and "3d" days for each move.
    ///
    /// ```
    /// use parlor_table::TimeControl;
    /// let control: TimeControl = "120d8".parse()?;
    /// assert_eq!(control.to_string(), "2 min + 8 s delay");
    /// assert_eq!(control.code(), "120d8");
    /// # Ok::<(), parlor_table::BadTimeControl>(())
    /// ```
    pub fn code(self) -> String {
        match self.0 {
            TimeKind::Total { initial, increment } => {
                format!("{}+{}", in_seconds(initial), in_seconds(increment))
            }
            TimeKind::Delay { initial, delay } => {
                format!("{}d{}", in_seconds(initial), in_seconds(delay))
            }
            TimeKind::Bronstein { initial, delay } => {
                format!("{}b{}", in_seconds(initial), in_seconds(delay))
            }
            TimeKind::Correspondence { days } => format!("{days}d"),
        }
    }

    /// Time allowed for the first move once all seats are taken, in milliseconds.
    pub(crate) const fn ms_to_begin(self) -> u64 {
        match self.0 {
            TimeKind::Correspondence { days } => days * DAY,
            _ => 60 * SECOND,
        }
    }

    /// Time after which a player on turn who is away can lose the game, in milliseconds: a tenth of
    /// the time for forty moves, between twenty seconds and an hour; in a correspondence game half of
    /// the time for a move, but not less than a day.
    pub(crate) fn ms_to_return(self) -> i64 {
        let ms = match self.0 {
            TimeKind::Total {
                initial,
                increment: each_turn,
            }
            | TimeKind::Delay {
                initial,
                delay: each_turn,
            }
            | TimeKind::Bronstein {
                initial,
                delay: each_turn,
            } => ((initial + 40 * each_turn) / 10).clamp(20 * SECOND, HOUR),
            TimeKind::Correspondence { days } => (days * DAY / 2).max(DAY),
        };
        i64::try_from(ms).expect("at most fifteen days")
    }

    /// Time a table may wait for players, in milliseconds.
    pub(crate) const fn ms_to_fill(self) -> u64 {
        match self.0 {
            TimeKind::Correspondence { .. } => 14 * DAY,
            _ => HOUR,
        }
    }

    /// Maximum time that gifts can bring a clock to, in milliseconds.
    pub(crate) fn fullest(self) -> i64 {
        3 * self.initial()
    }

    fn initial(self) -> i64 {
        i64::try_from(self.initial_ms()).expect("at most thirty days")
    }

    fn turn_delay(self) -> i64 {
        i64::try_from(self.delay_ms()).expect("at most ten minutes")
    }
}

fn ensure_within_bounds(initial_ms: u64, each_move_ms: u64) -> Result<(), BadTimeControl> {
    if (SECOND..=DAY).contains(&initial_ms) && each_move_ms <= 600 * SECOND {
        Ok(())
    } else {
        Err(BadTimeControl)
    }
}

fn ensure_positive(delay_ms: u64) -> Result<(), BadTimeControl> {
    if delay_ms > 0 {
        Ok(())
    } else {
        Err(BadTimeControl)
    }
}

/// Writes a time in seconds, with as many decimals as it needs.
fn in_seconds(ms: u64) -> String {
    match ms % SECOND {
        0 => (ms / SECOND).to_string(),
        rest => {
            let text = format!("{}.{rest:03}", ms / SECOND);
            text.trim_end_matches('0').to_owned()
        }
    }
}

/// Reads seconds with up to three decimals, as milliseconds.
fn from_seconds(text: &str) -> Result<u64, BadTimeControl> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |text: &str| text.bytes().all(|c| c.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(decimals) || decimals.len() > 3 {
        return Err(BadTimeControl);
    }
    let seconds: u64 = whole.parse().map_err(|_| BadTimeControl)?;
    let rest: u64 = format!("{decimals:0<3}")
        .parse()
        .map_err(|_| BadTimeControl)?;
    let ms = seconds.checked_mul(SECOND).ok_or(BadTimeControl)?;
    ms.checked_add(rest).ok_or(BadTimeControl)
}

impl FromStr for TimeControl {
    type Err = BadTimeControl;

    /// Reads what [`TimeControl::code`] writes; "300" is "300+0".
    fn from_str(text: &str) -> Result<TimeControl, BadTimeControl> {
        if let Some(days) = text.strip_suffix('d') {
            return TimeControl::correspondence(days.parse().map_err(|_| BadTimeControl)?);
        }
        let parts = |sign: char| {
            let (initial, each_move) = text.split_once(sign)?;
            Some(from_seconds(initial).and_then(|ms| Ok((ms, from_seconds(each_move)?))))
        };
        if let Some(times) = parts('+') {
            let (initial, increment) = times?;
            return TimeControl::total(initial, increment);
        }
        if let Some(times) = parts('d') {
            let (initial, delay) = times?;
            return TimeControl::delay(initial, delay);
        }
        if let Some(times) = parts('b') {
            let (initial, delay) = times?;
            return TimeControl::bronstein(initial, delay);
        }
        TimeControl::total(from_seconds(text)?, 0)
    }
}

impl TryFrom<TimeControlJson> for TimeControl {
    type Error = BadTimeControl;

    fn try_from(written: TimeControlJson) -> Result<TimeControl, BadTimeControl> {
        match written {
            TimeControlJson::Total {
                initial_ms,
                increment_ms,
            } => TimeControl::total(initial_ms, increment_ms),
            TimeControlJson::Delay {
                initial_ms,
                delay_ms,
            } => TimeControl::delay(initial_ms, delay_ms),
            TimeControlJson::Bronstein {
                initial_ms,
                delay_ms,
            } => TimeControl::bronstein(initial_ms, delay_ms),
            TimeControlJson::Correspondence { days } => TimeControl::correspondence(days),
        }
    }
}

impl TryFrom<GameClock> for TimeControl {
    type Error = BadTimeControl;

    fn try_from(clock: GameClock) -> Result<TimeControl, BadTimeControl> {
        match clock {
            GameClock::Total {
                initial_ms,
                increment_ms,
            } => TimeControl::total(initial_ms, increment_ms),
            GameClock::Delay {
                initial_ms,
                delay_ms,
            } => TimeControl::delay(initial_ms, delay_ms),
        }
    }
}

impl From<TimeControl> for TimeControlJson {
    fn from(control: TimeControl) -> TimeControlJson {
        match control.0 {
            TimeKind::Total { initial, increment } => TimeControlJson::Total {
                initial_ms: initial,
                increment_ms: increment,
            },
            TimeKind::Delay { initial, delay } => TimeControlJson::Delay {
                initial_ms: initial,
                delay_ms: delay,
            },
            TimeKind::Bronstein { initial, delay } => TimeControlJson::Bronstein {
                initial_ms: initial,
                delay_ms: delay,
            },
            TimeKind::Correspondence { days } => TimeControlJson::Correspondence { days },
        }
    }
}

impl std::fmt::Display for TimeControl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let duration = |ms: u64| match ms {
            ms if ms.is_multiple_of(60 * SECOND) => format!("{} min", ms / (60 * SECOND)),
            ms if ms.is_multiple_of(SECOND) => format!("{} s", ms / SECOND),
            ms => format!("{}.{:03} s", ms / SECOND, ms % SECOND),
        };
        match self.0 {
            TimeKind::Total {
                initial,
                increment: 0,
            } => f.write_str(&duration(initial)),
            TimeKind::Total { initial, increment } => {
                write!(f, "{} + {}", duration(initial), duration(increment))
            }
            TimeKind::Delay { initial, delay } => {
                write!(f, "{} + {} delay", duration(initial), duration(delay))
            }
            TimeKind::Bronstein { initial, delay } => {
                write!(f, "{} + {} Bronstein", duration(initial), duration(delay))
            }
            TimeKind::Correspondence { days: 1 } => f.write_str("1 day per move"),
            TimeKind::Correspondence { days } => write!(f, "{days} days per move"),
        }
    }
}

/// Error for a time control outside the allowed ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a time control has 1,000 to 86,400,000 ms for the game and at most 600,000 ms more or of delay for each move, or 1 to 30 days per move"
)]
pub struct BadTimeControl;

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
