//! Crates, dependencies and files of the workspace, as the checks see them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A crate of the workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Member {
    /// Folder relative to the workspace root, with `/` between names.
    pub(crate) folder: String,
    /// Declared floor: `package.metadata.parlor.floor`.
    pub(crate) floor: Option<u8>,
    /// Crates that must not appear among its dependencies in addition to those of its floor:
    /// `package.metadata.parlor.never`.
    pub(crate) never: Vec<String>,
    /// Words that its sources must not contain in addition to those of its floor:
    /// `package.metadata.parlor.never-words`.
    pub(crate) never_words: Vec<String>,
    /// The list of games, if this crate has it: `package.metadata.parlor.games`.
    pub(crate) games: Option<GameList>,
    /// Crates named in its manifest as normal or build dependencies.
    pub(crate) direct: BTreeSet<String>,
    /// All crates that it depends on, at any depth; normal dependencies only.
    pub(crate) transitive: BTreeSet<String>,
}

/// Location of the list of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GameList {
    /// Source file relative to the crate's folder.
    pub(crate) file: String,
    /// Name of the constant or static in it, or of the macro call, with its `!`.
    pub(crate) item: String,
}

/// Everything that the checks read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    /// Crates by name.
    pub(crate) members: BTreeMap<String, Member>,
    /// Contents of the crates' text files by path relative to the workspace root.
    pub(crate) files: BTreeMap<String, String>,
}

impl Workspace {
    /// Loads the workspace that this crate belongs to.
    ///
    /// # Errors
    /// If cargo fails or prints an unexpected shape, or a file cannot be read.
    pub(crate) fn load() -> Result<Workspace, String> {
        let mut workspace = Workspace::load_without_transitive()?;
        for (name, member) in &mut workspace.members {
            let arguments = ["tree", "--package", name, "--edges", "normal"];
            let tree = cargo(&[&arguments[..], &["--prefix", "none", "--locked"]].concat())?;
            let first_word = |line: &str| line.split_whitespace().next().map(str::to_owned);
            member.transitive = tree.lines().skip(1).filter_map(first_word).collect();
        }
        Ok(workspace)
    }

    /// Loads everything except [`Member::transitive`], which stays empty.
    ///
    /// # Errors
    /// As for [`Workspace::load`].
    pub(crate) fn load_without_transitive() -> Result<Workspace, String> {
        let metadata = cargo(&["metadata", "--format-version", "1", "--no-deps", "--locked"])?;
        let metadata: Value =
            serde_json::from_str(&metadata).map_err(|error| format!("cargo metadata: {error}"))?;
        let (root, members) =
            read_metadata(&metadata).ok_or("cargo metadata has an unexpected shape")?;
        let mut files = BTreeMap::new();
        for member in members.values() {
            read_folder(&root, &root.join(&member.folder), &mut files)?;
        }
        Ok(Workspace { members, files })
    }

    /// Files of a crate, by path relative to the workspace root.
    pub(crate) fn files_of<'a>(
        &'a self,
        member: &'a Member,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        let inside = |path: &str| {
            path.strip_prefix(&member.folder)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        self.files
            .iter()
            .filter(move |(path, _)| inside(path))
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }
}

/// Returns the workspace root and its members from the output of `cargo metadata`; `None` if it
/// has an unexpected shape.
pub(crate) fn read_metadata(metadata: &Value) -> Option<(PathBuf, BTreeMap<String, Member>)> {
    let root = PathBuf::from(metadata["workspace_root"].as_str()?);
    let mut members = BTreeMap::new();
    for package in metadata["packages"].as_array()? {
        let folder = Path::new(package["manifest_path"].as_str()?).parent()?;
        let dependencies = package["dependencies"].as_array()?;
        let direct = dependencies
            .iter()
            .filter(|dependency| dependency["kind"] != "dev")
            .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned));
        let declared = &package["metadata"]["parlor"];
        let member = Member {
            folder: folder
                .strip_prefix(&root)
                .ok()?
                .to_str()?
                .replace('\\', "/"),
            floor: declared["floor"].as_u64().and_then(|n| n.try_into().ok()),
            never: strings(&declared["never"]),
            never_words: strings(&declared["never-words"]),
            games: game_list(&declared["games"]),
            direct: direct.collect(),
            transitive: BTreeSet::new(),
        };
        members.insert(package["name"].as_str()?.to_owned(), member);
    }
    Some((root, members))
}

fn game_list(value: &Value) -> Option<GameList> {
    Some(GameList {
        file: value["file"].as_str()?.to_owned(),
        item: value["item"].as_str()?.to_owned(),
    })
}

fn strings(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Folders that hold no part of what a crate ships.
const SKIPPED: [&str; 4] = ["benches", "examples", "target", "tests"];

/// Reads all UTF-8 files below a folder, except those of tests, benches and examples.
fn read_folder(
    root: &Path,
    folder: &Path,
    files: &mut BTreeMap<String, String>,
) -> Result<(), String> {
    let unreadable = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let entries = std::fs::read_dir(folder).map_err(|error| unreadable(folder, error))?;
    for entry in entries {
        let path = entry.map_err(|error| unreadable(folder, error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            if !SKIPPED.contains(&&*name) {
                read_folder(root, &path, files)?;
            }
            continue;
        }
        let bytes = std::fs::read(&path).map_err(|error| unreadable(&path, error))?;
        // A picture or another binary file has no words to look for.
        if let (Ok(text), Ok(relative)) = (String::from_utf8(bytes), path.strip_prefix(root)) {
            files.insert(relative.to_string_lossy().replace('\\', "/"), text);
        }
    }
    Ok(())
}

/// Returns the root folder of the workspace that this crate belongs to.
pub(crate) fn root() -> &'static Path {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest)
}

fn cargo(arguments: &[&str]) -> Result<String, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output();
    let output = output.map_err(|error| format!("cannot start cargo: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
