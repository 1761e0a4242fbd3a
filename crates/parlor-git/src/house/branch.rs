//! The branch that holds a house, and the referee's sealed commits on it.

use super::HouseError;
use crate::git::{GitCommit, GitError, NewCommit, Repository};
use crate::paths::{HOUSE, TABLES};
use crate::seal::{HouseSecret, SealedContent, TRAILER};

/// Branch of a repository, local or on a remote, that holds a house.
#[derive(Clone, Debug)]
pub struct HouseBranch {
    /// Repository.
    pub repository: Repository,
    /// Name of the branch.
    pub name: String,
    /// Remote that the branch is fetched from and pushed to; `None` for a local branch.
    pub remote: Option<String>,
}

/// Ref of the referee's last commit known to this repository.
pub const SEALED: &str = "refs/parlor/sealed";
/// Ref that a remote's branch is fetched into.
pub const INCOMING: &str = "refs/parlor/incoming";
/// Paths that only the referee may write.
pub const REFEREE_PATHS: [&str; 2] = [TABLES, HOUSE];

impl HouseBranch {
    /// Returns the full name of the local ref.
    pub fn local_ref(&self) -> String {
        format!("refs/heads/{}", self.name)
    }

    /// Returns the branch's last commit; `None` if the branch does not exist.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn tip(&self) -> Result<Option<String>, GitError> {
        match &self.remote {
            None => self.repository.tip(&self.local_ref()),
            Some(remote) => match self.repository.fetch(remote, &self.name, INCOMING) {
                Ok(()) => self.repository.tip(INCOMING),
                // The remote does not have the branch yet.
                Err(GitError::Refused { message, .. }) if message.contains("find remote ref") => {
                    Ok(None)
                }
                Err(error) => Err(error),
            },
        }
    }

    /// Returns the object that a local branch points to although it is no commit; `None` if the branch does
    /// not exist. Nobody can fetch such a branch of a remote.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn target(&self) -> Result<Option<String>, GitError> {
        match &self.remote {
            None => self.repository.target(&self.local_ref()),
            Some(_) => Ok(None),
        }
    }

    /// Moves the branch to a commit if its last commit is still `old`. Returns false if the branch
    /// has changed.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn publish(&self, commit: &str, old: Option<&str>) -> Result<bool, GitError> {
        let landed = match &self.remote {
            None => self.repository.update_ref(&self.local_ref(), commit, old)?,
            Some(remote) => self.repository.push(remote, commit, &self.name)?,
        };
        if landed {
            let known = self.repository.tip(SEALED)?;
            self.repository
                .update_ref(SEALED, commit, known.as_deref())?;
        }
        Ok(landed)
    }

    /// Returns the referee's last commit known to this repository, whether or not the branch still
    /// has it; `None` if it knows of none.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn last_known(&self, secret: &HouseSecret) -> Result<Option<GitCommit>, GitError> {
        match self.repository.tip(SEALED)? {
            None => Ok(None),
            Some(known) => self
                .repository
                .find_ancestor(&known, TRAILER, |commit| is_sealed(commit, secret)),
        }
    }

    /// Returns the referee's latest commit among `tip` and its ancestors.
    ///
    /// # Errors
    /// [`HouseError::NotAHouse`] if there is none, or [`HouseError::Git`] if git fails.
    pub fn last_sealed(&self, tip: &str, secret: &HouseSecret) -> Result<GitCommit, HouseError> {
        let found = self
            .repository
            .find_ancestor(tip, TRAILER, |commit| is_sealed(commit, secret))?;
        found.ok_or_else(|| HouseError::NotAHouse(self.name.clone()))
    }
}

/// Returns true if a commit has a valid seal of the referee.
pub fn is_sealed(commit: &GitCommit, secret: &HouseSecret) -> bool {
    let Some((message, seal)) = commit.message.rsplit_once(TRAILER) else {
        return false;
    };
    let parents = commit.parents.join(" ");
    let sealed = SealedContent {
        tree: &commit.tree,
        parents: &parents,
        time: commit.time,
        message,
    };
    secret.is_seal(&sealed, seal.trim())
}

/// Creates a commit with the referee's seal and returns its id.
///
/// # Errors
/// [`GitError`] if git fails.
pub fn seal(
    repository: &Repository,
    secret: &HouseSecret,
    new: NewCommit<'_>,
) -> Result<String, GitError> {
    let parents = new.parents.join(" ");
    let sealed = SealedContent {
        tree: new.tree,
        parents: &parents,
        time: new.time,
        message: new.message,
    };
    let message = format!(
        "{}\n\n{TRAILER}{}\n",
        new.message.trim_end(),
        secret.seal(&sealed)
    );
    repository.commit(NewCommit {
        message: &message,
        ..new
    })
}
