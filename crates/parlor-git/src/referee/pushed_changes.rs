//! Classification of what was pushed since the referee's last commit.

use std::collections::{BTreeMap, HashMap};

use parlor_games::repository::{MoveName, digest};

use super::changes::{PushedChanges, TableChanges};
use super::origins::Origins;
use super::push::Push;
use super::{MAX_FILE_BYTES, RunContext};
use crate::files::{HouseFile, Identity};
use crate::git::{
    EntryChange, EntryChanges, GitCommit, GitError, ObjectError, ObjectReader, Repository,
    TreeEntry,
};
use crate::judge::{FileContent, ForeignChange, OfferedMove};
use crate::paths::{HousePath, STATE, Slug, TABLE, sanitized};

/// Maximum size of a state that a move may be based on, in bytes.
const MAX_STATE_BYTES: u64 = MAX_FILE_BYTES * 16;

/// Change of a path that only the referee may write, or of a new move file.
struct PathChange<'a> {
    path: &'a str,
    change: &'a EntryChange,
    /// Index of the commit that the change comes from, if it is known.
    origin: Option<usize>,
}

impl PathChange<'_> {
    /// Returns `added`, `changed` or `deleted`.
    fn what(&self) -> &'static str {
        match (&self.change.was, &self.change.is) {
            (None, _) => "added",
            (_, None) => "deleted",
            _ => "changed",
        }
    }
}

/// Commits and changes between the referee's last commit and the tip of the branch.
pub(super) struct PushRange<'a, 'r> {
    repository: &'a Repository,
    reader: &'a mut ObjectReader<'r>,
    house: &'a HouseFile,
    context: &'a RunContext,
    push: &'a Push,
    /// The referee's files in its last commit.
    before: &'a BTreeMap<String, TreeEntry>,
    /// Players by commit: a signature is checked once.
    players: HashMap<String, Vec<String>>,
    /// States by table and commit.
    states: HashMap<(Slug, String), Option<Vec<u8>>>,
}

impl<'a, 'r> PushRange<'a, 'r> {
    pub(super) fn new(
        repository: &'a Repository,
        reader: &'a mut ObjectReader<'r>,
        house: &'a HouseFile,
        context: &'a RunContext,
        push: &'a Push,
        before: &'a BTreeMap<String, TreeEntry>,
    ) -> PushRange<'a, 'r> {
        PushRange {
            repository,
            reader,
            house,
            context,
            push,
            before,
            players: HashMap::new(),
            states: HashMap::new(),
        }
    }

    /// Sorts the changes by table, and into moves and changes that only the referee may make.
    pub(super) fn classify(&mut self) -> Result<PushedChanges, GitError> {
        let origins = Origins::trace(self.reader, &self.push.commits)?;
        let mut pushed = PushedChanges::default();
        let mut changes = self.push.changes.clone().unwrap_or_default();
        self.add_removed_moves(&origins, &mut changes)?;
        for (path, change) in &changes {
            let origin = match &change.is {
                Some(entry) => origins.added(path, &entry.id),
                // A file counts as deleted by the last commit that removed it.
                None => (change.was.as_ref()).and_then(|entry| origins.removed(path, &entry.id)),
            };
            let change = PathChange {
                path,
                change,
                origin,
            };
            self.classify_change(&change, &mut pushed)?;
        }
        Ok(pushed.finish())
    }

    /// Adds the moves that were pushed and then removed by somebody else: only its player can
    /// withdraw a move.
    fn add_removed_moves(
        &mut self,
        origins: &Origins,
        changes: &mut EntryChanges,
    ) -> Result<(), GitError> {
        for (path, id, added) in origins.moves() {
            let is_there = self.before.contains_key(path) || changes.contains_key(path);
            let withdrawn = match origins.removed(path, id) {
                Some(removed) if !is_there => self.have_a_player_in_common(added, removed)?,
                _ => false,
            };
            if is_there || withdrawn {
                continue;
            }
            let entry = TreeEntry {
                mode: "100644".to_owned(),
                id: id.to_owned(),
            };
            let change = EntryChange {
                was: None,
                is: Some(entry),
            };
            changes.insert(path.to_owned(), change);
        }
        Ok(())
    }

    fn have_a_player_in_common(&mut self, one: usize, other: usize) -> Result<bool, GitError> {
        let commits = &self.push.commits;
        let (Some(one), Some(other)) = (commits.get(one), commits.get(other)) else {
            return Ok(false);
        };
        let (one, other) = (self.players(one)?, self.players(other)?);
        Ok(one.iter().any(|name| other.contains(name)))
    }

    fn classify_change(
        &mut self,
        change: &PathChange<'_>,
        pushed: &mut PushedChanges,
    ) -> Result<(), GitError> {
        let before = self.before;
        let is_table = |table: &Slug| before.contains_key(&table.file(TABLE));
        let commit = change.origin.and_then(|n| self.push.commits.get(n));
        match (HousePath::parse(change.path), &change.change.is, commit) {
            (Some(HousePath::Move { table, name }), Some(entry), Some(commit))
                if change.change.was.is_none() && is_table(&table) =>
            {
                let waiting = pushed.tables.get(&table);
                if waiting.is_some_and(TableChanges::is_full) {
                    let foreign = self.foreign_change(change, &table);
                    pushed.tables.entry(table).or_default().add_foreign(foreign);
                    return Ok(());
                }
                let offered = self.offered_move(commit, &table, name, entry)?;
                let changes = pushed.tables.entry(table).or_default();
                changes.add_offered(change.origin.unwrap_or_default(), offered);
            }
            (Some(HousePath::Move { table, .. } | HousePath::Other { table, .. }), ..)
                if is_table(&table) =>
            {
                let foreign = self.foreign_change(change, &table);
                pushed.tables.entry(table).or_default().add_foreign(foreign);
            }
            _ => pushed.add_outside(format!(
                "{} was {} by {}: taken back",
                sanitized(change.path),
                change.what(),
                sanitized(&self.source_of(change))
            )),
        }
        Ok(())
    }

    /// Returns the commit that a change comes from. If that is unknown, as for a deletion by a
    /// commit that cannot be read, the last one stands for it in messages.
    fn commit_of(&self, change: &PathChange<'_>) -> Option<&'a GitCommit> {
        let commits = &self.push.commits;
        let known = change.origin.and_then(|n| commits.get(n));
        known.or_else(|| commits.last().filter(|_| change.change.is.is_none()))
    }

    /// Describes where a change comes from.
    fn source_of(&self, change: &PathChange<'_>) -> String {
        match self.commit_of(change) {
            Some(commit) => self.author_of(commit),
            None => "a commit that was not looked at".to_owned(),
        }
    }

    fn author_of(&self, commit: &GitCommit) -> String {
        match (self.house.identity, &self.context.actor) {
            (Identity::Actor, Some(actor)) => actor.clone(),
            _ => format!("{} <{}>", commit.name, commit.email),
        }
    }

    /// Returns the time of a commit, which cannot lie in the future.
    fn time_of(&self, commit: &GitCommit) -> i64 {
        commit.time.min(self.context.now)
    }

    fn foreign_change(&self, change: &PathChange<'_>, table: &Slug) -> ForeignChange {
        let last = self.push.commits.last();
        let commit = self.commit_of(change).or(last);
        ForeignChange {
            path: change.path[table.file("").len()..].to_owned(),
            what: change.what(),
            from: self.source_of(change),
            at: commit.map_or(0, |commit| self.time_of(commit)),
        }
    }

    fn offered_move(
        &mut self,
        commit: &GitCommit,
        table: &Slug,
        name: &str,
        entry: &TreeEntry,
    ) -> Result<OfferedMove, GitError> {
        Ok(OfferedMove {
            name: name.to_owned(),
            content: self.content(entry)?,
            by: self.players(commit)?,
            from: self.author_of(commit),
            seen: self.seen(table, name, commit)?,
            at: self.time_of(commit),
        })
    }

    /// Reads the contents of a new move file, unless it is too long.
    fn content(&mut self, entry: &TreeEntry) -> Result<FileContent, GitError> {
        if !entry.is_file() {
            return Ok(FileContent::NoFile);
        }
        match self.reader.blob(&entry.id, MAX_FILE_BYTES) {
            Ok(bytes) => Ok(FileContent::File(bytes)),
            Err(ObjectError::TooLong { size, .. }) => Ok(FileContent::TooLong(size)),
            Err(error) => error.or_git().map(|_| FileContent::NoFile),
        }
    }

    /// Returns the players that a commit may have come from.
    fn players(&mut self, commit: &GitCommit) -> Result<Vec<String>, GitError> {
        if let Some(known) = self.players.get(&commit.id) {
            return Ok(known.clone());
        }
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        let players: Vec<String> = match (self.house.identity, &self.context.actor) {
            (Identity::Email, _) => owned(self.house.players_by_email(&commit.email)),
            (Identity::Actor, Some(actor)) => owned(self.house.players_by_actor(actor)),
            (Identity::Actor, None) => Vec::new(),
            (Identity::Signature, _) => self.signer(commit)?.into_iter().collect(),
        };
        self.players.insert(commit.id.clone(), players.clone());
        Ok(players)
    }

    /// Returns the player whose key has signed a commit.
    fn signer(&self, commit: &GitCommit) -> Result<Option<String>, GitError> {
        let people = self.house.people.iter();
        let signers: Vec<(&str, &str)> = people
            .flat_map(|(name, person)| {
                person
                    .keys
                    .iter()
                    .map(move |key| (name.as_str(), key.as_str()))
            })
            .collect();
        match self.repository.signer(&commit.id, &signers) {
            // A signature that git cannot check proves nothing.
            Err(GitError::Refused { .. } | GitError::Stopped { .. }) => Ok(None),
            other => other,
        }
    }

    /// Returns the hash of the state that the commit is based on, if it precedes the move. It may
    /// differ from the current state, because earlier moves may have been processed and messages
    /// added since.
    fn seen(
        &mut self,
        table: &Slug,
        name: &str,
        commit: &GitCommit,
    ) -> Result<Vec<String>, GitError> {
        let state = match commit.parents.first() {
            Some(parent) => self.state_in(table, parent)?,
            None => None,
        };
        Ok(state
            .filter(|state| precedes(state, name))
            .map(|state| digest(&state))
            .into_iter()
            .collect())
    }

    /// Reads a table's state in a commit; `None` if it has none that can be read.
    fn state_in(&mut self, table: &Slug, commit: &str) -> Result<Option<Vec<u8>>, GitError> {
        let key = (table.clone(), commit.to_owned());
        if let Some(known) = self.states.get(&key) {
            return Ok(known.clone());
        }
        let state = match self.read_state(table, commit) {
            Ok(state) => state,
            Err(error) => error.or_git().map(|_| None)?,
        };
        self.states.insert(key, state.clone());
        Ok(state)
    }

    fn read_state(&mut self, table: &Slug, commit: &str) -> Result<Option<Vec<u8>>, ObjectError> {
        let tree = self.reader.commit_tree(commit)?;
        let entry = self.reader.entry_at(&tree, &table.file(STATE))?;
        match entry.filter(TreeEntry::is_file) {
            Some(entry) => self.reader.blob(&entry.id, MAX_STATE_BYTES).map(Some),
            None => Ok(None),
        }
    }
}

/// Returns true if a state comes before the move with this file name. A player who moves right
/// after another, before the referee has run, has seen the state before both moves.
fn precedes(state: &[u8], name: &str) -> bool {
    let state: serde_json::Value = serde_json::from_slice(state).unwrap_or_default();
    let last = state["lastMove"]["sequence"].as_u64().unwrap_or(0);
    MoveName::parse(name).is_some_and(|named| last < u64::from(named.sequence))
}
