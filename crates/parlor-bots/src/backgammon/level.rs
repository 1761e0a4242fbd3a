//! Opponents of five strengths.

use super::bot::{NetPlayer, Settings};
use crate::Level;

/// How each level thinks. Who has just begun has a net that has just begun: its mistakes are those of somebody who has not seen
/// much, not random ones. The lowest three have small nets after 2,048, 5,120 and 20,480 games.
const LEVELS: [Settings; 5] = [
    Settings {
        plies: 0,
        net: 3,
        cubeful: false,
    },
    Settings {
        plies: 0,
        net: 2,
        cubeful: false,
    },
    Settings {
        plies: 0,
        net: 1,
        cubeful: true,
    },
    Settings {
        plies: 0,
        net: 0,
        cubeful: true,
    },
    Settings {
        plies: 2,
        net: 0,
        cubeful: true,
    },
];

impl Settings {
    /// How a level thinks.
    pub const fn of(level: Level) -> Settings {
        LEVELS[level.number() as usize - 1]
    }
}

/// The player of a level.
pub(super) fn player(level: Level) -> NetPlayer {
    NetPlayer::new(Settings::of(level))
}
