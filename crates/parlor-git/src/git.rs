//! The one file that starts git. No shell, no hooks, no prompts; every path goes in and comes out with NUL at its end.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::NamedTempFile;

/// A repository: bare, or with a work tree.
#[derive(Clone, Debug)]
pub struct Repository {
    path: PathBuf,
    /// Where new objects go instead of among the repository's own.
    aside: Option<PathBuf>,
}

/// Why git did not do something.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// Git could not be started.
    #[error("git cannot be started: {0}; is it installed?")]
    NotStarted(std::io::Error),
    /// A file could not be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// Git refused.
    #[error("git {command}: {message}")]
    Refused {
        /// The command, such as `push`.
        command: String,
        /// What git said.
        message: String,
    },
    /// Git said something that cannot be understood.
    #[error("git {command} said something unexpected")]
    Unexpected {
        /// The command.
        command: String,
    },
}

/// An entry of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// `100644` for a file.
    pub mode: String,
    /// The id.
    pub id: String,
}

impl Object {
    /// Whether it is a file, executable or not.
    pub fn is_file(&self) -> bool {
        self.mode.starts_with("100")
    }
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The id.
    pub id: String,
    /// The tree's id.
    pub tree: String,
    /// The parents' ids.
    pub parents: Vec<String>,
    /// The committer's time in seconds since 1970.
    pub time: i64,
    /// The committer's name.
    pub name: String,
    /// The committer's address.
    pub email: String,
    /// The message.
    pub message: String,
}

/// A commit to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewCommit<'a> {
    /// The tree's id.
    pub tree: &'a str,
    /// The parents' ids.
    pub parents: &'a [String],
    /// The time in seconds since 1970.
    pub time: i64,
    /// The message.
    pub message: &'a str,
}

/// Who the referee is in commits.
pub const NAME: &str = "Parlor referee";
/// An address that nobody has.
pub const EMAIL: &str = "referee@parlor.invalid";

const FORMAT: &str = "%H%x00%T%x00%P%x00%ct%x00%cn%x00%ce%x00%B%x00%x01%x00";

impl Repository {
    /// The repository at a path.
    ///
    /// # Errors
    /// When there is none, or no git.
    pub fn open(path: &Path) -> Result<Repository, GitError> {
        let repository = Repository {
            path: path.to_owned(),
            aside: None,
        };
        repository.text(&["rev-parse", "--git-dir"])?;
        Ok(repository)
    }

    /// Whether a folder is a repository itself, bare or the top of a work tree, and does not only lie in one.
    pub fn is_at(path: &Path) -> bool {
        let Ok(repository) = Repository::open(path) else {
            return false;
        };
        let here = path.canonicalize().ok();
        let same =
            |other: Option<PathBuf>| other.and_then(|other| other.canonicalize().ok()) == here;
        let bare = repository
            .text(&["rev-parse", "--absolute-git-dir"])
            .ok()
            .map(PathBuf::from);
        here.is_some() && (same(repository.work_tree()) || same(bare))
    }

    /// Makes an empty repository in a folder, with a work tree on this branch.
    ///
    /// # Errors
    /// When git refuses.
    pub fn create(path: &Path, branch: &str) -> Result<Repository, GitError> {
        let repository = Repository {
            path: path.to_owned(),
            aside: None,
        };
        repository.text(&["init", "--quiet", &format!("--initial-branch={branch}")])?;
        Ok(repository)
    }

    /// Makes an empty bare repository in an empty folder.
    ///
    /// # Errors
    /// When git refuses.
    pub fn create_bare(path: &Path, branch: &str) -> Result<Repository, GitError> {
        let repository = Repository {
            path: path.to_owned(),
            aside: None,
        };
        repository.text(&[
            "init",
            "--quiet",
            "--bare",
            "--template=",
            &format!("--initial-branch={branch}"),
        ])?;
        Ok(repository)
    }

    /// This bare repository, with new objects put into another folder: what is looked at there leaves nothing here.
    pub fn with_objects_in(&self, folder: &Path) -> Repository {
        Repository {
            path: self.path.clone(),
            aside: Some(folder.to_owned()),
        }
    }

    /// Takes in commits as a stream of `git fast-import`.
    ///
    /// # Errors
    /// When git refuses.
    pub fn import(&self, stream: &[u8]) -> Result<(), GitError> {
        let args = ["fast-import", "--quiet", "--force", "--done"];
        finish(self.command(&args), &args, stream).map(drop)
    }

    /// Keeps a commit that somebody else made, as git keeps it; its tree may come later. Says its id.
    ///
    /// # Errors
    /// When it is no commit.
    pub fn keep_commit(&self, commit: &[u8]) -> Result<String, GitError> {
        let args = ["hash-object", "-t", "commit", "-w", "--stdin"];
        finish(self.command(&args), &args, commit)
    }

    /// A commit as git keeps it.
    ///
    /// # Errors
    /// When there is no such commit.
    pub fn raw_commit(&self, id: &str) -> Result<Vec<u8>, GitError> {
        let args = ["cat-file", "commit", id];
        output(self.command(&args), &args, &[])
    }

    /// Takes in a pack that somebody sent, checked, if it is no longer than so many bytes.
    ///
    /// # Errors
    /// When it is longer, broken, or needs what is not here.
    pub fn unpack(&self, pack: &[u8], longest: usize) -> Result<(), GitError> {
        let most = format!("--max-input-size={longest}");
        // What is large when unpacked is looked at piece by piece.
        let args = [
            "-c",
            "core.bigFileThreshold=1m",
            "index-pack",
            "--stdin",
            "--fix-thin",
            "--strict",
            &most,
        ];
        finish(self.command(&args), &args, pack).map(drop)
    }

    /// What a server answers to somebody who asks what there is to fetch, in this version of git's protocol.
    ///
    /// # Errors
    /// When git refuses.
    pub fn advertise(&self, protocol: Option<&str>) -> Result<Vec<u8>, GitError> {
        self.upload(&["--http-backend-info-refs"], &[], protocol)
    }

    /// What a server answers to somebody who fetches.
    ///
    /// # Errors
    /// When git refuses, mostly because what was asked makes no sense.
    pub fn upload_pack(&self, request: &[u8], protocol: Option<&str>) -> Result<Vec<u8>, GitError> {
        self.upload(&[], request, protocol)
    }

    fn upload(
        &self,
        more: &[&str],
        request: &[u8],
        protocol: Option<&str>,
    ) -> Result<Vec<u8>, GitError> {
        let mut args = vec!["upload-pack", "--strict", "--stateless-rpc"];
        args.extend(more);
        args.push(".");
        let mut command = self.command(&args);
        if let Some(protocol) = protocol {
            command.env("GIT_PROTOCOL", protocol);
        }
        output(command, &args, request)
    }

    /// Brings the files of the work tree to where the branch is now, if it is checked out and nothing was changed. Says whether.
    pub fn refresh(&self, branch: &str) -> bool {
        let head = self.text(&["symbolic-ref", "--short", "HEAD"]);
        if head.is_ok_and(|head| head != branch) {
            return true;
        }
        // The index still has the tree of before: what differs between it and the files is the user's.
        let clean = self.text(&["diff-files", "--quiet"]).is_ok();
        clean && self.text(&["read-tree", "-m", "-u", "HEAD"]).is_ok()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The top of the work tree; nothing in a bare repository.
    pub fn work_tree(&self) -> Option<PathBuf> {
        let top = self.text(&["rev-parse", "--show-toplevel"]).ok()?;
        (!top.is_empty()).then(|| PathBuf::from(top))
    }

    /// Runs git as its user would, with hooks and the user's settings, in the work tree. For what players do.
    ///
    /// # Errors
    /// When git refuses.
    pub fn plainly(&self, args: &[&str]) -> Result<String, GitError> {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.path).args(args);
        finish(command, args, &[])
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        for variable in [
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_INDEX_FILE",
            "GIT_PREFIX",
            "GIT_OBJECT_DIRECTORY",
            "GIT_NAMESPACE",
            "GIT_PROTOCOL",
        ] {
            command.env_remove(variable);
        }
        command.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
        if let Some(aside) = &self.aside {
            command.env("GIT_OBJECT_DIRECTORY", aside);
            command.env(
                "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                self.path.join("objects"),
            );
        }
        command.args([
            "-c",
            "core.hooksPath=/dev/null",
            "-c",
            "core.quotePath=false",
            "-c",
            "gc.auto=0",
        ]);
        command.arg("-C").arg(&self.path).args(args);
        command
    }

    fn text(&self, args: &[&str]) -> Result<String, GitError> {
        finish(self.command(args), args, &[])
    }

    /// The commit that a ref names; nothing when there is no such ref.
    ///
    /// # Errors
    /// When git cannot be started.
    pub fn tip(&self, name: &str) -> Result<Option<String>, GitError> {
        match self.text(&[
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &format!("{name}^{{commit}}"),
        ]) {
            Ok(id) => Ok(Some(id)),
            Err(GitError::Refused { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The commits from `tip` back to, and without, those that `without` has, parents before their children.
    ///
    /// # Errors
    /// When git refuses.
    pub fn commits(&self, tip: &str, without: Option<&str>) -> Result<Vec<Commit>, GitError> {
        let format = format!("--format={FORMAT}");
        let mut args = vec![
            "log",
            "--topo-order",
            "--reverse",
            "--no-show-signature",
            &format,
            tip,
        ];
        if let Some(without) = without {
            args.extend(["--not", without]);
        }
        args.push("--");
        let bytes = output(self.command(&args), &args, &[])?;
        commits_of(&bytes).ok_or_else(|| GitError::Unexpected {
            command: "log".to_owned(),
        })
    }

    /// The first commit from `tip` back that fits, children before their parents.
    ///
    /// # Errors
    /// When git refuses.
    pub fn find_back(
        &self,
        tip: &str,
        fits: impl Fn(&Commit) -> bool,
    ) -> Result<Option<Commit>, GitError> {
        // In pieces: it is nearly always among the first.
        for piece in 0.. {
            let (skip, format) = (
                format!("--skip={}", piece * 200),
                format!("--format={FORMAT}"),
            );
            let args = [
                "log",
                "--topo-order",
                "--no-show-signature",
                "-n200",
                &skip,
                &format,
                tip,
                "--",
            ];
            let bytes = output(self.command(&args), &args, &[])?;
            let commits = commits_of(&bytes).ok_or_else(|| GitError::Unexpected {
                command: "log".to_owned(),
            })?;
            if commits.is_empty() {
                break;
            }
            if let Some(found) = commits.into_iter().find(&fits) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Whether one commit is an ancestor of another, or the same.
    ///
    /// # Errors
    /// When git refuses.
    pub fn is_ancestor(&self, one: &str, other: &str) -> Result<bool, GitError> {
        let status = self
            .command(&["merge-base", "--is-ancestor", one, other])
            .output()
            .map_err(GitError::NotStarted)?;
        Ok(status.status.success())
    }

    /// Everything below some paths of a tree or commit.
    ///
    /// # Errors
    /// When git refuses.
    pub fn tree(&self, id: &str, paths: &[&str]) -> Result<BTreeMap<String, Object>, GitError> {
        let mut args = vec!["ls-tree", "-r", "-z", "--full-tree", id, "--"];
        args.extend(paths);
        let bytes = output(self.command(&args), &args, &[])?;
        let mut found = BTreeMap::new();
        for line in bytes
            .split(|byte| *byte == 0)
            .filter(|line| !line.is_empty())
        {
            let Some(tab) = line.iter().position(|byte| *byte == b'\t') else {
                continue;
            };
            let head = String::from_utf8_lossy(&line[..tab]).into_owned();
            let mut words = head.split(' ');
            let (Some(mode), _, Some(id)) = (words.next(), words.next(), words.next()) else {
                continue;
            };
            let path = String::from_utf8_lossy(&line[tab + 1..]).into_owned();
            found.insert(
                path,
                Object {
                    mode: mode.to_owned(),
                    id: id.to_owned(),
                },
            );
        }
        Ok(found)
    }

    /// What a commit that is no merge puts at paths below some paths: the new entries only.
    ///
    /// # Errors
    /// When git refuses.
    pub fn brought(&self, commit: &str, paths: &[&str]) -> Result<Vec<(String, Object)>, GitError> {
        let mut args = vec![
            "diff-tree",
            "-r",
            "-z",
            "--root",
            "--no-renames",
            "--no-commit-id",
            "--full-index",
            commit,
            "--",
        ];
        args.extend(paths);
        let bytes = output(self.command(&args), &args, &[])?;
        let mut parts = bytes
            .split(|byte| *byte == 0)
            .filter(|part| !part.is_empty());
        let mut found = Vec::new();
        while let (Some(head), Some(path)) = (parts.next(), parts.next()) {
            let head = String::from_utf8_lossy(head).into_owned();
            let words: Vec<&str> = head.trim_start_matches(':').split(' ').collect();
            if let [_, mode, _, id, _] = words[..] {
                let path = String::from_utf8_lossy(path).into_owned();
                found.push((
                    path,
                    Object {
                        mode: mode.to_owned(),
                        id: id.to_owned(),
                    },
                ));
            }
        }
        Ok(found)
    }

    /// How many bytes each of these objects has.
    ///
    /// # Errors
    /// When git refuses.
    pub fn sizes(&self, ids: &[&str]) -> Result<Vec<u64>, GitError> {
        let args = ["cat-file", "--batch-check=%(objectsize)"];
        let input = ids.iter().map(|id| format!("{id}\n")).collect::<String>();
        let text = finish(self.command(&args), &args, input.as_bytes())?;
        Ok(text
            .lines()
            .map(|line| line.parse().unwrap_or(u64::MAX))
            .collect())
    }

    /// The bytes of these objects.
    ///
    /// # Errors
    /// When git refuses or one is missing.
    pub fn blobs(&self, ids: &[&str]) -> Result<Vec<Vec<u8>>, GitError> {
        let args = ["cat-file", "--batch"];
        let input = ids.iter().map(|id| format!("{id}\n")).collect::<String>();
        let bytes = output(self.command(&args), &args, input.as_bytes())?;
        let unexpected = || GitError::Unexpected {
            command: "cat-file".to_owned(),
        };
        let mut rest = bytes.as_slice();
        let mut blobs = Vec::with_capacity(ids.len());
        for _ in ids {
            let end = rest
                .iter()
                .position(|byte| *byte == b'\n')
                .ok_or_else(unexpected)?;
            let head = String::from_utf8_lossy(&rest[..end]).into_owned();
            let size: usize = head
                .rsplit(' ')
                .next()
                .and_then(|size| size.parse().ok())
                .ok_or_else(unexpected)?;
            let body = rest.get(end + 1..end + 1 + size).ok_or_else(unexpected)?;
            blobs.push(body.to_vec());
            rest = rest.get(end + 2 + size..).unwrap_or_default();
        }
        Ok(blobs)
    }

    /// Keeps bytes as an object and says its id.
    ///
    /// # Errors
    /// When git refuses.
    pub fn keep(&self, bytes: &[u8]) -> Result<String, GitError> {
        let args = ["hash-object", "-w", "--stdin"];
        finish(self.command(&args), &args, bytes)
    }

    /// The tree of `tip` with everything at `paths` as in `base`, and then these files put there, or taken away.
    ///
    /// # Errors
    /// When git refuses.
    pub fn compose(
        &self,
        tip: Option<&str>,
        paths: &[&str],
        base: &BTreeMap<String, Object>,
        files: &BTreeMap<String, Option<Vec<u8>>>,
    ) -> Result<String, GitError> {
        let folder = tempfile::tempdir()?;
        let index = folder.path().join("index");
        let run = |args: &[&str], input: &[u8]| {
            let mut command = self.command(args);
            command.env("GIT_INDEX_FILE", &index);
            finish(command, args, input)
        };
        match tip {
            Some(tip) => run(&["read-tree", tip], &[])?,
            None => run(&["read-tree", "--empty"], &[])?,
        };
        let mut list = vec!["ls-files", "-z", "--"];
        list.extend(paths);
        let mut command = self.command(&list);
        command.env("GIT_INDEX_FILE", &index);
        let there = output(command, &list, &[])?;
        // Removing first: what lies there may be a folder where a file belongs. It needs an id, any, of the right length.
        let none = "0".repeat(self.keep(&[])?.len());
        let mut entries = Vec::new();
        for path in there
            .split(|byte| *byte == 0)
            .filter(|path| !path.is_empty())
        {
            entries.extend_from_slice(format!("0 {none}\t").as_bytes());
            entries.extend_from_slice(path);
            entries.push(0);
        }
        let mut put = |mode: &str, id: &str, path: &str| {
            entries.extend_from_slice(format!("{mode} {id}\t{path}\0").as_bytes());
        };
        for (path, object) in base.iter().filter(|(path, _)| !files.contains_key(*path)) {
            put(&object.mode, &object.id, path);
        }
        for (path, bytes) in files {
            if let Some(bytes) = bytes {
                put("100644", &self.keep(bytes)?, path);
            }
        }
        run(&["update-index", "-z", "--index-info"], &entries)?;
        run(&["write-tree"], &[])
    }

    /// Makes a commit by the referee; for the same content it has the same id.
    ///
    /// # Errors
    /// When git refuses.
    pub fn commit(&self, new: NewCommit<'_>) -> Result<String, GitError> {
        let mut args = vec!["commit-tree", "--no-gpg-sign", new.tree];
        for parent in new.parents {
            args.extend(["-p", parent]);
        }
        args.extend(["-F", "-"]);
        let mut command = self.command(&args);
        let time = format!("{} +0000", new.time);
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), NAME);
            command.env(format!("GIT_{role}_EMAIL"), EMAIL);
            command.env(format!("GIT_{role}_DATE"), &time);
        }
        finish(command, &args, new.message.as_bytes())
    }

    /// Moves a ref, if it still is where it was: `old` is its commit, or nothing when there was none. Says whether it was.
    ///
    /// # Errors
    /// When git cannot be started.
    pub fn move_ref(&self, name: &str, new: &str, old: Option<&str>) -> Result<bool, GitError> {
        let none = "0".repeat(new.len());
        match self.text(&["update-ref", name, new, old.unwrap_or(&none)]) {
            Ok(_) => Ok(true),
            Err(GitError::Refused { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Fetches a branch of a remote into a ref of its own.
    ///
    /// # Errors
    /// When git refuses.
    pub fn fetch(&self, remote: &str, branch: &str, into: &str) -> Result<(), GitError> {
        let spec = format!("+refs/heads/{branch}:{into}");
        self.text(&[
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--end-of-options",
            remote,
            &spec,
        ])
        .map(drop)
    }

    /// Pushes a commit to a branch of a remote, never by force. Says whether the remote took it.
    ///
    /// # Errors
    /// When git cannot be started, or cannot reach the remote.
    pub fn push(&self, remote: &str, commit: &str, branch: &str) -> Result<bool, GitError> {
        let spec = format!("{commit}:refs/heads/{branch}");
        match self.text(&["push", "--quiet", "--end-of-options", remote, &spec]) {
            Ok(_) => Ok(true),
            Err(GitError::Refused { message, .. })
                if message.contains("rejected") || message.contains("cannot lock") =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Whether a commit has a good SSH signature by one of these signers, each a name and a key; the name if so.
    ///
    /// # Errors
    /// When git cannot be started.
    pub fn signer(
        &self,
        commit: &str,
        signers: &[(&str, &str)],
    ) -> Result<Option<String>, GitError> {
        let mut file = NamedTempFile::new()?;
        for (name, key) in signers {
            writeln!(
                file,
                "{name} namespaces=\"git\" {}",
                key.replace(['\n', '\r'], " ")
            )?;
        }
        file.flush()?;
        let allowed = format!("gpg.ssh.allowedSignersFile={}", file.path().display());
        let args = [
            "-c",
            &allowed,
            "log",
            "-1",
            "--format=%G?%x00%GS",
            commit,
            "--",
        ];
        let text = self.text(&args)?;
        Ok(text
            .split_once('\0')
            .filter(|(status, _)| *status == "G")
            .map(|(_, signer)| signer.to_owned()))
    }
}

fn commits_of(bytes: &[u8]) -> Option<Vec<Commit>> {
    let text = String::from_utf8_lossy(bytes);
    let records = text
        .split("\0\u{1}\0")
        .map(|record| record.trim_start_matches('\n'))
        .filter(|record| !record.is_empty());
    let commit = |record: &str| {
        let mut fields = record.splitn(7, '\0').map(str::to_owned);
        Some(Commit {
            id: fields.next()?,
            tree: fields.next()?,
            parents: fields
                .next()?
                .split(' ')
                .filter(|id| !id.is_empty())
                .map(str::to_owned)
                .collect(),
            time: fields.next()?.parse().ok()?,
            name: fields.next()?,
            email: fields.next()?,
            message: fields.next()?,
        })
    };
    records.map(commit).collect()
}

/// What git prints, without the line break at the end.
fn finish(command: Command, args: &[&str], input: &[u8]) -> Result<String, GitError> {
    let bytes = output(command, args, input)?;
    Ok(String::from_utf8_lossy(&bytes)
        .trim_end_matches('\n')
        .to_owned())
}

fn output(mut command: Command, args: &[&str], input: &[u8]) -> Result<Vec<u8>, GitError> {
    command.stdin(if input.is_empty() {
        Stdio::null()
    } else {
        Stdio::piped()
    });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(GitError::NotStarted)?;
    let stdin = child.stdin.take();
    // Written beside the reading: git answers before it has read everything.
    let done = std::thread::scope(|scope| {
        if let Some(mut stdin) = stdin {
            scope.spawn(move || stdin.write_all(input));
        }
        child.wait_with_output()
    })?;
    if done.status.success() {
        return Ok(done.stdout);
    }
    let skipped = |word: &&&str| {
        !word.starts_with('-') && !word.contains('=') && OsStr::new(**word) != OsStr::new("")
    };
    let command = args
        .iter()
        .find(skipped)
        .copied()
        .unwrap_or_default()
        .to_owned();
    Err(GitError::Refused {
        command,
        message: String::from_utf8_lossy(&done.stderr).trim().to_owned(),
    })
}
