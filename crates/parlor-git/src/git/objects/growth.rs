//! Checks of the files that a tree adds to another: their number and size, and that every clone can
//! check them out.

use std::collections::HashMap;

use super::differences::MAX_DEPTH;
use super::{ObjectError, ObjectReader};
use crate::objects::{RawEntry, RawTree};

/// Most files that one push may add or change outside the referee's folders. A folder that is in a
/// tree ten times counts ten times.
const MAX_NEW_FILES: usize = 10_000;
/// Longest file outside the referee's folders, in bytes.
const MAX_NEW_FILE_BYTES: u64 = 16 << 20;
/// Most bytes that one push may add or change outside the referee's folders.
const MAX_NEW_BYTES: u64 = 64 << 20;

/// Number and size of new files.
#[derive(Clone, Copy, Debug, Default)]
struct Growth {
    files: usize,
    bytes: u64,
}

impl Growth {
    fn add(&mut self, other: Growth) -> Result<(), ObjectError> {
        self.files = self.files.saturating_add(other.files);
        self.bytes = self.bytes.saturating_add(other.bytes);
        if self.files > MAX_NEW_FILES {
            return Err(ObjectError::TooManyFiles(MAX_NEW_FILES));
        }
        if self.bytes > MAX_NEW_BYTES {
            return Err(ObjectError::TooManyBytes(MAX_NEW_BYTES));
        }
        Ok(())
    }
}

impl ObjectReader<'_> {
    /// Checks what a tree adds to another one, except at some names of the top folder: every clone
    /// must be able to check it out, and to hold it.
    ///
    /// # Errors
    /// [`ObjectError`] for the first reason not to accept the tree.
    pub fn check_growth(
        &mut self,
        was: &str,
        is: &str,
        except: &[&str],
    ) -> Result<(), ObjectError> {
        if was == is {
            return Ok(());
        }
        let (was, is) = (self.tree(was)?, self.tree(is)?);
        is.check_order()?;
        let others = |tree: &RawTree| RawTree {
            entries: (tree.entries.iter())
                .filter(|entry| !except.iter().any(|name| entry.name == name.as_bytes()))
                .cloned()
                .collect(),
        };
        let mut known = HashMap::new();
        self.growth(&others(&was), &others(&is), 0, &mut known)
            .map(drop)
    }

    fn growth(
        &mut self,
        was: &RawTree,
        is: &RawTree,
        depth: usize,
        known: &mut HashMap<String, Growth>,
    ) -> Result<Growth, ObjectError> {
        if depth > MAX_DEPTH {
            return Err(ObjectError::TooDeep(MAX_DEPTH));
        }
        is.check_order()?;
        let before: HashMap<&[u8], &RawEntry> = (was.entries.iter())
            .map(|entry| (entry.name.as_slice(), entry))
            .collect();
        let mut sum = Growth::default();
        for entry in &is.entries {
            let was = before.get(entry.name.as_slice()).copied();
            if was != Some(entry) {
                entry.check()?;
                sum.add(self.entry_growth(was, entry, depth, known)?)?;
            }
        }
        Ok(sum)
    }

    fn entry_growth(
        &mut self,
        was: Option<&RawEntry>,
        is: &RawEntry,
        depth: usize,
        known: &mut HashMap<String, Growth>,
    ) -> Result<Growth, ObjectError> {
        if is.mode == RawEntry::MODULE {
            return Ok(Growth { files: 1, bytes: 0 });
        }
        if !is.is_folder() {
            let size = self.blob_size(&is.id)?;
            if size > MAX_NEW_FILE_BYTES {
                return Err(ObjectError::TooLong {
                    id: is.id.clone(),
                    size,
                    most: MAX_NEW_FILE_BYTES,
                });
            }
            return Ok(Growth {
                files: 1,
                bytes: size,
            });
        }
        let tree = self.tree(&is.id)?;
        if let Some(was) = was.filter(|was| was.is_folder()) {
            let was = self.tree(&was.id)?;
            return self.growth(&was, &tree, depth + 1, known);
        }
        // The same folder in many places is read once, and counted each time.
        if let Some(growth) = known.get(&is.id) {
            return Ok(*growth);
        }
        let growth = self.growth(&RawTree::default(), &tree, depth + 1, known)?;
        known.insert(is.id.clone(), growth);
        Ok(growth)
    }
}
