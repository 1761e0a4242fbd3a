//! API tokens.

use sea_orm::{
    ColumnTrait, Condition, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Set,
};

use crate::entity::{token, user};
use crate::search::{contains, storable};
use crate::sessions::insert_error;
use crate::statement::{MAX_IDS, padded_ids};
use crate::transaction::{begin, commit};
use crate::users::lock_account;
use crate::{AuditLine, ListSlice, SecretHash, Store, StoreError, User};

/// An API token, with which a program acts for an account; identified by the hash of its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredToken {
    /// Id of the token.
    pub id: i64,
    /// Id of the account.
    pub user_id: i64,
    /// Name given by its owner.
    pub name: String,
    /// Scopes granted; words without commas.
    pub scopes: Vec<String>,
    /// Time of creation, in milliseconds since the Unix epoch.
    pub created_at: i64,
    /// Time at which it expires, in milliseconds since the Unix epoch.
    pub expires_at: Option<i64>,
    /// Time at which it was revoked, in milliseconds since the Unix epoch.
    pub revoked_at: Option<i64>,
    /// Time of its last use, in milliseconds since the Unix epoch, as far as reported by
    /// [`Store::touch_token`].
    pub last_used_at: Option<i64>,
}

/// Filter for tokens; the default matches all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenFilter {
    /// Only tokens with this text in their names or their owners' names, ignoring case.
    pub search: Option<String>,
    /// Only tokens valid at this time, in milliseconds since the Unix epoch.
    pub live_at: Option<i64>,
}

impl TokenFilter {
    /// Returns the condition on tokens and their owners.
    fn condition(&self) -> Condition {
        let mut condition = Condition::all();
        if let Some(text) = &self.search {
            let names = [
                contains(token::Column::Name, text),
                contains(user::Column::Folded, text),
            ];
            condition = condition.add(names.into_iter().fold(Condition::any(), Condition::add));
        }
        match self.live_at {
            Some(now) => condition.add(live(now)),
            None => condition,
        }
    }
}

/// Column that a list of tokens is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TokenSort {
    /// The id, which follows the time of creation.
    #[default]
    Id,
    /// The name of the owner, ignoring case.
    Owner,
    /// The name of the token.
    Name,
    /// The time of creation.
    Created,
    /// The time of the last use.
    Used,
}

impl Store {
    /// Stores a new token, with which the account may have `most` valid ones at its time of creation.
    /// They are counted while no other process can add one.
    ///
    /// # Errors
    /// [`StoreError::TooMany`] if it would be one too many, [`StoreError::NoUser`] if there is no such
    /// account, [`StoreError::Exists`] if the id or the hash is taken, and the errors of every write;
    /// see [`Store::create_user`].
    pub async fn create_token(
        &self,
        hash: &SecretHash,
        token: StoredToken,
        most: u64,
    ) -> Result<(), StoreError> {
        let row = token::ActiveModel {
            id: Set(token.id),
            hash: Set(hex::encode(hash)),
            user_id: Set(token.user_id),
            name: Set(storable(&token.name)),
            scopes: Set(storable(&token.scopes.join(","))),
            created_at: Set(token.created_at),
            expires_at: Set(token.expires_at),
            revoked_at: Set(token.revoked_at),
            last_used_at: Set(token.last_used_at),
        };
        let transaction = begin(self.writes()).await?;
        if !lock_account(&transaction, token.user_id).await? {
            return Err(StoreError::NoUser);
        }
        let theirs = token::Entity::find()
            .filter(token::Column::UserId.eq(token.user_id))
            .filter(live(token.created_at));
        if theirs.count(&transaction).await? >= most {
            return Err(StoreError::TooMany { most });
        }
        token::Entity::insert(row)
            .exec_without_returning(&transaction)
            .await
            .map_err(insert_error)?;
        commit(transaction, None).await
    }

    /// Returns the token that is valid at `now` (milliseconds since the Unix epoch) with its
    /// account; `None` if it is unknown, revoked or expired. A banned account is returned as well:
    /// check [`User::ban`].
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn token(
        &self,
        hash: &SecretHash,
        now: i64,
    ) -> Result<Option<(StoredToken, User)>, StoreError> {
        let select = token::Entity::find()
            .filter(token::Column::Hash.eq(hex::encode(hash)))
            .filter(live(now));
        let found = select
            .find_both_related(user::Entity)
            .one(self.reads())
            .await?;
        found
            .map(|(token, user)| Ok((token.into(), user.try_into()?)))
            .transpose()
    }

    /// Returns those of the tokens with these ids that were not revoked, in any order.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn unrevoked_tokens(&self, ids: &[i64]) -> Result<Vec<i64>, StoreError> {
        let mut unrevoked = Vec::with_capacity(ids.len());
        for ids in ids.chunks(MAX_IDS) {
            let select = token::Entity::find()
                .select_only()
                .column(token::Column::Id)
                .filter(token::Column::Id.is_in(padded_ids(ids.to_vec())))
                .filter(token::Column::RevokedAt.is_null());
            let found: Vec<i64> = select.into_tuple().all(self.reads()).await?;
            unrevoked.extend(found);
        }
        Ok(unrevoked)
    }

    /// Returns all tokens of an account, newest (highest id) first, including revoked and expired
    /// ones.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn tokens_of(&self, user: i64) -> Result<Vec<StoredToken>, StoreError> {
        let select = token::Entity::find().filter(token::Column::UserId.eq(user));
        let found = select
            .order_by_desc(token::Column::Id)
            .all(self.reads())
            .await?;
        Ok(found.into_iter().map(StoredToken::from).collect())
    }

    /// Returns a part of the sorted list of tokens that match the filter, with their accounts.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn sorted_tokens(
        &self,
        filter: &TokenFilter,
        slice: &ListSlice<TokenSort>,
    ) -> Result<Vec<(StoredToken, User)>, StoreError> {
        let select = token::Entity::find().find_both_related(user::Entity);
        let select = select.filter(filter.condition());
        let order = slice.order();
        let sorted = match slice.sort {
            TokenSort::Id => select,
            TokenSort::Owner => select.order_by(user::Column::Folded, order),
            TokenSort::Name => select.order_by(token::Column::Name, order),
            TokenSort::Created => select.order_by(token::Column::CreatedAt, order),
            TokenSort::Used => select.order_by(token::Column::LastUsedAt, order),
        };
        let sorted = slice.cut(sorted, token::Column::Id);
        let found = sorted.all(self.reads()).await?;
        found
            .into_iter()
            .map(|(token, user)| Ok((token.into(), user.try_into()?)))
            .collect()
    }

    /// Returns the number of tokens that match the filter.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn count_tokens(&self, filter: &TokenFilter) -> Result<u64, StoreError> {
        let select = token::Entity::find().inner_join(user::Entity);
        let select = select.filter(filter.condition());
        Ok(select.count(self.reads()).await?)
    }

    /// Revokes a token at `at` (milliseconds since the Unix epoch); with `user`, only one of that
    /// account. An admin's revocation comes with an audit line. Returns `false`, and writes
    /// nothing, if there is no such token or it was revoked already.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn revoke_token(
        &self,
        id: i64,
        user: Option<i64>,
        at: i64,
        audit: Option<AuditLine>,
    ) -> Result<bool, StoreError> {
        let transaction = begin(self.writes()).await?;
        let revoked = token::ActiveModel {
            revoked_at: Set(Some(at)),
            ..Default::default()
        };
        let mut update = token::Entity::update_many()
            .set(revoked)
            .filter(token::Column::Id.eq(id));
        update = update.filter(token::Column::RevokedAt.is_null());
        if let Some(user) = user {
            update = update.filter(token::Column::UserId.eq(user));
        }
        if update.exec(&transaction).await?.rows_affected == 0 {
            return Ok(false);
        }
        commit(transaction, audit).await?;
        Ok(true)
    }

    /// Records that a token was used at `at` (milliseconds since the Unix epoch). Every call is a
    /// write, so call it only once in a while.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn touch_token(&self, id: i64, at: i64) -> Result<(), StoreError> {
        let earlier = Condition::any()
            .add(token::Column::LastUsedAt.is_null())
            .add(token::Column::LastUsedAt.lt(at));
        let used = token::ActiveModel {
            last_used_at: Set(Some(at)),
            ..Default::default()
        };
        let update = token::Entity::update_many()
            .set(used)
            .filter(token::Column::Id.eq(id))
            .filter(earlier);
        update.exec(self.writes()).await?;
        Ok(())
    }
}

fn live(now: i64) -> Condition {
    let lasts = Condition::any()
        .add(token::Column::ExpiresAt.is_null())
        .add(token::Column::ExpiresAt.gt(now));
    Condition::all()
        .add(token::Column::RevokedAt.is_null())
        .add(lasts)
}

impl From<token::Model> for StoredToken {
    fn from(row: token::Model) -> Self {
        Self {
            id: row.id,
            user_id: row.user_id,
            name: row.name,
            scopes: row
                .scopes
                .split(',')
                .filter(|scope| !scope.is_empty())
                .map(str::to_owned)
                .collect(),
            created_at: row.created_at,
            expires_at: row.expires_at,
            revoked_at: row.revoked_at,
            last_used_at: row.last_used_at,
        }
    }
}
