//! A table's folder as files in memory.

use std::collections::BTreeMap;

use parlor_games::repository::MoveName;

use crate::paths::MOVES;

/// The files of one table by their paths within its folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folder {
    /// The files.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// A move file: its name taken apart, its name, its bytes.
pub type NamedMove<'a> = (MoveName, &'a str, &'a [u8]);

/// A file that does not fit the others.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {reason}")]
pub struct Broken {
    /// Which one, by its path within the folder.
    pub file: String,
    /// What is wrong.
    pub reason: String,
}

impl Broken {
    pub(crate) fn new(file: impl Into<String>, reason: impl ToString) -> Broken {
        Broken {
            file: file.into(),
            reason: reason.to_string(),
        }
    }
}

impl Folder {
    /// A file's bytes.
    ///
    /// # Errors
    /// When it is not there.
    pub fn get(&self, name: &str) -> Result<&[u8], Broken> {
        let bytes = self
            .files
            .get(name)
            .ok_or_else(|| Broken::new(name, "the file is missing"))?;
        Ok(bytes)
    }

    /// A file read as JSON.
    ///
    /// # Errors
    /// When it is not there, or is something else.
    pub fn read<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<T, Broken> {
        serde_json::from_slice(self.get(name)?).map_err(|error| Broken::new(name, error))
    }

    /// The move files in their order.
    ///
    /// # Errors
    /// When something else lies among them, or a number is missing or there twice.
    pub fn moves(&self) -> Result<Vec<NamedMove<'_>>, Broken> {
        let prefix = format!("{MOVES}/");
        let mut moves = Vec::new();
        for (path, bytes) in &self.files {
            let Some(name) = path.strip_prefix(&prefix) else {
                continue;
            };
            let named =
                MoveName::parse(name).ok_or_else(|| Broken::new(path, "this is no move's name"))?;
            if usize::try_from(named.sequence) != Ok(moves.len() + 1) {
                let reason = format!(
                    "number {} stands where number {} belongs",
                    named.sequence,
                    moves.len() + 1
                );
                return Err(Broken::new(path, reason));
            }
            moves.push((named, name, bytes.as_slice()));
        }
        Ok(moves)
    }
}
