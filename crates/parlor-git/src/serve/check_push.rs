//! Check of a push to a server's table: it must be one commit with one legal move.

use std::path::Path;

use parlor_core::Seat;
use parlor_games::repository::{MoveFile, MoveName, digest};
use parlor_table::TableStatus;

use super::{BRANCH, TableRepository};
use crate::folder::join_messages;
use crate::git::{
    EntryChanges, GitCommit, GitError, ObjectError, ObjectReader, ReadBudget, Repository, TreeEntry,
};
use crate::mirror::PushedMove;
use crate::pack::{self, PackLimits};
use crate::paths::{STATE, sanitized};
use crate::wire::RefUpdate;

/// Maximum size of a move file, in bytes.
const MAX_FILE_BYTES: u64 = 32 << 10;
/// Maximum size of a raw commit, in bytes, with room for any signature.
const MAX_COMMIT_BYTES: u64 = 16 << 10;
/// Most new commits of a push that are listed.
const MAX_LISTED_COMMITS: usize = 50;

/// Pushed move that passed all checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayableMove {
    /// Commit to store with the move.
    pub pushed: PushedMove,
    /// Seat that moves.
    pub seat: Seat,
    /// Text of the move, or `resign`.
    pub text: String,
}

/// Reason why a push was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushRefusal {
    /// Short reason, shown by git beside the ref.
    pub reason: &'static str,
    /// Explanation, shown as a message.
    pub detail: String,
}

/// Unpacks the objects of a push, which are looked at first.
fn unpack(repository: &Repository, pack: &[u8]) -> Result<(), PushRefusal> {
    pack::check(pack, &PackLimits::MOVE).map_err(|bad| PushRefusal {
        reason: if bad.is_too_much() {
            "too much"
        } else {
            "broken"
        },
        detail: format!("the pushed objects are not accepted: {bad}"),
    })?;
    repository.index_pack(pack, pack.len()).map_err(unreadable)
}

/// Refuses a push that has objects which cannot be read.
fn unreadable(error: GitError) -> PushRefusal {
    PushRefusal {
        reason: "broken",
        detail: format!("the pushed objects cannot be read: {error}"),
    }
}

/// Refuses a push that has objects which are not read.
fn unjudged(error: ObjectError) -> PushRefusal {
    let reason = match error {
        ObjectError::Git(_) | ObjectError::Missing(_) | ObjectError::Unreadable(_) => "broken",
        ObjectError::TooLong { .. } => "too long",
        _ => "too much",
    };
    PushRefusal {
        reason,
        detail: format!("what was pushed is not accepted: {error}"),
    }
}

fn refuse<T>(reason: &'static str, detail: impl Into<String>) -> Result<T, PushRefusal> {
    Err(PushRefusal {
        reason,
        detail: detail.into(),
    })
}

impl TableRepository {
    /// Checks a push by a player who holds these seats. The pack is unpacked into `quarantine`, an
    /// empty folder that can be deleted afterwards.
    ///
    /// # Errors
    /// [`PushRefusal`] if the push is not a single legal move.
    pub fn check_push(
        &self,
        update: &RefUpdate,
        pack: &[u8],
        seats: &[Seat],
        quarantine: &Path,
    ) -> Result<PlayableMove, PushRefusal> {
        self.check_target(update, seats)?;
        let repository = self.branch.repository.with_objects_in(quarantine);
        unpack(&repository, pack)?;
        let commit = self.single_commit(&repository, &update.new)?;
        let mut reader = ObjectReader::new(&repository, ReadBudget::PUSH);
        let raw = reader
            .raw_commit(&commit.id, MAX_COMMIT_BYTES)
            .map_err(unjudged)?;
        let before = reader.commit_tree(&self.branch.tip).map_err(unjudged)?;
        let changes = reader
            .differences(Some(&before), &commit.tree, None)
            .map_err(unjudged)?;
        let (name, object) = self.added_move(&changes)?;
        let bytes = match reader.blob(&object.id, MAX_FILE_BYTES) {
            Err(ObjectError::TooLong { size, .. }) => {
                return refuse(
                    "too long",
                    format!("the file has {size} bytes, more than any move needs"),
                );
            }
            other => other.map_err(unjudged)?,
        };
        let (seat, text) = self.read(name, &bytes, seats)?;
        let pushed = PushedMove {
            version: self.version() + 1,
            id: commit.id,
            commit: raw,
            name: name.to_owned(),
            bytes,
        };
        Ok(PlayableMove { pushed, seat, text })
    }

    /// Checks that a player with these seats may update the ref from what it is.
    fn check_target(&self, update: &RefUpdate, seats: &[Seat]) -> Result<(), PushRefusal> {
        if seats.is_empty() {
            return refuse("not yours", "you have no seat at this table");
        }
        if update.name != BRANCH {
            return refuse(
                "only main",
                format!(
                    "a table has no branch {}: push to main",
                    sanitized(&update.name)
                ),
            );
        }
        if update.is_deletion() {
            return refuse(
                "no deletion",
                "the table's branch cannot be deleted: it is the record of the game",
            );
        }
        if update.old != self.branch.tip {
            return refuse(
                "fetch first",
                "the table has changed: run git pull --rebase, look at it and decide again",
            );
        }
        Ok(())
    }

    /// Returns the only commit on top of the branch.
    fn single_commit(&self, repository: &Repository, new: &str) -> Result<GitCommit, PushRefusal> {
        let (mut commits, _) = repository
            .commits(new, Some(&self.branch.tip), Some(MAX_LISTED_COMMITS))
            .map_err(unreadable)?;
        let listed = commits.len();
        let commit = match commits.pop() {
            Some(commit) if listed == 1 => commit,
            Some(_) => {
                let count = if listed == MAX_LISTED_COMMITS {
                    "many".to_owned()
                } else {
                    listed.to_string()
                };
                let detail =
                    format!("{count} commits were pushed: push one at a time, each a single move");
                return refuse("one commit", detail);
            }
            None => {
                let detail = "nothing new was pushed: the branch cannot move back";
                return refuse("one commit", detail);
            }
        };
        if commit.parents != [self.branch.tip.as_str()] {
            return refuse(
                "no merge",
                "a move is a single commit on top of main, not a merge: run git pull --rebase",
            );
        }
        Ok(commit)
    }

    /// Returns the name and entry of the only file that was added, which must be among the moves.
    fn added_move<'a>(
        &self,
        changes: &'a EntryChanges,
    ) -> Result<(&'a str, &'a TreeEntry), PushRefusal> {
        let mut all = changes.iter();
        let (Some((path, change)), None) = (all.next(), all.next()) else {
            let detail = format!(
                "a move adds one file and changes nothing else, but this commit changes {} files",
                changes.len()
            );
            return refuse("one file", detail);
        };
        let prefix = self.branch.move_path("");
        let files = &self.mirror.folder().files;
        let is_new =
            |name: &&str| !name.contains('/') && !files.contains_key(&format!("moves/{name}"));
        let Some(name) = path.strip_prefix(&prefix).filter(is_new) else {
            return refuse(
                "one file",
                format!(
                    "you can only add files to {prefix}; {} belongs to the server",
                    sanitized(path)
                ),
            );
        };
        let mode = change.is.as_ref().map_or("", |entry| entry.mode.as_str());
        match &change.is {
            Some(entry) if mode == "100644" => Ok((name, entry)),
            _ => refuse(
                "one file",
                format!(
                    "{} is not a regular file (mode {})",
                    sanitized(path),
                    sanitized(mode)
                ),
            ),
        }
    }

    /// Checks a move file of a player who holds these seats, and returns the seat and text of the
    /// move.
    fn read(
        &self,
        name: &str,
        bytes: &[u8],
        seats: &[Seat],
    ) -> Result<(Seat, String), PushRefusal> {
        let table = self.mirror.table();
        match table.status() {
            TableStatus::Playing => {}
            TableStatus::Open => {
                return refuse(
                    "not started",
                    "the game has not started: a seat is still open",
                );
            }
            TableStatus::Over | TableStatus::Aborted => return refuse("over", "the game is over"),
        }
        let position = table.position();
        let file = MoveFile::read(name, bytes, position).map_err(|findings| PushRefusal {
            reason: "no move",
            detail: join_messages(&findings),
        })?;
        let seat_name = position.seat_name(file.seat);
        if !seats.contains(&file.seat) {
            return refuse(
                "not yours",
                format!("{seat_name} is not your seat at this table"),
            );
        }
        let next = self.mirror.next_sequence();
        let number = MoveName::parse(name).map_or(0, |named| named.sequence);
        if number != next || next > MoveName::MOST {
            return refuse(
                "wrong number",
                format!("the next move has number {next:04}, not {number:04}"),
            );
        }
        let state = self
            .mirror
            .folder()
            .files
            .get(STATE)
            .map(Vec::as_slice)
            .unwrap_or_default();
        if file.expected_state != digest(state) {
            let detail = format!(
                "it was made for another state ({}, not {})",
                file.expected_state,
                digest(state)
            );
            return refuse("stale", detail);
        }
        if file.text != MoveFile::RESIGN {
            let mut after = position.clone();
            if let Err(error) = after.play(&file.text, file.seat) {
                return refuse(
                    "not legal",
                    format!("{} cannot be played: {error}", sanitized(&file.text)),
                );
            }
        }
        Ok((file.seat, file.text))
    }
}
