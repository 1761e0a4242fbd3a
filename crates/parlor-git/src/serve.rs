//! Server tables as repositories to clone from and push to.
//!
//! The repository on disk is derived from the table's log and can be discarded at any time. A push
//! is checked outside the repository; the table decides whether its move counts, and the repository
//! follows the table.

use std::collections::HashMap;
use std::path::Path;

use parlor_core::Seat;
use parlor_games::repository::{MoveFile, MoveName, digest};
use parlor_table::{BadLog, LogEntry, TableStatus};

use crate::folder::join_messages;
use crate::git::{GitError, Repository};
use crate::mirror::{Mirror, MirrorCommit, PushedMove};
use crate::paths::{STATE, sanitized};
use crate::wire::RefUpdate;

/// Ref of the branch that moves are pushed to.
pub const BRANCH: &str = "refs/heads/main";
/// Ref used to create the trees of pushed commits.
const SCRATCH: &str = "refs/parlor/scratch";
/// Maximum size of a move file, in bytes.
const MAX_FILE_BYTES: u64 = 32 << 10;
/// Maximum size of a raw commit, in bytes, with room for any signature.
const MAX_COMMIT_BYTES: usize = 16 << 10;

/// Error of a table's repository.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The events are not the log of a table.
    #[error(transparent)]
    Log(#[from] BadLog),
}

/// Bare repository that follows a server's table.
#[derive(Debug)]
pub struct TableRepository {
    repository: Repository,
    mirror: Mirror,
    tip: String,
    /// Messages of the server's commits that answer pushed commits, by id of the pushed commit.
    replies: HashMap<String, String>,
}

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

fn refuse<T>(reason: &'static str, detail: impl Into<String>) -> Result<T, PushRefusal> {
    Err(PushRefusal {
        reason,
        detail: detail.into(),
    })
}

impl TableRepository {
    /// Creates the repository of a table in an empty folder, from its complete log and all commits
    /// pushed to it.
    ///
    /// # Errors
    /// [`ServeError`] if git fails, or the events are not the log of a table.
    pub fn create(
        folder: &Path,
        log: &[LogEntry],
        pushed: &[PushedMove],
    ) -> Result<TableRepository, ServeError> {
        let empty_log = || BadLog {
            version: 1,
            reason: "the log is empty".to_owned(),
        };
        let (first, rest) = log.split_first().ok_or_else(empty_log)?;
        let repository = Repository::create_bare(folder, "main")?;
        let (mirror, change) = Mirror::new(first.clone())?;
        let mut table = TableRepository {
            repository,
            mirror,
            tip: String::new(),
            replies: HashMap::new(),
        };
        table.write(&[change])?;
        table.follow(rest, pushed)?;
        Ok(table)
    }

    /// Returns the version of the table that the repository shows.
    pub fn version(&self) -> u64 {
        self.mirror.table().version()
    }

    /// Returns the table as the repository shows it.
    pub fn mirror(&self) -> &Mirror {
        &self.mirror
    }

    /// Returns the branch's last commit.
    pub fn tip(&self) -> &str {
        &self.tip
    }

    /// Adds the commits for the next events of the log. After an error the repository must be
    /// discarded.
    ///
    /// # Errors
    /// [`ServeError`] if git fails, or the events are not the log of a table.
    pub fn follow(
        &mut self,
        entries: &[LogEntry],
        pushed: &[PushedMove],
    ) -> Result<(), ServeError> {
        let changes = self.mirror.follow(entries, pushed)?;
        self.write(&changes)?;
        for change in changes {
            if let Some(pushed) = change.pushed {
                self.replies.insert(pushed.id, change.message);
            }
        }
        Ok(())
    }

    /// Returns the message of the server's commit that answers a pushed one; `None` if the pushed
    /// commit is not on the branch.
    pub fn reply_to(&self, pushed: &str) -> Option<&str> {
        self.replies.get(pushed).map(String::as_str)
    }

    /// Returns the ref advertisement for a fetch.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn advertise(&self, protocol: Option<&str>) -> Result<Vec<u8>, GitError> {
        self.repository.advertise(protocol)
    }

    /// Returns the response to a fetch request.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn upload_pack(&self, request: &[u8], protocol: Option<&str>) -> Result<Vec<u8>, GitError> {
        self.repository.upload_pack(request, protocol)
    }

    fn write(&mut self, changes: &[MirrorCommit]) -> Result<(), ServeError> {
        if changes.is_empty() {
            return Ok(());
        }
        let mut stream = Vec::new();
        let mut from = (!self.tip.is_empty()).then(|| self.tip.clone());
        for change in changes {
            if let Some(pushed) = &change.pushed {
                // The player's commit is stored unchanged; a scratch commit provides its tree.
                self.repository.write_commit(&pushed.commit)?;
                let parent = from.clone().unwrap_or_else(|| BRANCH.to_owned());
                let path = self.mirror.move_path(&pushed.name);
                begin_commit(&mut stream, SCRATCH, change, "", Some(&parent));
                write_file(&mut stream, &path, Some(&pushed.bytes));
                from = Some(pushed.id.clone());
            }
            begin_commit(
                &mut stream,
                BRANCH,
                change,
                &change.message,
                from.take().as_deref(),
            );
            for (path, bytes) in &change.files {
                write_file(&mut stream, path, bytes.as_deref());
            }
            stream.push(b'\n');
        }
        stream.extend_from_slice(b"done\n");
        self.repository.fast_import(&stream)?;
        let gone = || GitError::Unexpected {
            command: "fast-import".to_owned(),
        };
        self.tip = self.repository.tip(BRANCH)?.ok_or_else(gone)?;
        Ok(())
    }

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
            return refuse("no deletion", "the table's branch cannot be deleted");
        }
        if update.old != self.tip {
            return refuse(
                "fetch first",
                "the table has changed: run git pull --rebase, look at it and decide again",
            );
        }
        let repository = self.repository.with_objects_in(quarantine);
        if let Err(error) = repository.index_pack(pack, pack.len()) {
            return refuse(
                "broken",
                format!("the pushed objects cannot be read: {error}"),
            );
        }
        let unreadable = |error: GitError| PushRefusal {
            reason: "broken",
            detail: format!("the pushed objects cannot be read: {error}"),
        };
        let commits = repository
            .commits(&update.new, Some(&self.tip))
            .map_err(unreadable)?;
        let [commit] = &commits[..] else {
            let detail = match commits.len() {
                0 => "nothing new was pushed: the branch cannot move back".to_owned(),
                n => format!("{n} commits were pushed: push one at a time, each a single move"),
            };
            return refuse("one commit", detail);
        };
        if commit.parents != [self.tip.as_str()] {
            return refuse(
                "no merge",
                "a move is a single commit on top of main, not a merge: run git pull --rebase",
            );
        }
        let raw = repository.raw_commit(&commit.id).map_err(unreadable)?;
        if raw.len() > MAX_COMMIT_BYTES {
            return refuse(
                "too long",
                format!(
                    "the commit has {} bytes; at most {MAX_COMMIT_BYTES} are allowed",
                    raw.len()
                ),
            );
        }
        let brought = repository
            .changed_entries(&commit.id, &[])
            .map_err(unreadable)?;
        let [(path, object)] = &brought[..] else {
            let detail = format!(
                "a move adds one file and changes nothing else, but this commit changes {} files",
                brought.len()
            );
            return refuse("one file", detail);
        };
        let prefix = self.mirror.move_path("");
        let is_new = |name: &&str| {
            !name.contains('/')
                && !self
                    .mirror
                    .folder()
                    .files
                    .contains_key(&format!("moves/{name}"))
        };
        let Some(name) = path.strip_prefix(&prefix).filter(is_new) else {
            return refuse(
                "one file",
                format!(
                    "you can only add files to {prefix}; {} belongs to the server",
                    sanitized(path)
                ),
            );
        };
        if object.mode != "100644" {
            return refuse(
                "one file",
                format!(
                    "{} is not a regular file (mode {})",
                    sanitized(path),
                    sanitized(&object.mode)
                ),
            );
        }
        let size = repository
            .sizes(&[&object.id])
            .map_err(unreadable)?
            .first()
            .copied()
            .unwrap_or(u64::MAX);
        if size > MAX_FILE_BYTES {
            return refuse(
                "too long",
                format!("the file has {size} bytes, more than any move needs"),
            );
        }
        let bytes = repository
            .blobs(&[&object.id])
            .map_err(unreadable)?
            .remove(0);
        let (seat, text) = self.read(name, &bytes, seats)?;
        let version = self.version() + 1;
        let pushed = PushedMove {
            version,
            id: commit.id.clone(),
            commit: raw,
            name: name.to_owned(),
            bytes,
        };
        Ok(PlayableMove { pushed, seat, text })
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

/// Starts a commit in a `git fast-import` stream.
fn begin_commit(
    stream: &mut Vec<u8>,
    branch: &str,
    change: &MirrorCommit,
    message: &str,
    from: Option<&str>,
) {
    let at = change.at;
    let author: String = change
        .author
        .iter()
        .flat_map(|name| name.chars())
        .filter(|c| !c.is_control() && !"<>".contains(*c))
        .collect();
    let author = if author.trim().is_empty() {
        "Parlor"
    } else {
        author.trim()
    };
    let text = format!(
        "commit {branch}\nauthor {author} <player@parlor.invalid> {at} +0000\ncommitter Parlor <table@parlor.invalid> {at} +0000\ndata {}\n{message}\n",
        message.len()
    );
    stream.extend_from_slice(text.as_bytes());
    if let Some(from) = from {
        stream.extend_from_slice(format!("from {from}\n").as_bytes());
    }
}

/// Adds a file to the current commit of the stream, or deletes it if `bytes` is `None`. Paths need
/// no quoting, because they are our own or have been checked.
fn write_file(stream: &mut Vec<u8>, path: &str, bytes: Option<&[u8]>) {
    match bytes {
        None => stream.extend_from_slice(format!("D {path}\n").as_bytes()),
        Some(bytes) => {
            stream.extend_from_slice(
                format!("M 100644 inline {path}\ndata {}\n", bytes.len()).as_bytes(),
            );
            stream.extend_from_slice(bytes);
            stream.push(b'\n');
        }
    }
}
