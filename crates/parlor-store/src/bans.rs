//! Admin actions on accounts, each with its audit line.

use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, Set};

use crate::entity::{session, user};
use crate::search::storable;
use crate::transaction::{begin, commit};
use crate::users::update;
use crate::{AuditLine, Store, StoreError};

/// Ban of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ban {
    /// Time of the ban, in milliseconds since the Unix epoch.
    pub at: i64,
    /// Reason; may be empty.
    pub reason: String,
}

impl Store {
    /// Grants or revokes admin rights, with an audit line. Returns `false`, and writes nothing, if
    /// there is no such account.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn set_admin(
        &self,
        id: i64,
        admin: bool,
        audit: AuditLine,
    ) -> Result<bool, StoreError> {
        let transaction = begin(self.writes()).await?;
        let changed = user::ActiveModel {
            admin: Set(admin),
            ..Default::default()
        };
        if !update(&transaction, id, changed).await? {
            return Ok(false);
        }
        commit(transaction, Some(audit)).await?;
        Ok(true)
    }

    /// Bans an account and ends its sessions, with an audit line, atomically. Its tokens are kept
    /// for when the ban is lifted, so code that accepts tokens must check
    /// [`User::ban`](crate::User::ban). Returns `false`, and writes nothing, if there is no such
    /// account.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn ban(&self, id: i64, ban: Ban, audit: AuditLine) -> Result<bool, StoreError> {
        let transaction = begin(self.writes()).await?;
        if !update(&transaction, id, banned(Some(ban))).await? {
            return Ok(false);
        }
        session::Entity::delete_many()
            .filter(session::Column::UserId.eq(id))
            .exec(&transaction)
            .await?;
        commit(transaction, Some(audit)).await?;
        Ok(true)
    }

    /// Lifts the ban of an account, with an audit line. Returns `false`, and writes nothing, if
    /// there is no such account.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn unban(&self, id: i64, audit: AuditLine) -> Result<bool, StoreError> {
        let transaction = begin(self.writes()).await?;
        if !update(&transaction, id, banned(None)).await? {
            return Ok(false);
        }
        commit(transaction, Some(audit)).await?;
        Ok(true)
    }
}

fn banned(ban: Option<Ban>) -> user::ActiveModel {
    let (at, reason) = ban.map(|ban| (ban.at, storable(&ban.reason))).unzip();
    user::ActiveModel {
        banned_at: Set(at),
        ban_reason: Set(reason),
        ..Default::default()
    }
}
