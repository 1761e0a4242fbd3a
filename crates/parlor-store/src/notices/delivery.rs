//! Notices on their way: one process at a time sends to an address.

use sea_orm::sea_query::{Expr, ExprTrait, Query};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Set,
};

use super::entity::{notice, target, wish};
use super::{NoticeTarget, remove_target};
use crate::search::storable;
use crate::transaction::{begin, commit};
use crate::{Store, StoreError};

/// An address that is left to this process for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetClaim {
    /// Address.
    pub target: NoticeTarget,
    node: i64,
    lease_until: i64,
}

/// A notice that is to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueNotice {
    /// Name of what happened.
    pub source: String,
    /// Time of what happened.
    pub at: i64,
    /// Kind of news.
    pub kind: String,
    /// Table that it is about.
    pub table: Option<i64>,
    /// Text.
    pub text: String,
}

/// Outcome of an attempt to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivery {
    /// It was sent, or there was nothing to send.
    Sent {
        /// Time of it; `None` if there was nothing to send.
        at: Option<i64>,
        /// Time at which all of the quota of the address will have come back.
        full_at: i64,
    },
    /// It waits until a time.
    Later(i64),
    /// It failed at a time, and is tried again.
    Failed {
        /// Time of the failure.
        at: i64,
        /// Time of the next attempt.
        retry_at: i64,
    },
    /// The address takes no notices any more and is removed; the member is told so in these words, of at most
    /// 300 characters.
    Gone(String),
}

impl Store {
    /// Returns at most `limit` addresses for which something is due and to which nobody sends now.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn due_notice_targets(&self, now: i64, limit: u64) -> Result<Vec<i64>, StoreError> {
        let mut query = Query::select();
        query
            .distinct()
            .column((target::Entity, target::Column::Id))
            .from(notice::Entity)
            .inner_join(
                target::Entity,
                Expr::col((target::Entity, target::Column::Id))
                    .equals((notice::Entity, notice::Column::TargetId)),
            )
            .and_where(notice::Column::DueAt.lte(now))
            .and_where(target::Column::RetryAt.lte(now))
            .and_where(target::Column::LeaseUntil.lte(now))
            .limit(limit);
        let found = self.reads().query_all(&query).await?;
        let ids = found.iter().map(|row| row.try_get_by_index(0));
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// Leaves an address to the process with the number `node` until a time. Returns `None` if there is none,
    /// or another process sends to it.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn claim_notice_target(
        &self,
        id: i64,
        node: i64,
        now: i64,
        until: i64,
    ) -> Result<Option<TargetClaim>, StoreError> {
        let claimed = target::Entity::update_many()
            .col_expr(target::Column::Node, Expr::value(node))
            .col_expr(target::Column::LeaseUntil, Expr::value(until))
            .filter(target::Column::Id.eq(id))
            .filter(target::Column::LeaseUntil.lte(now))
            .exec(self.writes())
            .await?;
        if claimed.rows_affected == 0 {
            return Ok(None);
        }
        let found = target::Entity::find_by_id(id).one(self.writes()).await?;
        let own = found.filter(|row| row.node == node && row.lease_until == until);
        Ok(own.map(|row| TargetClaim {
            target: row.into(),
            node,
            lease_until: until,
        }))
    }

    /// Returns at most `limit` notices that are due at an address, oldest first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn due_notices(
        &self,
        target: i64,
        now: i64,
        limit: u64,
    ) -> Result<Vec<DueNotice>, StoreError> {
        let found = notice::Entity::find()
            .filter(notice::Column::TargetId.eq(target))
            .filter(notice::Column::DueAt.lte(now))
            .order_by_asc(notice::Column::At)
            .order_by_asc(notice::Column::Source)
            .limit(limit)
            .all(self.writes())
            .await?;
        let due = |row: notice::Model| DueNotice {
            source: row.source,
            at: row.at,
            kind: row.kind,
            table: row.table_id,
            text: row.text,
        };
        Ok(found.into_iter().map(due).collect())
    }

    /// Stores the outcome of an attempt to send these notices, and lets the address go. Returns `false`, and
    /// stores nothing, if another process has taken it over meanwhile.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn end_notice_delivery(
        &self,
        claim: &TargetClaim,
        outcome: Delivery,
        notices: &[DueNotice],
    ) -> Result<bool, StoreError> {
        let transaction = begin(self.writes()).await?;
        let target = &claim.target;
        let mut changed = target::ActiveModel {
            lease_until: Set(0),
            ..Default::default()
        };
        let mut due_at = None;
        match &outcome {
            Delivery::Sent { at, full_at } => {
                changed.full_at = Set(*full_at);
                if let Some(at) = at {
                    changed.sent_at = Set(Some(*at));
                    changed.failures = Set(0);
                    changed.failing_since = Set(None);
                    changed.retry_at = Set(0);
                }
            }
            Delivery::Later(at) => due_at = Some(*at),
            Delivery::Failed { at, retry_at } => {
                changed.failures = Set(target.failures.saturating_add(1));
                changed.failing_since = Set(Some(target.failing_since.unwrap_or(*at)));
                changed.retry_at = Set(*retry_at);
            }
            Delivery::Gone(_) => {}
        }
        let updated = target::Entity::update_many()
            .set(changed)
            .filter(target::Column::Id.eq(target.id))
            .filter(target::Column::Node.eq(claim.node))
            .filter(target::Column::LeaseUntil.eq(claim.lease_until))
            .exec(&transaction)
            .await?;
        if updated.rows_affected == 0 {
            return Ok(false);
        }
        match outcome {
            Delivery::Gone(words) => {
                remove_target(&transaction, target.user, target.id).await?;
                wish::Entity::update_many()
                    .col_expr(wish::Column::Gone, Expr::value(Some(storable(&words))))
                    .filter(wish::Column::UserId.eq(target.user))
                    .exec(&transaction)
                    .await?;
            }
            Delivery::Failed { .. } => {}
            Delivery::Sent { .. } | Delivery::Later(_) if notices.is_empty() => {}
            Delivery::Sent { .. } | Delivery::Later(_) => {
                let sources = notices.iter().map(|notice| notice.source.as_str());
                notice::Entity::update_many()
                    .col_expr(notice::Column::DueAt, Expr::value(due_at))
                    .filter(notice::Column::TargetId.eq(target.id))
                    .filter(notice::Column::Source.is_in(sources))
                    .exec(&transaction)
                    .await?;
            }
        }
        commit(transaction, None).await?;
        Ok(true)
    }

    /// Returns the number of notices that wait to be sent.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn waiting_notices(&self) -> Result<u64, StoreError> {
        let waiting = notice::Entity::find().filter(notice::Column::DueAt.is_not_null());
        Ok(waiting.count(self.reads()).await?)
    }

    /// Forgets the notices of what happened before a time, sent or not.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn forget_notices(&self, before: i64) -> Result<(), StoreError> {
        notice::Entity::delete_many()
            .filter(notice::Column::At.lt(before))
            .exec(self.writes())
            .await?;
        Ok(())
    }
}
