//! Rule variations.

use std::fmt;

/// Rules of a game; the default is the standard game.
///
/// ```
/// use parlor_tictactoe::ultimate::Rules;
/// assert_eq!(Rules::default().to_string(), "standard");
/// assert_eq!(Rules { open: true, count: true }.to_string(), "open+count");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Won boards stay playable until they are full and belong to their first winner; only a player
    /// sent to a full board may choose freely.
    pub open: bool,
    /// If all boards are decided without a line, the player who has won more of them wins.
    pub count: bool,
}

impl Rules {
    /// All four combinations, the standard rules first.
    pub const ALL: [Rules; 4] = [
        Rules {
            open: false,
            count: false,
        },
        Rules {
            open: true,
            count: false,
        },
        Rules {
            open: false,
            count: true,
        },
        Rules {
            open: true,
            count: true,
        },
    ];

    /// Returns the rules with this name, as written by `Display`.
    pub fn from_name(name: &str) -> Option<Rules> {
        Rules::ALL.into_iter().find(|rules| rules.name() == name)
    }

    /// Returns the name: `standard`, `open`, `count` or `open+count`.
    pub const fn name(self) -> &'static str {
        match (self.open, self.count) {
            (false, false) => "standard",
            (true, false) => "open",
            (false, true) => "count",
            (true, true) => "open+count",
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
