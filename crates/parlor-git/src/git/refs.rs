//! Refs: reading and moving branches.

use super::{GitError, Repository};

/// Settings of a repository that others push to: nothing is lost, what no git would write is
/// refused, a push has an end, and the referee's own refs and replacements of objects are nobody's.
const PUSH_SETTINGS: [(&str, &str); 5] = [
    ("receive.fsckObjects", "true"),
    ("transfer.fsckObjects", "true"),
    ("receive.denyNonFastForwards", "true"),
    ("receive.denyDeletes", "true"),
    ("receive.maxInputSize", "8m"),
];

/// Refs that cannot be pushed.
const HIDDEN_REFS: [&str; 2] = ["refs/parlor", "refs/replace"];

impl Repository {
    /// Makes the repository refuse pushes that do harm.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn restrict_pushes(&self) -> Result<(), GitError> {
        for (name, value) in PUSH_SETTINGS {
            self.text(&["config", name, value])?;
        }
        for refs in HIDDEN_REFS {
            let pattern = format!("^{refs}$");
            self.text(&[
                "config",
                "--replace-all",
                "receive.hideRefs",
                refs,
                &pattern,
            ])?;
        }
        Ok(())
    }

    /// Returns the commit that a ref points to; `None` if the ref does not exist.
    ///
    /// # Errors
    /// [`GitError`] if git cannot be started.
    pub fn tip(&self, name: &str) -> Result<Option<String>, GitError> {
        match self.text(&[
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &format!("{name}^{{commit}}"),
        ]) {
            Ok(id) => Ok(Some(id)),
            Err(GitError::Refused { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the object that a ref points to, be it none that git can read; `None` if the ref does not
    /// exist.
    ///
    /// # Errors
    /// [`GitError`] if git cannot be started.
    pub fn target(&self, name: &str) -> Result<Option<String>, GitError> {
        match self.text(&["rev-parse", "--verify", "--quiet", "--end-of-options", name]) {
            Ok(id) => Ok(Some(id)),
            Err(GitError::Refused { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Makes a branch the current one if the current branch has no commit yet.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn leave_unborn_branch(&self, branch: &str) -> Result<(), GitError> {
        if self.tip("HEAD")?.is_none() {
            self.text(&["symbolic-ref", "HEAD", &format!("refs/heads/{branch}")])?;
        }
        Ok(())
    }

    /// Updates a ref if it still points to `old`, or does not exist if `old` is `None`. Returns
    /// false if it has changed.
    ///
    /// # Errors
    /// [`GitError`] if git cannot be started.
    pub fn update_ref(&self, name: &str, new: &str, old: Option<&str>) -> Result<bool, GitError> {
        let none = "0".repeat(new.len());
        // Git writes who moved a branch to its reflog.
        let update = self.git_as_referee(&["update-ref", name, new, old.unwrap_or(&none)]);
        match update.text(&[]) {
            Ok(_) => Ok(true),
            Err(GitError::Refused { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }
}
