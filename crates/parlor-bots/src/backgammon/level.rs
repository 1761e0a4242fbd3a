//! Levels of backgammon.

use super::net_player::{NetPlayer, NetPlayerSettings};
use crate::Level;

/// Settings of each level. A beginner is modelled by a net at the start of its training: its
/// mistakes are those of a player with little experience, not random ones. The lowest three use
/// small nets after 2,048, 5,120 and 20,480 games.
const LEVELS: [NetPlayerSettings; 5] = [
    NetPlayerSettings {
        plies: 0,
        net: 3,
        cubeful: false,
    },
    NetPlayerSettings {
        plies: 0,
        net: 2,
        cubeful: false,
    },
    NetPlayerSettings {
        plies: 0,
        net: 1,
        cubeful: true,
    },
    NetPlayerSettings {
        plies: 0,
        net: 0,
        cubeful: true,
    },
    NetPlayerSettings {
        plies: 2,
        net: 0,
        cubeful: true,
    },
];

impl NetPlayerSettings {
    /// Returns the settings of a level.
    pub const fn from_level(level: Level) -> NetPlayerSettings {
        LEVELS[level.number() as usize - 1]
    }
}

/// Returns the player of a level.
pub(super) fn player(level: Level) -> NetPlayer {
    NetPlayer::new(NetPlayerSettings::from_level(level))
}
