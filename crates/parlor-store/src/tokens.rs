//! Keys for programs.

use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};

use crate::entity::{token, user};
use crate::read::signed;
use crate::search::{contains, storable};
use crate::sessions::refused;
use crate::transaction::{begin, commit};
use crate::{AuditLine, Page, SecretHash, Store, StoreError, User};

/// A key with which a program acts for an account; known by the hash of its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The id.
    pub id: i64,
    /// Whose it is.
    pub user_id: i64,
    /// What its owner calls it.
    pub name: String,
    /// What it may do; words without commas.
    pub scopes: Vec<String>,
    /// When it was made, in milliseconds since 1970.
    pub created_at: i64,
    /// From when on it does not count any more, in milliseconds since 1970.
    pub expires_at: Option<i64>,
    /// When it was revoked, in milliseconds since 1970.
    pub revoked_at: Option<i64>,
    /// When it was last used, in milliseconds since 1970, as far as [`Store::touch_token`] was told.
    pub last_used_at: Option<i64>,
}

/// Which tokens are meant; the default means all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenFilter {
    /// Only tokens with this text in their names or their owners' names, whatever the case.
    pub search: Option<String>,
    /// Only those that count at this time, in milliseconds since 1970.
    pub live_at: Option<i64>,
}

impl Store {
    /// Writes a new token.
    ///
    /// # Errors
    /// [`StoreError::NoUser`] when there is no such account, [`StoreError::Exists`] when the id or the hash is taken;
    /// otherwise as every write, see [`Store::create_user`].
    pub async fn create_token(&self, hash: &SecretHash, token: Token) -> Result<(), StoreError> {
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
        match token::Entity::insert(row)
            .exec_without_returning(self.writes())
            .await
        {
            Ok(_) => Ok(()),
            Err(e) => Err(refused(e)),
        }
    }

    /// A token that counts at `now` (milliseconds since 1970), with its account; `None` when it is unknown, revoked or
    /// expired. A banned account is given all the same: look at [`User::ban`].
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn token(
        &self,
        hash: &SecretHash,
        now: i64,
    ) -> Result<Option<(Token, User)>, StoreError> {
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

    /// All tokens of an account, newest (highest id) first, revoked and expired ones too.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn tokens_of(&self, user: i64) -> Result<Vec<Token>, StoreError> {
        let select = token::Entity::find().filter(token::Column::UserId.eq(user));
        let found = select
            .order_by_desc(token::Column::Id)
            .all(self.reads())
            .await?;
        Ok(found.into_iter().map(Token::from).collect())
    }

    /// The tokens that the filter lets through with their accounts, newest (highest id) first, one page of them.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn tokens(
        &self,
        filter: &TokenFilter,
        page: &Page,
    ) -> Result<Vec<(Token, User)>, StoreError> {
        let select = token::Entity::find()
            .order_by_desc(token::Column::Id)
            .limit(signed(page.limit) as u64);
        let mut select = select.find_both_related(user::Entity);
        if let Some(before) = page.before {
            select = select.filter(token::Column::Id.lt(before));
        }
        if let Some(text) = &filter.search {
            let names = [
                contains(token::Column::Name, text),
                contains(user::Column::Folded, text),
            ];
            select = select.filter(names.into_iter().fold(Condition::any(), Condition::add));
        }
        if let Some(now) = filter.live_at {
            select = select.filter(live(now));
        }
        let found = select.all(self.reads()).await?;
        found
            .into_iter()
            .map(|(token, user)| Ok((token.into(), user.try_into()?)))
            .collect()
    }

    /// Revokes a token at `at` (milliseconds since 1970), of `user` only when one is named, with a line in the audit log
    /// when an admin does it. Says whether there was such a token that was not revoked yet; without it nothing is
    /// written.
    ///
    /// # Errors
    /// As every write, see [`Store::create_user`].
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

    /// Notes that a token was used at `at` (milliseconds since 1970). Each call is a write: once in a while is enough.
    ///
    /// # Errors
    /// As every write, see [`Store::create_user`].
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

impl From<token::Model> for Token {
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
