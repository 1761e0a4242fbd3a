//! The referee: processes the commits pushed since its last one and writes the next.

mod changes;
mod origins;
mod push;
mod pushed_changes;

use self::changes::PushedChanges;
use self::push::Push;
use self::pushed_changes::PushRange;
use crate::git::{
    FileChanges, GitCommit, GitError, NewCommit, ObjectReader, ObjectsRead, ReadBudget, Repository,
    TreeBase,
};
use crate::house::{HouseBranch, HouseError, HouseTree, MAX_ATTEMPTS, REFEREE_PATHS, SEALED, seal};
use crate::judge::judge;
use crate::paths::sanitized;
use crate::seal::HouseSecret;

/// Maximum size of a move file, in bytes.
pub const MAX_FILE_BYTES: u64 = 64 << 10;

/// Most objects that the referee reads in each run again if there is nothing for it to do. After
/// more it adds a commit of its own, so that it need not look at them again.
const MAX_IDLE_OBJECTS: u64 = 1_000;

/// Context of a run of the referee.
#[derive(Clone, Debug, Default)]
pub struct RunContext {
    /// User name of the pusher, if reported by the hosting platform.
    pub actor: Option<String>,
    /// Current time, in seconds since the Unix epoch. It limits the times that commits claim.
    pub now: i64,
}

/// Result of a run of the referee.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefereeReport {
    /// The referee's new commit; `None` if there was nothing to do.
    pub commit: Option<String>,
    /// Actions taken, one line each.
    pub actions: Vec<String>,
    /// Problems that the referee cannot repair, one line each.
    pub problems: Vec<String>,
    /// Amount that was read of the pushed commits.
    pub read: ObjectsRead,
}

/// Processes everything that was pushed since the referee's last commit, and commits the result.
/// Running it again changes nothing.
///
/// # Errors
/// [`HouseError`] if there is no house with this secret, git fails, or the branch changes on every
/// attempt.
pub fn run(
    branch: &HouseBranch,
    secret: &HouseSecret,
    context: &RunContext,
) -> Result<RefereeReport, HouseError> {
    let mut actions = Vec::new();
    for _ in 0..MAX_ATTEMPTS {
        let Some(tip) = branch.tip()? else {
            actions.extend(restore_branch(branch, secret)?);
            continue;
        };
        let (mut report, commit) = process_pushes(branch, secret, context, &tip)?;
        let restored = std::mem::take(&mut actions);
        report.actions.splice(0..0, restored.iter().cloned());
        let Some(commit) = commit else {
            return Ok(report);
        };
        if branch.publish(&commit, Some(&tip))? {
            return Ok(RefereeReport {
                commit: Some(commit),
                ..report
            });
        }
        actions = restored;
    }
    Err(HouseError::TooBusy(MAX_ATTEMPTS))
}

/// Returns why the referee would put back what is about to be pushed, one line each: it cannot be
/// judged, or is too much. For a hook that runs before the branch is updated.
///
/// # Errors
/// [`GitError`] if git cannot be run, or the branch's present commit cannot be read.
pub fn refusals(repository: &Repository, old: &str, new: &str) -> Result<Vec<String>, GitError> {
    let mut reader = ObjectReader::new(repository, ReadBudget::REFEREE);
    let base = GitCommit::new(old, reader.commit(old)?);
    Ok(Push::read(&mut reader, &base, new)?.refusals())
}

/// Commit of the referee that a run continues.
struct BaseCommit {
    commit: GitCommit,
    /// True if the branch was rewritten and no longer contains the commit.
    is_lost: bool,
    /// True if git cannot walk through what was pushed: with it in the history, nobody could read that any
    /// more, not even the referee.
    is_unreadable: bool,
}

/// Puts a branch that was deleted, or put at an object that is no commit, back to the referee's last
/// commit. Returns what was done.
fn restore_branch(
    branch: &HouseBranch,
    secret: &HouseSecret,
) -> Result<Option<String>, HouseError> {
    let known = branch.last_known(secret)?;
    let known = known.ok_or_else(|| HouseError::NotAHouse(branch.name.clone()))?;
    let target = branch.target()?;
    if branch.tip()?.is_some() {
        // Somebody else was faster.
        return Ok(None);
    }
    let is_back = branch.publish(&known.id, target.as_deref())?;
    let fault = match &target {
        Some(id) => format!("put at {}, which is no commit", id.get(..10).unwrap_or(id)),
        None => "deleted".to_owned(),
    };
    Ok(is_back.then(|| {
        format!(
            "the branch {} was {fault}: it is back as the referee left it",
            branch.name
        )
    }))
}

/// Processes everything up to the tip of the branch. Returns a report, and the new commit, which is
/// not published yet; `None` if there was nothing to do.
fn process_pushes(
    branch: &HouseBranch,
    secret: &HouseSecret,
    context: &RunContext,
    tip: &str,
) -> Result<(RefereeReport, Option<String>), HouseError> {
    let mut report = RefereeReport::default();
    let base = find_base(branch, secret, tip)?;
    if base.is_unreadable {
        report.actions.push(
            "git cannot read the history that was pushed: it is not kept, and everything the referee had written is back"
                .to_owned(),
        );
    } else if base.is_lost {
        report.actions.push(
            "the history was rewritten: everything the referee had written is back".to_owned(),
        );
    }
    if base.commit.id == tip {
        return Ok((report, None));
    }
    let repository = &branch.repository;
    let mut reader = ObjectReader::new(repository, ReadBudget::REFEREE);
    let push = Push::read(&mut reader, &base.commit, tip)?;
    let before = repository.tree(&base.commit.id, &REFEREE_PATHS)?;
    let referee_files = HouseTree {
        repository,
        objects: &before,
    };
    let house = referee_files.house()?;
    let mut range = PushRange::new(repository, &mut reader, &house, context, &push, &before);
    let pushed = range.classify()?;
    report.read = reader.read_so_far();
    if push.is_nothing() && pushed.is_empty() && !base.is_lost && !base.is_unreadable {
        if report.read.objects <= MAX_IDLE_OBJECTS {
            return Ok((report, None));
        }
        report.actions.push(format!(
            "{} commits were looked at: nothing was pushed to the tables",
            push.commits.len()
        ));
    }
    report.actions.extend(push.refusals());
    let files = judge_tables(&referee_files, secret, pushed, &mut report)?;
    let tree = compose(&branch.repository, &base.commit, &push, &files)?;
    let commit = seal(
        &branch.repository,
        secret,
        NewCommit {
            tree: &tree,
            parents: &base.parents_of_next(tip),
            time: commit_time(&base.commit, &push.commits, context),
            message: &commit_message(&report.actions),
        },
    )?;
    Ok((report, Some(commit)))
}

/// Composes the tree of the referee's next commit: its own files, and the rest as it was pushed, if
/// it can stay.
fn compose(
    repository: &Repository,
    base: &GitCommit,
    push: &Push,
    files: &FileChanges,
) -> Result<String, GitError> {
    let with_rest = |rest: &str| {
        let tree = TreeBase {
            rest: Some(rest),
            kept: Some(&base.tree),
            names: &REFEREE_PATHS,
        };
        repository.compose_tree(tree, files)
    };
    match push.rest() {
        Some(rest) => with_rest(rest).or_else(|_| with_rest(&base.tree)),
        None => with_rest(&base.tree),
    }
}

/// Finds the referee's last commit: on the branch or, after the branch was rewritten, the last one
/// that this repository has seen.
fn find_base(
    branch: &HouseBranch,
    secret: &HouseSecret,
    tip: &str,
) -> Result<BaseCommit, HouseError> {
    let on_branch = branch.last_sealed(tip, secret);
    // Such a history cannot be fetched from a remote, nor a remote's branch be put back by a push.
    let is_unreadable = branch.remote.is_none()
        && matches!(on_branch, Err(HouseError::Git(GitError::Refused { .. })));
    if let Some(lost) = find_lost_commit(branch, secret, tip, on_branch.as_ref().ok())? {
        return Ok(BaseCommit {
            commit: lost,
            is_lost: true,
            is_unreadable,
        });
    }
    let commit = match on_branch {
        // Git does not get through the history: what this repository remembers is an ancestor.
        Err(HouseError::Git(error)) => branch.last_known(secret)?.ok_or(error)?,
        other => other?,
    };
    Ok(BaseCommit {
        commit,
        is_lost: false,
        is_unreadable,
    })
}

/// Returns the referee's last commit known to this repository if the branch does not contain it,
/// unless the branch continues it in another way, as after a repair elsewhere.
fn find_lost_commit(
    branch: &HouseBranch,
    secret: &HouseSecret,
    tip: &str,
    on_branch: Option<&GitCommit>,
) -> Result<Option<GitCommit>, HouseError> {
    let repository = &branch.repository;
    let Some(known) = repository.tip(SEALED)? else {
        return Ok(None);
    };
    if repository.is_ancestor(&known, tip)? {
        return Ok(None);
    }
    match on_branch {
        Some(base) if repository.is_ancestor(&known, &base.id)? => Ok(None),
        _ => Ok(branch.last_known(secret)?),
    }
}

impl BaseCommit {
    /// Returns the parents of the referee's next commit. The last one of several is the commit that
    /// it restores.
    fn parents_of_next(&self, tip: &str) -> Vec<String> {
        if self.is_unreadable {
            return vec![self.commit.id.clone()];
        }
        let lost = self.is_lost.then(|| self.commit.id.clone());
        std::iter::once(tip.to_owned()).chain(lost).collect()
    }
}

/// Judges what was pushed to each table, adds the result to the report, and returns the changes to
/// the referee's files.
fn judge_tables(
    referee_files: &HouseTree<'_>,
    secret: &HouseSecret,
    pushed: PushedChanges,
    report: &mut RefereeReport,
) -> Result<FileChanges, HouseError> {
    let mut files = FileChanges::new();
    let mut index = referee_files.index()?;
    report.actions.extend(pushed.outside);
    for (slug, changes) in &pushed.tables {
        let folder = referee_files.table(slug)?;
        let offered = changes.offered_in_order();
        match judge(&folder, secret, &offered, &changes.foreign) {
            Ok(ruling) => {
                report
                    .actions
                    .extend(ruling.messages.iter().map(|line| format!("{slug}: {line}")));
                index.update(slug, &ruling.folder);
                let changed = ruling
                    .folder
                    .files
                    .into_iter()
                    .filter(|(name, bytes)| folder.files.get(name) != Some(bytes));
                files.extend(changed.map(|(name, bytes)| (slug.file(&name), Some(bytes))));
            }
            Err(error) => report.problems.push(format!(
                "{slug}: {error}: nothing can be played at this table"
            )),
        }
    }
    files.extend(index.files());
    Ok(files)
}

/// Returns the time of the referee's next commit: that of the latest commit it answers, but later
/// than its own last one.
fn commit_time(base: &GitCommit, commits: &[GitCommit], context: &RunContext) -> i64 {
    let latest = commits
        .iter()
        .map(|commit| commit.time.min(context.now))
        .max()
        .unwrap_or_default();
    latest.max(base.time + 1)
}

fn commit_message(actions: &[String]) -> String {
    let title = match actions {
        [] => "Put back what only the referee writes".to_owned(),
        [one] => sanitized(one),
        [_, ..] => format!("Look at {} things that were pushed", actions.len()),
    };
    // Every line gets a prefix, so that players' texts cannot pass for the seal, which is the last
    // line.
    let lines: String = actions
        .iter()
        .take(200)
        .map(|line| format!("- {line}\n"))
        .collect();
    format!("{title}\n\n{lines}")
}
