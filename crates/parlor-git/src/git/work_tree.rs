//! The work tree of a repository, and commands as its user would type them.

use std::path::PathBuf;

use super::environment::UserSettings;
use super::{GitError, Repository};

impl Repository {
    /// Returns the top folder of the work tree; `None` for a bare repository.
    pub fn work_tree(&self) -> Option<PathBuf> {
        let top = self.text(&["rev-parse", "--show-toplevel"]).ok()?;
        (!top.is_empty()).then(|| PathBuf::from(top))
    }

    /// Updates the work tree to the branch's last commit if the branch is checked out and has no
    /// local changes. Returns false if local changes prevented the update.
    pub fn refresh_work_tree(&self, branch: &str) -> bool {
        let head = self.text(&["symbolic-ref", "--short", "HEAD"]);
        if head.is_ok_and(|head| head != branch) {
            return true;
        }
        // The index still has the previous tree, so its differences to the files are local changes.
        let clean = self.text(&["diff-files", "--quiet"]).is_ok();
        clean && self.text(&["read-tree", "-m", "-u", "HEAD"]).is_ok()
    }

    /// Runs git in the work tree as the user would, with hooks and the user's configuration: a
    /// player's commit carries the player's name and signature, and is pushed with the player's
    /// credentials.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn run_as_user(&self, args: &[&str]) -> Result<String, GitError> {
        self.git_with(UserSettings::AsTyped, args).text(&[])
    }
}
