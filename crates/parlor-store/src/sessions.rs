//! Sessions of signed-in accounts.

use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, Set, SqlErr};

use crate::entity::{session, user};
use crate::{Store, StoreError, User};

/// SHA-256 hash of a secret that only its holder knows.
pub type SecretHash = [u8; 32];

/// A signed-in browser, identified by the hash of its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSession {
    /// Id of the account.
    pub user_id: i64,
    /// Time of the sign-in, in milliseconds since the Unix epoch.
    pub created_at: i64,
    /// Time at which it expires, in milliseconds since the Unix epoch.
    pub expires_at: i64,
}

impl Store {
    /// Stores a new session.
    ///
    /// # Errors
    /// [`StoreError::NoUser`] if there is no such account, and the errors of every write; see
    /// [`Store::create_user`].
    pub async fn create_session(
        &self,
        hash: &SecretHash,
        session: StoredSession,
    ) -> Result<(), StoreError> {
        let row = session::ActiveModel {
            hash: Set(hex::encode(hash)),
            user_id: Set(session.user_id),
            created_at: Set(session.created_at),
            expires_at: Set(session.expires_at),
        };
        match session::Entity::insert(row)
            .exec_without_returning(self.writes())
            .await
        {
            Ok(_) => Ok(()),
            Err(e) => Err(insert_error(e)),
        }
    }

    /// Returns the session that is valid at `now` (milliseconds since the Unix epoch) with its
    /// account, if any. An account banned after signing in is still returned: check [`User::ban`].
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn session(
        &self,
        hash: &SecretHash,
        now: i64,
    ) -> Result<Option<(StoredSession, User)>, StoreError> {
        let select = session::Entity::find_by_id(hex::encode(hash))
            .filter(session::Column::ExpiresAt.gt(now));
        let Some((row, user)) = select
            .find_both_related(user::Entity)
            .one(self.reads())
            .await?
        else {
            return Ok(None);
        };
        let session = StoredSession {
            user_id: row.user_id,
            created_at: row.created_at,
            expires_at: row.expires_at,
        };
        Ok(Some((session, user.try_into()?)))
    }

    /// Ends a session. Returns `false` if there was none.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn delete_session(&self, hash: &SecretHash) -> Result<bool, StoreError> {
        let deleted = session::Entity::delete_by_id(hex::encode(hash))
            .exec(self.writes())
            .await?;
        Ok(deleted.rows_affected > 0)
    }

    /// Ends all sessions of an account and returns their number.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn delete_sessions_of(&self, user: i64) -> Result<u64, StoreError> {
        let theirs = session::Entity::delete_many().filter(session::Column::UserId.eq(user));
        Ok(theirs.exec(self.writes()).await?.rows_affected)
    }

    /// Deletes the sessions expired at `now` (milliseconds since the Unix epoch) and returns their
    /// number.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn delete_expired(&self, now: i64) -> Result<u64, StoreError> {
        let expired = session::Entity::delete_many().filter(session::Column::ExpiresAt.lte(now));
        Ok(expired.exec(self.writes()).await?.rows_affected)
    }
}

/// Converts the error of inserting something that belongs to an account.
pub(crate) fn insert_error(e: sea_orm::DbErr) -> StoreError {
    match e.sql_err() {
        Some(SqlErr::ForeignKeyConstraintViolation(_)) => StoreError::NoUser,
        Some(SqlErr::UniqueConstraintViolation(_)) => StoreError::Exists,
        _ => e.into(),
    }
}
