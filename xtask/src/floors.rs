//! The rules of the floors: who may depend on whom, and which words a floor must not contain.
//!
//! | floor | crates |
//! |---|---|
//! | 0 | what every game implements |
//! | 1 | rules of games, ratings |
//! | 2 | bots, formats of other programs |
//! | 3 | the list of games |
//! | 4 | tables |
//! | 5 | storage, git |
//! | 6 | the server |
//! | 7 | the binary |
//! | 8 | this program |

use std::fmt;
use std::ops::RangeInclusive;

use crate::exceptions::Exception;
use crate::games;
use crate::scan;
use crate::workspace::{Member, Workspace};

/// Something that all crates of some floors must do without.
struct FloorRule {
    floors: RangeInclusive<u8>,
    /// Crates that must not be found among the dependencies, at any depth.
    crates: &'static [&'static str],
    /// Words that must not occur in the sources outside of comments.
    words: &'static [&'static str],
}

const FLOOR_RULES: &[FloorRule] = &[
    // The rules, the bots and the tables are pure: no I/O, no async, no randomness of their own.
    FloorRule {
        floors: 0..=4,
        crates: &[
            "tokio",
            "axum",
            "hyper",
            "sea-orm",
            "sqlx-core",
            "reqwest",
            "getrandom",
            "maud",
        ],
        words: &["SystemTime"],
    },
    FloorRule {
        floors: 0..=2,
        crates: &["serde_json"],
        words: &["Instant"],
    },
    FloorRule {
        floors: 4..=4,
        crates: &[],
        words: &["Instant"],
    },
    // Nothing may depend on the iteration order of a hash map.
    FloorRule {
        floors: 0..=1,
        crates: &[],
        words: &["HashMap", "HashSet"],
    },
    // Neither storage nor git knows HTTP.
    FloorRule {
        floors: 5..=5,
        crates: &["axum", "hyper", "maud"],
        words: &[],
    },
    // The check must not depend on what it checks.
    FloorRule {
        floors: 8..=8,
        crates: &["parlor-core"],
        words: &[],
    },
];

/// The floor of the list of games: above it no game has a name.
pub(crate) const GAMES_FLOOR: u8 = 3;

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// File relative to the workspace root.
    pub(crate) path: String,
    /// Line in the file, from 1; 0 for the file as a whole.
    pub(crate) line: usize,
    /// The crate, word or game that must not be there.
    pub(crate) name: String,
    /// Explanation for people.
    pub(crate) message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}

/// Returns every violation that no exception covers, and every exception that covers none.
///
/// # Errors
/// If the list of games cannot be found.
pub(crate) fn check(
    workspace: &Workspace,
    exceptions: &[Exception],
) -> Result<Vec<String>, String> {
    let mut violations = forbidden_edges(workspace);
    violations.extend(forbidden_words(workspace));
    violations.extend(games::named_games(workspace)?);
    let covered = |violation: &&Violation| !exceptions.iter().any(|one| one.covers(violation));
    let mut problems: Vec<String> = violations
        .iter()
        .filter(covered)
        .map(ToString::to_string)
        .collect();
    for exception in exceptions {
        problems.extend(exception.problems(workspace, &violations));
    }
    Ok(problems)
}

/// Returns every dependency that the floors forbid.
pub(crate) fn forbidden_edges(workspace: &Workspace) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (name, member) in &workspace.members {
        let mut forbid = |to: &str, message: String| {
            violations.push(Violation {
                path: format!("{}/Cargo.toml", member.folder),
                line: 0,
                name: to.to_owned(),
                message,
            });
        };
        let Some(floor) = member.floor else {
            let message = format!(
                "{name} has no floor: declare it with `[package.metadata.parlor] floor = N`"
            );
            forbid(name, message);
            continue;
        };
        for to in &member.direct {
            let Some(target) = workspace.members.get(to) else {
                continue;
            };
            if target.floor.is_some_and(|below| below >= floor) {
                forbid(
                    to,
                    format!("{name} (floor {floor}) imports {to}, which is not below it"),
                );
            }
            if floor > GAMES_FLOOR && is_below_games(target) {
                let message = format!("{name} imports {to} directly, past the list of games");
                forbid(to, message);
            }
        }
        let rules = rules_for(floor).flat_map(|rule| rule.crates.iter().copied());
        for never in rules.chain(member.never.iter().map(String::as_str)) {
            if member.transitive.contains(never) || member.direct.contains(never) {
                forbid(never, format!("{name} depends on {never}"));
            }
        }
    }
    violations
}

/// True for rules of games, bots and formats, which only the list of games may import.
fn is_below_games(member: &Member) -> bool {
    member
        .floor
        .is_some_and(|floor| (1..GAMES_FLOOR).contains(&floor))
        && member.direct.contains("parlor-core")
}

/// Returns every word that a floor or a crate forbids in its sources. Comments may contain it.
pub(crate) fn forbidden_words(workspace: &Workspace) -> Vec<Violation> {
    let mut violations = Vec::new();
    for member in workspace.members.values() {
        let Some(floor) = member.floor else { continue };
        let rules = rules_for(floor).flat_map(|rule| rule.words.iter().copied());
        let words: Vec<&str> = rules
            .chain(member.never_words.iter().map(String::as_str))
            .collect();
        for (path, text) in workspace.files_of(member) {
            if words.is_empty() || !path.ends_with(".rs") {
                continue;
            }
            let code = scan::without_comments(text, scan::Language::Rust);
            for (number, line) in (1..).zip(code.lines()) {
                let found = words.iter().filter(|word| line.contains(**word));
                violations.extend(found.map(|word| Violation {
                    path: path.to_owned(),
                    line: number,
                    name: (*word).to_owned(),
                    message: format!("floor {floor} must not use {word}"),
                }));
            }
        }
    }
    violations
}

fn rules_for(floor: u8) -> impl Iterator<Item = &'static FloorRule> {
    FLOOR_RULES
        .iter()
        .filter(move |rule| rule.floors.contains(&floor))
}
