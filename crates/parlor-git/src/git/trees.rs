//! Trees: listing their entries, and composing new ones.
//!
//! New trees are composed folder by folder, without git's index: the index refuses names that can
//! be in a tree that somebody has pushed, and would have to hold all of its files.

use std::collections::BTreeMap;

use super::{GitError, ObjectError, ObjectReader, ReadBudget, Repository};
use crate::objects::RawEntry;

/// Entry of a git tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeEntry {
    /// File mode in octal digits, such as `100644` for a file.
    pub mode: String,
    /// Object id.
    pub id: String,
}

impl TreeEntry {
    /// Returns true for a file, executable or not.
    pub fn is_file(&self) -> bool {
        self.mode.starts_with("100")
    }
}

/// New contents of files by path; `None` deletes a file.
pub type FileChanges = BTreeMap<String, Option<Vec<u8>>>;

/// A folder that a new tree begins with.
#[derive(Clone, Copy, Debug)]
pub struct TreeBase<'a> {
    /// Id of the tree whose top folder is taken; `None` for an empty one.
    pub rest: Option<&'a str>,
    /// Id of the tree that the entries of some names are taken from instead.
    pub kept: Option<&'a str>,
    /// These names.
    pub names: &'a [&'a str],
}

/// Changes of the entries of a folder, by name.
#[derive(Default)]
struct FolderChanges {
    files: BTreeMap<String, Option<String>>,
    folders: BTreeMap<String, FolderChanges>,
}

impl Repository {
    /// Returns all entries at and below some paths of a tree or commit of the referee, by path.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn tree(&self, id: &str, paths: &[&str]) -> Result<BTreeMap<String, TreeEntry>, GitError> {
        let mut args = vec!["ls-tree", "-r", "-z", "--full-tree", id, "--"];
        args.extend(paths);
        let bytes = self.git(&args).bytes(&[])?;
        Ok(bytes
            .split(|byte| *byte == 0)
            .filter_map(parse_ls_tree_line)
            .collect())
    }

    /// Composes a tree: a base with `files` written, or deleted if `None`. Returns the tree's id.
    ///
    /// # Errors
    /// [`GitError`] if git fails, or the trees of the base cannot be read.
    pub fn compose_tree(
        &self,
        base: TreeBase<'_>,
        files: &FileChanges,
    ) -> Result<String, GitError> {
        let mut changes = FolderChanges::default();
        for (path, bytes) in files {
            let id = match bytes {
                Some(bytes) => Some(self.write_blob(bytes)?),
                None => None,
            };
            changes.add(path, id);
        }
        // These objects are the referee's, or were checked before.
        let mut reader = ObjectReader::new(self, ReadBudget::UNLIMITED);
        let mut top = |id: Option<&str>| match id {
            Some(id) => reader.tree(id).map(|tree| tree.entries.clone()),
            None => Ok(Vec::new()),
        };
        let is_kept =
            |entry: &RawEntry| base.names.iter().any(|name| entry.name == name.as_bytes());
        let (rest, kept) = (top(base.rest)?, top(base.kept)?);
        let rest = rest.into_iter().filter(|entry| !is_kept(entry));
        let kept = kept.into_iter().filter(is_kept);
        let entries = rest.chain(kept).collect();
        let id = self.change_folder(&mut reader, entries, &changes)?;
        match id {
            Some(id) => Ok(id),
            None => self.write_tree(&[]),
        }
    }

    /// Writes a folder with changes and returns its id; `None` if nothing is left in it.
    fn change_folder(
        &self,
        reader: &mut ObjectReader<'_>,
        mut entries: Vec<RawEntry>,
        changes: &FolderChanges,
    ) -> Result<Option<String>, GitError> {
        for (name, below) in &changes.folders {
            let there = entries
                .iter()
                .find(|entry| entry.name == name.as_bytes() && entry.is_folder());
            let there = match there {
                Some(entry) => reader.tree(&entry.id)?.entries.clone(),
                None => Vec::new(),
            };
            let id = self.change_folder(reader, there, below)?;
            replace(&mut entries, name, RawEntry::FOLDER, id);
        }
        for (name, id) in &changes.files {
            replace(&mut entries, name, "100644", id.clone());
        }
        if entries.is_empty() {
            return Ok(None);
        }
        self.write_tree(&entries).map(Some)
    }

    /// Stores a tree and returns its id.
    fn write_tree(&self, entries: &[RawEntry]) -> Result<String, GitError> {
        let mut lines = Vec::new();
        for entry in entries {
            let kind = match entry.mode.as_str() {
                RawEntry::FOLDER => "tree",
                RawEntry::MODULE => "commit",
                _ => "blob",
            };
            lines.extend_from_slice(format!("{} {kind} {}\t", entry.mode, entry.id).as_bytes());
            lines.extend_from_slice(&entry.name);
            lines.push(0);
        }
        self.git(&["mktree", "-z", "--missing"]).text(&lines)
    }
}

impl From<ObjectError> for GitError {
    fn from(error: ObjectError) -> GitError {
        match error {
            ObjectError::Git(error) => error,
            other => GitError::Object(other.to_string()),
        }
    }
}

impl FolderChanges {
    fn add(&mut self, path: &str, id: Option<String>) {
        match path.split_once('/') {
            Some((folder, rest)) => {
                let below = self.folders.entry(folder.to_owned()).or_default();
                below.add(rest, id);
            }
            None => {
                self.files.insert(path.to_owned(), id);
            }
        }
    }
}

/// Replaces an entry, or removes it if there is no id.
fn replace(entries: &mut Vec<RawEntry>, name: &str, mode: &str, id: Option<String>) {
    entries.retain(|entry| entry.name != name.as_bytes());
    entries.extend(id.map(|id| RawEntry {
        mode: mode.to_owned(),
        name: name.as_bytes().to_vec(),
        id,
    }));
}

/// Parses a line such as `100644 blob ID<TAB>PATH`.
fn parse_ls_tree_line(line: &[u8]) -> Option<(String, TreeEntry)> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let head = String::from_utf8_lossy(&line[..tab]);
    let mut words = head.split(' ');
    let (Some(mode), _, Some(id)) = (words.next(), words.next(), words.next()) else {
        return None;
    };
    let path = String::from_utf8_lossy(&line[tab + 1..]).into_owned();
    let entry = TreeEntry {
        mode: mode.to_owned(),
        id: id.to_owned(),
    };
    Some((path, entry))
}
