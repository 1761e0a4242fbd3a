//! Environment that git runs in: which settings it reads besides those of the repository.
//!
//! The referee's work must not depend on who runs it and where, so git reads no settings of the
//! user or the machine. There are two exceptions:
//!
//! - Fetching and pushing need the user's credentials, proxies and SSH settings.
//! - A player's own commits are made as by hand, with the player's name, signature and hooks.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Settings that git reads besides those of the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UserSettings {
    /// None.
    Ignored,
    /// The user's and the machine's, because a remote is accessed. No hooks are run.
    ForRemotes,
    /// Everything, as if the user had typed the command.
    AsTyped,
}

/// Environment of all calls of git in one repository.
#[derive(Clone, Debug, Default)]
pub(super) struct GitEnvironment {
    /// Variables that are set in addition to those of this process.
    pub(super) variables: Vec<(OsString, OsString)>,
    /// Values of the user's `safe.directory`: repositories of other users that git may open.
    pub(super) safe_directories: Vec<String>,
}

/// Variables that point git to another repository than the one in its folder. Git sets them for
/// hooks.
const REPOSITORY_VARIABLES: [&str; 13] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_ICASE_PATHSPECS",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_PROTOCOL",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// Variables that contain or name settings.
const SETTING_VARIABLES: [&str; 2] = ["GIT_CONFIG_PARAMETERS", "GIT_TEMPLATE_DIR"];

impl GitEnvironment {
    /// Returns a process that runs git in a folder with these settings. Its arguments follow.
    pub(super) fn git_in(&self, folder: &Path, settings: UserSettings) -> Command {
        let mut git = Command::new("git");
        git.envs(self.variables.iter().map(|(name, value)| (name, value)));
        forget_repository(&mut git);
        if settings != UserSettings::AsTyped {
            make_predictable(&mut git);
        }
        if settings == UserSettings::Ignored {
            self.ignore_user_settings(&mut git);
        }
        git.arg("-C").arg(folder);
        git
    }

    /// Makes git read no settings of the user or the machine, except which repositories it may
    /// open.
    fn ignore_user_settings(&self, git: &mut Command) {
        for variable in SETTING_VARIABLES {
            git.env_remove(variable);
        }
        git.env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_CONFIG_COUNT", self.safe_directories.len().to_string())
            .args(["-c", "core.attributesFile=/dev/null"]);
        keep_small(git);
        for (n, directory) in self.safe_directories.iter().enumerate() {
            git.env(format!("GIT_CONFIG_KEY_{n}"), "safe.directory")
                .env(format!("GIT_CONFIG_VALUE_{n}"), directory);
        }
    }

    /// Returns the values of the user's `safe.directory`, which git accepts from the user's and the
    /// machine's settings only.
    pub(super) fn user_safe_directories(&self) -> Vec<String> {
        let mut git = Command::new("git");
        git.envs(self.variables.iter().map(|(name, value)| (name, value)));
        forget_repository(&mut git);
        git.env("GIT_DIR", "/dev/null")
            .args(["config", "--null", "--get-all", "safe.directory"]);
        let output = git.output().map(|done| done.stdout).unwrap_or_default();
        output
            .split(|byte| *byte == 0)
            .filter(|value| !value.is_empty())
            .map(|value| String::from_utf8_lossy(value).into_owned())
            .collect()
    }
}

/// Removes the variables that point git to another repository.
fn forget_repository(git: &mut Command) {
    for variable in REPOSITORY_VARIABLES {
        git.env_remove(variable);
    }
}

/// Makes git get by with little memory, so that its limits are far from what its work needs.
fn keep_small(git: &mut Command) {
    git.args([
        "-c",
        "core.packedGitWindowSize=16m",
        "-c",
        "core.packedGitLimit=256m",
        "-c",
        "core.deltaBaseCacheLimit=16m",
        "-c",
        "core.bigFileThreshold=16m",
        "-c",
        "pack.threads=1",
    ]);
}

/// Turns off prompts, translations, hooks, quoted paths and background work.
fn make_predictable(git: &mut Command) {
    // Anybody who can push can push replacements of objects; they count for nobody else.
    git.env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("LC_ALL", "C");
    git.args([
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.quotePath=false",
        "-c",
        "gc.auto=0",
    ]);
}
