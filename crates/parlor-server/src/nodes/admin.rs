//! Changes that admins make elsewhere: on another node, or on the command line.
//!
//! The audit log has a line for every such change, so a server that reads its latest lines ends the
//! streams of whoever was banned and closes deleted tables.

use parlor_store::{AuditEntry, AuditFilter, AuditTarget, ListPage, Store, StoreError};
use parlor_table::TableId;

use crate::AppState;
use crate::auth::Revocation;
use crate::live;

/// Number of lines read at once.
const LINES: u64 = 200;

/// Reader of the audit log's new lines.
#[derive(Debug)]
pub(super) struct AuditReader {
    /// Number of the last line that was read; `None` before the first.
    last: Option<i64>,
}

impl AuditReader {
    /// Creates a reader of the lines that come from now on.
    pub(super) async fn new(store: &Store) -> Result<AuditReader, StoreError> {
        let newest = newest(store, 1).await?;
        Ok(AuditReader {
            last: newest.first().map(|entry| entry.id),
        })
    }

    /// Does what the new lines ask for.
    pub(super) async fn read(&mut self, state: &AppState) -> Result<(), StoreError> {
        let has_news = |entries: &[AuditEntry], last| entries.first().map(|entry| entry.id) > last;
        if !has_news(&newest(state.store(), 1).await?, self.last) {
            return Ok(());
        }
        let entries = newest(state.store(), LINES).await?;
        let new = entries
            .iter()
            .take_while(|entry| Some(entry.id) > self.last);
        for change in new.filter_map(|entry| Change::of(&entry.line.action, &entry.line.target)) {
            match change {
                Change::Account(user) => {
                    state.revocations().announce(Revocation::Recheck(user));
                    state.live().read_names(user);
                }
                Change::Token(token) => state.revocations().announce(Revocation::Token(token)),
                Change::Table(table) => state.live().hear_deleted(table),
            }
        }
        self.last = entries.first().map(|entry| entry.id);
        Ok(())
    }
}

/// Returns the latest lines, newest first.
async fn newest(store: &Store, limit: u64) -> Result<Vec<AuditEntry>, StoreError> {
    let page = ListPage {
        before: None,
        limit,
    };
    store.audit(&AuditFilter::default(), &page).await
}

/// A change that matters to a running server.
#[derive(Debug, PartialEq, Eq)]
enum Change {
    /// Sessions and tokens of an account may have ended.
    Account(i64),
    /// A token was revoked.
    Token(i64),
    /// A table was deleted.
    Table(TableId),
}

impl Change {
    /// Reads a line's action and its target, as in `player Ann (7)`.
    fn of(action: &str, target: &str) -> Option<Change> {
        match (AuditTarget::parse(target)?, action) {
            (AuditTarget::Player(user), _) => Some(Change::Account(user)),
            (AuditTarget::Token(token), "revoke token") => Some(Change::Token(token)),
            (AuditTarget::Table(table), "delete table") => live::table_id(table).map(Change::Table),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_of_the_audit_log_are_read() {
        let table = TableId::new(12).unwrap();
        for (action, target, change) in [
            ("ban", "player Ann (7)", Some(Change::Account(7))),
            ("ban", "player A(8) (9)", Some(Change::Account(9))),
            ("revoke token", "token 5", Some(Change::Token(5))),
            ("delete table", "table 12", Some(Change::Table(table))),
            ("abort table", "table 12", None),
            ("ban", "player", None),
        ] {
            assert_eq!(Change::of(action, target), change, "{action} {target}");
        }
    }
}
