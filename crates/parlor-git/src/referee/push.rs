//! Commits pushed since the referee's last one, as far as they can be read.

use crate::git::{EntryChanges, GitCommit, GitError, ObjectError, ObjectReader};
use crate::house::REFEREE_PATHS;
use crate::paths::sanitized;

/// Most commits that are looked at in one run. Of more, only the last count.
const MAX_COMMITS: usize = 3_000;

/// Commits since the referee's last one, and what they lead to.
pub(super) struct Push {
    /// Commits, parents before children. Those that cannot be read have no tree.
    pub(super) commits: Vec<GitCommit>,
    /// Changes of the referee's files; `None` if they cannot be judged.
    pub(super) changes: Option<EntryChanges>,
    /// Tree of the last commit, if what it adds outside the referee's files can stay.
    rest: Option<String>,
    /// Descriptions of what is not accepted, one line each.
    refusals: Vec<String>,
}

impl Push {
    /// Reads what was pushed on top of the referee's last commit.
    pub(super) fn read(
        reader: &mut ObjectReader<'_>,
        base: &GitCommit,
        tip: &str,
    ) -> Result<Push, GitError> {
        let mut push = Push {
            commits: Vec::new(),
            changes: None,
            rest: None,
            refusals: Vec::new(),
        };
        push.read_commits(reader, base, tip)?;
        let by = push.author_of_last();
        let tree = match reader.commit(tip) {
            Ok(commit) => commit.tree,
            Err(error) => {
                let reason = error.or_git()?;
                push.refuse("what was pushed", &by, &reason);
                return Ok(push);
            }
        };
        match reader.differences(Some(&base.tree), &tree, Some(&REFEREE_PATHS)) {
            Ok(changes) => push.changes = Some(changes),
            Err(error) => push.refuse("what was pushed to the tables", &by, &error.or_git()?),
        }
        match reader.check_growth(&base.tree, &tree, &REFEREE_PATHS) {
            Ok(()) => push.rest = Some(tree),
            Err(error) => push.refuse("what was pushed beside the tables", &by, &error.or_git()?),
        }
        Ok(push)
    }

    fn read_commits(
        &mut self,
        reader: &mut ObjectReader<'_>,
        base: &GitCommit,
        tip: &str,
    ) -> Result<(), GitError> {
        let listed = reader
            .repository()
            .commits(tip, Some(&base.id), Some(MAX_COMMITS + 1));
        let (mut commits, unread) = match listed {
            Ok(listed) => listed,
            Err(error @ (GitError::NotStarted(_) | GitError::Io(_))) => return Err(error),
            Err(error) => {
                let reason = format!("the commits that were pushed cannot be listed: {error}");
                self.refusals.push(sanitized(&reason));
                return Ok(());
            }
        };
        if commits.len() > MAX_COMMITS {
            commits.remove(0);
            self.refusals.push(format!(
                "more than {MAX_COMMITS} commits were pushed at once: no moves are taken from the others"
            ));
        }
        self.refusals.extend(unread.iter().take(20).map(|commit| {
            let id = commit.id.get(..10).unwrap_or(&commit.id);
            format!("commit {id} cannot be judged: {}", commit.reason)
        }));
        self.commits = commits;
        Ok(())
    }

    fn author_of_last(&self) -> String {
        match self.commits.last() {
            Some(commit) if !commit.name.is_empty() || !commit.email.is_empty() => {
                sanitized(&format!("{} <{}>", commit.name, commit.email))
            }
            _ => "somebody".to_owned(),
        }
    }

    fn refuse(&mut self, what: &str, by: &str, reason: &ObjectError) {
        let reason: String = reason.to_string().chars().take(300).collect();
        self.refusals
            .push(format!("{what} by {by} was taken back: {reason}"));
    }

    /// Returns the tree of the last commit, if what it adds outside the referee's files can stay.
    pub(super) fn rest(&self) -> Option<&str> {
        self.rest.as_deref()
    }

    /// Returns what is not accepted, one line each.
    pub(super) fn refusals(&self) -> Vec<String> {
        self.refusals.clone()
    }

    /// Returns true if nothing has to be put back.
    pub(super) fn is_nothing(&self) -> bool {
        self.rest.is_some() && self.changes.as_ref().is_some_and(EntryChanges::is_empty)
    }
}
