//! What admins did.

use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, Set,
};

use crate::entity::audit;
use crate::read::signed;
use crate::search::{contains, storable};
use crate::{Page, Store, StoreError};

/// A line of the audit log that is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditLine {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The account that did it; `None` for somebody at the command line.
    pub admin_id: Option<i64>,
    /// What the account was called then.
    pub admin_name: String,
    /// What was done, as a word or two: `ban`, `delete table`.
    pub action: String,
    /// To whom or what.
    pub target: String,
    /// Anything else worth knowing; may be empty.
    pub detail: String,
}

/// A line of the audit log with its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// The number: a newer line has a higher one. There may be gaps.
    pub id: i64,
    /// The line.
    pub line: AuditLine,
}

/// Which lines are meant; the default means all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Only lines with this text in the admin's name, the action or the target, whatever the case.
    pub search: Option<String>,
    /// Only what this account did.
    pub admin_id: Option<i64>,
}

impl Store {
    /// Writes a line of the audit log for something that changed nothing here. What does change something writes its
    /// line in the same transaction: [`Store::delete_audited`], [`Store::ban`] and their like.
    ///
    /// # Errors
    /// As every write, see [`Store::create`].
    pub async fn record_audit(&self, line: AuditLine) -> Result<(), StoreError> {
        Ok(insert(self.writes(), [line]).await?)
    }

    /// The lines that the filter lets through, newest first, one page of them.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn audit(
        &self,
        filter: &AuditFilter,
        page: &Page,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        let mut select = audit::Entity::find()
            .order_by_desc(audit::Column::Id)
            .limit(signed(page.limit) as u64);
        if let Some(before) = page.before {
            select = select.filter(audit::Column::Id.lt(before));
        }
        if let Some(admin) = filter.admin_id {
            select = select.filter(audit::Column::AdminId.eq(admin));
        }
        if let Some(text) = &filter.search {
            use audit::Column::{Action, AdminName, Target};
            let anywhere = [AdminName, Action, Target].map(|column| contains(column, text));
            select = select.filter(anywhere.into_iter().fold(Condition::any(), Condition::add));
        }
        Ok(select
            .all(self.reads())
            .await?
            .into_iter()
            .map(AuditEntry::from)
            .collect())
    }
}

/// Writes lines on a connection or in a transaction.
pub(crate) async fn insert(
    db: &impl ConnectionTrait,
    lines: impl IntoIterator<Item = AuditLine>,
) -> Result<(), DbErr> {
    let rows: Vec<_> = lines.into_iter().map(audit::ActiveModel::from).collect();
    if !rows.is_empty() {
        audit::Entity::insert_many(rows)
            .exec_without_returning(db)
            .await?;
    }
    Ok(())
}

impl From<AuditLine> for audit::ActiveModel {
    fn from(line: AuditLine) -> Self {
        Self {
            at: Set(line.at),
            admin_id: Set(line.admin_id),
            admin_name: Set(storable(&line.admin_name)),
            action: Set(storable(&line.action)),
            target: Set(storable(&line.target)),
            detail: Set(storable(&line.detail)),
            ..Default::default()
        }
    }
}

impl From<audit::Model> for AuditEntry {
    fn from(row: audit::Model) -> Self {
        let audit::Model {
            id,
            at,
            admin_id,
            admin_name,
            action,
            target,
            detail,
        } = row;
        Self {
            id,
            line: AuditLine {
                at,
                admin_id,
                admin_name,
                action,
                target,
                detail,
            },
        }
    }
}
