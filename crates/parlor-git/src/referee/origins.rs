//! Origins of the pushed changes: the commit that first had each new file, and the last that
//! removed it.

use std::collections::BTreeMap;

use crate::git::{EntryChange, EntryChanges, GitCommit, GitError, ObjectError, ObjectReader};
use crate::house::REFEREE_PATHS;
use crate::paths::HousePath;

/// Most new files that are traced to their commits.
const MAX_TRACED: usize = 20_000;
/// Most parents of a commit that is looked at.
const MAX_PARENTS: usize = 16;

/// Content of a path: the path and the id of the object.
type Content = (String, String);

/// Origins of what was pushed.
#[derive(Default)]
pub(super) struct Origins {
    /// Index of the commit that first had a content.
    added: BTreeMap<Content, usize>,
    /// Index of the last commit that removed a content.
    removed: BTreeMap<Content, usize>,
}

impl Origins {
    /// Traces the new files of these commits, parents before children, as far as they can be read
    /// within the budget.
    pub(super) fn trace(
        reader: &mut ObjectReader<'_>,
        commits: &[GitCommit],
    ) -> Result<Origins, GitError> {
        let mut origins = Origins::default();
        for (n, commit) in commits.iter().enumerate() {
            match changes_of(reader, commit) {
                Ok(changes) => origins.add(n, changes),
                Err(error @ (ObjectError::Budget(_) | ObjectError::Git(_))) => {
                    error.or_git()?;
                    break;
                }
                // It adds nothing that counts.
                Err(_) => {}
            }
            if origins.added.len() + origins.removed.len() > MAX_TRACED {
                break;
            }
        }
        Ok(origins)
    }

    fn add(&mut self, n: usize, changes: EntryChanges) {
        for (path, EntryChange { was, is }) in changes {
            if let Some(was) = was {
                self.removed.insert((path.clone(), was.id), n);
            }
            if let Some(is) = is {
                self.added.entry((path, is.id)).or_insert(n);
            }
        }
    }

    /// Returns the index of the commit that first had a content.
    pub(super) fn added(&self, path: &str, id: &str) -> Option<usize> {
        self.added.get(&(path.to_owned(), id.to_owned())).copied()
    }

    /// Returns the index of the last commit that removed a content.
    pub(super) fn removed(&self, path: &str, id: &str) -> Option<usize> {
        self.removed.get(&(path.to_owned(), id.to_owned())).copied()
    }

    /// Returns the paths and ids of all files that were added among the moves of tables, each with
    /// the index of its commit.
    pub(super) fn moves(&self) -> impl Iterator<Item = (&str, &str, usize)> {
        self.added
            .iter()
            .filter(|((path, _), _)| matches!(HousePath::parse(path), Some(HousePath::Move { .. })))
            .map(|((path, id), n)| (path.as_str(), id.as_str(), *n))
    }
}

/// Returns what a commit changes of the referee's files. A merge changes what differs from all of
/// its parents.
fn changes_of(
    reader: &mut ObjectReader<'_>,
    commit: &GitCommit,
) -> Result<EntryChanges, ObjectError> {
    if commit.tree.is_empty() || commit.parents.len() > MAX_PARENTS {
        return Err(ObjectError::Commit(commit.id.clone()));
    }
    let Some((first, others)) = commit.parents.split_first() else {
        return reader.differences(None, &commit.tree, Some(&REFEREE_PATHS));
    };
    let mut changes = changes_since(reader, first, commit)?;
    for parent in others {
        if changes.is_empty() {
            break;
        }
        let from_this = changes_since(reader, parent, commit)?;
        changes.retain(|path, _| from_this.contains_key(path));
    }
    Ok(changes)
}

fn changes_since(
    reader: &mut ObjectReader<'_>,
    parent: &str,
    commit: &GitCommit,
) -> Result<EntryChanges, ObjectError> {
    let was = reader.commit_tree(parent)?;
    reader.differences(Some(&was), &commit.tree, Some(&REFEREE_PATHS))
}
