//! A server's table as a repository to clone from and to push to.
//!
//! What lies on the disk is made from the table's log and can be thrown away at any time. A push is looked at beside the repository;
//! whether its move counts is the table's own decision, and the repository follows the table.

use std::collections::HashMap;
use std::path::Path;

use parlor_core::Seat;
use parlor_games::repository::{MoveFile, MoveName, digest};
use parlor_table::{BadLog, Entry, Status};

use crate::git::{GitError, Repository};
use crate::mirror::{Change, Mirror, Pushed};
use crate::paths::{STATE, shown};
use crate::wire::Update;

/// The branch that is played on.
pub const BRANCH: &str = "refs/heads/main";
/// Where trees of pushed commits are made.
const SCRATCH: &str = "refs/parlor/scratch";
/// The longest move file that is looked at, in bytes.
const LONGEST_FILE: u64 = 32 << 10;
/// The longest commit that is kept, in bytes: long enough for any signature.
const LONGEST_COMMIT: usize = 16 << 10;

/// Why a table cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Git refused.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The log is none of a table.
    #[error(transparent)]
    Log(#[from] BadLog),
}

/// A table in a bare repository.
#[derive(Debug)]
pub struct Served {
    repository: Repository,
    mirror: Mirror,
    tip: String,
    /// The messages of the house's commits on top of those that were pushed.
    told: HashMap<String, String>,
}

/// A move that was pushed and could be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// What is to be stored with the move.
    pub pushed: Pushed,
    /// Who moves.
    pub seat: Seat,
    /// The move's text, or `resign`.
    pub text: String,
}

/// Why a push was refused: the reason that git shows, and what more there is to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A few words.
    pub reason: &'static str,
    /// A sentence.
    pub told: String,
}

fn refuse<T>(reason: &'static str, told: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal {
        reason,
        told: told.into(),
    })
}

impl Served {
    /// Makes the repository of a table in an empty folder, from all events of the table's log and all commits pushed to it.
    ///
    /// # Errors
    /// [`ServeError`].
    pub fn create(folder: &Path, log: &[Entry], pushed: &[Pushed]) -> Result<Served, ServeError> {
        let none = || BadLog {
            version: 1,
            reason: "the log is empty".to_owned(),
        };
        let (first, rest) = log.split_first().ok_or_else(none)?;
        let repository = Repository::create_bare(folder, "main")?;
        let (mirror, change) = Mirror::begin(first.clone())?;
        let mut served = Served {
            repository,
            mirror,
            tip: String::new(),
            told: HashMap::new(),
        };
        served.write(&[change])?;
        served.follow(rest, pushed)?;
        Ok(served)
    }

    /// The version of the table that the repository shows.
    pub fn version(&self) -> u64 {
        self.mirror.table().version()
    }

    /// The table as the repository shows it.
    pub fn mirror(&self) -> &Mirror {
        &self.mirror
    }

    /// The branch's last commit.
    pub fn tip(&self) -> &str {
        &self.tip
    }

    /// Goes on with the next events of the log. After an error the repository is of no use.
    ///
    /// # Errors
    /// [`ServeError`].
    pub fn follow(&mut self, entries: &[Entry], pushed: &[Pushed]) -> Result<(), ServeError> {
        let changes = self.mirror.follow(entries, pushed)?;
        self.write(&changes)?;
        for change in changes {
            if let Some(pushed) = change.pushed {
                self.told.insert(pushed.id, change.message);
            }
        }
        Ok(())
    }

    /// The message of the house's commit on top of one that was pushed; nothing when that commit is not on the branch.
    pub fn told(&self, pushed: &str) -> Option<&str> {
        self.told.get(pushed).map(String::as_str)
    }

    /// What somebody is told who asks what there is to fetch.
    ///
    /// # Errors
    /// When git refuses.
    pub fn advertise(&self, protocol: Option<&str>) -> Result<Vec<u8>, GitError> {
        self.repository.advertise(protocol)
    }

    /// What somebody is told who fetches.
    ///
    /// # Errors
    /// When git refuses.
    pub fn upload_pack(&self, request: &[u8], protocol: Option<&str>) -> Result<Vec<u8>, GitError> {
        self.repository.upload_pack(request, protocol)
    }

    fn write(&mut self, changes: &[Change]) -> Result<(), ServeError> {
        if changes.is_empty() {
            return Ok(());
        }
        let mut stream = Vec::new();
        let mut from = (!self.tip.is_empty()).then(|| self.tip.clone());
        for change in changes {
            if let Some(pushed) = &change.pushed {
                // The player's commit as it was; a commit of our own brings its tree.
                self.repository.keep_commit(&pushed.commit)?;
                let parent = from.clone().unwrap_or_else(|| BRANCH.to_owned());
                let path = self.mirror.path_of(&pushed.name);
                command(&mut stream, SCRATCH, change, "", Some(&parent));
                put(&mut stream, &path, Some(&pushed.bytes));
                from = Some(pushed.id.clone());
            }
            command(
                &mut stream,
                BRANCH,
                change,
                &change.message,
                from.take().as_deref(),
            );
            for (path, bytes) in &change.files {
                put(&mut stream, path, bytes.as_deref());
            }
            stream.push(b'\n');
        }
        stream.extend_from_slice(b"done\n");
        self.repository.import(&stream)?;
        let gone = || GitError::Unexpected {
            command: "fast-import".to_owned(),
        };
        self.tip = self.repository.tip(BRANCH)?.ok_or_else(gone)?;
        Ok(())
    }

    /// Looks at a push of somebody who holds these seats. The pack is unpacked in an empty folder, which can be thrown away afterwards.
    ///
    /// # Errors
    /// Why it cannot be played.
    pub fn judge(
        &self,
        update: &Update,
        pack: &[u8],
        seats: &[Seat],
        quarantine: &Path,
    ) -> Result<Wanted, Refusal> {
        if seats.is_empty() {
            return refuse("not yours", "you have no seat at this table");
        }
        if update.name != BRANCH {
            return refuse(
                "only main",
                format!(
                    "{} is no branch of a table: push to main",
                    shown(&update.name)
                ),
            );
        }
        if update.is_deletion() {
            return refuse("no deletion", "the table's branch stays");
        }
        if update.old != self.tip {
            return refuse(
                "fetch first",
                "the table has moved on: git pull --rebase, look at it, and decide anew",
            );
        }
        let repository = self.repository.with_objects_in(quarantine);
        if let Err(error) = repository.unpack(pack, pack.len()) {
            return refuse("broken", format!("what was sent cannot be read: {error}"));
        }
        let odd = |error: GitError| Refusal {
            reason: "broken",
            told: format!("what was sent cannot be read: {error}"),
        };
        let commits = repository
            .commits(&update.new, Some(&self.tip))
            .map_err(odd)?;
        let [commit] = &commits[..] else {
            let told = match commits.len() {
                0 => "nothing new was pushed: the table does not go back".to_owned(),
                n => format!(
                    "{n} commits were pushed: push one at a time, each a move on the table as it is then"
                ),
            };
            return refuse("one commit", told);
        };
        if commit.parents != [self.tip.as_str()] {
            return refuse(
                "no merge",
                "a move is one commit on top of main, no merge: git pull --rebase",
            );
        }
        let raw = repository.raw_commit(&commit.id).map_err(odd)?;
        if raw.len() > LONGEST_COMMIT {
            return refuse(
                "too long",
                format!(
                    "the commit has {} bytes; {LONGEST_COMMIT} are enough",
                    raw.len()
                ),
            );
        }
        let brought = repository.brought(&commit.id, &[]).map_err(odd)?;
        let [(path, object)] = &brought[..] else {
            let told = format!(
                "a move adds one file and changes nothing else; this changes {} files",
                brought.len()
            );
            return refuse("one file", told);
        };
        let prefix = self.mirror.path_of("");
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
                    "only new files in {prefix} are taken; {} is the house's",
                    shown(path)
                ),
            );
        };
        if object.mode != "100644" {
            return refuse(
                "one file",
                format!(
                    "{} is no plain file (mode {})",
                    shown(path),
                    shown(&object.mode)
                ),
            );
        }
        let size = repository
            .sizes(&[&object.id])
            .map_err(odd)?
            .first()
            .copied()
            .unwrap_or(u64::MAX);
        if size > LONGEST_FILE {
            return refuse(
                "too long",
                format!("the file has {size} bytes, which no move needs"),
            );
        }
        let bytes = repository.blobs(&[&object.id]).map_err(odd)?.remove(0);
        let (seat, text) = self.read(name, &bytes, seats)?;
        let version = self.version() + 1;
        let pushed = Pushed {
            version,
            id: commit.id.clone(),
            commit: raw,
            name: name.to_owned(),
            bytes,
        };
        Ok(Wanted { pushed, seat, text })
    }

    /// Reads a move file of somebody who holds these seats: whose move it is, and which.
    fn read(&self, name: &str, bytes: &[u8], seats: &[Seat]) -> Result<(Seat, String), Refusal> {
        let table = self.mirror.table();
        match table.status() {
            Status::Playing => {}
            Status::Open => {
                return refuse(
                    "not started",
                    "the game has not begun: a seat is still open",
                );
            }
            Status::Over | Status::Aborted => return refuse("over", "the game is over"),
        }
        let position = table.position();
        let file = MoveFile::read(name, bytes, position).map_err(|found| {
            let said: Vec<String> = found.into_iter().map(|finding| finding.message).collect();
            Refusal {
                reason: "no move",
                told: said.join("; "),
            }
        })?;
        let whose = position.seat_name(file.seat);
        if !seats.contains(&file.seat) {
            return refuse(
                "not yours",
                format!("{whose} is not your seat at this table"),
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
            let told = format!(
                "it was made for another state ({}, not {})",
                file.expected_state,
                digest(state)
            );
            return refuse("stale", told);
        }
        if file.text != MoveFile::RESIGN {
            let mut after = position.clone();
            if let Err(error) = after.play(&file.text, file.seat) {
                return refuse(
                    "not legal",
                    format!("{} cannot be played: {error}", shown(&file.text)),
                );
            }
        }
        Ok((file.seat, file.text))
    }
}

/// Begins a commit in a stream of `git fast-import`.
fn command(stream: &mut Vec<u8>, branch: &str, change: &Change, message: &str, from: Option<&str>) {
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

/// Puts a file into a commit of the stream, or takes it away. Paths are the house's own or were checked: they need no quotes.
fn put(stream: &mut Vec<u8>, path: &str, bytes: Option<&[u8]>) {
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
