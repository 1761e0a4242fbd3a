//! Changes pushed since the referee's last commit, by table.

use std::collections::BTreeMap;

use crate::judge::{ForeignChange, OfferedMove};
use crate::paths::Slug;

/// Most new move files of a table that are judged in one run.
const MAX_OFFERED: usize = 200;
/// Most changes of a table, or outside all tables, that are reported one by one.
const MAX_REPORTED: usize = 50;

/// Pushed changes by table.
#[derive(Default)]
pub(super) struct PushedChanges {
    pub(super) tables: BTreeMap<Slug, TableChanges>,
    /// Descriptions of the changes outside all tables.
    pub(super) outside: Vec<String>,
    /// Number of changes outside all tables that are not described.
    more_outside: usize,
}

impl PushedChanges {
    /// Returns true if nothing was pushed to any table.
    pub(super) fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.outside.is_empty()
    }

    /// Adds the description of a change outside all tables.
    pub(super) fn add_outside(&mut self, description: String) {
        if self.outside.len() < MAX_REPORTED {
            self.outside.push(description);
        } else {
            self.more_outside += 1;
        }
    }

    /// Counts what is not described one by one.
    pub(super) fn finish(mut self) -> PushedChanges {
        if self.more_outside > 0 {
            let more = format!("{} more files were taken back", self.more_outside);
            self.outside.push(more);
        }
        for table in self.tables.values_mut() {
            table.finish();
        }
        self
    }
}

/// Pushed changes to one table.
#[derive(Default)]
pub(super) struct TableChanges {
    /// New move files, each with the index of its commit.
    offered: Vec<(usize, OfferedMove)>,
    /// Changes that only the referee may make.
    pub(super) foreign: Vec<ForeignChange>,
    /// The last of the changes that are not listed, and their number.
    more: Option<(ForeignChange, usize)>,
}

impl TableChanges {
    /// Returns true if no more new moves of this table are judged.
    pub(super) fn is_full(&self) -> bool {
        self.offered.len() >= MAX_OFFERED
    }

    /// Adds a new move from the commit of an index.
    pub(super) fn add_offered(&mut self, origin: usize, offered: OfferedMove) {
        self.offered.push((origin, offered));
    }

    /// Adds a change that only the referee may make.
    pub(super) fn add_foreign(&mut self, change: ForeignChange) {
        if self.foreign.len() < MAX_REPORTED {
            self.foreign.push(change);
        } else {
            let others = self.more.take().map_or(0, |(_, count)| count);
            self.more = Some((change, others + 1));
        }
    }

    /// Lists as one change what is not listed one by one.
    fn finish(&mut self) {
        if let Some((last, count)) = self.more.take() {
            self.foreign.push(ForeignChange {
                path: format!("{} (and {} more files)", last.path, count - 1),
                ..last
            });
        }
    }

    /// Returns the new moves in the order of their commits and names.
    pub(super) fn offered_in_order(&self) -> Vec<OfferedMove> {
        let mut offered: Vec<&(usize, OfferedMove)> = self.offered.iter().collect();
        offered.sort_by(|(one, a), (other, b)| (one, &a.name).cmp(&(other, &b.name)));
        offered
            .into_iter()
            .map(|(_, offered)| offered.clone())
            .collect()
    }
}
