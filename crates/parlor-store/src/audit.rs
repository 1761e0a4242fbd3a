//! The audit log of admin actions.

use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, Set,
};
use serde_json::{Value, json};

use crate::entity::audit;
use crate::read::signed;
use crate::search::{contains, storable};
use crate::{ListPage, ListSlice, Store, StoreError};

/// A new line of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditLine {
    /// Time of the action, in milliseconds since the Unix epoch.
    pub at: i64,
    /// Account that acted; `None` for the command line.
    pub admin_id: Option<i64>,
    /// Name of the account at that time.
    pub admin_name: String,
    /// Action in a word or two: `ban`, `delete table`.
    pub action: String,
    /// Target of the action.
    pub target: String,
    /// Further details; may be empty.
    pub detail: String,
}

/// A stored line of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Number of the line. Newer lines have higher numbers; there may be gaps.
    pub id: i64,
    /// Contents of the line.
    pub line: AuditLine,
}

impl AuditEntry {
    /// Returns the entry as JSON, for an export.
    pub fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "at": self.line.at,
            "admin_id": self.line.admin_id,
            "admin": self.line.admin_name,
            "action": self.line.action,
            "target": self.line.target,
            "detail": self.line.detail,
        })
    }
}

/// Filter for audit lines; the default matches all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Only lines with this text in the admin's name, the action or the target, ignoring case.
    pub search: Option<String>,
    /// Only actions of this account.
    pub admin_id: Option<i64>,
    /// Only lines about this object.
    pub about: Option<AuditTarget>,
}

impl AuditFilter {
    fn condition(&self) -> Condition {
        let mut condition = Condition::all();
        if let Some(admin) = self.admin_id {
            condition = condition.add(audit::Column::AdminId.eq(admin));
        }
        if let Some(about) = self.about {
            condition = condition.add(about.condition());
        }
        if let Some(text) = &self.search {
            use audit::Column::{Action, AdminName, Target};
            let anywhere = [AdminName, Action, Target].map(|column| contains(column, text));
            condition = condition.add(anywhere.into_iter().fold(Condition::any(), Condition::add));
        }
        condition
    }
}

/// Column that the audit log is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AuditSort {
    /// The number of the line, which follows the time.
    #[default]
    Id,
    /// The name of the admin.
    Admin,
    /// The action.
    Action,
    /// The target.
    Target,
}

/// Object that lines of the audit log are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditTarget {
    /// A table, with its id.
    Table(i64),
    /// An account, with its id.
    Player(i64),
    /// A token, with its number.
    Token(i64),
}

impl AuditTarget {
    /// Reads the target of a line: `table 17`, `player Ann (5)` or `token 3`.
    #[must_use]
    pub fn parse(target: &str) -> Option<AuditTarget> {
        let (kind, name) = target.split_once(' ')?;
        match kind {
            "table" => name.parse().ok().map(AuditTarget::Table),
            "token" => name.parse().ok().map(AuditTarget::Token),
            "player" => {
                let id = name.rsplit_once('(')?.1.strip_suffix(')')?;
                id.parse().ok().map(AuditTarget::Player)
            }
            _ => None,
        }
    }

    /// Returns the condition that a line is about it. An account may have had another name.
    fn condition(self) -> Condition {
        use audit::Column::Target;
        match self {
            AuditTarget::Table(id) => Condition::all().add(Target.eq(format!("table {id}"))),
            AuditTarget::Token(id) => Condition::all().add(Target.eq(format!("token {id}"))),
            AuditTarget::Player(id) => Condition::all()
                .add(Target.starts_with("player "))
                .add(Target.ends_with(format!(" ({id})"))),
        }
    }
}

impl Store {
    /// Writes an audit line for an action that changed nothing in the store. Methods that change
    /// something write their line in the same transaction, such as [`Store::delete_audited`] and
    /// [`Store::ban`].
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn record_audit(&self, line: AuditLine) -> Result<(), StoreError> {
        Ok(insert(self.writes(), [line]).await?)
    }

    /// Returns one page of the lines that match the filter, newest first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn audit(
        &self,
        filter: &AuditFilter,
        page: &ListPage,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        let mut select = audit::Entity::find()
            .order_by_desc(audit::Column::Id)
            .limit(signed(page.limit) as u64);
        if let Some(before) = page.before {
            select = select.filter(audit::Column::Id.lt(before));
        }
        let found = select.filter(filter.condition()).all(self.reads()).await?;
        Ok(found.into_iter().map(AuditEntry::from).collect())
    }

    /// Returns a part of the sorted list of lines that match the filter.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn sorted_audit(
        &self,
        filter: &AuditFilter,
        slice: &ListSlice<AuditSort>,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        let select = audit::Entity::find().filter(filter.condition());
        let order = slice.order();
        let sorted = match slice.sort {
            AuditSort::Id => select,
            AuditSort::Admin => select.order_by(audit::Column::AdminName, order),
            AuditSort::Action => select.order_by(audit::Column::Action, order),
            AuditSort::Target => select.order_by(audit::Column::Target, order),
        };
        let sorted = slice.cut(sorted, audit::Column::Id);
        let found = sorted.all(self.reads()).await?;
        Ok(found.into_iter().map(AuditEntry::from).collect())
    }

    /// Returns the number of lines that match the filter.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn count_audit(&self, filter: &AuditFilter) -> Result<u64, StoreError> {
        let select = audit::Entity::find().filter(filter.condition());
        Ok(select.count(self.reads()).await?)
    }
}

/// Inserts lines, on a connection or in a transaction.
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
