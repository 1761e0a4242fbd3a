//! Commits and trees as git stores them, parsed without trusting whoever wrote them.
//!
//! Git itself refuses some of what can be pushed, and stops at it: a commit without a date, a tree
//! with a folder `.git`. The referee must go on, so it reads the bytes.

mod commit;
mod tree;

pub use self::commit::RawCommit;
pub use self::tree::{BadTree, RawEntry, RawTree};
