//! Objects of a clone, read in batches: trees, and the files of tables.

use std::collections::{BTreeMap, BTreeSet};

use crate::git::{GitCommit, GitError, Repository, TreeEntry};
use crate::objects::RawTree;
use crate::paths::{HOUSE, MOVES, RECORD, STATE, Slug, TABLE, TABLES};

/// Entries of a folder by name, or of several folders by path.
pub(super) type Tree = BTreeMap<String, TreeEntry>;

/// File mode of a folder in raw tree objects.
pub(super) const FOLDER: &str = "40000";

/// Maximum size of a file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 16 << 20;
/// Maximum size of a folder that is read, in bytes.
const MAX_FOLDER_BYTES: u64 = 4 << 20;
/// Maximum size of a move file that is read, in bytes.
const MAX_MOVE_BYTES: u64 = crate::referee::MAX_FILE_BYTES;

/// Objects of a clone that are held in memory.
pub(super) struct HistoryObjects<'a> {
    repository: &'a Repository,
    /// The only table of interest; `None` for all.
    table: Option<&'a Slug>,
    /// Trees of the current batch by id.
    trees: BTreeMap<String, Tree>,
    /// Ids of trees that cannot be read, with reasons.
    unread: BTreeMap<String, String>,
    /// Files of the current batch and all move files by id, except overlong ones.
    blobs: BTreeMap<String, Vec<u8>>,
}

impl<'a> HistoryObjects<'a> {
    pub(super) fn new(repository: &'a Repository, table: Option<&'a Slug>) -> HistoryObjects<'a> {
        HistoryObjects {
            repository,
            table,
            trees: BTreeMap::new(),
            unread: BTreeMap::new(),
            blobs: BTreeMap::new(),
        }
    }

    /// Returns the entries of a loaded folder; nothing for other objects.
    pub(super) fn folder(&self, id: &str) -> Tree {
        self.trees.get(id).cloned().unwrap_or_default()
    }

    /// Returns the contents of a loaded file; `None` if it is too long.
    pub(super) fn file(&self, id: &str) -> Option<&[u8]> {
        self.blobs.get(id).map(Vec::as_slice)
    }

    /// Removes all trees from memory.
    pub(super) fn forget_trees(&mut self) {
        self.trees.clear();
    }

    /// Removes all files from memory except some.
    pub(super) fn keep_files(&mut self, ids: &BTreeSet<&String>) {
        self.blobs.retain(|id, _| ids.contains(id));
    }

    /// Returns the entries of the folder of tables, or only the requested table.
    pub(super) fn tables(&self, commit: &GitCommit) -> Tree {
        let root = self.trees.get(&commit.tree);
        let folder = root
            .and_then(|root| root.get(TABLES))
            .and_then(|object| self.trees.get(&object.id));
        let wanted = |name: &str| self.table.is_none_or(|slug| slug.as_str() == name);
        folder
            .into_iter()
            .flatten()
            .filter(|(name, _)| wanted(name))
            .map(|(name, object)| (name.clone(), object.clone()))
            .collect()
    }

    /// Returns all entries that only the referee may write, by path.
    pub(super) fn referee_files(&self, commit: &GitCommit) -> Tree {
        let mut found = Tree::new();
        let house = self
            .trees
            .get(&commit.tree)
            .and_then(|root| root.get(HOUSE));
        found.extend(
            house
                .filter(|_| self.table.is_none())
                .map(|object| (HOUSE.to_owned(), object.clone())),
        );
        let mut folders: Vec<(String, TreeEntry)> = self
            .tables(commit)
            .into_iter()
            .map(|(name, object)| (format!("{TABLES}/{name}"), object))
            .collect();
        while let Some((path, object)) = folders.pop() {
            match self.trees.get(&object.id).filter(|_| object.mode == FOLDER) {
                Some(tree) => folders.extend(
                    tree.iter()
                        .map(|(name, object)| (format!("{path}/{name}"), object.clone())),
                ),
                None => {
                    found.insert(path, object);
                }
            }
        }
        found
    }

    /// Loads the trees of these commits: the roots, the folders of tables, the tables and their
    /// moves.
    pub(super) fn load_trees(&mut self, commits: &[&GitCommit]) -> Result<(), GitError> {
        self.load_tree_objects(commits.iter().map(|commit| commit.tree.clone()).collect())?;
        let folders = |tree: Option<&Tree>, name: &str| {
            tree.and_then(|tree| tree.get(name))
                .filter(|object| object.mode == FOLDER)
                .map(|object| object.id.clone())
        };
        self.load_tree_objects(
            commits
                .iter()
                .filter_map(|commit| folders(self.trees.get(&commit.tree), TABLES))
                .collect(),
        )?;
        let mut tables = BTreeSet::new();
        for commit in commits {
            tables.extend(
                self.tables(commit)
                    .into_values()
                    .filter(|object| object.mode == FOLDER)
                    .map(|object| object.id),
            );
        }
        self.load_tree_objects(tables.clone())?;
        self.load_tree_objects(
            tables
                .iter()
                .filter_map(|id| folders(self.trees.get(id), MOVES))
                .collect(),
        )
    }

    fn load_tree_objects(&mut self, ids: BTreeSet<String>) -> Result<(), GitError> {
        let ids: Vec<&str> = ids
            .iter()
            .map(String::as_str)
            .filter(|id| !id.is_empty())
            .filter(|id| !self.trees.contains_key(*id) && !self.unread.contains_key(*id))
            .collect();
        let sizes = self.repository.sizes(&ids)?;
        let mut fits = Vec::new();
        for (id, size) in ids.into_iter().zip(sizes) {
            if size <= MAX_FOLDER_BYTES {
                fits.push(id);
            } else {
                let reason = "the folder is missing, or too long to be read".to_owned();
                self.unread.insert(id.to_owned(), reason);
            }
        }
        let blobs = self.repository.blobs(&fits)?;
        for (id, bytes) in fits.into_iter().zip(blobs) {
            match RawTree::parse(&bytes, id.len() / 2) {
                Ok(tree) => {
                    let entries = tree.entries.iter();
                    let entries = entries.map(|entry| (entry.text(), entry.into()));
                    self.trees.insert(id.to_owned(), entries.collect());
                }
                Err(error) => {
                    self.unread.insert(id.to_owned(), error.to_string());
                }
            }
        }
        Ok(())
    }

    /// Returns the folders of a commit that cannot be read, with reasons.
    pub(super) fn unread_folders(&self, commit: &GitCommit) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut look = |path: String, id: &str| {
            found.extend(self.unread.get(id).map(|reason| (path, reason.clone())));
        };
        look("the top folder".to_owned(), &commit.tree);
        let root = self.trees.get(&commit.tree);
        if let Some(tables) = root.and_then(|root| root.get(TABLES)) {
            look(TABLES.to_owned(), &tables.id);
        }
        for (name, table) in self.tables(commit) {
            look(format!("{TABLES}/{name}"), &table.id);
            let moves = self.trees.get(&table.id).and_then(|tree| tree.get(MOVES));
            if let Some(moves) = moves {
                look(format!("{TABLES}/{name}/{MOVES}"), &moves.id);
            }
        }
        found
    }

    /// Loads the table files of these commits, except known and overlong ones.
    pub(super) fn load_files(&mut self, commits: &[&GitCommit]) -> Result<(), GitError> {
        let mut wanted = self.table_files(commits);
        wanted.retain(|id, _| !self.blobs.contains_key(id));
        let ids: Vec<&str> = wanted.keys().map(String::as_str).collect();
        let sizes = self.repository.sizes(&ids)?;
        let fits: Vec<&str> = wanted
            .iter()
            .zip(sizes)
            .filter(|((_, longest), size)| size <= longest)
            .map(|((id, _), _)| id.as_str())
            .collect();
        let bytes = self.repository.blobs(&fits)?;
        self.blobs
            .extend(fits.into_iter().map(str::to_owned).zip(bytes));
        Ok(())
    }

    /// Returns the ids of the table files of these commits, each with its maximum size.
    fn table_files(&self, commits: &[&GitCommit]) -> BTreeMap<String, u64> {
        let mut found = BTreeMap::new();
        for commit in commits {
            for (name, entry) in self
                .tables(commit)
                .values()
                .filter_map(|table| self.trees.get(&table.id))
                .flatten()
            {
                match name.as_str() {
                    TABLE | STATE | RECORD if entry.is_file() => {
                        found.insert(entry.id.clone(), MAX_FILE_BYTES);
                    }
                    MOVES => {
                        let moves = self.trees.get(&entry.id).into_iter().flatten();
                        found.extend(
                            moves
                                .filter(|(_, entry)| entry.is_file())
                                .map(|(_, entry)| (entry.id.clone(), MAX_MOVE_BYTES)),
                        );
                    }
                    _ => {}
                }
            }
        }
        found
    }
}
