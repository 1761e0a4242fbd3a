//! Sessions of signed-in accounts.

use sea_orm::{
    ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set, SqlErr,
};

use crate::entity::{session, user};
use crate::search::storable;
use crate::statement::{MAX_IDS, padded_ids};
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
    /// Name of the browser, at most 64 characters; unknown for sessions of earlier releases.
    pub browser: Option<String>,
    /// Time of its last use, in milliseconds since the Unix epoch, as far as reported by
    /// [`Store::touch_session`].
    pub last_used_at: Option<i64>,
}

/// Returns the hash of a session of this account from its hexadecimal digits, as stored.
fn stored_hash(user: i64, digits: &str) -> Result<SecretHash, StoreError> {
    let mut hash = SecretHash::default();
    hex::decode_to_slice(digits, &mut hash).map_err(|_| StoreError::Corrupt {
        id: user,
        reason: format!("{digits:?} is no hash of a session"),
    })?;
    Ok(hash)
}

impl From<session::Model> for StoredSession {
    fn from(row: session::Model) -> Self {
        Self {
            user_id: row.user_id,
            created_at: row.created_at,
            expires_at: row.expires_at,
            browser: row.browser,
            last_used_at: row.last_used_at,
        }
    }
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
            browser: Set(session.browser.as_deref().map(storable)),
            last_used_at: Set(session.last_used_at),
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
        Ok(Some((row.into(), user.try_into()?)))
    }

    /// Returns the sessions of an account that are valid at `now` (milliseconds since the Unix
    /// epoch), latest sign-in first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn sessions_of(
        &self,
        user: i64,
        now: i64,
    ) -> Result<Vec<(SecretHash, StoredSession)>, StoreError> {
        let select = session::Entity::find()
            .filter(session::Column::UserId.eq(user))
            .filter(session::Column::ExpiresAt.gt(now))
            .order_by_desc(session::Column::CreatedAt)
            .order_by_asc(session::Column::Hash);
        let found = select.all(self.reads()).await?;
        found
            .into_iter()
            .map(|row| Ok((stored_hash(user, &row.hash)?, row.into())))
            .collect()
    }

    /// Returns those of the sessions that have not ended, in any order.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn open_sessions(
        &self,
        hashes: &[SecretHash],
    ) -> Result<Vec<SecretHash>, StoreError> {
        let mut open = Vec::with_capacity(hashes.len());
        for hashes in hashes.chunks(MAX_IDS) {
            let digits = padded_ids(hashes.iter().map(hex::encode).collect());
            let select = session::Entity::find()
                .select_only()
                .column(session::Column::Hash)
                .filter(session::Column::Hash.is_in(digits));
            let found: Vec<String> = select.into_tuple().all(self.reads()).await?;
            for digits in found {
                open.push(stored_hash(0, &digits)?);
            }
        }
        Ok(open)
    }

    /// Records that a session was used at `at` (milliseconds since the Unix epoch). Every call is a
    /// write, so call it only once in a while.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn touch_session(&self, hash: &SecretHash, at: i64) -> Result<(), StoreError> {
        let earlier = Condition::any()
            .add(session::Column::LastUsedAt.is_null())
            .add(session::Column::LastUsedAt.lt(at));
        let used = session::ActiveModel {
            last_used_at: Set(Some(at)),
            ..Default::default()
        };
        let update = session::Entity::update_many()
            .set(used)
            .filter(session::Column::Hash.eq(hex::encode(hash)))
            .filter(earlier);
        update.exec(self.writes()).await?;
        Ok(())
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
