//! Reports of messages, for admins. Each keeps a copy of the message and of what was said before.

use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Set, SqlErr,
};
use serde_json::{Value, json};

use super::entity::{message, report};
use super::{TalkMessage, TalkPerson};
use crate::search::storable;
use crate::transaction::{begin, commit};
use crate::{AuditLine, ListPage, ListSlice, Store, StoreError};

/// Number of messages before the reported one that a report keeps.
const CONTEXT: u64 = 10;

/// A report to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTalkReport {
    /// Table of the message.
    pub table: i64,
    /// Number of the message.
    pub n: i64,
    /// Time of the report, in milliseconds since the Unix epoch.
    pub at: i64,
    /// Person who reports.
    pub reporter: TalkPerson,
    /// Reason in a word of at most 16 characters.
    pub reason: String,
    /// Remark; at most 1,000 characters.
    pub note: String,
}

/// A stored report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TalkReport {
    /// Number of the report. Newer reports have higher numbers.
    pub id: i64,
    /// The message, with whoever reported it and the reason.
    pub report: NewTalkReport,
    /// Author of the message.
    pub author: TalkPerson,
    /// The messages before the reported one in its room, and it as the last; empty once the report
    /// is closed.
    pub messages: Vec<TalkMessage>,
    /// Time at which an admin closed the report, in milliseconds since the Unix epoch.
    pub closed_at: Option<i64>,
}

/// Result of reporting a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportResult {
    /// The report is stored.
    Stored,
    /// The person has reported the message before.
    Known,
    /// There is no such message.
    NoMessage,
}

/// Filter for reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReportFilter {
    /// Only reports that no admin has closed.
    pub open_only: bool,
}

/// Field that a list of reports is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReportSort {
    /// The number of the report, which follows the time.
    #[default]
    Id,
    /// The word for the reason.
    Reason,
    /// The name of the author of the message.
    Author,
    /// The name of the person who reports.
    Reporter,
    /// The table of the message.
    Table,
}

impl Store {
    /// Stores a report, with copies of the message and of what was said before it in the same room.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn report_talk(&self, new: &NewTalkReport) -> Result<ReportResult, StoreError> {
        let transaction = begin(self.writes()).await?;
        let reported = message::Entity::find_by_id((new.table, new.n));
        let Some(reported) = reported.one(&transaction).await? else {
            return Ok(ReportResult::NoMessage);
        };
        let mut messages = message::Entity::find()
            .filter(message::Column::TableId.eq(new.table))
            .filter(message::Column::Room.eq(&reported.room))
            .filter(message::Column::N.lte(new.n))
            .order_by_desc(message::Column::N)
            .limit(CONTEXT + 1)
            .all(&transaction)
            .await?;
        messages.reverse();
        let kept: Value = messages.iter().map(kept).collect();
        let row = report::ActiveModel {
            table_id: Set(new.table),
            n: Set(new.n),
            at: Set(new.at),
            reporter: Set(new.reporter.key.clone()),
            reporter_id: Set(new.reporter.user),
            reporter_name: Set(storable(&new.reporter.name)),
            reason: Set(new.reason.clone()),
            note: Set(storable(&new.note)),
            person: Set(reported.person),
            user_id: Set(reported.user_id),
            name: Set(reported.name),
            context: Set(kept.to_string()),
            closed_at: Set(None),
            ..Default::default()
        };
        let inserted = report::Entity::insert(row)
            .exec_without_returning(&transaction)
            .await;
        match inserted {
            Ok(_) => {}
            Err(e) if matches!(e.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => {
                return Ok(ReportResult::Known);
            }
            Err(e) => return Err(e.into()),
        }
        commit(transaction, None).await?;
        Ok(ReportResult::Stored)
    }

    /// Returns one page of the reports that match the filter, newest first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn talk_reports(
        &self,
        filter: ReportFilter,
        page: &ListPage,
    ) -> Result<Vec<TalkReport>, StoreError> {
        let mut select = filtered(filter)
            .order_by_desc(report::Column::Id)
            .limit(page.limit);
        if let Some(before) = page.before {
            select = select.filter(report::Column::Id.lt(before));
        }
        let found = select.all(self.reads()).await?;
        found.into_iter().map(TalkReport::try_from).collect()
    }

    /// Returns a part of the sorted list of reports that match the filter.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn sorted_talk_reports(
        &self,
        filter: ReportFilter,
        slice: &ListSlice<ReportSort>,
    ) -> Result<Vec<TalkReport>, StoreError> {
        let (select, order) = (filtered(filter), slice.order());
        let sorted = match slice.sort {
            ReportSort::Id => select,
            ReportSort::Reason => select.order_by(report::Column::Reason, order),
            ReportSort::Author => select.order_by(report::Column::Name, order),
            ReportSort::Reporter => select.order_by(report::Column::ReporterName, order),
            ReportSort::Table => select.order_by(report::Column::TableId, order),
        };
        let sorted = slice.cut(sorted, report::Column::Id);
        let found = sorted.all(self.reads()).await?;
        found.into_iter().map(TalkReport::try_from).collect()
    }

    /// Returns the number of reports that match the filter.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn count_talk_reports(&self, filter: ReportFilter) -> Result<u64, StoreError> {
        Ok(filtered(filter).count(self.reads()).await?)
    }

    /// Returns a report; `None` if there is none with this number.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn talk_report(&self, id: i64) -> Result<Option<TalkReport>, StoreError> {
        let found = report::Entity::find_by_id(id).one(self.reads()).await?;
        found.map(TalkReport::try_from).transpose()
    }

    /// Returns what an account has reported, oldest first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn talk_reports_by(&self, user: i64) -> Result<Vec<TalkReport>, StoreError> {
        let found = report::Entity::find()
            .filter(report::Column::ReporterId.eq(user))
            .order_by_asc(report::Column::Id)
            .all(self.reads())
            .await?;
        found.into_iter().map(TalkReport::try_from).collect()
    }

    /// Closes a report and deletes its copies of messages, with an audit line. Returns `false`, and
    /// writes nothing, if no such report is open.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn close_talk_report(
        &self,
        id: i64,
        at: i64,
        audit: AuditLine,
    ) -> Result<bool, StoreError> {
        let transaction = begin(self.writes()).await?;
        let closed = report::Entity::update_many()
            .col_expr(report::Column::ClosedAt, Expr::value(at))
            .col_expr(report::Column::Context, Expr::value("[]"))
            .filter(report::Column::Id.eq(id))
            .filter(report::Column::ClosedAt.is_null())
            .exec(&transaction)
            .await?;
        if closed.rows_affected == 0 {
            return Ok(false);
        }
        commit(transaction, Some(audit)).await?;
        Ok(true)
    }
}

fn filtered(filter: ReportFilter) -> sea_orm::Select<report::Entity> {
    let select = report::Entity::find();
    if filter.open_only {
        select.filter(report::Column::ClosedAt.is_null())
    } else {
        select
    }
}

/// Returns the copy of a message for a report.
fn kept(row: &message::Model) -> Value {
    json!({
        "n": row.n, "at": row.at, "room": row.room, "person": row.person, "user": row.user_id,
        "name": row.name, "seat": row.seat, "phrase": row.phrase, "text": row.text,
    })
}

/// Reads the copy of a message.
fn message(kept: &Value) -> Option<TalkMessage> {
    let text = |field: &str| kept[field].as_str().map(str::to_owned);
    Some(TalkMessage {
        n: kept["n"].as_i64()?,
        at: kept["at"].as_i64()?,
        room: kept["room"].as_str()?.parse().ok()?,
        author: TalkPerson {
            key: text("person")?,
            user: kept["user"].as_i64(),
            name: text("name")?,
        },
        seat: kept["seat"]
            .as_u64()
            .and_then(|seat| u8::try_from(seat).ok()),
        phrase: text("phrase"),
        text: text("text")?,
    })
}

impl TryFrom<report::Model> for TalkReport {
    type Error = StoreError;

    fn try_from(row: report::Model) -> Result<Self, StoreError> {
        let kept: Vec<Value> =
            serde_json::from_str(&row.context).map_err(|e| StoreError::Corrupt {
                id: row.id,
                reason: format!("report {}: {e}", row.id),
            })?;
        Ok(Self {
            id: row.id,
            report: NewTalkReport {
                table: row.table_id,
                n: row.n,
                at: row.at,
                reporter: TalkPerson {
                    key: row.reporter,
                    user: row.reporter_id,
                    name: row.reporter_name,
                },
                reason: row.reason,
                note: row.note,
            },
            author: TalkPerson {
                key: row.person,
                user: row.user_id,
                name: row.name,
            },
            messages: kept.iter().filter_map(message).collect(),
            closed_at: row.closed_at,
        })
    }
}
