//! Quotas that all processes on a database share.

use sea_orm::sea_query::{Expr, LockType, OnConflict};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect, Set};

use crate::entity::quota;
use crate::transaction::{begin, commit};
use crate::{Store, StoreError};

impl Store {
    /// Counts one use of the quota with the number `id`, of which one comes back every `period` and
    /// at most `burst` are there at once. Returns the time to wait, in milliseconds, if there is none:
    /// then it is not counted.
    ///
    /// `period` is in milliseconds. The method is the generic cell rate algorithm.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn spend(&self, id: i64, period: i64, burst: i64) -> Result<Option<i64>, StoreError> {
        let now = self.time().await?;
        let transaction = begin(self.writes()).await?;
        // A row that does not exist could not be locked.
        let row = quota::ActiveModel {
            id: Set(id),
            full_at: Set(now),
        };
        let lock = OnConflict::column(quota::Column::Id)
            .update_column(quota::Column::Id)
            .to_owned();
        quota::Entity::insert(row)
            .on_conflict(lock)
            .exec_without_returning(&transaction)
            .await?;
        let row = quota::Entity::find()
            .filter(quota::Column::Id.eq(id))
            .lock(LockType::Update)
            .one(&transaction)
            .await?;
        let full_at = row.map_or(now, |row| row.full_at.max(now));
        let spent = full_at.saturating_add(period);
        let wait = spent.saturating_sub(now.saturating_add(period.saturating_mul(burst)));
        if wait > 0 {
            return Ok(Some(wait));
        }
        quota::Entity::update_many()
            .col_expr(quota::Column::FullAt, Expr::value(spent))
            .filter(quota::Column::Id.eq(id))
            .exec(&transaction)
            .await?;
        commit(transaction, None).await?;
        Ok(None)
    }

    /// Forgets the quotas of which nothing is spent.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn forget_full_quotas(&self) -> Result<(), StoreError> {
        let now = self.time().await?;
        quota::Entity::delete_many()
            .filter(quota::Column::FullAt.lt(now))
            .exec(self.writes())
            .await?;
        Ok(())
    }
}
