//! Pace of a game, by its time control.

use crate::TimeControl;

const SECOND: u64 = 1_000;

/// Pace of a game. Each pace has ratings of its own.
///
/// ```
/// use parlor_table::{Pace, TimeControl};
/// assert_eq!(Pace::new(None), Pace::None);
/// assert_eq!(Pace::new(TimeControl::total(60_000, 0).ok()), Pace::Bullet);
/// assert_eq!(Pace::new(TimeControl::total(60_000, 10_000).ok()), Pace::Blitz);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pace {
    /// No clock.
    None,
    /// Less than three minutes for each player.
    Bullet,
    /// Less than eight minutes for each player.
    Blitz,
    /// Eight minutes and more for each player.
    Rapid,
    /// Days for each move.
    Days,
}

impl Pace {
    /// All paces, the quickest clock first after games without one.
    pub const ALL: [Pace; 5] = [
        Pace::None,
        Pace::Bullet,
        Pace::Blitz,
        Pace::Rapid,
        Pace::Days,
    ];

    /// Returns the pace of a time control: by the time that a player has for forty moves, with
    /// increments or delays.
    pub fn new(clock: Option<TimeControl>) -> Pace {
        let Some(clock) = clock else {
            return Pace::None;
        };
        if clock.is_correspondence() {
            return Pace::Days;
        }
        match clock.ms_for_forty_moves() {
            ms if ms < 180 * SECOND => Pace::Bullet,
            ms if ms < 480 * SECOND => Pace::Blitz,
            _ => Pace::Rapid,
        }
    }

    /// Returns the name used in JSON and databases.
    pub const fn name(self) -> &'static str {
        match self {
            Pace::None => "none",
            Pace::Bullet => "bullet",
            Pace::Blitz => "blitz",
            Pace::Rapid => "rapid",
            Pace::Days => "days",
        }
    }

    /// Returns the pace with this name, if there is one.
    pub fn from_name(name: &str) -> Option<Pace> {
        Pace::ALL.into_iter().find(|pace| pace.name() == name)
    }

    /// Returns the name for display.
    pub const fn title(self) -> &'static str {
        match self {
            Pace::None => "No clock",
            Pace::Bullet => "Bullet",
            Pace::Blitz => "Blitz",
            Pace::Rapid => "Rapid",
            Pace::Days => "Days per move",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paces_go_by_the_time_for_forty_moves() {
        let total = |seconds, increment| TimeControl::total(seconds * SECOND, increment * SECOND);
        for (clock, pace) in [
            (total(179, 0), Pace::Bullet),
            (total(180, 0), Pace::Blitz),
            (total(60, 3), Pace::Blitz),
            (total(479, 0), Pace::Blitz),
            (total(480, 0), Pace::Rapid),
            (total(80, 10), Pace::Rapid),
            (TimeControl::delay(120 * SECOND, 8 * SECOND), Pace::Blitz),
            (
                TimeControl::bronstein(120 * SECOND, 9 * SECOND),
                Pace::Rapid,
            ),
            (TimeControl::correspondence(1), Pace::Days),
        ] {
            let clock = clock.expect("a time control");
            assert_eq!(Pace::new(Some(clock)), pace, "{clock}");
        }
        for pace in Pace::ALL {
            assert_eq!(Pace::from_name(pace.name()), Some(pace));
        }
    }
}
