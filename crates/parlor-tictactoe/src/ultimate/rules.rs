//! The variations of the game.

use std::fmt;

/// What was agreed before the first move; the default is the standard game.
///
/// ```
/// use parlor_tictactoe::ultimate::Rules;
/// assert_eq!(Rules::default().to_string(), "standard");
/// assert_eq!(Rules { open: true, count: true }.to_string(), "open+count");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Won boards stay playable until they are full, for their first winner; only who is sent to a full board chooses freely.
    pub open: bool,
    /// When all boards are decided without a line, whoever has won more of them wins.
    pub count: bool,
}

impl Rules {
    /// All four combinations, the standard first.
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

    /// The rules with this name, as `Display` writes it.
    pub fn named(name: &str) -> Option<Rules> {
        Rules::ALL.into_iter().find(|rules| rules.name() == name)
    }

    /// The name: `standard`, `open`, `count` or `open+count`.
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
