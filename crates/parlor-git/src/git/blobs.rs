//! Blobs: contents and sizes of objects.

use super::limits::ProcessLimits;
use super::{GitError, Repository};

impl Repository {
    /// Returns the size of each of these objects, in bytes.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn sizes(&self, ids: &[&str]) -> Result<Vec<u64>, GitError> {
        let text = self
            .git(&["cat-file", "--batch-check=%(objectsize)"])
            .text(lines(ids).as_bytes())?;
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
        // Callers know the sizes of the contents, or that these are the referee's own.
        let bytes = self
            .git(&["cat-file", "--batch"])
            .limited(ProcessLimits {
                output: usize::MAX - 1,
                ..ProcessLimits::STRICT
            })
            .bytes(lines(ids).as_bytes())?;
        parse_batch(&bytes, ids.len()).ok_or_else(|| GitError::unexpected("cat-file"))
    }

    /// Stores bytes as a blob and returns its id.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn write_blob(&self, bytes: &[u8]) -> Result<String, GitError> {
        self.git(&["hash-object", "-w", "--stdin"]).text(bytes)
    }
}

fn lines(ids: &[&str]) -> String {
    ids.iter().map(|id| format!("{id}\n")).collect()
}

/// Parses the output of `git cat-file --batch` for a number of objects: for each a line that ends
/// with the size, the contents, and a newline.
fn parse_batch(mut rest: &[u8], objects: usize) -> Option<Vec<Vec<u8>>> {
    let mut blobs = Vec::with_capacity(objects);
    for _ in 0..objects {
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let head = String::from_utf8_lossy(&rest[..end]);
        let size: usize = head.rsplit(' ').next()?.parse().ok()?;
        blobs.push(rest.get(end + 1..end + 1 + size)?.to_vec());
        rest = rest.get(end + 2 + size..).unwrap_or_default();
    }
    Some(blobs)
}
