//! Wrapper around the git command, the only module that runs it. It uses no shell, no hooks, no
//! prompts and no settings of the user, with two exceptions that `environment` explains, and passes
//! all paths NUL-terminated.
//!
//! - `command`: one call of git; `environment`: the settings that it reads; `limits`: what it may
//!   take; `stop`: ending it with the program;
//! - `objects`: reading objects that others have pushed, within a budget;
//! - `blobs`, `trees`, `commits`, `refs`: the contents of a repository;
//! - `transfer`: fetching, pushing and serving; `work_tree`: the user's files.

mod blobs;
mod command;
mod commits;
mod environment;
mod error;
mod limits;
mod objects;
mod refs;
mod stop;
mod transfer;
mod trees;
mod work_tree;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use self::command::GitCommand;
use self::environment::{GitEnvironment, UserSettings};
use self::limits::ProcessLimits;

pub use self::commits::{GitCommit, NewCommit, REFEREE_EMAIL, REFEREE_NAME, UnreadCommit};
pub use self::error::GitError;
pub use self::objects::{
    EntryChange, EntryChanges, ObjectError, ObjectReader, ObjectsRead, ReadBudget,
};
pub use self::stop::StopSwitch;
pub use self::trees::{FileChanges, TreeBase, TreeEntry};

/// True if git can be run.
pub fn is_installed() -> bool {
    let mut version = Command::new("git");
    version.arg("--version").stdin(Stdio::null());
    version.output().is_ok_and(|output| output.status.success())
}

/// Git repository, bare or with a work tree.
#[derive(Clone, Debug)]
pub struct Repository {
    path: PathBuf,
    environment: GitEnvironment,
    /// Folder for new objects, instead of the repository's own.
    object_folder: Option<PathBuf>,
    /// Switch that ends calls of git.
    stop: StopSwitch,
}

impl Repository {
    /// Opens the repository at a path.
    ///
    /// # Errors
    /// [`GitError`] if there is no repository, or git is not installed.
    pub fn open(path: &Path) -> Result<Repository, GitError> {
        let mut repository = Repository::at(path);
        let opened = repository.check_access();
        if !matches!(opened, Err(GitError::Refused { .. })) {
            return opened.map(|()| repository);
        }
        // It may belong to another user whose repositories this user trusts.
        repository.environment.safe_directories = repository.environment.user_safe_directories();
        repository.check_access().map(|()| repository)
    }

    /// Returns true if a folder is a bare repository or the top of a work tree, as opposed to a
    /// folder inside one.
    pub fn is_at(path: &Path) -> bool {
        let Ok(repository) = Repository::open(path) else {
            return false;
        };
        let here = path.canonicalize().ok();
        let same =
            |other: Option<PathBuf>| other.and_then(|other| other.canonicalize().ok()) == here;
        let bare = repository
            .text(&["rev-parse", "--absolute-git-dir"])
            .ok()
            .map(PathBuf::from);
        here.is_some() && (same(repository.work_tree()) || same(bare))
    }

    /// Creates an empty repository with a work tree on this branch.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn create(path: &Path, branch: &str) -> Result<Repository, GitError> {
        let repository = Repository::at(path);
        repository.text(&["init", "--quiet", &format!("--initial-branch={branch}")])?;
        Ok(repository)
    }

    /// Creates an empty bare repository in an empty folder, whose calls of git the switch ends.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn create_bare(
        path: &Path,
        branch: &str,
        stop: StopSwitch,
    ) -> Result<Repository, GitError> {
        let mut repository = Repository::at(path);
        repository.stop = stop;
        repository.text(&[
            "init",
            "--quiet",
            "--bare",
            "--template=",
            &format!("--initial-branch={branch}"),
        ])?;
        Ok(repository)
    }

    /// Returns this bare repository with new objects redirected to another folder, so that
    /// inspecting untrusted objects does not modify the repository.
    pub fn with_objects_in(&self, folder: &Path) -> Repository {
        Repository {
            object_folder: Some(folder.to_owned()),
            ..self.clone()
        }
    }

    /// Sets an environment variable for all calls of git in this repository, such as `HOME` to run
    /// them with the settings of another user.
    #[must_use]
    pub fn with_env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Repository {
        let variable = (name.as_ref().to_owned(), value.as_ref().to_owned());
        self.environment.variables.push(variable);
        self
    }

    /// Returns the switch that ends the calls of git in this repository.
    pub fn stop_switch(&self) -> &StopSwitch {
        &self.stop
    }

    /// Returns the path of the repository.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn at(path: &Path) -> Repository {
        Repository {
            path: path.to_owned(),
            environment: GitEnvironment::default(),
            object_folder: None,
            stop: StopSwitch::default(),
        }
    }

    /// Checks that git finds a repository and may open it.
    fn check_access(&self) -> Result<(), GitError> {
        self.text(&["rev-parse", "--git-dir"]).map(drop)
    }

    /// Runs git without the user's settings and returns its output as text.
    fn text(&self, args: &[&str]) -> Result<String, GitError> {
        self.git(args).text(&[])
    }

    /// Prepares a call of git without the user's settings.
    fn git(&self, args: &[&str]) -> GitCommand {
        self.git_with(UserSettings::Ignored, args)
    }

    /// Prepares a call of git without the user's settings, for which the referee is responsible.
    fn git_as_referee(&self, args: &[&str]) -> GitCommand {
        self.git(args)
            .env("GIT_AUTHOR_NAME", REFEREE_NAME)
            .env("GIT_AUTHOR_EMAIL", REFEREE_EMAIL)
            .env("GIT_COMMITTER_NAME", REFEREE_NAME)
            .env("GIT_COMMITTER_EMAIL", REFEREE_EMAIL)
    }

    /// Prepares a call of git.
    fn git_with(&self, settings: UserSettings, args: &[&str]) -> GitCommand {
        let git = self.environment.git_in(&self.path, settings);
        let mut command = GitCommand::new(git, args);
        if settings == UserSettings::Ignored {
            command = command
                .limited(ProcessLimits::STRICT)
                .stopped_by(self.stop.clone());
        }
        match &self.object_folder {
            Some(folder) if settings != UserSettings::AsTyped => {
                command.env("GIT_OBJECT_DIRECTORY", folder).env(
                    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                    self.path.join("objects"),
                )
            }
            _ => command,
        }
    }
}
