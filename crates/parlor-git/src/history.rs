//! The history of a house checked from a clone: what the referee once wrote stands, and every later commit of the referee goes on from there.
//!
//! What players push does not count until the referee has answered it, so only the referee's commits are compared, each with the one
//! before it. Where a rewritten history was put right the line goes through what was put back (the referee's last parent), and not through
//! what was rewritten. Without the house's secret a commit is the referee's if it says so; whoever rewrites a history as a whole, its moves
//! and all, can then not be told from the referee. A server's table is looked at in the same way: there every commit of the house counts,
//! without seals, and a move may be taken back if the commit says so.

use std::collections::{BTreeMap, BTreeSet};

use parlor_games::repository::notes;
use parlor_table::{Record, Step};
use serde_json::Value;

use crate::files::{TableFile, seconds};
use crate::folder::Folder;
use crate::git::{Commit, GitError, Object, Repository};
use crate::house::is_sealed;
use crate::paths::{
    BOARD, HOUSE, INDEX, MOVES, OVERVIEW, Place, RECORD, STATE, Slug, TABLE, TABLES,
};
use crate::seal::{HouseSecret, TRAILER};
use crate::verify::verify;

/// What a check of a history found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// Commits that the clone has.
    pub commits: usize,
    /// Those of them that the referee's line is made of.
    pub answers: usize,
    /// New move files that the referee has not looked at yet, by their paths.
    pub waiting: Vec<String>,
    /// What came of the seals.
    pub seals: Seals,
    /// Whether the clone lacks the beginning.
    pub shallow: bool,
    /// What does not hold, in the order of commits.
    pub problems: Vec<Misfit>,
}

/// What came of the seals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seals {
    /// Every commit of the line has the seal of the secret that was given.
    Checked,
    /// There are seals, but no secret to check them with.
    Unchecked,
    /// There is no seal on the line.
    None,
}

/// A commit of the referee that does not go on from the one before it, or a change that no commit of the referee has undone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("commit {}: {file}: {reason}", .commit.get(..10).unwrap_or(.commit))]
pub struct Misfit {
    /// The commit's id.
    pub commit: String,
    /// The file's path in the repository.
    pub file: String,
    /// What is wrong.
    pub reason: String,
}

impl History {
    /// Whether everything holds that could be checked.
    pub fn holds(&self) -> bool {
        self.problems.is_empty()
    }
}

/// How many commits are read at once: a few starts of git for each piece, and not the whole history in memory.
const PIECE: usize = 200;
/// The longest file that is read.
const LONGEST: u64 = 16 << 20;
/// How addresses end that nobody has: the referee's, and that of a server, which seals nothing.
const NOBODYS: &str = "@parlor.invalid";
/// The longest move file that is read.
const LONGEST_MOVE: u64 = crate::referee::LONGEST;

/// Checks everything that `HEAD` rests on; for one table, or for all.
///
/// # Errors
/// When git refuses.
pub fn check(
    repository: &Repository,
    table: Option<&Slug>,
    secret: Option<&HouseSecret>,
) -> Result<History, GitError> {
    let shallow = repository.plainly(&["rev-parse", "--is-shallow-repository"])? == "true";
    let commits = match repository.tip("HEAD")? {
        Some(tip) => repository.commits(&tip, None)?,
        None => Vec::new(),
    };
    let line = Line::of(&commits, secret);
    let sealed = line.answers.iter().any(|commit| has_seal(commit));
    let seals = match (sealed, secret) {
        (false, _) => Seals::None,
        (true, None) => Seals::Unchecked,
        (true, Some(_)) => Seals::Checked,
    };
    let answers = line.answers.len();
    let mut checking = Checking {
        repository,
        table,
        trees: BTreeMap::new(),
        blobs: BTreeMap::new(),
        kept: BTreeMap::new(),
        problems: Vec::new(),
    };
    let mut waiting = Vec::new();
    if line.answers.is_empty() {
        if let (Some(commit), Some(_)) = (commits.last(), secret) {
            checking.misfit(
                commit,
                HOUSE,
                "no commit up to this one has a seal of this secret",
            );
        }
    } else {
        checking.follow(&line.answers)?;
        waiting = checking.after(&line)?;
    }
    Ok(History {
        commits: commits.len(),
        answers,
        waiting,
        seals,
        shallow,
        problems: checking.problems,
    })
}

fn has_seal(commit: &Commit) -> bool {
    commit
        .message
        .trim_end()
        .lines()
        .next_back()
        .is_some_and(|line| line.starts_with(TRAILER))
}

/// Whether a commit says that something was taken back. The referee's sealed ones say so of what others did to its files; moves that it
/// has kept stay.
fn takes_back(commit: &Commit) -> bool {
    !has_seal(commit)
        && commit
            .message
            .lines()
            .any(|line| line.to_ascii_lowercase().contains("taken back"))
}

/// The referee's commits, oldest first, and what was pushed since the last of them.
struct Line<'a> {
    answers: Vec<&'a Commit>,
    since: Vec<&'a Commit>,
}

impl<'a> Line<'a> {
    /// Finds the line in commits that stand with parents before their children.
    fn of(commits: &'a [Commit], secret: Option<&HouseSecret>) -> Line<'a> {
        let numbers: BTreeMap<&str, usize> = commits
            .iter()
            .enumerate()
            .map(|(n, commit)| (commit.id.as_str(), n))
            .collect();
        // For each commit the referee's last that it rests on, itself among them; and for each of the referee's the one before it.
        let (mut last, mut before) = (Vec::<Option<usize>>::new(), Vec::new());
        let mut sealed = false;
        for (n, commit) in commits.iter().enumerate() {
            let of = |id: &String| {
                numbers
                    .get(id.as_str())
                    .and_then(|n| last.get(*n).copied().flatten())
            };
            let is_answer = match secret {
                Some(secret) => is_sealed(commit, secret),
                None => commit.email.ends_with(NOBODYS) && (has_seal(commit) || !sealed),
            };
            let base = match &commit.parents[..] {
                // The referee puts back what it finds behind its last parent.
                [_, .., put_back] if is_answer => of(put_back),
                parents => parents.iter().filter_map(of).max(),
            };
            sealed |= is_answer && has_seal(commit);
            last.push(if is_answer { Some(n) } else { base });
            before.push(base);
        }
        let newest = last.last().copied().flatten();
        let mut answers: Vec<&Commit> = std::iter::successors(newest, |n| before[*n])
            .map(|n| &commits[n])
            .collect();
        answers.reverse();
        let since = commits
            .iter()
            .zip(&last)
            .enumerate()
            .filter(|(n, (_, last))| newest.is_some() && **last == newest && Some(*n) != newest);
        Line {
            answers,
            since: since.map(|(_, (commit, _))| commit).collect(),
        }
    }
}

type Tree = BTreeMap<String, Object>;

/// A table as the referee has kept it.
struct Kept {
    commit: String,
    tree: String,
    moves: Tree,
    file: TableFile,
    log: Vec<Step>,
    turn: u64,
    updated: i64,
}

struct Checking<'a> {
    repository: &'a Repository,
    table: Option<&'a Slug>,
    /// Trees of the present piece by their ids.
    trees: BTreeMap<String, Tree>,
    /// Files of the present piece, and all move files, by their ids; nothing for one that is too long.
    blobs: BTreeMap<String, Option<Vec<u8>>>,
    kept: BTreeMap<String, Kept>,
    problems: Vec<Misfit>,
}

const FOLDER: &str = "40000";

impl Checking<'_> {
    fn misfit(&mut self, commit: &Commit, file: &str, reason: impl Into<String>) {
        self.problems.push(Misfit {
            commit: commit.id.clone(),
            file: file.to_owned(),
            reason: reason.into(),
        });
    }

    /// Goes along the line.
    fn follow(&mut self, answers: &[&Commit]) -> Result<(), GitError> {
        for piece in answers.chunks(PIECE) {
            self.trees.clear();
            self.load_trees(piece)?;
            self.load_blobs(piece)?;
            for commit in piece {
                self.answer(commit);
            }
            let moves: BTreeSet<&String> = self
                .kept
                .values()
                .flat_map(|kept| kept.moves.values().map(|object| &object.id))
                .collect();
            self.blobs.retain(|id, _| moves.contains(id));
        }
        Ok(())
    }

    /// Looks at one commit of the referee.
    fn answer(&mut self, commit: &Commit) {
        let tables = self.tables(commit);
        let gone: Vec<String> = self
            .kept
            .keys()
            .filter(|name| !tables.contains_key(*name))
            .cloned()
            .collect();
        for name in gone {
            let since = self
                .kept
                .remove(&name)
                .map(|kept| short(&kept.commit).to_owned())
                .unwrap_or_default();
            self.misfit(
                commit,
                &format!("{TABLES}/{name}"),
                format!("the table of commit {since} is gone"),
            );
        }
        for (name, object) in tables {
            let path = format!("{TABLES}/{name}");
            let slug = name.parse::<Slug>().ok().filter(|_| object.mode == FOLDER);
            match slug {
                Some(slug) => self.table(commit, &slug, &object.id),
                None if [INDEX, OVERVIEW].contains(&path.as_str()) && object.is_file() => {}
                None => self.misfit(commit, &path, "this belongs to no table"),
            }
        }
    }

    /// What lies in the folder of tables, or only the table that was asked for.
    fn tables(&self, commit: &Commit) -> Tree {
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

    fn table(&mut self, commit: &Commit, slug: &Slug, tree: &str) {
        if self
            .kept
            .get(slug.as_str())
            .is_some_and(|kept| kept.tree == tree)
        {
            return;
        }
        let entries = self.trees.get(tree).cloned().unwrap_or_default();
        let mut folder = Folder::default();
        let mut moves = Tree::new();
        for (name, object) in &entries {
            match name.as_str() {
                // Pictures may change with the program that draws them: only today's is compared.
                BOARD if object.is_file() => {}
                MOVES if object.mode == FOLDER => {
                    moves = self.trees.get(&object.id).cloned().unwrap_or_default()
                }
                TABLE | STATE | RECORD => self.put(&mut folder, commit, slug, name, object),
                _ => self.misfit(commit, &slug.file(name), "the referee writes no such file"),
            }
        }
        for (name, object) in &moves {
            self.put(
                &mut folder,
                commit,
                slug,
                &format!("{MOVES}/{name}"),
                object,
            );
        }
        let checked = verify(&folder);
        for broken in &checked.problems {
            self.misfit(commit, &slug.file(&broken.file), &broken.reason);
        }
        if !checked.problems.is_empty() {
            return;
        }
        match Kept::read(commit, tree, moves, &folder) {
            Ok(now) => {
                for (file, reason) in self
                    .kept
                    .get(slug.as_str())
                    .map(|before| now.goes_on_from(before, commit))
                    .unwrap_or_default()
                {
                    self.misfit(commit, &slug.file(&file), reason);
                }
                self.kept.insert(slug.to_string(), now);
            }
            Err(reason) => self.misfit(commit, &slug.file(STATE), reason),
        }
    }

    fn put(
        &mut self,
        folder: &mut Folder,
        commit: &Commit,
        slug: &Slug,
        name: &str,
        object: &Object,
    ) {
        match self.blobs.get(&object.id) {
            Some(Some(bytes)) if object.is_file() => {
                folder.files.insert(name.to_owned(), bytes.clone());
            }
            _ if object.is_file() => self.misfit(commit, &slug.file(name), "the file is too long"),
            _ => self.misfit(commit, &slug.file(name), "it is no file"),
        }
    }

    /// What was pushed since the referee's last commit: new move files wait for it, which are returned, and everything else is still to
    /// be undone.
    fn after(&mut self, line: &Line<'_>) -> Result<Vec<String>, GitError> {
        let (Some(base), Some(tip)) = (line.answers.last(), line.since.last()) else {
            return Ok(Vec::new());
        };
        self.trees.clear();
        let all: Vec<&Commit> = std::iter::once(base).chain(&line.since).copied().collect();
        self.load_trees(&all)?;
        // Everything that follows a seal that is none counts for nothing: one line says it all.
        if let Some(forged) = line.since.iter().find(|commit| has_seal(commit)) {
            let reason = "its seal is not this house's: it, or a commit before it, was rewritten or never was the referee's";
            self.misfit(forged, TABLES, reason);
            return Ok(Vec::new());
        }
        let (was, is) = (self.flat(base), self.flat(tip));
        let mut waiting = Vec::new();
        let mut wrong = Vec::new();
        for path in was.keys().chain(is.keys()).collect::<BTreeSet<_>>() {
            let is_table = |table: &Slug| was.contains_key(&table.file(TABLE));
            let is_move =
                matches!(Place::of(path), Some(Place::Move { table, .. }) if is_table(&table));
            match (was.get(path), is.get(path)) {
                (was, is) if was == is => {}
                (None, Some(object)) if is_move && object.is_file() => waiting.push(path.clone()),
                (None, _) => wrong.push((path, "added")),
                (_, None) => wrong.push((path, "deleted")),
                _ => wrong.push((path, "changed")),
            }
        }
        // Each is the first commit's that left the path as it is now.
        for commit in &line.since {
            let there = if wrong.is_empty() {
                break;
            } else {
                self.flat(commit)
            };
            let (found, left): (Vec<_>, Vec<_>) = wrong
                .into_iter()
                .partition(|(path, _)| there.get(*path) == is.get(*path));
            for (path, what) in found {
                let reason = format!(
                    "it was {what}, only the referee writes it, and no commit of the referee has undone that"
                );
                self.misfit(commit, path, reason);
            }
            wrong = left;
        }
        Ok(waiting)
    }

    /// Everything that only the referee writes, by its paths.
    fn flat(&self, commit: &Commit) -> Tree {
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
        let mut folders: Vec<(String, Object)> = self
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

    /// Reads the trees of these commits: the root, the folder of tables, the tables, their moves.
    fn load_trees(&mut self, commits: &[&Commit]) -> Result<(), GitError> {
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

    /// Reads the files of the tables of these commits, as far as they are not known and not too long.
    fn load_blobs(&mut self, commits: &[&Commit]) -> Result<(), GitError> {
        let mut wanted = BTreeMap::new();
        for commit in commits {
            for id in self.tables(commit).into_values().map(|object| object.id) {
                let Some(table) = self.trees.get(&id) else {
                    continue;
                };
                for (name, object) in table {
                    match name.as_str() {
                        TABLE | STATE | RECORD if object.is_file() => {
                            wanted.insert(object.id.clone(), LONGEST);
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
                                    .map(|object| (object.id.clone(), LONGEST_MOVE)),
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

impl Kept {
    fn read(commit: &Commit, tree: &str, moves: Tree, folder: &Folder) -> Result<Kept, String> {
        let state = folder.get(STATE).map_err(|broken| broken.reason)?;
        let (notes, updated) = notes(state).ok_or("its messages cannot be read")?;
        let updated = seconds(&updated).ok_or("its time cannot be read")?;
        let mut earlier = i64::MIN;
        for note in &notes {
            let at = seconds(&note.timestamp).ok_or("the time of a message cannot be read")?;
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
            .map_err(|broken| broken.reason)?;
        let log = folder
            .read::<Record>(RECORD)
            .map_err(|broken| broken.reason)?
            .log;
        Ok(Kept {
            commit: commit.id.clone(),
            tree: tree.to_owned(),
            moves,
            file,
            log,
            turn,
            updated,
        })
    }

    /// What of this does not go on from what the referee wrote before: files and reasons.
    fn goes_on_from(&self, before: &Kept, commit: &Commit) -> Vec<(String, String)> {
        let since = short(&before.commit);
        let mut found = Vec::new();
        let mut holds = |file: &str, same: bool, reason: String| {
            if !same {
                found.push((file.to_owned(), reason));
            }
        };
        let (was, is) = (&before.file, &self.file);
        let commitment = |file: &TableFile| file.luck.as_ref().map(|luck| luck.commitment.clone());
        let secret = |file: &TableFile| file.luck.as_ref().and_then(|luck| luck.secret.clone());
        let same = |what: &str| format!("{what} is not what it was in commit {since}");
        holds(TABLE, was.table == is.table, same("table"));
        holds(
            TABLE,
            was.game == is.game && was.options == is.options,
            same("the game"),
        );
        holds(TABLE, was.created_at == is.created_at, same("createdAt"));
        holds(
            TABLE,
            commitment(was) == commitment(is),
            same("the commitment to the luck"),
        );
        holds(
            TABLE,
            secret(was).is_none_or(|secret_was| secret(is) == Some(secret_was)),
            same("the secret"),
        );
        // A server may let somebody take an empty seat; the referee has none.
        holds(
            TABLE,
            was.players == is.players || !has_seal(commit),
            same("who plays"),
        );
        holds(
            STATE,
            before.updated <= self.updated,
            format!("it is older than in commit {since}"),
        );
        if takes_back(commit) {
            return found;
        }
        holds(
            TABLE,
            was.result.is_none() || was.result == is.result,
            same("the result"),
        );
        holds(
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
                Some(_) => same("it"),
                None => format!("the move of commit {since} is gone"),
            };
            holds(&format!("{MOVES}/{name}"), false, reason);
        }
        let other = before
            .log
            .iter()
            .zip(&self.log)
            .position(|(was, is)| was != is);
        match other {
            Some(step) => holds(RECORD, false, same(&format!("step {}", step + 1))),
            None => {
                let reason = format!(
                    "it has {} steps, and {} in commit {since}",
                    self.log.len(),
                    before.log.len()
                );
                holds(RECORD, before.log.len() <= self.log.len(), reason);
            }
        }
        found
    }
}

/// The entries of a tree as git keeps it: mode, name and the bytes of the id.
fn entries(mut bytes: &[u8], id: usize) -> Option<Tree> {
    let mut tree = Tree::new();
    while !bytes.is_empty() {
        let end = bytes.iter().position(|byte| *byte == 0)?;
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let (mode, name) = head.split_once(' ')?;
        let hash = bytes.get(end + 1..end + 1 + id)?;
        tree.insert(
            name.to_owned(),
            Object {
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
