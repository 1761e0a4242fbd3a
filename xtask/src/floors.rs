//! The floors of the house as rules about dependencies and words.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// A crate, its floor, and what must never be found below it, however far down.
struct Floor {
    name: &'static str,
    floor: u8,
    never: &'static [&'static str],
    words: &'static [&'static str],
}

const PURE: &[&str] = &[
    "tokio",
    "axum",
    "hyper",
    "sea-orm",
    "sqlx-core",
    "reqwest",
    "getrandom",
    "maud",
];
const RULES: &[&str] = &[
    "tokio",
    "axum",
    "hyper",
    "sea-orm",
    "sqlx-core",
    "reqwest",
    "getrandom",
    "maud",
    "serde_json",
];
/// Git is started as a program; what else reaches outside has no place there. Temporary files need some randomness.
const PURE_GIT: &[&str] = &[
    "tokio",
    "axum",
    "hyper",
    "sea-orm",
    "sqlx-core",
    "reqwest",
    "maud",
];
const NO_CLOCK: &[&str] = &["Instant", "SystemTime"];
const NO_CLOCK_NO_HASH: &[&str] = &["Instant", "SystemTime", "HashMap", "HashSet"];

const FLOORS: &[Floor] = &[
    Floor {
        name: "parlor-core",
        floor: 0,
        never: RULES,
        words: NO_CLOCK_NO_HASH,
    },
    Floor {
        name: "parlor-tictactoe",
        floor: 1,
        never: RULES,
        words: NO_CLOCK,
    },
    Floor {
        name: "parlor-backgammon",
        floor: 1,
        never: RULES,
        words: NO_CLOCK_NO_HASH,
    },
    Floor {
        name: "parlor-pandemic",
        floor: 1,
        never: RULES,
        words: NO_CLOCK_NO_HASH,
    },
    Floor {
        name: "parlor-ratings",
        floor: 1,
        never: RULES,
        words: NO_CLOCK_NO_HASH,
    },
    Floor {
        name: "parlor-bots",
        floor: 2,
        never: RULES,
        words: NO_CLOCK,
    },
    Floor {
        name: "parlor-games",
        floor: 3,
        never: PURE,
        words: &["SystemTime"],
    },
    Floor {
        name: "parlor-table",
        floor: 4,
        never: PURE,
        words: NO_CLOCK,
    },
    Floor {
        name: "parlor-store",
        floor: 5,
        never: &["axum", "hyper", "maud"],
        words: &[],
    },
    Floor {
        name: "parlor-git",
        floor: 5,
        never: PURE_GIT,
        words: &["GameKind::Mnk", "SystemTime", "Instant"],
    },
    Floor {
        name: "parlor-server",
        floor: 6,
        never: &[],
        words: &["GameKind::Mnk"],
    },
    Floor {
        name: "parlor",
        floor: 7,
        never: &[],
        words: &["GameKind::Mnk"],
    },
    Floor {
        name: "xtask",
        floor: 8,
        never: &["parlor-core"],
        words: &[],
    },
];

/// Edges between floors that are forbidden although they lead down.
const NEVER_EDGES: &[(&str, &str)] = &[
    ("parlor-store", "parlor-games"),
    ("parlor-store", "parlor-tictactoe"),
    ("parlor-server", "parlor-tictactoe"),
    ("parlor-server", "parlor-bots"),
    ("parlor-table", "parlor-tictactoe"),
    ("parlor-table", "parlor-backgammon"),
    ("parlor-table", "parlor-pandemic"),
    ("parlor-server", "parlor-backgammon"),
    ("parlor-server", "parlor-pandemic"),
    ("parlor-store", "parlor-backgammon"),
    ("parlor-store", "parlor-pandemic"),
    ("parlor-table", "parlor-bots"),
];

/// What each crate of the workspace depends on: normal dependencies only, by name.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// The crates of the workspace and their folders.
    pub(crate) members: BTreeMap<String, PathBuf>,
    /// What each of them names in its manifest.
    pub(crate) direct: BTreeMap<String, BTreeSet<String>>,
    /// What each of them rests on, however far down.
    pub(crate) below: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    /// Reads the members from what `cargo metadata` prints; `None` when it has another shape. `below` stays empty.
    pub(crate) fn read(metadata: &Value) -> Option<Graph> {
        let mut graph = Graph::default();
        for package in metadata["packages"].as_array()? {
            let name = package["name"].as_str()?;
            let folder = Path::new(package["manifest_path"].as_str()?).parent()?;
            graph.members.insert(name.to_owned(), folder.to_owned());
            let normal = package["dependencies"]
                .as_array()?
                .iter()
                .filter(|dependency| dependency["kind"].is_null());
            let names =
                normal.filter_map(|dependency| dependency["name"].as_str().map(str::to_owned));
            graph.direct.insert(name.to_owned(), names.collect());
        }
        Some(graph)
    }
}

/// Every edge that the house forbids, in words.
pub(crate) fn forbidden_edges(graph: &Graph) -> Vec<String> {
    let floor_of = |name: &str| FLOORS.iter().find(|floor| floor.name == name);
    let mut found = Vec::new();
    for name in graph.members.keys() {
        let Some(from) = floor_of(name) else {
            found.push(format!(
                "{name} has no floor: give it one in xtask/src/floors.rs"
            ));
            continue;
        };
        for to in graph.direct.get(name).into_iter().flatten() {
            if floor_of(to).is_some_and(|to| to.floor >= from.floor) {
                found.push(format!(
                    "{name} (floor {}) imports {to}, which is not below it",
                    from.floor
                ));
            }
            if NEVER_EDGES.contains(&(name.as_str(), to.as_str())) {
                found.push(format!("{name} imports {to} directly"));
            }
        }
        let rests_on = |never: &&&str| {
            graph
                .below
                .get(name)
                .is_some_and(|below| below.contains(**never))
        };
        found.extend(
            from.never
                .iter()
                .filter(rests_on)
                .map(|never| format!("{name} rests on {never}")),
        );
    }
    found
}

/// Every word that a floor must not say in its sources, with its place.
pub(crate) fn forbidden_words(graph: &Graph) -> Vec<String> {
    let mut found = Vec::new();
    for floor in FLOORS.iter().filter(|floor| !floor.words.is_empty()) {
        let Some(folder) = graph.members.get(floor.name) else {
            continue;
        };
        for file in sources(&folder.join("src")) {
            let Ok(text) = std::fs::read_to_string(&file) else {
                continue;
            };
            for (number, line) in text
                .lines()
                .enumerate()
                .filter(|(_, line)| !line.trim_start().starts_with("//"))
            {
                let says = |word: &&&str| line.contains(**word);
                found.extend(
                    floor
                        .words
                        .iter()
                        .filter(says)
                        .map(|word| format!("{}:{} says {word}", file.display(), number + 1)),
                );
            }
        }
    }
    found
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(name: &str, direct: &[&str], below: &[&str]) -> Graph {
        let names = |names: &[&str]| {
            BTreeMap::from([(
                name.to_owned(),
                names.iter().map(|n| (*n).to_owned()).collect(),
            )])
        };
        let members = BTreeMap::from([(name.to_owned(), PathBuf::new())]);
        Graph {
            members,
            direct: names(direct),
            below: names(below),
        }
    }

    #[test]
    fn an_edge_downwards_is_allowed() {
        let graph = graph(
            "parlor-store",
            &["parlor-table", "sea-orm"],
            &["parlor-table", "sea-orm", "tokio"],
        );
        assert_eq!(forbidden_edges(&graph), [""; 0]);
    }

    #[test]
    fn an_edge_upwards_or_sideways_is_found() {
        for (from, to) in [
            ("parlor-core", "parlor-games"),
            ("parlor-server", "parlor"),
            ("parlor-bots", "parlor-bots"),
        ] {
            assert_eq!(
                forbidden_edges(&graph(from, &[to], &[to])).len(),
                1,
                "{from} -> {to}"
            );
        }
        let skips = graph(
            "parlor-server",
            &["parlor-tictactoe"],
            &["parlor-tictactoe"],
        );
        assert_eq!(
            forbidden_edges(&skips),
            ["parlor-server imports parlor-tictactoe directly"]
        );
    }

    #[test]
    fn a_forbidden_crate_is_found_however_deep() {
        let graph = graph(
            "parlor-table",
            &["harmless"],
            &["harmless", "deeper", "tokio"],
        );
        assert_eq!(forbidden_edges(&graph), ["parlor-table rests on tokio"]);
    }

    #[test]
    fn a_crate_without_a_floor_is_found() {
        assert_eq!(forbidden_edges(&graph("parlor-attic", &[], &[])).len(), 1);
    }
}
