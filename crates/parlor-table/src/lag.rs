//! Allowance for the delay of the network.
//!
//! The time that a move spends on its way is no time for thought. A player's program measures the
//! round trip and sends it with each move, and so much of it is taken off the time of the turn as
//! the seat's quota holds. The quota fills with each move of the seat, and lasts for no more than a
//! few moves, so that a program that tells too much gains the quota at most. The measures are those
//! of lichess (`LagTracker.scala` of scalachess): each move adds 150 ms and 4 ms for each second
//! that the game is estimated to take, but not more than a second; a game begins with three times
//! that, and there are never more than seven times.

use serde::{Deserialize, Serialize};

use crate::TimeControl;

/// Most that a move adds to a quota, in milliseconds.
const MOST_GAIN: u64 = 1_000;
/// Part of it that does not depend on the time of the game, in milliseconds.
const LEAST_GAIN: u64 = 150;
/// Time for forty moves, in milliseconds, for each millisecond of the rest.
const TIME_PER_GAIN: u64 = 250;
/// Number of gains in a quota at the start of a game, and at most.
const AT_START: i64 = 3;
const AT_MOST: i64 = 7;

/// Round trip between a player and the server, in milliseconds, as the player's program measured it: at
/// most a minute.
///
/// ```
/// use parlor_table::Lag;
/// assert_eq!(Lag::from_millis(120)?.millis(), 120);
/// assert!(Lag::from_millis(60_001).is_err());
/// # Ok::<(), parlor_table::BadLag>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lag(u32);

impl Lag {
    /// No delay, or an unknown one.
    pub const ZERO: Lag = Lag(0);

    /// Longest round trip, in milliseconds.
    pub const MAX_MS: u32 = 60_000;

    /// Creates a round trip of a number of milliseconds.
    ///
    /// # Errors
    /// [`BadLag`] for more than [`Lag::MAX_MS`].
    pub fn from_millis(ms: u64) -> Result<Lag, BadLag> {
        u32::try_from(ms)
            .ok()
            .filter(|ms| *ms <= Lag::MAX_MS)
            .map(Lag)
            .ok_or(BadLag)
    }

    /// Reads a number of milliseconds.
    ///
    /// # Errors
    /// [`BadLag`] for anything but a whole number from 0 to [`Lag::MAX_MS`].
    pub fn from_text(text: &str) -> Result<Lag, BadLag> {
        text.parse().map_err(|_| BadLag).and_then(Lag::from_millis)
    }

    /// Returns the number of milliseconds.
    pub const fn millis(self) -> u32 {
        self.0
    }
}

/// Error for a round trip that is no number of milliseconds, or too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("lag_ms, the round trip that you measured, is a whole number of milliseconds from 0 to {limit}", limit = Lag::MAX_MS)]
pub struct BadLag;

/// Round trip that was measured for a move, and the part of it that was taken off the time of the turn.
///
/// ```
/// use parlor_table::{Lag, MoveLag};
/// let lag = MoveLag::new(Lag::from_millis(450)?, 390)?;
/// let json = serde_json::json!({ "measured_ms": 450, "allowed_ms": 390 });
/// assert_eq!(serde_json::to_value(lag).ok(), Some(json));
/// # Ok::<(), parlor_table::BadLag>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "MoveLagJson", into = "MoveLagJson")]
pub struct MoveLag {
    measured: Lag,
    allowed: u32,
}

/// JSON form of a [`MoveLag`].
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveLagJson {
    measured_ms: u32,
    allowed_ms: u32,
}

impl MoveLag {
    /// Creates the delay of a move of which `allowed_ms` milliseconds were taken off the time of the turn.
    ///
    /// # Errors
    /// [`BadLag`] if that is more than was measured.
    pub fn new(measured: Lag, allowed_ms: u32) -> Result<MoveLag, BadLag> {
        if allowed_ms > measured.millis() {
            return Err(BadLag);
        }
        Ok(MoveLag {
            measured,
            allowed: allowed_ms,
        })
    }

    /// Returns the delay of a move of which as much is allowed as there is left, in milliseconds.
    pub(crate) fn within(measured: Lag, left_ms: i64) -> MoveLag {
        let left = u32::try_from(left_ms.max(0)).unwrap_or(u32::MAX);
        MoveLag {
            measured,
            allowed: measured.millis().min(left),
        }
    }

    /// Round trip that was measured.
    pub const fn measured(self) -> Lag {
        self.measured
    }

    /// Time that was taken off the time of the turn, in milliseconds.
    pub const fn allowed_ms(self) -> u32 {
        self.allowed
    }
}

impl TryFrom<MoveLagJson> for MoveLag {
    type Error = BadLag;

    fn try_from(written: MoveLagJson) -> Result<MoveLag, BadLag> {
        let measured = Lag::from_millis(written.measured_ms.into())?;
        MoveLag::new(measured, written.allowed_ms)
    }
}

impl From<MoveLag> for MoveLagJson {
    fn from(lag: MoveLag) -> MoveLagJson {
        MoveLagJson {
            measured_ms: lag.measured.millis(),
            allowed_ms: lag.allowed,
        }
    }
}

/// Remaining allowance of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LagQuota {
    left: i64,
    gain: i64,
}

impl LagQuota {
    /// Returns the quota at the start of a game; `None` where days are given for each move.
    pub(crate) fn new(control: TimeControl) -> Option<LagQuota> {
        let gain = (LEAST_GAIN + control.ms_for_forty_moves() / TIME_PER_GAIN).min(MOST_GAIN);
        let gain = i64::try_from(gain).expect("at most a second");
        (!control.is_correspondence()).then_some(LagQuota {
            left: AT_START * gain,
            gain,
        })
    }

    /// Most that is allowed for the next move, in milliseconds.
    pub(crate) const fn left_ms(self) -> i64 {
        self.left
    }

    /// Returns the quota after a move for which this many milliseconds were allowed.
    #[must_use]
    pub(crate) fn after_move(self, allowed_ms: i64) -> LagQuota {
        let left = (self.left - allowed_ms).max(0) + self.gain;
        LagQuota {
            left: left.min(AT_MOST * self.gain),
            ..self
        }
    }
}

/// Public view of a seat's allowance for the delay of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LagView {
    /// Round trip that the player's program measured for the seat's last move, in milliseconds; 0 if it
    /// measured none.
    pub measured_ms: u32,
    /// Part of it that was taken off the time of that turn, in milliseconds.
    pub allowed_ms: u32,
    /// Most that will be for the next move, in milliseconds.
    pub quota_ms: i64,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn quota(initial_ms: u64, increment_ms: u64) -> LagQuota {
        let control = TimeControl::total(initial_ms, increment_ms).expect("within bounds");
        LagQuota::new(control).expect("clocks with an allowance")
    }

    #[test]
    fn longer_games_allow_more_for_each_move() {
        let gains = |initial, increment| quota(initial, increment).gain;
        assert_eq!(gains(60_000, 0), 390);
        assert_eq!(gains(60_000, 1_000), 550);
        assert_eq!(gains(300_000, 3_000), 1_000);
        assert_eq!(gains(1_000, 0), 154);
        let delay = TimeControl::delay(60_000, 1_000).ok();
        assert_eq!(delay.and_then(LagQuota::new), Some(quota(60_000, 1_000)));
        let days = TimeControl::correspondence(1).ok();
        assert_eq!(days.and_then(LagQuota::new), None);
    }

    #[test]
    fn a_quota_fills_up_to_seven_moves() {
        let mut quota = quota(60_000, 0);
        assert_eq!(quota.left_ms(), 3 * 390);
        quota = quota.after_move(3 * 390);
        assert_eq!(quota.left_ms(), 390, "that of one move");
        for _ in 0..20 {
            quota = quota.after_move(100);
        }
        assert_eq!(quota.left_ms(), 7 * 390);
    }

    proptest! {
        #[test]
        fn whatever_is_told_a_game_gains_two_moves_more_than_it_has(
            initial in 1_000..90_000u64, told in prop::collection::vec(0..=Lag::MAX_MS, 1..80),
        ) {
            let start = quota(initial, 0);
            let (mut left, mut all) = (start, 0);
            for (n, ms) in told.iter().enumerate() {
                let lag = MoveLag::within(Lag(*ms), left.left_ms());
                let allowed = i64::from(lag.allowed_ms());
                prop_assert!(allowed <= left.left_ms() && allowed <= i64::from(*ms));
                left = left.after_move(allowed);
                all += allowed;
                prop_assert!((0..=AT_MOST * start.gain).contains(&left.left_ms()));
                let moves = i64::try_from(n).expect("few") + AT_START;
                prop_assert!(all <= moves * start.gain);
            }
        }
    }
}
