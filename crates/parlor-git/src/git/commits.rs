//! Commits: reading and searching the history, creating commits, signatures.

use std::io::Write;

use tempfile::NamedTempFile;

use super::objects::MAX_COMMIT_BYTES;
use super::{GitError, Repository};
use crate::objects::RawCommit;

/// Git commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitCommit {
    /// Object id.
    pub id: String,
    /// Id of the tree.
    pub tree: String,
    /// Ids of the parents.
    pub parents: Vec<String>,
    /// Commit time, in seconds since the Unix epoch.
    pub time: i64,
    /// Name of the committer.
    pub name: String,
    /// E-mail address of the committer.
    pub email: String,
    /// Commit message.
    pub message: String,
}

impl GitCommit {
    /// Adds its id to a parsed commit.
    pub fn new(id: &str, raw: RawCommit) -> GitCommit {
        GitCommit {
            id: id.to_owned(),
            tree: raw.tree,
            parents: raw.parents,
            time: raw.time,
            name: raw.name,
            email: raw.email,
            message: raw.message,
        }
    }
}

/// Commit that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadCommit {
    /// Object id.
    pub id: String,
    /// Reason, in words.
    pub reason: String,
}

/// Parameters for creating a commit.
#[derive(Clone, Copy, Debug)]
pub struct NewCommit<'a> {
    /// Id of the tree.
    pub tree: &'a str,
    /// Ids of the parents.
    pub parents: &'a [String],
    /// Commit time, in seconds since the Unix epoch.
    pub time: i64,
    /// Commit message.
    pub message: &'a str,
}

/// Name of the referee in commits.
pub const REFEREE_NAME: &str = "Parlor referee";
/// E-mail address of the referee in commits, in a domain that cannot exist.
pub const REFEREE_EMAIL: &str = "referee@parlor.invalid";

/// Number of commits that a search looks at before it looks at all.
const FIRST_SEARCHED: usize = 200;
/// Number of commits that are read at once.
const BATCH_SIZE: usize = 100;

impl Repository {
    /// Returns the commits reachable from `tip` but not from `without`, parents before children; of
    /// more than `most` only the last, and without their messages. Those that cannot be read have no
    /// more than an id and parents, and are named in the second list.
    ///
    /// # Errors
    /// [`GitError`] if git fails, or there are more than it can list within its limits.
    pub fn commits(
        &self,
        tip: &str,
        without: Option<&str>,
        most: Option<usize>,
    ) -> Result<(Vec<GitCommit>, Vec<UnreadCommit>), GitError> {
        let listed = self.list_commits(tip, without, most)?;
        let (mut commits, mut unread) = (Vec::new(), Vec::new());
        for batch in listed.chunks(BATCH_SIZE) {
            let ids: Vec<&str> = batch.iter().map(|commit| commit.id.as_str()).collect();
            for (listed, read) in batch.iter().zip(self.read_commits(&ids)?) {
                let mut commit = read.unwrap_or_else(|reason| {
                    unread.push(UnreadCommit {
                        id: listed.id.clone(),
                        reason,
                    });
                    listed.clone()
                });
                if most.is_some() {
                    commit.message = String::new();
                }
                commits.push(commit);
            }
        }
        Ok((commits, unread))
    }

    /// Lists commits with their parents, and nothing else about them.
    fn list_commits(
        &self,
        tip: &str,
        without: Option<&str>,
        most: Option<usize>,
    ) -> Result<Vec<GitCommit>, GitError> {
        let count = most.map(|most| format!("--max-count={most}"));
        let mut args = vec!["rev-list", "--topo-order", "--reverse", "--parents"];
        args.extend(count.as_deref());
        args.push(tip);
        if let Some(without) = without {
            args.extend(["--not", without]);
        }
        args.push("--");
        let text = self.text(&args)?;
        Ok(text.lines().filter_map(parse_listed).collect())
    }

    /// Returns the first commit that satisfies a predicate, searching backwards from `tip` with
    /// children before parents. Only commits with these words in their message are looked at.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn find_ancestor(
        &self,
        tip: &str,
        words: &str,
        is_wanted: impl Fn(&GitCommit) -> bool,
    ) -> Result<Option<GitCommit>, GitError> {
        let grep = format!("--grep={words}");
        let args = ["rev-list", "--topo-order", "--fixed-strings", &grep];
        let count = format!("--max-count={FIRST_SEARCHED}");
        // Nearly always it is among the first.
        for most in [Some(count.as_str()), None] {
            let mut args = args.to_vec();
            args.extend(most);
            args.extend([tip, "--"]);
            let text = self.text(&args)?;
            let ids: Vec<&str> = text.lines().collect();
            for batch in ids.chunks(BATCH_SIZE) {
                let commits = self.read_commits(batch)?.into_iter().flatten();
                if let Some(found) = commits.into_iter().find(&is_wanted) {
                    return Ok(Some(found));
                }
            }
            if ids.len() < FIRST_SEARCHED {
                break;
            }
        }
        Ok(None)
    }

    /// Reads commits, as far as they can be read.
    fn read_commits(&self, ids: &[&str]) -> Result<Vec<Result<GitCommit, String>>, GitError> {
        let sizes = self.sizes(ids)?;
        let fits = |size: &u64| *size <= MAX_COMMIT_BYTES;
        let short = ids.iter().zip(&sizes).filter(|(_, size)| fits(size));
        let short: Vec<&str> = short.map(|(id, _)| *id).collect();
        let mut contents = self.blobs(&short)?.into_iter();
        let read = ids.iter().zip(&sizes).map(|(id, size)| {
            if !fits(size) {
                return Err(format!(
                    "it has {size} bytes; at most {MAX_COMMIT_BYTES} are read"
                ));
            }
            let raw = contents.next().and_then(|bytes| RawCommit::parse(&bytes));
            raw.map(|raw| GitCommit::new(id, raw))
                .ok_or_else(|| "it is no commit".to_owned())
        });
        Ok(read.collect())
    }

    /// Returns true if `one` is an ancestor of `other`, or the same commit.
    ///
    /// # Errors
    /// [`GitError`] if git cannot be started.
    pub fn is_ancestor(&self, one: &str, other: &str) -> Result<bool, GitError> {
        self.git(&["merge-base", "--is-ancestor", one, other])
            .succeeds()
    }

    /// Returns true if the repository is a shallow clone, which lacks early commits.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn is_shallow(&self) -> Result<bool, GitError> {
        Ok(self.text(&["rev-parse", "--is-shallow-repository"])? == "true")
    }

    /// Creates a commit by the referee. The same parameters always give the same id.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn commit(&self, new: NewCommit<'_>) -> Result<String, GitError> {
        let mut args = vec!["commit-tree", "--no-gpg-sign", new.tree];
        for parent in new.parents {
            args.extend(["-p", parent]);
        }
        args.extend(["-F", "-"]);
        let time = format!("{} +0000", new.time);
        self.git_as_referee(&args)
            .env("GIT_AUTHOR_DATE", &time)
            .env("GIT_COMMITTER_DATE", &time)
            .text(new.message.as_bytes())
    }

    /// Stores a raw commit object and returns its id. Its tree may be added later.
    ///
    /// # Errors
    /// [`GitError`] if the bytes are not a valid commit.
    pub fn write_commit(&self, commit: &[u8]) -> Result<String, GitError> {
        self.git(&["hash-object", "-t", "commit", "-w", "--stdin"])
            .text(commit)
    }

    /// Returns the signer of a commit if it has a valid SSH signature by one of these signers, each
    /// given as a name and a key.
    ///
    /// # Errors
    /// [`GitError`] if git cannot be started.
    pub fn signer(
        &self,
        commit: &str,
        signers: &[(&str, &str)],
    ) -> Result<Option<String>, GitError> {
        let file = allowed_signers(signers)?;
        let allowed = format!("gpg.ssh.allowedSignersFile={}", file.path().display());
        let text = self.text(&[
            "-c",
            &allowed,
            "log",
            "-1",
            "--format=%G?%x00%GS",
            commit,
            "--",
        ])?;
        Ok(text
            .split_once('\0')
            .filter(|(status, _)| *status == "G")
            .map(|(_, signer)| signer.to_owned()))
    }
}

/// Writes a file of allowed signers in the format of `ssh-keygen`.
fn allowed_signers(signers: &[(&str, &str)]) -> std::io::Result<NamedTempFile> {
    let mut file = NamedTempFile::new()?;
    for (name, key) in signers {
        writeln!(
            file,
            "{name} namespaces=\"git\" {}",
            key.replace(['\n', '\r'], " ")
        )?;
    }
    file.flush()?;
    Ok(file)
}

/// Parses a line of ids: a commit, and its parents.
fn parse_listed(line: &str) -> Option<GitCommit> {
    let mut ids = line.split(' ').map(str::to_owned);
    let id = ids.next()?;
    let raw = RawCommit {
        parents: ids.collect(),
        ..RawCommit::default()
    };
    Some(GitCommit::new(&id, raw))
}
