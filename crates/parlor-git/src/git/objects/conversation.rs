//! A process of `git cat-file` that answers one question after the other.

use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout};

use super::ObjectError;
use crate::git::limits::{Killable, ProcessLimits, Watch, kill_group};
use crate::git::{GitError, Repository};

/// Longest first line of an answer, in bytes.
const MAX_LINE_BYTES: u64 = 1_000;

/// Kind and size of an object.
#[derive(Clone, Debug)]
pub(super) struct ObjectInfo {
    kind: String,
    size: u64,
}

impl ObjectInfo {
    /// Returns the size if the object is of this kind.
    pub(super) fn expect_kind(self, id: &str, expected: &'static str) -> Result<u64, ObjectError> {
        if self.kind == expected {
            return Ok(self.size);
        }
        Err(ObjectError::Kind {
            id: id.to_owned(),
            kind: self.kind,
            expected,
        })
    }
}

/// A running process.
#[derive(Debug)]
pub(super) struct Conversation {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    watch: Watch,
}

impl Conversation {
    /// Starts `git cat-file` with an option.
    pub(super) fn start(repository: &Repository, option: &str) -> Result<Conversation, GitError> {
        let mut child = repository.git(&["cat-file", option]).converse()?;
        let watch = Watch::new(Killable::new(&child), ProcessLimits::STRICT.time);
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let stdout = stdout.ok_or_else(|| GitError::unexpected("cat-file"))?;
        Ok(Conversation {
            child,
            stdin,
            stdout: BufReader::new(stdout),
            watch,
        })
    }

    /// Asks for the kind and size of an object; `None` if there is none.
    pub(super) fn info(&mut self, id: &str) -> std::io::Result<Option<ObjectInfo>> {
        self.watch.begin();
        let line = self.ask(id)?;
        self.watch.end();
        let mut words = line.rsplitn(3, ' ');
        let (Some(size), Some(kind)) = (words.next(), words.next()) else {
            return Ok(None);
        };
        Ok(size.parse().ok().map(|size| ObjectInfo {
            kind: kind.to_owned(),
            size,
        }))
    }

    /// Asks for the contents of an object of a known size.
    pub(super) fn contents(&mut self, id: &str, size: u64) -> std::io::Result<Vec<u8>> {
        self.watch.begin();
        let line = self.ask(id)?;
        if line.rsplit(' ').next().and_then(|word| word.parse().ok()) != Some(size) {
            return Err(Error::from(ErrorKind::InvalidData));
        }
        let mut bytes = Vec::new();
        let length = size + 1;
        self.stdout.by_ref().take(length).read_to_end(&mut bytes)?;
        self.watch.end();
        if bytes.len() as u64 != length || bytes.pop() != Some(b'\n') {
            return Err(Error::from(ErrorKind::UnexpectedEof));
        }
        Ok(bytes)
    }

    /// Asks a question and returns the first line of the answer.
    fn ask(&mut self, id: &str) -> std::io::Result<String> {
        let stdin = self.stdin.as_mut().ok_or(ErrorKind::BrokenPipe)?;
        stdin.write_all(format!("{id}\n").as_bytes())?;
        let mut line = Vec::new();
        let mut answer = self.stdout.by_ref().take(MAX_LINE_BYTES);
        answer.read_until(b'\n', &mut line)?;
        if line.pop() != Some(b'\n') {
            return Err(Error::from(ErrorKind::UnexpectedEof));
        }
        Ok(String::from_utf8_lossy(&line).into_owned())
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // In this order: nobody may end a process whose number may be another's.
        self.watch.stop();
        kill_group(&Killable::new(&self.child));
        let _ = self.child.wait();
    }
}
