//! Server tables as repositories to clone from and push to.
//!
//! The repository on disk is derived from the table's log and can be discarded at any time. A push
//! is checked outside the repository; the table decides whether its move counts, and the repository
//! follows the table.

mod check_push;

use std::collections::HashMap;
use std::path::Path;

use parlor_table::{BadLog, LogEntry};

use crate::git::{GitError, Repository, StopSwitch};
use crate::mirror::{Mirror, MirrorCommit, PushedMove};
use crate::paths::{MOVES, Slug};

pub use self::check_push::{PlayableMove, PushRefusal};

/// Ref of the branch that moves are pushed to.
pub const BRANCH: &str = "refs/heads/main";
/// Ref used to create the trees of pushed commits.
const SCRATCH: &str = "refs/parlor/scratch";
/// Bytes of files that are given to git at once.
const BATCH_BYTES: usize = 16 << 20;

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
    branch: TableBranch,
    mirror: Mirror,
    /// Messages of the server's commits that answer pushed commits, by id of the pushed commit.
    replies: HashMap<String, String>,
}

/// Branch of the table in its repository.
#[derive(Debug)]
struct TableBranch {
    repository: Repository,
    /// Last commit; empty before the first.
    tip: String,
    slug: Slug,
}

impl TableRepository {
    /// Creates the repository of a table in an empty folder, from its complete log and all commits
    /// pushed to it. The switch ends all work on it.
    ///
    /// # Errors
    /// [`ServeError`] if git fails, or the events are not the log of a table.
    pub fn create(
        folder: &Path,
        log: &[LogEntry],
        pushed: &[PushedMove],
        stop: StopSwitch,
    ) -> Result<TableRepository, ServeError> {
        let empty_log = || BadLog {
            version: 1,
            reason: "the log is empty".to_owned(),
        };
        let (first, rest) = log.split_first().ok_or_else(empty_log)?;
        let repository = Repository::create_bare(folder, "main", stop)?;
        let (mirror, change) = Mirror::new(first.clone())?;
        let mut table = TableRepository {
            branch: TableBranch {
                repository,
                tip: String::new(),
                slug: mirror.slug().clone(),
            },
            mirror,
            replies: HashMap::new(),
        };
        table.branch.write(&[change])?;
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
        &self.branch.tip
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
        let (branch, replies) = (&mut self.branch, &mut self.replies);
        let (mut batch, mut bytes) = (Vec::new(), 0);
        self.mirror
            .follow(entries, pushed, |change| -> Result<(), ServeError> {
                // A long log takes seconds before git gets anything to do.
                if branch.repository.stop_switch().is_stopped() {
                    return Err(GitError::Ended.into());
                }
                if let Some(pushed) = &change.pushed {
                    replies.insert(pushed.id.clone(), change.message.clone());
                }
                bytes += change.bytes();
                batch.push(change);
                if bytes >= BATCH_BYTES {
                    branch.write(&batch)?;
                    batch.clear();
                    bytes = 0;
                }
                Ok(())
            })?;
        self.branch.write(&batch)
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
        self.branch.repository.advertise(protocol)
    }

    /// Returns the response to a fetch request.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn upload_pack(&self, request: &[u8], protocol: Option<&str>) -> Result<Vec<u8>, GitError> {
        self.branch.repository.upload_pack(request, protocol)
    }
}

impl TableBranch {
    /// Returns the path of a move file in the repository.
    fn move_path(&self, name: &str) -> String {
        self.slug.file(&format!("{MOVES}/{name}"))
    }

    /// Adds commits, which the table's files are in.
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
                let path = self.move_path(&pushed.name);
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
