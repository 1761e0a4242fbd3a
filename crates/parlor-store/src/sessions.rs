//! Who is signed in.

use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, Set, SqlErr};

use crate::entity::{session, user};
use crate::{Store, StoreError, User};

/// The SHA-256 of a secret that only its holder knows.
pub type SecretHash = [u8; 32];

/// A signed-in browser, known by the hash of its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Whose it is.
    pub user_id: i64,
    /// Since when, in milliseconds since 1970.
    pub created_at: i64,
    /// From when on it does not count any more, in milliseconds since 1970.
    pub expires_at: i64,
}

impl Store {
    /// Writes a new session.
    ///
    /// # Errors
    /// [`StoreError::NoUser`] when there is no such account; otherwise as every write, see [`Store::create_user`].
    pub async fn create_session(
        &self,
        hash: &SecretHash,
        session: Session,
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
            Err(e) => Err(refused(e)),
        }
    }

    /// A session that counts at `now` (milliseconds since 1970), with its account; `None` when there is none. The account
    /// of a ban that came after the sign-in is still given: look at [`User::ban`].
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn session(
        &self,
        hash: &SecretHash,
        now: i64,
    ) -> Result<Option<(Session, User)>, StoreError> {
        let select = session::Entity::find_by_id(hex::encode(hash))
            .filter(session::Column::ExpiresAt.gt(now));
        let Some((row, user)) = select
            .find_both_related(user::Entity)
            .one(self.reads())
            .await?
        else {
            return Ok(None);
        };
        let session = Session {
            user_id: row.user_id,
            created_at: row.created_at,
            expires_at: row.expires_at,
        };
        Ok(Some((session, user.try_into()?)))
    }

    /// Ends a session. Says whether there was one.
    ///
    /// # Errors
    /// As every write, see [`Store::create_user`].
    pub async fn delete_session(&self, hash: &SecretHash) -> Result<bool, StoreError> {
        let deleted = session::Entity::delete_by_id(hex::encode(hash))
            .exec(self.writes())
            .await?;
        Ok(deleted.rows_affected > 0)
    }

    /// Ends all sessions of an account. Says how many there were.
    ///
    /// # Errors
    /// As every write, see [`Store::create_user`].
    pub async fn delete_sessions_of(&self, user: i64) -> Result<u64, StoreError> {
        let theirs = session::Entity::delete_many().filter(session::Column::UserId.eq(user));
        Ok(theirs.exec(self.writes()).await?.rows_affected)
    }

    /// Removes the sessions that do not count any more at `now` (milliseconds since 1970). Says how many there were.
    ///
    /// # Errors
    /// As every write, see [`Store::create_user`].
    pub async fn delete_expired(&self, now: i64) -> Result<u64, StoreError> {
        let expired = session::Entity::delete_many().filter(session::Column::ExpiresAt.lte(now));
        Ok(expired.exec(self.writes()).await?.rows_affected)
    }
}

/// Why something that belongs to an account was not written.
pub(crate) fn refused(e: sea_orm::DbErr) -> StoreError {
    match e.sql_err() {
        Some(SqlErr::ForeignKeyConstraintViolation(_)) => StoreError::NoUser,
        Some(SqlErr::UniqueConstraintViolation(_)) => StoreError::Exists,
        _ => e.into(),
    }
}
