//! Members whose messages other members do not want to see.

use std::collections::BTreeSet;

use sea_orm::sea_query::LockType;
use sea_orm::{
    ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Set,
};

use super::entity::mute;
use crate::entity::{block, user};
use crate::transaction::{begin, commit};
use crate::{Store, StoreError};

/// An account that another one has muted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MutedAccount {
    /// Id of the muted account.
    pub id: i64,
    /// Name of the muted account.
    pub name: String,
    /// Time of the mute, in milliseconds since the Unix epoch.
    pub at: i64,
}

impl Store {
    /// Lets the account `user` mute another one. Does nothing if it has already. Returns `false`, and
    /// mutes nothing, if it has `most` mutes or does not exist.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn mute(
        &self,
        user: i64,
        muted: i64,
        at: i64,
        most: u64,
    ) -> Result<bool, StoreError> {
        let transaction = begin(self.writes()).await?;
        // The account's row is locked first, so that two requests cannot both take the last place.
        let owner = user::Entity::find_by_id(user)
            .lock(LockType::Update)
            .one(&transaction)
            .await?;
        let own = || mute::Entity::find().filter(mute::Column::UserId.eq(user));
        if owner.is_none() {
            return Ok(false);
        }
        let known = own().filter(mute::Column::MutedId.eq(muted));
        if known.one(&transaction).await?.is_some() {
            return Ok(true);
        }
        if own().count(&transaction).await? >= most {
            return Ok(false);
        }
        let row = mute::ActiveModel {
            user_id: Set(user),
            muted_id: Set(muted),
            at: Set(at),
        };
        mute::Entity::insert(row)
            .exec_without_returning(&transaction)
            .await?;
        commit(transaction, None).await?;
        Ok(true)
    }

    /// Removes a mute. Returns `false` if there was none.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn unmute(&self, user: i64, muted: i64) -> Result<bool, StoreError> {
        let deleted = mute::Entity::delete_by_id((user, muted));
        Ok(deleted.exec(self.writes()).await?.rows_affected > 0)
    }

    /// Returns the accounts that an account has muted, latest mute first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn mutes_of(&self, user: i64) -> Result<Vec<MutedAccount>, StoreError> {
        let found = mute::Entity::find()
            .find_both_related(user::Entity)
            .filter(mute::Column::UserId.eq(user))
            .order_by_desc(mute::Column::At)
            .order_by_desc(mute::Column::MutedId)
            .all(self.reads())
            .await?;
        let muted = |(mute, user): (mute::Model, user::Model)| MutedAccount {
            id: user.id,
            name: user.name,
            at: mute.at,
        };
        Ok(found.into_iter().map(muted).collect())
    }

    /// Returns the accounts whose messages an account does not want to see: those that it has muted
    /// or blocked.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn unheard_by(&self, user: i64) -> Result<BTreeSet<i64>, StoreError> {
        let muted = mute::Entity::find()
            .select_only()
            .column(mute::Column::MutedId)
            .filter(mute::Column::UserId.eq(user))
            .into_tuple::<i64>();
        let blocked = block::Entity::find()
            .select_only()
            .column(block::Column::BlockedId)
            .filter(block::Column::UserId.eq(user))
            .into_tuple::<i64>();
        let mut unheard: BTreeSet<i64> = muted.all(self.reads()).await?.into_iter().collect();
        unheard.extend(blocked.all(self.reads()).await?);
        Ok(unheard)
    }
}
