//! Lines that name a game outside its own folders: `cargo xtask footprint connect_four`.
//!
//! They are the price of a game for the rest of the workspace: one line in the list of games, the
//! manifests, and the papers.

use std::collections::{BTreeMap, BTreeSet};

use crate::games::{game_names, games_in};
use crate::scan;
use crate::workspace::{Workspace, root};

/// Number of lines that name a game, by file, for each kind of place.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Footprint {
    /// Files of the game's own folders and crate.
    pub(crate) own: BTreeSet<String>,
    /// The file with the list of games.
    pub(crate) list: BTreeMap<String, usize>,
    /// Manifests and the lock file.
    pub(crate) manifests: BTreeMap<String, usize>,
    /// Markdown files and pictures.
    pub(crate) papers: BTreeMap<String, usize>,
    /// Everything else, tests and comments included.
    pub(crate) elsewhere: BTreeMap<String, usize>,
}

impl Footprint {
    /// Searches all files that git tracks or would track.
    ///
    /// # Errors
    /// If there is no such game, or git fails.
    pub(crate) fn find(workspace: &Workspace, game: &str) -> Result<Footprint, String> {
        let mut names = game_names(workspace)?;
        names.retain(|_, name| name == game);
        if names.is_empty() {
            let known: BTreeSet<String> = game_names(workspace)?.into_values().collect();
            let known: Vec<String> = known.into_iter().collect();
            return Err(format!(
                "there is no game {game:?}; there are {}",
                known.join(", ")
            ));
        }
        let list = workspace.members.values().find_map(|member| {
            let list = member.games.as_ref()?;
            Some(format!("{}/{}", member.folder, list.file))
        });
        let mut footprint = Footprint::default();
        for path in tracked_files()? {
            if path.split('/').any(|part| is_named(part, &names)) {
                footprint.own.insert(path);
                continue;
            }
            // A file that is no text, or was deleted, names nothing.
            let Ok(text) = std::fs::read_to_string(root().join(&path)) else {
                continue;
            };
            let lines = text
                .lines()
                .filter(|line| !games_in(line, &names).is_empty())
                .count();
            if lines > 0 {
                footprint.place(&path, list.as_deref()).insert(path, lines);
            }
        }
        Ok(footprint)
    }

    fn place(&mut self, path: &str, list: Option<&str>) -> &mut BTreeMap<String, usize> {
        let file = path.rsplit('/').next().unwrap_or(path);
        if Some(path) == list {
            &mut self.list
        } else if matches!(file, "Cargo.toml" | "Cargo.lock") {
            &mut self.manifests
        } else if file.ends_with(".md") || path.starts_with("docs/") {
            &mut self.papers
        } else {
            &mut self.elsewhere
        }
    }

    /// Returns the report: files with their number of lines, by kind of place.
    pub(crate) fn report(&self) -> String {
        let mut text = format!("own folders: {} files\n", self.own.len());
        let places = [
            ("list of games", &self.list),
            ("manifests", &self.manifests),
            ("papers", &self.papers),
            ("elsewhere", &self.elsewhere),
        ];
        for (title, files) in places {
            text.push_str(&format!(
                "{title}: {} lines in {} files\n",
                files.values().sum::<usize>(),
                files.len()
            ));
            for (path, lines) in files {
                text.push_str(&format!("  {lines:4} {path}\n"));
            }
        }
        text
    }
}

/// True for a folder or file with the name of the game: `parlor-connect-four`, `connect_four.rs`.
fn is_named(part: &str, names: &BTreeMap<String, String>) -> bool {
    let stem = part.split('.').next().unwrap_or(part);
    let stem = stem.strip_prefix("parlor-").unwrap_or(stem);
    let joined: String = scan::words(stem).map(|word| word.text).collect();
    names.contains_key(&joined)
}

fn tracked_files() -> Result<Vec<String>, String> {
    let arguments = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let output = std::process::Command::new("git")
        .args(arguments)
        .current_dir(root())
        .output()
        .map_err(|error| format!("cannot start git: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().map(str::to_owned).collect())
}
