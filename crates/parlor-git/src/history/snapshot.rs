//! State of a table as of one of the referee's commits, and what may change until the next.

use parlor_games::repository::{Note, notes};
use parlor_table::{Record, RecordStep};
use serde_json::Value;

use super::objects::Tree;
use super::{has_seal, is_takeback, short};
use crate::files::{TableFile, parse_time};
use crate::folder::{FileError, TableFolder};
use crate::git::GitCommit;
use crate::paths::{MOVES, RECORD, STATE, TABLE};

/// State of a table as of one of the referee's commits.
pub(super) struct TableSnapshot {
    pub(super) commit: String,
    pub(super) tree: String,
    pub(super) moves: Tree,
    file: TableFile,
    log: Vec<RecordStep>,
    turn: u64,
    updated: i64,
}

/// Reason why the state of a table cannot be compared.
#[derive(Debug, thiserror::Error)]
pub(super) enum SnapshotError {
    #[error("its messages cannot be read")]
    Messages,
    #[error("its time cannot be read")]
    Time,
    #[error("the time of a message cannot be read")]
    MessageTime,
    /// A message is older than the one before it. Contains the time of the message.
    #[error("the messages are not in the order of their times at {0}")]
    MessageOrder(String),
    #[error("a message is younger than the state")]
    MessageAfterState,
    #[error("{}", .0.reason)]
    File(#[from] FileError),
}

impl TableSnapshot {
    /// Reads the state of a table from its files in a commit.
    pub(super) fn read(
        commit: &GitCommit,
        tree: &str,
        moves: Tree,
        folder: &TableFolder,
    ) -> Result<TableSnapshot, SnapshotError> {
        let state = folder.get(STATE)?;
        let (notes, updated) = notes(state).ok_or(SnapshotError::Messages)?;
        let updated = parse_time(&updated).ok_or(SnapshotError::Time)?;
        check_message_times(&notes, updated)?;
        let turn = serde_json::from_slice::<Value>(state)
            .ok()
            .and_then(|state| state["turn"].as_u64())
            .unwrap_or_default();
        Ok(TableSnapshot {
            commit: commit.id.clone(),
            tree: tree.to_owned(),
            moves,
            file: folder.read(TABLE)?,
            log: folder.read::<Record>(RECORD)?.log,
            turn,
            updated,
        })
    }

    /// Returns the files in which this state does not continue an earlier one, with reasons.
    pub(super) fn differences_from(
        &self,
        before: &TableSnapshot,
        commit: &GitCommit,
    ) -> Vec<(String, String)> {
        let mut comparison = Comparison {
            since: short(&before.commit),
            differences: Vec::new(),
        };
        comparison.compare_terms(&before.file, &self.file);
        // On a server players may take open seats; a referee's table has none.
        comparison.check(
            TABLE,
            before.file.players == self.file.players || !has_seal(commit),
            "who plays",
        );
        comparison.compare_times(before, self);
        if !is_takeback(commit) {
            comparison.compare_progress(before, self);
            comparison.compare_moves(&before.moves, &self.moves);
            comparison.compare_logs(&before.log, &self.log);
        }
        comparison.differences
    }
}

/// Comparison of a table with its state in an earlier commit.
struct Comparison<'a> {
    /// Short id of the earlier commit.
    since: &'a str,
    /// Files that do not continue the earlier state, with reasons.
    differences: Vec<(String, String)>,
}

impl Comparison<'_> {
    /// Reports that something is not what it was, unless it is the same.
    fn check(&mut self, file: &str, is_same: bool, what: &str) {
        if !is_same {
            let reason = format!("{what} is not what it was in commit {}", self.since);
            self.report(file, reason);
        }
    }

    fn report(&mut self, file: &str, reason: String) {
        self.differences.push((file.to_owned(), reason));
    }

    /// Compares what never changes, except that a secret may be published.
    fn compare_terms(&mut self, was: &TableFile, is: &TableFile) {
        let commitment = |file: &TableFile| file.luck.as_ref().map(|luck| luck.commitment.clone());
        let secret = |file: &TableFile| file.luck.as_ref().and_then(|luck| luck.secret.clone());
        self.check(TABLE, was.table == is.table, "table");
        self.check(
            TABLE,
            was.game == is.game && was.options == is.options,
            "the game",
        );
        self.check(TABLE, was.created_at == is.created_at, "createdAt");
        self.check(
            TABLE,
            commitment(was) == commitment(is),
            "the commitment to the luck",
        );
        self.check(
            TABLE,
            secret(was).is_none_or(|secret_was| secret(is) == Some(secret_was)),
            "the secret",
        );
    }

    fn compare_times(&mut self, was: &TableSnapshot, is: &TableSnapshot) {
        if was.updated > is.updated {
            self.report(STATE, format!("it is older than in commit {}", self.since));
        }
    }

    /// Compares the results and the numbers of the turns.
    fn compare_progress(&mut self, was: &TableSnapshot, is: &TableSnapshot) {
        self.check(
            TABLE,
            was.file.result.is_none() || was.file.result == is.file.result,
            "the result",
        );
        if was.turn > is.turn {
            self.report(
                STATE,
                format!(
                    "turn {} comes after turn {} of commit {}",
                    is.turn, was.turn, self.since
                ),
            );
        }
    }

    /// Compares the move files: they stay as they are.
    fn compare_moves(&mut self, was: &Tree, is: &Tree) {
        for (name, entry) in was {
            let file = format!("{MOVES}/{name}");
            match is.get(name) {
                Some(other) => self.check(&file, other == entry, "it"),
                None => {
                    self.report(&file, format!("the move of commit {} is gone", self.since));
                }
            }
        }
    }

    /// Compares the logs: steps are only added.
    fn compare_logs(&mut self, was: &[RecordStep], is: &[RecordStep]) {
        let changed = was.iter().zip(is).position(|(was, is)| was != is);
        if let Some(step) = changed {
            self.check(RECORD, false, &format!("step {}", step + 1));
        } else if was.len() > is.len() {
            self.report(
                RECORD,
                format!(
                    "it has {} steps, and {} in commit {}",
                    is.len(),
                    was.len(),
                    self.since
                ),
            );
        }
    }
}

/// Checks that messages are sorted by time and none is later than the state.
fn check_message_times(notes: &[Note], updated: i64) -> Result<(), SnapshotError> {
    let mut earlier = i64::MIN;
    for note in notes {
        let at = parse_time(&note.timestamp).ok_or(SnapshotError::MessageTime)?;
        if at < earlier {
            return Err(SnapshotError::MessageOrder(note.timestamp.clone()));
        }
        earlier = at;
    }
    if earlier > updated {
        return Err(SnapshotError::MessageAfterState);
    }
    Ok(())
}
