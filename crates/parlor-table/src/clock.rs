//! Time: what a seat may use of it, and how much it has left.

use parlor_core::Seat;
use serde::{Deserialize, Serialize};

use crate::Timestamp;

const SECOND: u64 = 1_000;
const HOUR: u64 = 3_600 * SECOND;
const DAY: u64 = 24 * HOUR;

/// How much time the seats have.
///
/// ```
/// use parlor_table::TimeControl;
/// let blitz = TimeControl::total(300_000, 3_000)?;
/// assert_eq!(blitz.to_string(), "5 min + 3 s");
/// assert_eq!(serde_json::to_value(blitz).expect("plain data")["initial_ms"], 300_000);
/// # Ok::<(), parlor_table::BadTimeControl>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct TimeControl(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Total { initial: u64, increment: u64 },
    Correspondence { days: u64 },
}

/// The JSON form.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum Written {
    Total {
        initial_ms: u64,
        #[serde(default)]
        increment_ms: u64,
    },
    Correspondence {
        days: u64,
    },
}

impl TimeControl {
    /// So much for the whole game, and so much more for every move, in milliseconds.
    ///
    /// # Errors
    /// When the time is not between a second and a day, or the increment above ten minutes.
    pub fn total(initial_ms: u64, increment_ms: u64) -> Result<TimeControl, BadTimeControl> {
        if (SECOND..=DAY).contains(&initial_ms) && increment_ms <= 600 * SECOND {
            Ok(TimeControl(Kind::Total {
                initial: initial_ms,
                increment: increment_ms,
            }))
        } else {
            Err(BadTimeControl)
        }
    }

    /// So many days for each move.
    ///
    /// # Errors
    /// When they are not between 1 and 30.
    pub fn correspondence(days: u64) -> Result<TimeControl, BadTimeControl> {
        if (1..=30).contains(&days) {
            Ok(TimeControl(Kind::Correspondence { days }))
        } else {
            Err(BadTimeControl)
        }
    }

    /// Whether a move may take days.
    pub const fn is_correspondence(self) -> bool {
        matches!(self.0, Kind::Correspondence { .. })
    }

    /// What a seat has at the start, or for each move of a correspondence game, in milliseconds.
    pub const fn initial_ms(self) -> u64 {
        match self.0 {
            Kind::Total { initial, .. } => initial,
            Kind::Correspondence { days } => days * DAY,
        }
    }

    /// What a move adds, in milliseconds.
    pub const fn increment_ms(self) -> u64 {
        match self.0 {
            Kind::Total { increment, .. } => increment,
            Kind::Correspondence { .. } => 0,
        }
    }

    /// How long the players may take to begin once all seats are taken, in milliseconds.
    pub(crate) const fn ms_to_begin(self) -> u64 {
        match self.0 {
            Kind::Total { .. } => 60 * SECOND,
            Kind::Correspondence { days } => days * DAY,
        }
    }

    /// How long a table may wait for players, in milliseconds.
    pub(crate) const fn ms_to_fill(self) -> u64 {
        match self.0 {
            Kind::Total { .. } => HOUR,
            Kind::Correspondence { .. } => 14 * DAY,
        }
    }

    fn initial(self) -> i64 {
        i64::try_from(self.initial_ms()).expect("at most thirty days")
    }
}

impl TryFrom<Written> for TimeControl {
    type Error = BadTimeControl;

    fn try_from(written: Written) -> Result<TimeControl, BadTimeControl> {
        match written {
            Written::Total {
                initial_ms,
                increment_ms,
            } => TimeControl::total(initial_ms, increment_ms),
            Written::Correspondence { days } => TimeControl::correspondence(days),
        }
    }
}

impl From<TimeControl> for Written {
    fn from(control: TimeControl) -> Written {
        match control.0 {
            Kind::Total { initial, increment } => Written::Total {
                initial_ms: initial,
                increment_ms: increment,
            },
            Kind::Correspondence { days } => Written::Correspondence { days },
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
            Kind::Total {
                initial,
                increment: 0,
            } => f.write_str(&duration(initial)),
            Kind::Total { initial, increment } => {
                write!(f, "{} + {}", duration(initial), duration(increment))
            }
            Kind::Correspondence { days: 1 } => f.write_str("1 day per move"),
            Kind::Correspondence { days } => write!(f, "{days} days per move"),
        }
    }
}

/// A time control that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a time control has 1,000 to 86,400,000 ms for the game and at most 600,000 ms more for each move, or 1 to 30 days per move"
)]
pub struct BadTimeControl;

/// The clocks of a table. They follow from the events: every change is charged with the event's own time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    control: TimeControl,
    /// Milliseconds left by seat, as of the last change.
    left: Vec<i64>,
    /// Whose clock runs, and since when.
    running: Option<(Seat, Timestamp)>,
    /// By move: the seat that was given the increment for it.
    gains: Vec<Option<Seat>>,
}

impl Clock {
    pub(crate) fn new(control: TimeControl, seats: usize) -> Clock {
        Clock {
            control,
            left: vec![control.initial(); seats],
            running: None,
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

    /// When the running clock reaches zero.
    pub(crate) fn flag_at(&self) -> Option<Timestamp> {
        let (seat, since) = self.running?;
        Some(Timestamp::from_millis(
            since.millis() + self.left[seat.index()],
        ))
    }

    /// The seat that a moment finds without time.
    pub(crate) fn flagged(&self, now: Timestamp) -> Option<Seat> {
        self.flag_at()
            .filter(|end| *end <= now)
            .and(self.running)
            .map(|(seat, _)| seat)
    }

    /// `mover` has moved and it is `next`'s turn. The first move of a game that nobody was ready for costs nothing.
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

    /// The last moves are taken back without asking anybody: what they brought is gone, so that nobody gains time by it.
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

    /// Lets the clock of `next` run. Whoever's clock runs already is charged first.
    pub(crate) fn run(&mut self, at: Timestamp, next: Option<Seat>) {
        self.charge(at);
        let goes_on = next.is_some() && next == self.running.map(|(seat, _)| seat);
        if let Some(seat) = next.filter(|_| self.control.is_correspondence() && !goes_on) {
            self.left[seat.index()] = self.control.initial();
        }
        self.running = next.map(|seat| (seat, at));
    }

    /// Gives a seat more time.
    pub(crate) fn give(&mut self, seat: Seat, ms: i64) {
        self.left[seat.index()] += ms;
    }

    /// A new player sits here: the seat starts anew.
    pub(crate) fn renew(&mut self, seat: Seat, at: Timestamp) {
        self.charge(at);
        self.left[seat.index()] = self.control.initial();
    }

    fn charge(&mut self, at: Timestamp) {
        if let Some((seat, since)) = &mut self.running {
            let left = &mut self.left[seat.index()];
            *left = (*left - (at.millis() - since.millis())).max(0);
            *since = at;
        }
    }
}

/// The clocks of a table as everybody sees them.
///
/// A running clock shows `left_ms[running]` minus what has passed since `since`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClockView {
    /// How much time the seats have.
    pub control: TimeControl,
    /// The same in words: "5 min + 3 s".
    pub words: String,
    /// Milliseconds left by seat, as of `since`.
    pub left_ms: Vec<i64>,
    /// Whose clock runs.
    pub running: Option<u8>,
    /// Since when, in milliseconds since 1970.
    pub since: Option<Timestamp>,
    /// When something happens by itself, in milliseconds since 1970: a clock reaches zero, or a game that nobody begins is
    /// called off.
    pub due_at: Option<Timestamp>,
}
