//! The written exceptions from the rules of the floors.
//!
//! An exception names one file or folder and the names that may occur there. One that covers
//! nothing any more fails the check, so that this list can only shrink.

use crate::floors::Violation;
use crate::workspace::Workspace;

/// A place that may break a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exception {
    /// File or folder relative to the workspace root.
    pub(crate) path: &'static str,
    /// The games, crates or words that may occur there.
    pub(crate) names: &'static [&'static str],
    /// Reason for the exception.
    pub(crate) reason: &'static str,
}

pub(crate) const EXCEPTIONS: &[Exception] = &[
    // Programs of one game.
    Exception {
        path: "crates/parlor-server/src/classic.rs",
        names: &["tictactoe"],
        reason: "a seed prescribes the addresses of classic tic-tac-toe under /tictactoe/api/",
    },
    Exception {
        path: "crates/parlor-server/assets/verify_luck.py",
        names: &["backgammon", "pandemic"],
        reason: "a second implementation, apart from this code, derives the dice and cards by itself",
    },
    Exception {
        path: "crates/parlor/src/commands/analyze",
        names: &["backgammon"],
        reason: "`parlor analyze` reads the notations of backgammon programs and reports on matches, cube and dice",
    },
    Exception {
        path: "crates/parlor/src/commands/external.rs",
        names: &["backgammon"],
        reason: "`parlor external` speaks GNU Backgammon's protocol for external players",
    },
    Exception {
        path: "crates/parlor/src/commands/train.rs",
        names: &["backgammon"],
        reason: "`parlor train` trains the nets of one game",
    },
    Exception {
        path: "crates/parlor/Cargo.toml",
        names: &["parlor-backgammon", "parlor-bots"],
        reason: "`external`, `train` and the formats that `analyze` reads belong to one game; threads are lent to bots",
    },
    Exception {
        path: "crates/parlor-git/Cargo.toml",
        names: &["parlor-bots"],
        reason: "the referee gives bots a budget of nodes, because it has no clock",
    },
    // Data structures.
    Exception {
        path: "crates/parlor-tictactoe/src/mnk/solver/distance.rs",
        names: &["HashMap"],
        reason: "a memo that is never iterated",
    },
    // This program.
    Exception {
        path: "xtask/src/exceptions.rs",
        names: &["backgammon", "mnk", "pandemic", "tictactoe"],
        reason: "this list names games",
    },
];

impl Exception {
    /// True if this exception allows the violation.
    pub(crate) fn covers(&self, violation: &Violation) -> bool {
        let inside = violation.path.strip_prefix(self.path);
        inside.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            && self.names.contains(&violation.name.as_str())
    }

    /// True if this exception allows a violation that is about `name`.
    fn covers_some(&self, name: &str, violations: &[Violation]) -> bool {
        let about = |violation: &&Violation| violation.name == name;
        violations.iter().filter(about).any(|one| self.covers(one))
    }

    /// Returns what is wrong with the exception itself: it covers nothing any more, has no reason
    /// or is as wide as a crate.
    pub(crate) fn problems(&self, workspace: &Workspace, violations: &[Violation]) -> Vec<String> {
        let Exception {
            path,
            names,
            reason,
        } = self;
        let mut problems = Vec::new();
        let is_wide = workspace.members.values().any(|member| {
            let folder = &member.folder;
            folder.starts_with(path) || *path == format!("{folder}/src")
        });
        if is_wide {
            problems.push(format!(
                "exception for {path}: name a file or folder inside a crate"
            ));
        }
        if names.is_empty() || reason.trim().is_empty() {
            problems.push(format!(
                "exception for {path}: give its names and its reason"
            ));
        }
        for name in *names {
            if !self.covers_some(name, violations) {
                problems.push(format!(
                    "exception for {name} in {path} is not needed any more: remove it"
                ));
            }
        }
        problems
    }
}
