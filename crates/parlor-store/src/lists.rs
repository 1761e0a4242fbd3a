//! Lists of other accounts that an account keeps: those that it has blocked, and those that it has muted.

use sea_orm::{
    ActiveModelTrait, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Related,
};

use crate::entity::user;
use crate::transaction::{begin, commit};
use crate::users::lock_account;
use crate::{Store, StoreError};

/// An account in the list of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedAccount {
    /// Id of the account.
    pub id: i64,
    /// Name of the account.
    pub name: String,
    /// Time at which it was listed, in milliseconds since the Unix epoch.
    pub at: i64,
}

/// Columns of the table of a list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListColumns<C> {
    /// Id of the account that keeps the list.
    pub(crate) owner: C,
    /// Id of the account in it.
    pub(crate) listed: C,
    /// Time at which it was listed.
    pub(crate) at: C,
}

impl Store {
    /// Adds a row to the list of `owner` unless `listed` is in it. Returns `false`, and adds nothing, if
    /// the list has `most` rows or its owner does not exist.
    pub(crate) async fn add_to_list<E>(
        &self,
        columns: ListColumns<E::Column>,
        [owner, listed]: [i64; 2],
        row: E::ActiveModel,
        most: u64,
    ) -> Result<bool, StoreError>
    where
        E: EntityTrait<Model: Send + Sync, ActiveModel: ActiveModelTrait<Entity = E>>,
    {
        let transaction = begin(self.writes()).await?;
        if !lock_account(&transaction, owner).await? {
            return Ok(false);
        }
        let own = || E::find().filter(columns.owner.eq(owner));
        let known = own().filter(columns.listed.eq(listed));
        if known.one(&transaction).await?.is_some() {
            return Ok(true);
        }
        if own().count(&transaction).await? >= most {
            return Ok(false);
        }
        E::insert(row).exec_without_returning(&transaction).await?;
        commit(transaction, None).await?;
        Ok(true)
    }

    /// Removes a row from a list. Returns `false` if there was none.
    pub(crate) async fn remove_from_list<E: EntityTrait>(
        &self,
        columns: ListColumns<E::Column>,
        [owner, listed]: [i64; 2],
    ) -> Result<bool, StoreError> {
        let deleted = E::delete_many()
            .filter(columns.owner.eq(owner))
            .filter(columns.listed.eq(listed))
            .exec(self.writes())
            .await?;
        Ok(deleted.rows_affected > 0)
    }

    /// Returns the accounts in the list of `owner`, the latest first.
    pub(crate) async fn list_of<E: EntityTrait + Related<user::Entity>>(
        &self,
        columns: ListColumns<E::Column>,
        owner: i64,
    ) -> Result<Vec<ListedAccount>, StoreError> {
        let found = E::find()
            .inner_join(user::Entity)
            .select_only()
            .column(user::Column::Id)
            .column(user::Column::Name)
            .column(columns.at)
            .filter(columns.owner.eq(owner))
            .order_by_desc(columns.at)
            .order_by_desc(columns.listed)
            .into_tuple::<(i64, String, i64)>()
            .all(self.reads())
            .await?;
        let account = |(id, name, at)| ListedAccount { id, name, at };
        Ok(found.into_iter().map(account).collect())
    }
}
