//! Wrapper around the git command, the only module that runs it. It uses no shell, no hooks and no
//! prompts, and passes all paths NUL-terminated.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::NamedTempFile;

/// Git repository, bare or with a work tree.
#[derive(Clone, Debug)]
pub struct Repository {
    path: PathBuf,
    /// Folder for new objects, instead of the repository's own.
    object_folder: Option<PathBuf>,
}

/// Error while running git.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// Git could not be started.
    #[error("git cannot be started: {0}; is it installed?")]
    NotStarted(std::io::Error),
    /// A file could not be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// Git failed.
    #[error("git {command}: {message}")]
    Refused {
        /// Command, such as `push`.
        command: String,
        /// Error output of git.
        message: String,
    },
    /// The output of git could not be parsed.
    #[error("git {command} printed unexpected output")]
    Unexpected {
        /// Command, such as `log`.
        command: String,
    },
}

/// Entry of a git tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeEntry {
    /// File mode in octal digits, such as `100644` for a file.
    pub mode: String,
    /// Object id.
    pub id: String,
}

impl TreeEntry {
    /// Returns true for a file, executable or not.
    pub fn is_file(&self) -> bool {
        self.mode.starts_with("100")
    }
}

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

const FORMAT: &str = "%H%x00%T%x00%P%x00%ct%x00%cn%x00%ce%x00%B%x00%x01%x00";

impl Repository {
    /// Opens the repository at a path.
    ///
    /// # Errors
    /// [`GitError`] if there is no repository, or git is not installed.
    pub fn open(path: &Path) -> Result<Repository, GitError> {
        let repository = Repository {
            path: path.to_owned(),
            object_folder: None,
        };
        repository.text(&["rev-parse", "--git-dir"])?;
        Ok(repository)
    }

    /// Returns true if a folder is a bare repository or the top of a work tree, as opposed to a
    /// folder inside one.
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

    /// Creates an empty repository with a work tree on this branch.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn create(path: &Path, branch: &str) -> Result<Repository, GitError> {
        let repository = Repository {
            path: path.to_owned(),
            object_folder: None,
        };
        repository.text(&["init", "--quiet", &format!("--initial-branch={branch}")])?;
        Ok(repository)
    }

    /// Creates an empty bare repository in an empty folder.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn create_bare(path: &Path, branch: &str) -> Result<Repository, GitError> {
        let repository = Repository {
            path: path.to_owned(),
            object_folder: None,
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

    /// Returns this bare repository with new objects redirected to another folder, so that
    /// inspecting untrusted objects does not modify the repository.
    pub fn with_objects_in(&self, folder: &Path) -> Repository {
        Repository {
            path: self.path.clone(),
            object_folder: Some(folder.to_owned()),
        }
    }

    /// Imports commits from a `git fast-import` stream.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn fast_import(&self, stream: &[u8]) -> Result<(), GitError> {
        let args = ["fast-import", "--quiet", "--force", "--done"];
        run_text(self.command(&args), &args, stream).map(drop)
    }

    /// Stores a raw commit object and returns its id. Its tree may be added later.
    ///
    /// # Errors
    /// [`GitError`] if the bytes are not a valid commit.
    pub fn write_commit(&self, commit: &[u8]) -> Result<String, GitError> {
        let args = ["hash-object", "-t", "commit", "-w", "--stdin"];
        run_text(self.command(&args), &args, commit)
    }

    /// Returns the raw contents of a commit object.
    ///
    /// # Errors
    /// [`GitError`] if there is no such commit.
    pub fn raw_commit(&self, id: &str) -> Result<Vec<u8>, GitError> {
        let args = ["cat-file", "commit", id];
        run_bytes(self.command(&args), &args, &[])
    }

    /// Checks and imports an untrusted pack of at most `longest` bytes.
    ///
    /// # Errors
    /// [`GitError`] if the pack is longer, corrupt, or refers to missing objects.
    pub fn index_pack(&self, pack: &[u8], longest: usize) -> Result<(), GitError> {
        let limit = format!("--max-input-size={longest}");
        // Large objects are processed as streams, not in memory.
        let args = [
            "-c",
            "core.bigFileThreshold=1m",
            "index-pack",
            "--stdin",
            "--fix-thin",
            "--strict",
            &limit,
        ];
        run_text(self.command(&args), &args, pack).map(drop)
    }

    /// Returns the server's ref advertisement for a fetch, in the given version of git's protocol.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn advertise(&self, protocol: Option<&str>) -> Result<Vec<u8>, GitError> {
        self.upload(&["--http-backend-info-refs"], &[], protocol)
    }

    /// Returns the server's response to a fetch request.
    ///
    /// # Errors
    /// [`GitError`] if git fails, usually because the request is malformed.
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
        run_bytes(command, &args, request)
    }

    /// Updates the work tree to the branch's last commit if the branch is checked out and has no
    /// local changes. Returns false if local changes prevented the update.
    pub fn refresh_work_tree(&self, branch: &str) -> bool {
        let head = self.text(&["symbolic-ref", "--short", "HEAD"]);
        if head.is_ok_and(|head| head != branch) {
            return true;
        }
        // The index still has the previous tree, so its differences to the files are local changes.
        let clean = self.text(&["diff-files", "--quiet"]).is_ok();
        clean && self.text(&["read-tree", "-m", "-u", "HEAD"]).is_ok()
    }

    /// Returns the path of the repository.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the top folder of the work tree; `None` for a bare repository.
    pub fn work_tree(&self) -> Option<PathBuf> {
        let top = self.text(&["rev-parse", "--show-toplevel"]).ok()?;
        (!top.is_empty()).then(|| PathBuf::from(top))
    }

    /// Runs git in the work tree as the user would, with hooks and the user's configuration.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn run_as_user(&self, args: &[&str]) -> Result<String, GitError> {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.path).args(args);
        run_text(command, args, &[])
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
        if let Some(object_folder) = &self.object_folder {
            command.env("GIT_OBJECT_DIRECTORY", object_folder);
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
        run_text(self.command(args), args, &[])
    }

    /// Returns the commit that a ref points to; `None` if the ref does not exist.
    ///
    /// # Errors
    /// [`GitError`] if git cannot be started.
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

    /// Returns the commits reachable from `tip` but not from `without`, parents before children.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn commits(&self, tip: &str, without: Option<&str>) -> Result<Vec<GitCommit>, GitError> {
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
        let bytes = run_bytes(self.command(&args), &args, &[])?;
        parse_commits(&bytes).ok_or_else(|| GitError::Unexpected {
            command: "log".to_owned(),
        })
    }

    /// Returns the first commit that satisfies a predicate, searching backwards from `tip` with
    /// children before parents.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn find_ancestor(
        &self,
        tip: &str,
        is_wanted: impl Fn(&GitCommit) -> bool,
    ) -> Result<Option<GitCommit>, GitError> {
        // In batches, because the commit is nearly always among the first.
        for batch in 0.. {
            let (skip, format) = (
                format!("--skip={}", batch * 200),
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
            let bytes = run_bytes(self.command(&args), &args, &[])?;
            let commits = parse_commits(&bytes).ok_or_else(|| GitError::Unexpected {
                command: "log".to_owned(),
            })?;
            if commits.is_empty() {
                break;
            }
            if let Some(found) = commits.into_iter().find(&is_wanted) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Returns true if `one` is an ancestor of `other`, or the same commit.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn is_ancestor(&self, one: &str, other: &str) -> Result<bool, GitError> {
        let status = self
            .command(&["merge-base", "--is-ancestor", one, other])
            .output()
            .map_err(GitError::NotStarted)?;
        Ok(status.status.success())
    }

    /// Returns all entries at and below some paths of a tree or commit, by path.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn tree(&self, id: &str, paths: &[&str]) -> Result<BTreeMap<String, TreeEntry>, GitError> {
        let mut args = vec!["ls-tree", "-r", "-z", "--full-tree", id, "--"];
        args.extend(paths);
        let bytes = run_bytes(self.command(&args), &args, &[])?;
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
                TreeEntry {
                    mode: mode.to_owned(),
                    id: id.to_owned(),
                },
            );
        }
        Ok(found)
    }

    /// Returns the new entries at and below some paths that a non-merge commit changed.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn changed_entries(
        &self,
        commit: &str,
        paths: &[&str],
    ) -> Result<Vec<(String, TreeEntry)>, GitError> {
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
        let bytes = run_bytes(self.command(&args), &args, &[])?;
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
                    TreeEntry {
                        mode: mode.to_owned(),
                        id: id.to_owned(),
                    },
                ));
            }
        }
        Ok(found)
    }

    /// Returns the size of each of these objects, in bytes.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn sizes(&self, ids: &[&str]) -> Result<Vec<u64>, GitError> {
        let args = ["cat-file", "--batch-check=%(objectsize)"];
        let input = ids.iter().map(|id| format!("{id}\n")).collect::<String>();
        let text = run_text(self.command(&args), &args, input.as_bytes())?;
        Ok(text
            .lines()
            .map(|line| line.parse().unwrap_or(u64::MAX))
            .collect())
    }

    /// Returns the contents of these objects.
    ///
    /// # Errors
    /// [`GitError`] if git fails or an object is missing.
    pub fn blobs(&self, ids: &[&str]) -> Result<Vec<Vec<u8>>, GitError> {
        let args = ["cat-file", "--batch"];
        let input = ids.iter().map(|id| format!("{id}\n")).collect::<String>();
        let bytes = run_bytes(self.command(&args), &args, input.as_bytes())?;
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

    /// Stores bytes as a blob and returns its id.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn write_blob(&self, bytes: &[u8]) -> Result<String, GitError> {
        let args = ["hash-object", "-w", "--stdin"];
        run_text(self.command(&args), &args, bytes)
    }

    /// Builds a tree from that of `tip`, with everything at `paths` replaced by `base`, and with
    /// `files` written, or deleted if `None`. Returns the tree's id.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn build_tree(
        &self,
        tip: Option<&str>,
        paths: &[&str],
        base: &BTreeMap<String, TreeEntry>,
        files: &BTreeMap<String, Option<Vec<u8>>>,
    ) -> Result<String, GitError> {
        let folder = tempfile::tempdir()?;
        let index = folder.path().join("index");
        let run = |args: &[&str], input: &[u8]| {
            let mut command = self.command(args);
            command.env("GIT_INDEX_FILE", &index);
            run_text(command, args, input)
        };
        match tip {
            Some(tip) => run(&["read-tree", tip], &[])?,
            None => run(&["read-tree", "--empty"], &[])?,
        };
        let mut list = vec!["ls-files", "-z", "--"];
        list.extend(paths);
        let mut command = self.command(&list);
        command.env("GIT_INDEX_FILE", &index);
        let present = run_bytes(command, &list, &[])?;
        // Entries are removed first, because a folder may be in the place of a file. Removal takes
        // any id of the right length.
        let none = "0".repeat(self.write_blob(&[])?.len());
        let mut entries = Vec::new();
        for path in present
            .split(|byte| *byte == 0)
            .filter(|path| !path.is_empty())
        {
            entries.extend_from_slice(format!("0 {none}\t").as_bytes());
            entries.extend_from_slice(path);
            entries.push(0);
        }
        let mut add = |mode: &str, id: &str, path: &str| {
            entries.extend_from_slice(format!("{mode} {id}\t{path}\0").as_bytes());
        };
        for (path, object) in base.iter().filter(|(path, _)| !files.contains_key(*path)) {
            add(&object.mode, &object.id, path);
        }
        for (path, bytes) in files {
            if let Some(bytes) = bytes {
                add("100644", &self.write_blob(bytes)?, path);
            }
        }
        run(&["update-index", "-z", "--index-info"], &entries)?;
        run(&["write-tree"], &[])
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
        let mut command = self.command(&args);
        let time = format!("{} +0000", new.time);
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), REFEREE_NAME);
            command.env(format!("GIT_{role}_EMAIL"), REFEREE_EMAIL);
            command.env(format!("GIT_{role}_DATE"), &time);
        }
        run_text(command, &args, new.message.as_bytes())
    }

    /// Updates a ref if it still points to `old`, or does not exist if `old` is `None`. Returns
    /// false if it has changed.
    ///
    /// # Errors
    /// [`GitError`] if git cannot be started.
    pub fn update_ref(&self, name: &str, new: &str, old: Option<&str>) -> Result<bool, GitError> {
        let none = "0".repeat(new.len());
        match self.text(&["update-ref", name, new, old.unwrap_or(&none)]) {
            Ok(_) => Ok(true),
            Err(GitError::Refused { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Fetches a branch of a remote into the ref `into`.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
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

    /// Pushes a commit to a branch of a remote, without force. Returns false if the remote rejected
    /// it because the branch has moved.
    ///
    /// # Errors
    /// [`GitError`] if git cannot be started or cannot reach the remote.
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

fn parse_commits(bytes: &[u8]) -> Option<Vec<GitCommit>> {
    let text = String::from_utf8_lossy(bytes);
    let records = text
        .split("\0\u{1}\0")
        .map(|record| record.trim_start_matches('\n'))
        .filter(|record| !record.is_empty());
    let commit = |record: &str| {
        let mut fields = record.splitn(7, '\0').map(str::to_owned);
        Some(GitCommit {
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

/// Runs a command and returns its output as text, without trailing newlines.
fn run_text(command: Command, args: &[&str], input: &[u8]) -> Result<String, GitError> {
    let bytes = run_bytes(command, args, input)?;
    Ok(String::from_utf8_lossy(&bytes)
        .trim_end_matches('\n')
        .to_owned())
}

fn run_bytes(mut command: Command, args: &[&str], input: &[u8]) -> Result<Vec<u8>, GitError> {
    command.stdin(if input.is_empty() {
        Stdio::null()
    } else {
        Stdio::piped()
    });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(GitError::NotStarted)?;
    let stdin = child.stdin.take();
    // Input is written on another thread, because git may answer before it has read everything.
    let result = std::thread::scope(|scope| {
        if let Some(mut stdin) = stdin {
            scope.spawn(move || stdin.write_all(input));
        }
        child.wait_with_output()
    })?;
    if result.status.success() {
        return Ok(result.stdout);
    }
    let is_subcommand = |word: &&&str| {
        !word.starts_with('-') && !word.contains('=') && OsStr::new(**word) != OsStr::new("")
    };
    let command = args
        .iter()
        .find(is_subcommand)
        .copied()
        .unwrap_or_default()
        .to_owned();
    Err(GitError::Refused {
        command,
        message: String::from_utf8_lossy(&result.stderr).trim().to_owned(),
    })
}
