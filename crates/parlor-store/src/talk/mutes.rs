//! Members whose messages other members do not want to see.

use std::collections::BTreeSet;

use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect, Set};

use super::entity::mute;
use crate::entity::block;
use crate::lists::ListColumns;
use crate::{ListedAccount, Store, StoreError};

/// Columns of the list of muted accounts.
const COLUMNS: ListColumns<mute::Column> = ListColumns {
    owner: mute::Column::UserId,
    listed: mute::Column::MutedId,
    at: mute::Column::At,
};

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
        let row = mute::ActiveModel {
            user_id: Set(user),
            muted_id: Set(muted),
            at: Set(at),
        };
        self.add_to_list::<mute::Entity>(COLUMNS, [user, muted], row, most)
            .await
    }

    /// Removes a mute. Returns `false` if there was none.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn unmute(&self, user: i64, muted: i64) -> Result<bool, StoreError> {
        self.remove_from_list::<mute::Entity>(COLUMNS, [user, muted])
            .await
    }

    /// Returns the accounts that an account has muted, latest mute first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn mutes_of(&self, user: i64) -> Result<Vec<ListedAccount>, StoreError> {
        self.list_of::<mute::Entity>(COLUMNS, user).await
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
