//! Time controls.

use std::str::FromStr;

use parlor_games::GameClock;
use serde::{Deserialize, Serialize};

const SECOND: u64 = 1_000;
const HOUR: u64 = 3_600 * SECOND;
const DAY: u64 = 24 * HOUR;
/// Number of moves for which the time of a game is estimated.
const MOVES: u64 = 40;

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
            TimeKind::Correspondence { days } => (days * DAY / 2).max(DAY),
            _ => (self.ms_for_forty_moves() / 10).clamp(20 * SECOND, HOUR),
        };
        i64::try_from(ms).expect("at most fifteen days")
    }

    /// Time that a seat has for forty moves, with increments or delays, in milliseconds; in a
    /// correspondence game, that for one move.
    pub(crate) fn ms_for_forty_moves(self) -> u64 {
        self.initial_ms() + MOVES * self.increment_ms().max(self.delay_ms())
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

    pub(crate) fn initial(self) -> i64 {
        i64::try_from(self.initial_ms()).expect("at most thirty days")
    }

    pub(crate) fn turn_delay(self) -> i64 {
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
