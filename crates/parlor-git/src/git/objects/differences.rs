//! Differences between two trees: only folders that differ are read.

use std::collections::BTreeMap;

use super::{ObjectError, ObjectReader};
use crate::git::TreeEntry;
use crate::objects::{RawEntry, RawTree};

/// Most files that may differ between two trees.
const MAX_CHANGED_FILES: usize = 10_000;
/// Most folders inside one another.
pub(super) const MAX_DEPTH: usize = 32;

/// Entry of a path in two trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryChange {
    /// Entry in the first tree.
    pub was: Option<TreeEntry>,
    /// Entry in the second tree.
    pub is: Option<TreeEntry>,
}

/// Paths that differ between two trees.
pub type EntryChanges = BTreeMap<String, EntryChange>;

impl From<&RawEntry> for TreeEntry {
    fn from(entry: &RawEntry) -> TreeEntry {
        TreeEntry {
            mode: entry.mode.clone(),
            id: entry.id.clone(),
        }
    }
}

impl ObjectReader<'_> {
    /// Returns the files that differ between two trees, at and below some names of the top folder,
    /// or everywhere. Names are not checked; those that are not UTF-8 are returned as text.
    ///
    /// # Errors
    /// [`ObjectError`] if a tree cannot be read, or too much differs.
    pub fn differences(
        &mut self,
        was: Option<&str>,
        is: &str,
        names: Option<&[&str]>,
    ) -> Result<EntryChanges, ObjectError> {
        let mut changes = EntryChanges::new();
        if was == Some(is) {
            return Ok(changes);
        }
        let was = match was {
            Some(id) => self.top_folder(id, names)?,
            None => RawTree::default(),
        };
        let is = self.top_folder(is, names)?;
        self.compare(&was, &is, "", 0, &mut changes)?;
        Ok(changes)
    }

    /// Returns a folder with only the entries of some names, or with all.
    fn top_folder(&mut self, id: &str, names: Option<&[&str]>) -> Result<RawTree, ObjectError> {
        let is_wanted = |entry: &&RawEntry| {
            names.is_none_or(|names| names.iter().any(|name| entry.name == name.as_bytes()))
        };
        let tree = self.tree(id)?;
        let entries = tree.entries.iter().filter(is_wanted).cloned().collect();
        Ok(RawTree { entries })
    }

    fn compare(
        &mut self,
        was: &RawTree,
        is: &RawTree,
        prefix: &str,
        depth: usize,
        changes: &mut EntryChanges,
    ) -> Result<(), ObjectError> {
        if depth > MAX_DEPTH {
            return Err(ObjectError::TooDeep(MAX_DEPTH));
        }
        let mut pairs: BTreeMap<&[u8], [Option<&RawEntry>; 2]> = BTreeMap::new();
        for (n, tree) in [was, is].into_iter().enumerate() {
            for entry in &tree.entries {
                pairs.entry(&entry.name).or_default()[n] = Some(entry);
            }
        }
        for [was, is] in pairs.into_values() {
            if was == is {
                continue;
            }
            let name = was.or(is).map(RawEntry::text).unwrap_or_default();
            let path = format!("{prefix}{name}");
            self.compare_entries(was, is, &path, depth, changes)?;
        }
        Ok(())
    }

    fn compare_entries(
        &mut self,
        was: Option<&RawEntry>,
        is: Option<&RawEntry>,
        path: &str,
        depth: usize,
        changes: &mut EntryChanges,
    ) -> Result<(), ObjectError> {
        let [was_folder, is_folder] =
            [was, is].map(|entry| entry.filter(|entry| entry.is_folder()));
        if was_folder.is_some() || is_folder.is_some() {
            let mut read = |entry: Option<&RawEntry>| match entry {
                Some(entry) => self.tree(&entry.id),
                None => Ok(Default::default()),
            };
            let (below_was, below_is) = (read(was_folder)?, read(is_folder)?);
            let prefix = format!("{path}/");
            self.compare(&below_was, &below_is, &prefix, depth + 1, changes)?;
        }
        let file = |entry: Option<&RawEntry>| {
            entry
                .filter(|entry| !entry.is_folder())
                .map(TreeEntry::from)
        };
        let change = EntryChange {
            was: file(was),
            is: file(is),
        };
        if change.was.is_some() || change.is.is_some() {
            changes.insert(path.to_owned(), change);
        }
        if changes.len() > MAX_CHANGED_FILES {
            return Err(ObjectError::TooManyFiles(MAX_CHANGED_FILES));
        }
        Ok(())
    }
}
