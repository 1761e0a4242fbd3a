//! The referee: processes the commits pushed since its last one and writes the next.

use std::collections::{BTreeMap, BTreeSet};

use parlor_games::repository::{MoveName, digest};

use crate::files::{HouseFile, Identity};
use crate::git::{GitCommit, GitError, NewCommit, Repository, TreeEntry};
use crate::house::{
    HouseBranch, HouseError, HouseTree, MAX_ATTEMPTS, REFEREE_PATHS, SEALED, is_sealed, seal,
};
use crate::judge::{FileContent, ForeignChange, OfferedMove, judge};
use crate::paths::{HousePath, STATE, Slug, TABLE, sanitized};
use crate::seal::HouseSecret;

/// Maximum size of a move file, in bytes.
pub const MAX_FILE_BYTES: u64 = 64 << 10;

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
    for _ in 0..MAX_ATTEMPTS {
        let tip = branch
            .tip()?
            .ok_or_else(|| HouseError::NotAHouse(branch.name.clone()))?;
        let (report, commit) = process_pushes(branch, secret, context, &tip)?;
        let Some(commit) = commit else {
            return Ok(report);
        };
        if branch.publish(&commit, Some(&tip))? {
            return Ok(RefereeReport {
                commit: Some(commit),
                ..report
            });
        }
    }
    Err(HouseError::TooBusy(MAX_ATTEMPTS))
}

/// Pushed changes by table.
#[derive(Default)]
struct PushedChanges {
    offered: BTreeMap<Slug, Vec<(usize, OfferedMove)>>,
    foreign: BTreeMap<Slug, Vec<ForeignChange>>,
    /// Descriptions of the changes outside all tables.
    outside: Vec<String>,
}

fn process_pushes(
    branch: &HouseBranch,
    secret: &HouseSecret,
    context: &RunContext,
    tip: &str,
) -> Result<(RefereeReport, Option<String>), HouseError> {
    let repository = &branch.repository;
    let known = repository.tip(SEALED)?;
    let mut report = RefereeReport::default();
    let mut parents = vec![tip.to_owned()];
    let mut base = branch.last_sealed(tip, secret);
    if let Some(known) = known
        && !repository.is_ancestor(&known, tip)?
    {
        let last = repository.find_ancestor(&known, |commit| is_sealed(commit, secret))?;
        let is_later =
            |base: &GitCommit| Ok::<_, GitError>(!repository.is_ancestor(&known, &base.id)?);
        if let Some(last) = last
            && base.as_ref().map_or(Ok(true), is_later)?
        {
            report.actions.push(
                "the history was rewritten: everything the referee had written is back".to_owned(),
            );
            parents.push(last.id.clone());
            base = Ok(last);
        }
    }
    let base = base?;
    if base.id == tip {
        return Ok((report, None));
    }
    let rewritten = parents.len() > 1;
    let before = repository.tree(&base.id, &REFEREE_PATHS)?;
    let after = repository.tree(tip, &REFEREE_PATHS)?;
    if before == after && !rewritten {
        return Ok((report, None));
    }
    let commits = repository.commits(tip, Some(&base.id))?;
    let referee_files = HouseTree {
        repository,
        objects: &before,
    };
    let house = referee_files.house()?;
    let range = PushRange {
        repository,
        house: &house,
        context,
        commits: &commits,
        before: &before,
        after: &after,
    };
    let pushed = range.classify()?;

    let tables: BTreeSet<&Slug> = pushed.offered.keys().chain(pushed.foreign.keys()).collect();
    let mut files = BTreeMap::new();
    let mut index = referee_files.index()?;
    report.actions.extend(pushed.outside.iter().cloned());
    for slug in tables {
        let folder = referee_files.table(slug)?;
        let mut offered = pushed.offered.get(slug).cloned().unwrap_or_default();
        offered.sort_by(|(one, a), (other, b)| (one, &a.name).cmp(&(other, &b.name)));
        let offered: Vec<OfferedMove> = offered.into_iter().map(|(_, offered)| offered).collect();
        let foreign = pushed
            .foreign
            .get(slug)
            .map(Vec::as_slice)
            .unwrap_or_default();
        match judge(&folder, secret, &offered, foreign) {
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
    let tree = repository.build_tree(Some(tip), &REFEREE_PATHS, &before, &files)?;
    let latest = commits
        .iter()
        .map(|commit| commit.time.min(context.now))
        .max()
        .unwrap_or_default();
    let time = latest.max(base.time + 1);
    let message = commit_message(&report.actions);
    let commit = seal(
        repository,
        secret,
        NewCommit {
            tree: &tree,
            parents: &parents,
            time,
            message: &message,
        },
    )?;
    Ok((report, Some(commit)))
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

/// Commits and changes between the referee's last commit and the tip of the branch.
struct PushRange<'a> {
    repository: &'a Repository,
    house: &'a HouseFile,
    context: &'a RunContext,
    commits: &'a [GitCommit],
    before: &'a BTreeMap<String, TreeEntry>,
    after: &'a BTreeMap<String, TreeEntry>,
}

impl PushRange<'_> {
    fn classify(&self) -> Result<PushedChanges, GitError> {
        let origins = self.origins()?;
        let mut pushed = PushedChanges::default();
        let paths: BTreeSet<&String> = self.before.keys().chain(self.after.keys()).collect();
        for path in paths {
            let (was, is) = (self.before.get(path), self.after.get(path));
            if was == is {
                continue;
            }
            let last = self.commits.len().saturating_sub(1);
            let origin = is
                .and_then(|object| origins.get(&(path.clone(), object.id.clone())))
                .copied()
                .unwrap_or(last);
            let what = match (was, is) {
                (None, _) => "added",
                (_, None) => "deleted",
                _ => "changed",
            };
            let Some(commit) = self.commits.get(origin) else {
                continue;
            };
            let (from, at) = (self.author_of(commit), commit.time.min(self.context.now));
            let is_table = |table: &Slug| self.before.contains_key(&table.file(TABLE));
            match HousePath::parse(path) {
                Some(HousePath::Move { table, name }) if was.is_none() && is_table(&table) => {
                    if let Some(object) = is {
                        let offered = self.offered(&table, name, object, commit, from, at)?;
                        pushed
                            .offered
                            .entry(table)
                            .or_default()
                            .push((origin, offered));
                    }
                }
                Some(HousePath::Move { table, .. } | HousePath::Other { table, .. })
                    if is_table(&table) =>
                {
                    let path = path[table.file("").len()..].to_owned();
                    pushed
                        .foreign
                        .entry(table)
                        .or_default()
                        .push(ForeignChange {
                            path,
                            what,
                            from,
                            at,
                        });
                }
                _ => pushed.outside.push(format!(
                    "{} was {what} by {}: taken back",
                    sanitized(path),
                    sanitized(&from)
                )),
            }
        }
        Ok(pushed)
    }

    /// Returns the first commit that introduced each new content of a path. Merges are skipped.
    fn origins(&self) -> Result<BTreeMap<(String, String), usize>, GitError> {
        let mut origins = BTreeMap::new();
        for (n, commit) in self
            .commits
            .iter()
            .enumerate()
            .filter(|(_, commit)| commit.parents.len() < 2)
        {
            for (path, object) in self
                .repository
                .changed_entries(&commit.id, &REFEREE_PATHS)?
            {
                origins.entry((path, object.id)).or_insert(n);
            }
        }
        Ok(origins)
    }

    fn author_of(&self, commit: &GitCommit) -> String {
        match (self.house.identity, &self.context.actor) {
            (Identity::Actor, Some(actor)) => actor.clone(),
            _ => format!("{} <{}>", commit.name, commit.email),
        }
    }

    fn offered(
        &self,
        table: &Slug,
        name: &str,
        object: &TreeEntry,
        commit: &GitCommit,
        from: String,
        at: i64,
    ) -> Result<OfferedMove, GitError> {
        let content = if object.is_file() {
            match self.repository.sizes(&[&object.id])?[..] {
                [size] if size <= MAX_FILE_BYTES => {
                    FileContent::File(self.repository.blobs(&[&object.id])?.remove(0))
                }
                [size, ..] => FileContent::TooLong(size),
                [] => FileContent::NoFile,
            }
        } else {
            FileContent::NoFile
        };
        let by = self.players(commit)?;
        let seen = self.seen(table, name, commit)?;
        Ok(OfferedMove {
            name: name.to_owned(),
            content,
            by,
            from,
            seen,
            at,
        })
    }

    /// Returns the players that a commit may have come from.
    fn players(&self, commit: &GitCommit) -> Result<Vec<String>, GitError> {
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        Ok(match self.house.identity {
            Identity::Email => owned(self.house.players_by_email(&commit.email)),
            Identity::Actor => owned(
                self.context
                    .actor
                    .as_deref()
                    .map(|actor| self.house.players_by_actor(actor))
                    .unwrap_or_default(),
            ),
            Identity::Signature => {
                let people = self.house.people.iter();
                let signers: Vec<(&str, &str)> = people
                    .flat_map(|(name, person)| {
                        person
                            .keys
                            .iter()
                            .map(move |key| (name.as_str(), key.as_str()))
                    })
                    .collect();
                self.repository
                    .signer(&commit.id, &signers)?
                    .into_iter()
                    .collect()
            }
        })
    }

    /// Returns the hash of the state that the commit is based on, if it precedes the move. It may
    /// differ from the current state, because earlier moves may have been processed and messages
    /// added since.
    fn seen(&self, table: &Slug, name: &str, commit: &GitCommit) -> Result<Vec<String>, GitError> {
        let Some(parent) = commit.parents.first() else {
            return Ok(Vec::new());
        };
        let path = table.file(STATE);
        let tree = self.repository.tree(parent, &[&path])?;
        let Some(object) = tree.get(&path).filter(|object| object.is_file()) else {
            return Ok(Vec::new());
        };
        if self
            .repository
            .sizes(&[&object.id])?
            .iter()
            .any(|size| *size > MAX_FILE_BYTES * 16)
        {
            return Ok(Vec::new());
        }
        let bytes = self.repository.blobs(&[&object.id])?.remove(0);
        let state: serde_json::Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let last = state["lastMove"]["sequence"].as_u64().unwrap_or(0);
        let next = MoveName::parse(name).map(|named| u64::from(named.sequence));
        // A player who moves right after another, before the referee has run, has seen the state
        // before both moves.
        let precedes = next.is_some_and(|next| last < next);
        Ok(if precedes {
            vec![digest(&bytes)]
        } else {
            Vec::new()
        })
    }
}
