//! Verification of a house's history from a clone: everything the referee has written must still be
//! there, and each of its commits must continue the one before.
//!
//! Pushed commits do not count until the referee has processed them, so only the referee's commits
//! are compared, each with its predecessor. After the repair of a rewritten history the predecessor
//! is the restored commit (the referee's last parent). Without the house's secret, commits that
//! claim to be the referee's are taken as such, so a history that was rewritten as a whole cannot
//! be detected. A server's table is checked in the same way: all commits of the server count,
//! without seals, and moves may be taken back if the commit message says so.

use std::collections::{BTreeMap, BTreeSet};

use parlor_games::repository::notes;
use parlor_table::{Record, RecordStep};
use serde_json::Value;

use crate::files::{TableFile, parse_time};
use crate::folder::TableFolder;
use crate::git::{GitCommit, GitError, Repository, TreeEntry};
use crate::house::is_sealed;
use crate::paths::{
    BOARD, HOUSE, HousePath, INDEX, MOVES, OVERVIEW, RECORD, STATE, Slug, TABLE, TABLES,
};
use crate::seal::{HouseSecret, TRAILER};
use crate::verify::verify;

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
    /// Returns true if no problem was found.
    pub fn is_valid(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Number of commits that are read at once, to start git rarely without holding the whole history
/// in memory.
const BATCH_SIZE: usize = 200;
/// Maximum size of a file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 16 << 20;
/// Domain of the e-mail addresses of the referee and of servers, which cannot exist.
const INVALID_DOMAIN: &str = "@parlor.invalid";
/// Maximum size of a move file that is read, in bytes.
const MAX_MOVE_BYTES: u64 = crate::referee::MAX_FILE_BYTES;

/// Checks the history of `HEAD`, for one table or for all.
///
/// # Errors
/// [`GitError`] if git fails.
pub fn check(
    repository: &Repository,
    table: Option<&Slug>,
    secret: Option<&HouseSecret>,
) -> Result<HistoryReport, GitError> {
    let shallow = repository.run_as_user(&["rev-parse", "--is-shallow-repository"])? == "true";
    let commits = match repository.tip("HEAD")? {
        Some(tip) => repository.commits(&tip, None)?,
        None => Vec::new(),
    };
    let line = RefereeLine::from_commits(&commits, secret);
    let sealed = line.referee_commits.iter().any(|commit| has_seal(commit));
    let seals = match (sealed, secret) {
        (false, _) => SealCheck::None,
        (true, None) => SealCheck::Unchecked,
        (true, Some(_)) => SealCheck::Checked,
    };
    let referee_commits = line.referee_commits.len();
    let mut checker = HistoryChecker {
        repository,
        table,
        trees: BTreeMap::new(),
        blobs: BTreeMap::new(),
        snapshots: BTreeMap::new(),
        problems: Vec::new(),
    };
    let mut pending = Vec::new();
    if line.referee_commits.is_empty() {
        if let (Some(commit), Some(_)) = (commits.last(), secret) {
            checker.report(
                commit,
                HOUSE,
                "no commit up to this one has a seal of this secret",
            );
        }
    } else {
        checker.check_line(&line.referee_commits)?;
        pending = checker.check_unanswered(&line)?;
    }
    Ok(HistoryReport {
        commits: commits.len(),
        referee_commits,
        pending,
        seals,
        shallow,
        problems: checker.problems,
    })
}

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

/// The referee's commits, oldest first, and the commits pushed since the last of them.
struct RefereeLine<'a> {
    referee_commits: Vec<&'a GitCommit>,
    since: Vec<&'a GitCommit>,
}

impl<'a> RefereeLine<'a> {
    /// Finds the referee's commits among commits sorted with parents before children.
    fn from_commits(commits: &'a [GitCommit], secret: Option<&HouseSecret>) -> RefereeLine<'a> {
        let numbers: BTreeMap<&str, usize> = commits
            .iter()
            .enumerate()
            .map(|(n, commit)| (commit.id.as_str(), n))
            .collect();
        // `last` holds, for each commit, the referee's latest commit among itself and its
        // ancestors, and `before` the referee's latest commit among its ancestors alone.
        let (mut last, mut before) = (Vec::<Option<usize>>::new(), Vec::new());
        let mut sealed = false;
        for (n, commit) in commits.iter().enumerate() {
            let last_of = |id: &String| {
                numbers
                    .get(id.as_str())
                    .and_then(|n| last.get(*n).copied().flatten())
            };
            let is_referee = match secret {
                Some(secret) => is_sealed(commit, secret),
                None => commit.email.ends_with(INVALID_DOMAIN) && (has_seal(commit) || !sealed),
            };
            let base = match &commit.parents[..] {
                // The last parent of a repairing commit is the one that it restores.
                [_, .., put_back] if is_referee => last_of(put_back),
                parents => parents.iter().filter_map(last_of).max(),
            };
            sealed |= is_referee && has_seal(commit);
            last.push(if is_referee { Some(n) } else { base });
            before.push(base);
        }
        let newest = last.last().copied().flatten();
        let mut referee_commits: Vec<&GitCommit> = std::iter::successors(newest, |n| before[*n])
            .map(|n| &commits[n])
            .collect();
        referee_commits.reverse();
        let since = commits
            .iter()
            .zip(&last)
            .enumerate()
            .filter(|(n, (_, last))| newest.is_some() && **last == newest && Some(*n) != newest);
        RefereeLine {
            referee_commits,
            since: since.map(|(_, (commit, _))| commit).collect(),
        }
    }
}

type Tree = BTreeMap<String, TreeEntry>;

/// State of a table as of one of the referee's commits.
struct TableSnapshot {
    commit: String,
    tree: String,
    moves: Tree,
    file: TableFile,
    log: Vec<RecordStep>,
    turn: u64,
    updated: i64,
}

struct HistoryChecker<'a> {
    repository: &'a Repository,
    table: Option<&'a Slug>,
    /// Trees of the current batch by id.
    trees: BTreeMap<String, Tree>,
    /// Files of the current batch and all move files by id; `None` for a file that is too long.
    blobs: BTreeMap<String, Option<Vec<u8>>>,
    snapshots: BTreeMap<String, TableSnapshot>,
    problems: Vec<HistoryProblem>,
}

const FOLDER: &str = "40000";

impl HistoryChecker<'_> {
    fn report(&mut self, commit: &GitCommit, file: &str, reason: impl Into<String>) {
        self.problems.push(HistoryProblem {
            commit: commit.id.clone(),
            file: file.to_owned(),
            reason: reason.into(),
        });
    }

    /// Checks the referee's commits in order.
    fn check_line(&mut self, referee_commits: &[&GitCommit]) -> Result<(), GitError> {
        for batch in referee_commits.chunks(BATCH_SIZE) {
            self.trees.clear();
            self.load_trees(batch)?;
            self.load_blobs(batch)?;
            for commit in batch {
                self.check_commit(commit);
            }
            let moves: BTreeSet<&String> = self
                .snapshots
                .values()
                .flat_map(|snapshot| snapshot.moves.values().map(|object| &object.id))
                .collect();
            self.blobs.retain(|id, _| moves.contains(id));
        }
        Ok(())
    }

    /// Checks one of the referee's commits.
    fn check_commit(&mut self, commit: &GitCommit) {
        let tables = self.tables(commit);
        let gone: Vec<String> = self
            .snapshots
            .keys()
            .filter(|name| !tables.contains_key(*name))
            .cloned()
            .collect();
        for name in gone {
            let since = self
                .snapshots
                .remove(&name)
                .map(|snapshot| short(&snapshot.commit).to_owned())
                .unwrap_or_default();
            self.report(
                commit,
                &format!("{TABLES}/{name}"),
                format!("the table of commit {since} is gone"),
            );
        }
        for (name, object) in tables {
            let path = format!("{TABLES}/{name}");
            let slug = name.parse::<Slug>().ok().filter(|_| object.mode == FOLDER);
            match slug {
                Some(slug) => self.check_table(commit, &slug, &object.id),
                None if [INDEX, OVERVIEW].contains(&path.as_str()) && object.is_file() => {}
                None => self.report(commit, &path, "this belongs to no table"),
            }
        }
    }

    /// Returns the entries of the folder of tables, or only the requested table.
    fn tables(&self, commit: &GitCommit) -> Tree {
        let root = self.trees.get(&commit.tree);
        let folder = root
            .and_then(|root| root.get(TABLES))
            .and_then(|object| self.trees.get(&object.id));
        let wanted = |name: &str| self.table.is_none_or(|slug| slug.as_str() == name);
        folder
            .into_iter()
            .flatten()
            .filter(|(name, _)| wanted(name))
            .map(|(name, object)| (name.clone(), object.clone()))
            .collect()
    }

    fn check_table(&mut self, commit: &GitCommit, slug: &Slug, tree: &str) {
        if self
            .snapshots
            .get(slug.as_str())
            .is_some_and(|snapshot| snapshot.tree == tree)
        {
            return;
        }
        let entries = self.trees.get(tree).cloned().unwrap_or_default();
        let mut folder = TableFolder::default();
        let mut moves = Tree::new();
        for (name, object) in &entries {
            match name.as_str() {
                // Pictures may change with the program that draws them, so only the latest one is compared.
                BOARD if object.is_file() => {}
                MOVES if object.mode == FOLDER => {
                    moves = self.trees.get(&object.id).cloned().unwrap_or_default()
                }
                TABLE | STATE | RECORD => self.add_file(&mut folder, commit, slug, name, object),
                _ => self.report(commit, &slug.file(name), "the referee writes no such file"),
            }
        }
        for (name, object) in &moves {
            self.add_file(
                &mut folder,
                commit,
                slug,
                &format!("{MOVES}/{name}"),
                object,
            );
        }
        let checked = verify(&folder);
        for error in &checked.problems {
            self.report(commit, &slug.file(&error.file), &error.reason);
        }
        if !checked.problems.is_empty() {
            return;
        }
        match TableSnapshot::read(commit, tree, moves, &folder) {
            Ok(now) => {
                for (file, reason) in self
                    .snapshots
                    .get(slug.as_str())
                    .map(|before| now.differences_from(before, commit))
                    .unwrap_or_default()
                {
                    self.report(commit, &slug.file(&file), reason);
                }
                self.snapshots.insert(slug.to_string(), now);
            }
            Err(reason) => self.report(commit, &slug.file(STATE), reason),
        }
    }

    fn add_file(
        &mut self,
        folder: &mut TableFolder,
        commit: &GitCommit,
        slug: &Slug,
        name: &str,
        object: &TreeEntry,
    ) {
        match self.blobs.get(&object.id) {
            Some(Some(bytes)) if object.is_file() => {
                folder.files.insert(name.to_owned(), bytes.clone());
            }
            _ if object.is_file() => self.report(commit, &slug.file(name), "the file is too long"),
            _ => self.report(commit, &slug.file(name), "it is not a regular file"),
        }
    }

    /// Checks the commits since the referee's last one. Returns the new move files, which wait for
    /// the referee, and reports all other changes.
    fn check_unanswered(&mut self, line: &RefereeLine<'_>) -> Result<Vec<String>, GitError> {
        let (Some(base), Some(tip)) = (line.referee_commits.last(), line.since.last()) else {
            return Ok(Vec::new());
        };
        self.trees.clear();
        let all: Vec<&GitCommit> = std::iter::once(base).chain(&line.since).copied().collect();
        self.load_trees(&all)?;
        // Nothing after a forged seal counts, so a single problem is reported.
        if let Some(forged) = line.since.iter().find(|commit| has_seal(commit)) {
            let reason = "its seal is not this house's: it, or a commit before it, was rewritten or never was the referee's";
            self.report(forged, TABLES, reason);
            return Ok(Vec::new());
        }
        let (was, is) = (self.referee_files(base), self.referee_files(tip));
        let mut pending = Vec::new();
        let mut wrong = Vec::new();
        for path in was.keys().chain(is.keys()).collect::<BTreeSet<_>>() {
            let is_table = |table: &Slug| was.contains_key(&table.file(TABLE));
            let is_move = matches!(HousePath::parse(path), Some(HousePath::Move { table, .. }) if is_table(&table));
            match (was.get(path), is.get(path)) {
                (was, is) if was == is => {}
                (None, Some(object)) if is_move && object.is_file() => pending.push(path.clone()),
                (None, _) => wrong.push((path, "added")),
                (_, None) => wrong.push((path, "deleted")),
                _ => wrong.push((path, "changed")),
            }
        }
        // A change is attributed to the first commit that left the path as it is now.
        for commit in &line.since {
            let there = if wrong.is_empty() {
                break;
            } else {
                self.referee_files(commit)
            };
            let (found, left): (Vec<_>, Vec<_>) = wrong
                .into_iter()
                .partition(|(path, _)| there.get(*path) == is.get(*path));
            for (path, what) in found {
                let reason = format!(
                    "it was {what}, only the referee writes it, and no commit of the referee has undone that"
                );
                self.report(commit, path, reason);
            }
            wrong = left;
        }
        Ok(pending)
    }

    /// Returns all entries that only the referee may write, by path.
    fn referee_files(&self, commit: &GitCommit) -> Tree {
        let mut found = Tree::new();
        let house = self
            .trees
            .get(&commit.tree)
            .and_then(|root| root.get(HOUSE));
        found.extend(
            house
                .filter(|_| self.table.is_none())
                .map(|object| (HOUSE.to_owned(), object.clone())),
        );
        let mut folders: Vec<(String, TreeEntry)> = self
            .tables(commit)
            .into_iter()
            .map(|(name, object)| (format!("{TABLES}/{name}"), object))
            .collect();
        while let Some((path, object)) = folders.pop() {
            match self.trees.get(&object.id).filter(|_| object.mode == FOLDER) {
                Some(tree) => folders.extend(
                    tree.iter()
                        .map(|(name, object)| (format!("{path}/{name}"), object.clone())),
                ),
                None => {
                    found.insert(path, object);
                }
            }
        }
        found
    }

    /// Loads the trees of these commits: the roots, the folders of tables, the tables and their
    /// moves.
    fn load_trees(&mut self, commits: &[&GitCommit]) -> Result<(), GitError> {
        self.load(commits.iter().map(|commit| commit.tree.clone()).collect())?;
        let folders = |tree: Option<&Tree>, name: &str| {
            tree.and_then(|tree| tree.get(name))
                .filter(|object| object.mode == FOLDER)
                .map(|object| object.id.clone())
        };
        self.load(
            commits
                .iter()
                .filter_map(|commit| folders(self.trees.get(&commit.tree), TABLES))
                .collect(),
        )?;
        let mut tables = BTreeSet::new();
        for commit in commits {
            tables.extend(
                self.tables(commit)
                    .into_values()
                    .filter(|object| object.mode == FOLDER)
                    .map(|object| object.id),
            );
        }
        self.load(tables.clone())?;
        self.load(
            tables
                .iter()
                .filter_map(|id| folders(self.trees.get(id), MOVES))
                .collect(),
        )
    }

    fn load(&mut self, ids: BTreeSet<String>) -> Result<(), GitError> {
        let ids: Vec<&str> = ids
            .iter()
            .map(String::as_str)
            .filter(|id| !self.trees.contains_key(*id))
            .collect();
        let blobs = self.repository.blobs(&ids)?;
        for (id, bytes) in ids.into_iter().zip(blobs) {
            let tree = entries(&bytes, id.len() / 2).ok_or_else(|| GitError::Unexpected {
                command: "cat-file".to_owned(),
            })?;
            self.trees.insert(id.to_owned(), tree);
        }
        Ok(())
    }

    /// Loads the table files of these commits, except known and overlong ones.
    fn load_blobs(&mut self, commits: &[&GitCommit]) -> Result<(), GitError> {
        let mut wanted = BTreeMap::new();
        for commit in commits {
            for id in self.tables(commit).into_values().map(|object| object.id) {
                let Some(table) = self.trees.get(&id) else {
                    continue;
                };
                for (name, object) in table {
                    match name.as_str() {
                        TABLE | STATE | RECORD if object.is_file() => {
                            wanted.insert(object.id.clone(), MAX_FILE_BYTES);
                        }
                        MOVES => {
                            let moves = self
                                .trees
                                .get(&object.id)
                                .into_iter()
                                .flat_map(Tree::values);
                            wanted.extend(
                                moves
                                    .filter(|object| object.is_file())
                                    .map(|object| (object.id.clone(), MAX_MOVE_BYTES)),
                            );
                        }
                        _ => {}
                    }
                }
            }
        }
        wanted.retain(|id, _| !self.blobs.contains_key(id));
        let ids: Vec<&str> = wanted.keys().map(String::as_str).collect();
        let sizes = self.repository.sizes(&ids)?;
        let fits: Vec<&str> = wanted
            .iter()
            .zip(sizes)
            .filter(|((_, longest), size)| size <= longest)
            .map(|((id, _), _)| id.as_str())
            .collect();
        let bytes = self.repository.blobs(&fits)?;
        self.blobs.extend(
            fits.into_iter()
                .map(str::to_owned)
                .zip(bytes.into_iter().map(Some)),
        );
        Ok(())
    }
}

impl TableSnapshot {
    fn read(
        commit: &GitCommit,
        tree: &str,
        moves: Tree,
        folder: &TableFolder,
    ) -> Result<TableSnapshot, String> {
        let state = folder.get(STATE).map_err(|error| error.reason)?;
        let (notes, updated) = notes(state).ok_or("its messages cannot be read")?;
        let updated = parse_time(&updated).ok_or("its time cannot be read")?;
        let mut earlier = i64::MIN;
        for note in &notes {
            let at = parse_time(&note.timestamp).ok_or("the time of a message cannot be read")?;
            if at < earlier {
                return Err(format!(
                    "the messages are not in the order of their times at {}",
                    note.timestamp
                ));
            }
            earlier = at;
        }
        if earlier > updated {
            return Err("a message is younger than the state".to_owned());
        }
        let turn = serde_json::from_slice::<Value>(state)
            .ok()
            .and_then(|state| state["turn"].as_u64())
            .unwrap_or_default();
        let file = folder
            .read::<TableFile>(TABLE)
            .map_err(|error| error.reason)?;
        let log = folder
            .read::<Record>(RECORD)
            .map_err(|error| error.reason)?
            .log;
        Ok(TableSnapshot {
            commit: commit.id.clone(),
            tree: tree.to_owned(),
            moves,
            file,
            log,
            turn,
            updated,
        })
    }

    /// Returns the files in which this state does not continue an earlier one, with reasons.
    fn differences_from(
        &self,
        before: &TableSnapshot,
        commit: &GitCommit,
    ) -> Vec<(String, String)> {
        let since = short(&before.commit);
        let mut found = Vec::new();
        let mut check = |file: &str, same: bool, reason: String| {
            if !same {
                found.push((file.to_owned(), reason));
            }
        };
        let (was, is) = (&before.file, &self.file);
        let commitment = |file: &TableFile| file.luck.as_ref().map(|luck| luck.commitment.clone());
        let secret = |file: &TableFile| file.luck.as_ref().and_then(|luck| luck.secret.clone());
        let changed = |what: &str| format!("{what} is not what it was in commit {since}");
        check(TABLE, was.table == is.table, changed("table"));
        check(
            TABLE,
            was.game == is.game && was.options == is.options,
            changed("the game"),
        );
        check(TABLE, was.created_at == is.created_at, changed("createdAt"));
        check(
            TABLE,
            commitment(was) == commitment(is),
            changed("the commitment to the luck"),
        );
        check(
            TABLE,
            secret(was).is_none_or(|secret_was| secret(is) == Some(secret_was)),
            changed("the secret"),
        );
        // On a server players may take open seats; a referee's table has none.
        check(
            TABLE,
            was.players == is.players || !has_seal(commit),
            changed("who plays"),
        );
        check(
            STATE,
            before.updated <= self.updated,
            format!("it is older than in commit {since}"),
        );
        if is_takeback(commit) {
            return found;
        }
        check(
            TABLE,
            was.result.is_none() || was.result == is.result,
            changed("the result"),
        );
        check(
            STATE,
            before.turn <= self.turn,
            format!(
                "turn {} comes after turn {} of commit {since}",
                self.turn, before.turn
            ),
        );
        for (name, object) in &before.moves {
            let reason = match self.moves.get(name) {
                Some(other) if other == object => continue,
                Some(_) => changed("it"),
                None => format!("the move of commit {since} is gone"),
            };
            check(&format!("{MOVES}/{name}"), false, reason);
        }
        let other = before
            .log
            .iter()
            .zip(&self.log)
            .position(|(was, is)| was != is);
        match other {
            Some(step) => check(RECORD, false, changed(&format!("step {}", step + 1))),
            None => {
                let reason = format!(
                    "it has {} steps, and {} in commit {since}",
                    self.log.len(),
                    before.log.len()
                );
                check(RECORD, before.log.len() <= self.log.len(), reason);
            }
        }
        found
    }
}

/// Parses a raw tree object, whose ids have `id` bytes.
fn entries(mut bytes: &[u8], id: usize) -> Option<Tree> {
    let mut tree = Tree::new();
    while !bytes.is_empty() {
        let end = bytes.iter().position(|byte| *byte == 0)?;
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let (mode, name) = head.split_once(' ')?;
        let hash = bytes.get(end + 1..end + 1 + id)?;
        tree.insert(
            name.to_owned(),
            TreeEntry {
                mode: mode.to_owned(),
                id: hex::encode(hash),
            },
        );
        bytes = &bytes[end + 1 + id..];
    }
    Some(tree)
}

fn short(id: &str) -> &str {
    id.get(..10).unwrap_or(id)
}
