//! Tables of which there is news on this node, until the news are read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use parlor_table::TableId;
use tokio::sync::Notify;

/// Number of tables at which all marks are dropped: nobody reads them, or there is too much to read. The news
/// are found a minute later.
const MAX_MARKED: usize = 2_000;

/// Marks that were left.
#[derive(Debug, Default)]
pub(super) struct Marked {
    /// Accounts in the store to which something has happened, by table.
    pub(super) tables: BTreeMap<TableId, BTreeSet<i64>>,
    /// Tables at which somebody wrote.
    pub(super) talk: BTreeSet<TableId>,
}

/// Marks left by those who cause news, who wait for nothing.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    marked: Mutex<Marked>,
    changed: Notify,
}

impl Marks {
    /// Marks that something has happened to accounts at a table.
    pub(crate) fn add(&self, table: TableId, users: impl IntoIterator<Item = i64>) {
        let mut users = users.into_iter().peekable();
        if users.peek().is_none() {
            return;
        }
        let mut marked = self.lock();
        if marked.tables.len() >= MAX_MARKED {
            marked.tables.clear();
        }
        marked.tables.entry(table).or_default().extend(users);
        drop(marked);
        self.changed.notify_one();
    }

    /// Marks that somebody wrote at a table.
    pub(crate) fn add_talk(&self, table: TableId) {
        let mut marked = self.lock();
        if marked.talk.len() >= MAX_MARKED {
            marked.talk.clear();
        }
        marked.talk.insert(table);
        drop(marked);
        self.changed.notify_one();
    }

    /// Takes what was marked.
    pub(super) fn take(&self) -> Marked {
        std::mem::take(&mut *self.lock())
    }

    /// Completes once something is marked.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, Marked> {
        // No code that can panic runs while the lock is held.
        self.marked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
