//! Reading objects that others have pushed, within a budget.
//!
//! The size of an object is asked before the object, and trees are parsed and walked here, so that
//! a folder of ten million files costs no more than its first thousands. The processes are `git
//! cat-file`, one for sizes and one for contents, which answer one question after the other.

mod conversation;
mod differences;
mod growth;

use std::collections::HashMap;
use std::rc::Rc;

use self::conversation::{Conversation, ObjectInfo};
use super::{GitError, Repository, TreeEntry};
use crate::objects::{BadTree, RawCommit, RawTree};

pub use self::differences::{EntryChange, EntryChanges};

/// Longest commit that is read, in bytes. The referee's own are shorter.
pub(super) const MAX_COMMIT_BYTES: u64 = 256 << 10;
/// Longest tree that is read, in bytes: some hundred thousand files in one folder.
const MAX_TREE_BYTES: u64 = 4 << 20;
/// Entries of trees that are kept in memory.
const MAX_KEPT_ENTRIES: usize = 200_000;

/// Limits of everything that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadBudget {
    /// Number of objects, counting those of which only the size is asked.
    pub objects: u64,
    /// Bytes of contents.
    pub bytes: u64,
}

impl ReadBudget {
    /// For what the referee has written.
    pub const UNLIMITED: ReadBudget = ReadBudget {
        objects: u64::MAX,
        bytes: u64::MAX,
    };
    /// For everything that was pushed since the referee's last commit.
    pub const REFEREE: ReadBudget = ReadBudget {
        objects: 100_000,
        bytes: 64 << 20,
    };
    /// For one push to a server's table.
    pub const PUSH: ReadBudget = ReadBudget {
        objects: 1_000,
        bytes: 8 << 20,
    };
}

/// Amount that has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObjectsRead {
    /// Number of objects, counting those of which only the size was asked.
    pub objects: u64,
    /// Bytes of contents.
    pub bytes: u64,
}

/// Reason why an object cannot be read or judged.
#[derive(Debug, thiserror::Error)]
pub enum ObjectError {
    /// Git cannot be started or gives no answer.
    #[error(transparent)]
    Git(#[from] GitError),
    /// There is no such object.
    #[error("{} is missing", short(.0))]
    Missing(String),
    /// The object is of another kind.
    #[error("{} is a {kind}, not a {expected}", short(.id))]
    Kind {
        /// Id of the object.
        id: String,
        /// Its kind.
        kind: String,
        /// The kind that belongs there.
        expected: &'static str,
    },
    /// The object is too long.
    #[error("{} has {size} bytes; at most {most} are read", short(.id))]
    TooLong {
        /// Id of the object.
        id: String,
        /// Its size in bytes.
        size: u64,
        /// Most bytes that are read.
        most: u64,
    },
    /// Git stopped while reading the object.
    #[error("{} cannot be read: it is damaged, or needs more memory than allowed", short(.0))]
    Unreadable(String),
    /// The bytes are not a commit.
    #[error("{} is no commit", short(.0))]
    Commit(String),
    /// The bytes are not a tree, or not one that can be checked out.
    #[error(transparent)]
    Tree(#[from] BadTree),
    /// There are more files than are looked at.
    #[error("more than {0} files")]
    TooManyFiles(usize),
    /// There are more commits than are looked at.
    #[error("more than {0} commits")]
    TooManyCommits(usize),
    /// There are more bytes in new files than are allowed.
    #[error("more than {0} bytes of files")]
    TooManyBytes(u64),
    /// Folders are nested too deeply.
    #[error("more than {0} folders inside one another")]
    TooDeep(usize),
    /// The budget is used up.
    #[error("more than {} objects or {} bytes would have to be read", .0.objects, .0.bytes)]
    Budget(ReadBudget),
}

impl ObjectError {
    /// Returns the error if it is one of running git, or what is wrong with what was pushed.
    pub fn or_git(self) -> Result<ObjectError, GitError> {
        match self {
            ObjectError::Git(error @ (GitError::NotStarted(_) | GitError::Io(_))) => Err(error),
            other => Ok(other),
        }
    }
}

fn short(id: &str) -> &str {
    id.get(..10).unwrap_or(id)
}

/// Reader of objects within a budget.
#[derive(Debug)]
pub struct ObjectReader<'a> {
    repository: &'a Repository,
    sizes: Option<Conversation>,
    contents: Option<Conversation>,
    budget: ReadBudget,
    read: ObjectsRead,
    trees: HashMap<String, Rc<RawTree>>,
    kept_entries: usize,
    /// Trees of commits.
    commit_trees: HashMap<String, String>,
}

impl<'a> ObjectReader<'a> {
    /// Creates a reader. Processes are started with the first question.
    pub fn new(repository: &'a Repository, budget: ReadBudget) -> ObjectReader<'a> {
        ObjectReader {
            repository,
            sizes: None,
            contents: None,
            budget,
            read: ObjectsRead::default(),
            trees: HashMap::new(),
            kept_entries: 0,
            commit_trees: HashMap::new(),
        }
    }

    /// Returns what was read so far.
    pub fn read_so_far(&self) -> ObjectsRead {
        self.read
    }

    /// Returns the repository that is read.
    pub fn repository(&self) -> &'a Repository {
        self.repository
    }

    /// Returns the id of a commit's tree.
    ///
    /// # Errors
    /// [`ObjectError`] if there is no such commit, or it cannot be read.
    pub fn commit_tree(&mut self, id: &str) -> Result<String, ObjectError> {
        if let Some(tree) = self.commit_trees.get(id) {
            return Ok(tree.clone());
        }
        let tree = self.commit(id)?.tree;
        if self.commit_trees.len() > MAX_KEPT_ENTRIES {
            self.commit_trees.clear();
        }
        self.commit_trees.insert(id.to_owned(), tree.clone());
        Ok(tree)
    }

    /// Returns the entry of a path in a tree; `None` if there is none.
    ///
    /// # Errors
    /// [`ObjectError`] if a folder on the way cannot be read.
    pub fn entry_at(&mut self, tree: &str, path: &str) -> Result<Option<TreeEntry>, ObjectError> {
        let mut folder = tree.to_owned();
        let mut names = path.split('/').peekable();
        while let Some(name) = names.next() {
            let tree = self.tree(&folder)?;
            match tree.get(name) {
                Some(entry) if names.peek().is_none() => return Ok(Some(entry.into())),
                Some(entry) if entry.is_folder() => folder = entry.id.clone(),
                _ => break,
            }
        }
        Ok(None)
    }

    /// Returns the size of a blob in bytes.
    ///
    /// # Errors
    /// [`ObjectError`] if there is no such blob.
    pub fn blob_size(&mut self, id: &str) -> Result<u64, ObjectError> {
        let info = self.info(id)?;
        info.expect_kind(id, "blob")
    }

    /// Returns the contents of a blob.
    ///
    /// # Errors
    /// [`ObjectError`] if there is no such blob, or it has more than `most` bytes.
    pub fn blob(&mut self, id: &str, most: u64) -> Result<Vec<u8>, ObjectError> {
        self.object(id, "blob", most)
    }

    /// Returns a commit.
    ///
    /// # Errors
    /// [`ObjectError`] if there is no such commit, or it cannot be read.
    pub fn commit(&mut self, id: &str) -> Result<RawCommit, ObjectError> {
        let bytes = self.object(id, "commit", MAX_COMMIT_BYTES)?;
        RawCommit::parse(&bytes).ok_or_else(|| ObjectError::Commit(id.to_owned()))
    }

    /// Returns the raw contents of a commit.
    ///
    /// # Errors
    /// [`ObjectError`] if there is no such commit, or it has more than `most` bytes.
    pub fn raw_commit(&mut self, id: &str, most: u64) -> Result<Vec<u8>, ObjectError> {
        self.object(id, "commit", most)
    }

    /// Returns a tree. Its names are not checked.
    ///
    /// # Errors
    /// [`ObjectError`] if there is no such tree, or it cannot be read.
    pub fn tree(&mut self, id: &str) -> Result<Rc<RawTree>, ObjectError> {
        if let Some(tree) = self.trees.get(id) {
            return Ok(tree.clone());
        }
        let bytes = self.object(id, "tree", MAX_TREE_BYTES)?;
        let tree = Rc::new(RawTree::parse(&bytes, id.len() / 2)?);
        self.kept_entries += tree.entries.len();
        if self.kept_entries > MAX_KEPT_ENTRIES {
            self.trees.clear();
            self.kept_entries = tree.entries.len();
        }
        self.trees.insert(id.to_owned(), tree.clone());
        Ok(tree)
    }

    fn object(&mut self, id: &str, kind: &'static str, most: u64) -> Result<Vec<u8>, ObjectError> {
        let size = self.info(id)?.expect_kind(id, kind)?;
        if size > most {
            let id = id.to_owned();
            return Err(ObjectError::TooLong { id, size, most });
        }
        self.read.bytes += size;
        self.check_budget()?;
        let contents = match &mut self.contents {
            Some(contents) => contents,
            none => none.insert(Conversation::start(self.repository, "--batch")?),
        };
        let bytes = contents.contents(id, size);
        if bytes.is_err() {
            self.contents = None;
        }
        bytes.map_err(|_| ObjectError::Unreadable(id.to_owned()))
    }

    fn info(&mut self, id: &str) -> Result<ObjectInfo, ObjectError> {
        self.read.objects += 1;
        self.check_budget()?;
        let sizes = match &mut self.sizes {
            Some(sizes) => sizes,
            none => none.insert(Conversation::start(self.repository, "--batch-check")?),
        };
        let info = sizes.info(id);
        if info.is_err() {
            self.sizes = None;
        }
        info.map_err(|_| ObjectError::Unreadable(id.to_owned()))?
            .ok_or_else(|| ObjectError::Missing(id.to_owned()))
    }

    fn check_budget(&self) -> Result<(), ObjectError> {
        if self.read.objects > self.budget.objects || self.read.bytes > self.budget.bytes {
            return Err(ObjectError::Budget(self.budget));
        }
        Ok(())
    }
}
