//! The referee's files in a commit.

use std::collections::BTreeMap;

use super::{HouseError, TableIndex};
use crate::files::HouseFile;
use crate::folder::TableFolder;
use crate::git::{Repository, TreeEntry};
use crate::paths::{HOUSE, INDEX, Slug};

/// The referee's files in a commit.
#[derive(Clone, Copy, Debug)]
pub struct HouseTree<'a> {
    /// Repository.
    pub repository: &'a Repository,
    /// Entries by path.
    pub objects: &'a BTreeMap<String, TreeEntry>,
}

impl HouseTree<'_> {
    /// Reads `house.json`.
    ///
    /// # Errors
    /// [`HouseError`] if it is missing or malformed, or git fails.
    pub fn house(&self) -> Result<HouseFile, HouseError> {
        let folder = self.files(|path| path == HOUSE, "")?;
        Ok(folder.read(HOUSE)?)
    }

    /// Reads the list of tables.
    ///
    /// # Errors
    /// [`HouseError`] if it is missing or malformed, or git fails.
    pub fn index(&self) -> Result<TableIndex, HouseError> {
        let folder = self.files(|path| path == INDEX, "")?;
        Ok(folder.read(INDEX)?)
    }

    /// Reads the files of a table.
    ///
    /// # Errors
    /// [`GitError`](crate::git::GitError) if git fails.
    pub fn table(&self, slug: &Slug) -> Result<TableFolder, HouseError> {
        let prefix = slug.file("");
        self.files(|path| path.starts_with(&prefix), &prefix)
    }

    fn files(
        &self,
        wanted: impl Fn(&str) -> bool,
        prefix: &str,
    ) -> Result<TableFolder, HouseError> {
        let entries: Vec<(&String, &TreeEntry)> = self
            .objects
            .iter()
            .filter(|(path, object)| wanted(path) && object.is_file())
            .collect();
        let ids: Vec<&str> = entries
            .iter()
            .map(|(_, object)| object.id.as_str())
            .collect();
        let blobs = self.repository.blobs(&ids)?;
        let name = |path: &str| path.strip_prefix(prefix).unwrap_or(path).to_owned();
        Ok(TableFolder {
            files: entries
                .into_iter()
                .map(|(path, _)| name(path))
                .zip(blobs)
                .collect(),
        })
    }
}
