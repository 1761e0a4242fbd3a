//! Verification of a house's history from a clone: everything the referee has written must still be
//! there, and each of its commits must continue the one before.
//!
//! Pushed commits do not count until the referee has processed them, so only the referee's commits
//! are compared, each with its predecessor. After the repair of a rewritten history the predecessor
//! is the restored commit (the referee's last parent). Without the house's secret, commits that
//! claim to be the referee's are taken as such, so a history that was rewritten as a whole cannot
//! be detected. A server's table is checked in the same way: all commits of the server count,
//! without seals, and moves may be taken back if the commit message says so.

mod checker;
mod objects;
mod referee_line;
mod snapshot;

use self::checker::HistoryChecker;
use self::referee_line::RefereeLine;
use crate::git::{GitCommit, GitError, Repository};
use crate::paths::{HOUSE, Slug};
use crate::seal::{HouseSecret, TRAILER};

/// Result of checking a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryReport {
    /// Number of commits in the clone.
    pub commits: usize,
    /// Number of the referee's commits among them.
    pub referee_commits: usize,
    /// Paths of new move files that the referee has not processed yet.
    pub pending: Vec<String>,
    /// Result of checking the seals.
    pub seals: SealCheck,
    /// True if the clone is shallow, so that early commits are missing.
    pub shallow: bool,
    /// Problems found, in the order of commits.
    pub problems: Vec<HistoryProblem>,
}

/// Result of checking the seals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealCheck {
    /// All of the referee's commits have valid seals.
    Checked,
    /// There are seals, but no secret was given to check them.
    Unchecked,
    /// There are no seals.
    None,
}

/// Problem in a history: a commit of the referee that does not continue its predecessor, or an
/// illegitimate change that the referee has not reverted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("commit {}: {file}: {reason}", .commit.get(..10).unwrap_or(.commit))]
pub struct HistoryProblem {
    /// Id of the commit.
    pub commit: String,
    /// Path of the file in the repository.
    pub file: String,
    /// Description of the problem.
    pub reason: String,
}

impl HistoryReport {
    /// Creates the report of a history that cannot be looked at.
    fn of_problem(problem: HistoryProblem, shallow: bool) -> HistoryReport {
        HistoryReport {
            commits: 0,
            referee_commits: 0,
            pending: Vec::new(),
            seals: SealCheck::None,
            shallow,
            problems: vec![problem],
        }
    }

    /// Returns true if no problem was found.
    pub fn is_valid(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Checks the history of `HEAD`, for one table or for all.
///
/// # Errors
/// [`GitError`] if git fails.
pub fn check(
    repository: &Repository,
    table: Option<&Slug>,
    secret: Option<&HouseSecret>,
) -> Result<HistoryReport, GitError> {
    let shallow = repository.is_shallow()?;
    let tip = repository.tip("HEAD")?;
    let listed = match &tip {
        Some(tip) => repository.commits(tip, None, None),
        None => Ok(Default::default()),
    };
    let (commits, unread) = match (listed, tip) {
        (Ok(listed), _) => listed,
        (Err(error @ (GitError::NotStarted(_) | GitError::Io(_))), _) => return Err(error),
        (Err(error), tip) => {
            let problem = HistoryProblem {
                commit: tip.unwrap_or_default(),
                file: "history".to_owned(),
                reason: format!("the commits cannot be listed: {error}").replace('\n', "; "),
            };
            return Ok(HistoryReport::of_problem(problem, shallow));
        }
    };
    let line = RefereeLine::from_commits(&commits, secret);
    let mut checker = HistoryChecker::new(repository, table);
    let mut pending = Vec::new();
    if !line.referee_commits.is_empty() {
        checker.check_line(&line.referee_commits)?;
        checker.report_unread(&line, &unread);
        pending = checker.check_unanswered(&line)?;
    } else if let (Some(last), Some(_)) = (commits.last(), secret) {
        checker.report(
            last,
            HOUSE,
            "no commit up to this one has a seal of this secret",
        );
    }
    Ok(HistoryReport {
        commits: commits.len(),
        referee_commits: line.referee_commits.len(),
        pending,
        seals: SealCheck::from_line(&line, secret),
        shallow,
        problems: checker.problems,
    })
}

impl SealCheck {
    /// Returns what was checked about the seals of a line of commits.
    fn from_line(line: &RefereeLine<'_>, secret: Option<&HouseSecret>) -> SealCheck {
        let is_sealed = line.referee_commits.iter().any(|commit| has_seal(commit));
        match (is_sealed, secret) {
            (false, _) => SealCheck::None,
            (true, None) => SealCheck::Unchecked,
            (true, Some(_)) => SealCheck::Checked,
        }
    }
}

/// Returns true if a commit message ends with a seal, valid or not.
fn has_seal(commit: &GitCommit) -> bool {
    commit
        .message
        .trim_end()
        .lines()
        .next_back()
        .is_some_and(|line| line.starts_with(TRAILER))
}

/// Returns true if a server's commit says that a move was taken back. In the referee's sealed
/// commits these words refer to reverted changes by others; the moves it has recorded stay.
fn is_takeback(commit: &GitCommit) -> bool {
    !has_seal(commit)
        && commit
            .message
            .lines()
            .any(|line| line.to_ascii_lowercase().contains("taken back"))
}

/// Returns the first ten digits of an id.
fn short(id: &str) -> &str {
    id.get(..10).unwrap_or(id)
}
