//! Check of the referee's commits, each with its predecessor, and of the commits since the last.

use std::collections::{BTreeMap, BTreeSet};

use super::objects::{FOLDER, HistoryObjects, Tree};
use super::referee_line::RefereeLine;
use super::snapshot::TableSnapshot;
use super::{HistoryProblem, has_seal, short};
use crate::folder::TableFolder;
use crate::git::{GitCommit, GitError, Repository, TreeEntry, UnreadCommit};
use crate::paths::{BOARD, HousePath, INDEX, MOVES, OVERVIEW, RECORD, STATE, Slug, TABLE, TABLES};
use crate::verify::verify;

/// Number of commits that are read at once, to start git rarely without holding the whole history
/// in memory.
const BATCH_SIZE: usize = 200;

/// Check in progress.
pub(super) struct HistoryChecker<'a> {
    objects: HistoryObjects<'a>,
    /// Latest state of each table by name.
    snapshots: BTreeMap<String, TableSnapshot>,
    /// Problems found so far.
    pub(super) problems: Vec<HistoryProblem>,
}

impl<'a> HistoryChecker<'a> {
    pub(super) fn new(repository: &'a Repository, table: Option<&'a Slug>) -> HistoryChecker<'a> {
        HistoryChecker {
            objects: HistoryObjects::new(repository, table),
            snapshots: BTreeMap::new(),
            problems: Vec::new(),
        }
    }

    pub(super) fn report(&mut self, commit: &GitCommit, file: &str, reason: impl ToString) {
        self.problems.push(HistoryProblem {
            commit: commit.id.clone(),
            file: file.to_owned(),
            reason: reason.to_string(),
        });
    }

    /// Checks the referee's commits in order.
    pub(super) fn check_line(&mut self, referee_commits: &[&GitCommit]) -> Result<(), GitError> {
        for batch in referee_commits.chunks(BATCH_SIZE) {
            self.objects.forget_trees();
            self.objects.load_trees(batch)?;
            self.objects.load_files(batch)?;
            for commit in batch {
                self.check_commit(commit);
            }
            let moves: BTreeSet<&String> = self
                .snapshots
                .values()
                .flat_map(|snapshot| snapshot.moves.values().map(|entry| &entry.id))
                .collect();
            self.objects.keep_files(&moves);
        }
        Ok(())
    }

    /// Reports the commits since the referee's last one that cannot be read. Those before it do not
    /// count, whatever they are.
    pub(super) fn report_unread(&mut self, line: &RefereeLine<'_>, unread: &[UnreadCommit]) {
        for commit in &line.since {
            if let Some(unread) = unread.iter().find(|unread| unread.id == commit.id) {
                self.report(commit, "the commit", &unread.reason);
            }
        }
    }

    /// Reports the folders of a commit that cannot be read.
    fn report_unread_folders(&mut self, commit: &GitCommit) {
        for (path, reason) in self.objects.unread_folders(commit) {
            self.report(commit, &path, reason);
        }
    }

    /// Checks one of the referee's commits.
    fn check_commit(&mut self, commit: &GitCommit) {
        self.report_unread_folders(commit);
        let tables = self.objects.tables(commit);
        self.report_missing_tables(commit, &tables);
        for (name, entry) in tables {
            let path = format!("{TABLES}/{name}");
            let slug = name.parse::<Slug>().ok().filter(|_| entry.mode == FOLDER);
            match slug {
                Some(slug) => self.check_table(commit, &slug, &entry.id),
                None if [INDEX, OVERVIEW].contains(&path.as_str()) && entry.is_file() => {}
                None => self.report(commit, &path, "this belongs to no table"),
            }
        }
    }

    fn report_missing_tables(&mut self, commit: &GitCommit, tables: &Tree) {
        let snapshots = std::mem::take(&mut self.snapshots);
        let (present, missing) = snapshots
            .into_iter()
            .partition::<BTreeMap<_, _>, _>(|(name, _)| tables.contains_key(name));
        self.snapshots = present;
        for (name, snapshot) in missing {
            let since = short(&snapshot.commit);
            self.report(
                commit,
                &format!("{TABLES}/{name}"),
                format!("the table of commit {since} is gone"),
            );
        }
    }

    /// Checks a table in one of the referee's commits, on its own and as the continuation of its
    /// last state.
    fn check_table(&mut self, commit: &GitCommit, slug: &Slug, tree: &str) {
        let last = self.snapshots.get(slug.as_str());
        if last.is_some_and(|snapshot| snapshot.tree == tree) {
            return;
        }
        let (folder, moves) = self.read_table(commit, slug, tree);
        let checked = verify(&folder);
        for error in &checked.problems {
            self.report(commit, &slug.file(&error.file), &error.reason);
        }
        if !checked.problems.is_empty() {
            return;
        }
        match TableSnapshot::read(commit, tree, moves, &folder) {
            Ok(snapshot) => self.continue_table(commit, slug, snapshot),
            Err(error) => self.report(commit, &slug.file(STATE), error),
        }
    }

    /// Reports in which way a table does not continue its last state, and makes this one the last.
    fn continue_table(&mut self, commit: &GitCommit, slug: &Slug, snapshot: TableSnapshot) {
        let last = self.snapshots.get(slug.as_str());
        let differences = last
            .map(|last| snapshot.differences_from(last, commit))
            .unwrap_or_default();
        for (file, reason) in differences {
            self.report(commit, &slug.file(&file), reason);
        }
        self.snapshots.insert(slug.to_string(), snapshot);
    }

    /// Reads the files of a table and the entries of its moves. Reports files that do not belong
    /// there.
    fn read_table(&mut self, commit: &GitCommit, slug: &Slug, tree: &str) -> (TableFolder, Tree) {
        let mut folder = TableFolder::default();
        let mut moves = Tree::new();
        for (name, entry) in self.objects.folder(tree) {
            match name.as_str() {
                // Pictures may change with the program that draws them, so only the latest one is
                // compared.
                BOARD if entry.is_file() => {}
                MOVES if entry.mode == FOLDER => moves = self.objects.folder(&entry.id),
                TABLE | STATE | RECORD => self.add_file(&mut folder, commit, slug, &name, &entry),
                _ => self.report(commit, &slug.file(&name), "the referee writes no such file"),
            }
        }
        for (name, entry) in &moves {
            let name = format!("{MOVES}/{name}");
            self.add_file(&mut folder, commit, slug, &name, entry);
        }
        (folder, moves)
    }

    fn add_file(
        &mut self,
        folder: &mut TableFolder,
        commit: &GitCommit,
        slug: &Slug,
        name: &str,
        entry: &TreeEntry,
    ) {
        if !entry.is_file() {
            return self.report(commit, &slug.file(name), "it is not a regular file");
        }
        match self.objects.file(&entry.id) {
            Some(bytes) => {
                folder.files.insert(name.to_owned(), bytes.to_owned());
            }
            None => self.report(commit, &slug.file(name), "the file is too long"),
        }
    }

    /// Checks the commits since the referee's last one. Returns the new move files, which wait for
    /// the referee, and reports all other changes.
    pub(super) fn check_unanswered(
        &mut self,
        line: &RefereeLine<'_>,
    ) -> Result<Vec<String>, GitError> {
        let (Some(base), Some(tip)) = (line.referee_commits.last(), line.since.last()) else {
            return Ok(Vec::new());
        };
        self.objects.forget_trees();
        let all: Vec<&GitCommit> = std::iter::once(base).chain(&line.since).copied().collect();
        self.objects.load_trees(&all)?;
        for commit in &line.since {
            self.report_unread_folders(commit);
        }
        // Nothing after a forged seal counts, so a single problem is reported.
        if let Some(forged) = line.since.iter().find(|commit| has_seal(commit)) {
            let reason = "its seal is not this house's: it, or a commit before it, was rewritten or never was the referee's";
            self.report(forged, TABLES, reason);
            return Ok(Vec::new());
        }
        // An unreadable commit was reported; its changes are not known.
        if tip.tree.is_empty() || !self.objects.unread_folders(tip).is_empty() {
            return Ok(Vec::new());
        }
        let (was, is) = (
            self.objects.referee_files(base),
            self.objects.referee_files(tip),
        );
        let changes = UnansweredChanges::between(&was, &is);
        self.report_foreign_changes(&line.since, changes.foreign, &is);
        Ok(changes.pending)
    }

    /// Reports changes, each with the first commit that left the path as it is now.
    fn report_foreign_changes(
        &mut self,
        commits: &[&GitCommit],
        mut changes: Vec<(&String, &'static str)>,
        is: &Tree,
    ) {
        for commit in commits {
            if changes.is_empty() {
                break;
            }
            let there = self.objects.referee_files(commit);
            let (found, left): (Vec<_>, Vec<_>) = changes
                .into_iter()
                .partition(|(path, _)| there.get(*path) == is.get(*path));
            for (path, what) in found {
                let reason = format!(
                    "it was {what}, only the referee writes it, and no commit of the referee has undone that"
                );
                self.report(commit, path, reason);
            }
            changes = left;
        }
    }
}

/// Changes since the referee's last commit.
struct UnansweredChanges<'a> {
    /// Paths of new move files.
    pending: Vec<String>,
    /// Other changed paths, each `added`, `changed` or `deleted`.
    foreign: Vec<(&'a String, &'static str)>,
}

impl<'a> UnansweredChanges<'a> {
    fn between(was: &'a Tree, is: &'a Tree) -> UnansweredChanges<'a> {
        let mut changes = UnansweredChanges {
            pending: Vec::new(),
            foreign: Vec::new(),
        };
        for path in was.keys().chain(is.keys()).collect::<BTreeSet<_>>() {
            let is_table = |table: &Slug| was.contains_key(&table.file(TABLE));
            let is_move = matches!(HousePath::parse(path), Some(HousePath::Move { table, .. }) if is_table(&table));
            match (was.get(path), is.get(path)) {
                (was, is) if was == is => {}
                (None, Some(entry)) if is_move && entry.is_file() => {
                    changes.pending.push(path.clone());
                }
                (None, _) => changes.foreign.push((path, "added")),
                (_, None) => changes.foreign.push((path, "deleted")),
                _ => changes.foreign.push((path, "changed")),
            }
        }
        changes
    }
}
