//! In-memory contents of a table's folder.

use std::collections::BTreeMap;

use parlor_games::files::Finding;
use parlor_games::repository::MoveName;

use crate::paths::MOVES;

/// Files of one table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableFolder {
    /// Contents of the files by path within the folder.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// Parsed name, file name and contents of a move file.
pub type NamedMove<'a> = (MoveName, &'a str, &'a [u8]);

/// Error for a file that is missing, malformed or inconsistent with the others.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {reason}")]
pub struct FileError {
    /// Path of the file within the folder.
    pub file: String,
    /// Description of the problem.
    pub reason: String,
}

impl FileError {
    pub(crate) fn new(file: impl Into<String>, reason: impl ToString) -> FileError {
        FileError {
            file: file.into(),
            reason: reason.to_string(),
        }
    }
}

impl TableFolder {
    /// Returns the contents of a file.
    ///
    /// # Errors
    /// [`FileError`] if the file is missing.
    pub fn get(&self, name: &str) -> Result<&[u8], FileError> {
        let bytes = self
            .files
            .get(name)
            .ok_or_else(|| FileError::new(name, "the file is missing"))?;
        Ok(bytes)
    }

    /// Reads a file as JSON.
    ///
    /// # Errors
    /// [`FileError`] if the file is missing or cannot be parsed.
    pub fn read<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<T, FileError> {
        serde_json::from_slice(self.get(name)?).map_err(|error| FileError::new(name, error))
    }

    /// Returns the move files in order.
    ///
    /// # Errors
    /// [`FileError`] if there is a file of another kind among them, or a number is missing or
    /// duplicate.
    pub fn moves(&self) -> Result<Vec<NamedMove<'_>>, FileError> {
        let prefix = format!("{MOVES}/");
        let mut moves = Vec::new();
        for (path, bytes) in &self.files {
            let Some(name) = path.strip_prefix(&prefix) else {
                continue;
            };
            let named = MoveName::parse(name)
                .ok_or_else(|| FileError::new(path, "this is no move's name"))?;
            if usize::try_from(named.sequence) != Ok(moves.len() + 1) {
                let reason = format!(
                    "number {} stands where number {} belongs",
                    named.sequence,
                    moves.len() + 1
                );
                return Err(FileError::new(path, reason));
            }
            moves.push((named, name, bytes.as_slice()));
        }
        Ok(moves)
    }
}

/// Joins the messages of findings about a file into one text.
pub(crate) fn join_messages(findings: &[Finding]) -> String {
    let messages: Vec<&str> = findings
        .iter()
        .map(|finding| finding.message.as_str())
        .collect();
    messages.join("; ")
}
