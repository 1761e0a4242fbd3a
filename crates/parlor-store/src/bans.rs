//! What only admins do to accounts, each with its line in the audit log.

use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, Set};

use crate::entity::{session, user};
use crate::search::storable;
use crate::transaction::{begin, commit};
use crate::users::update;
use crate::{AuditLine, Store, StoreError};

/// Why and since when an account is shut out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ban {
    /// Since when, in milliseconds since 1970.
    pub at: i64,
    /// Why; may be empty.
    pub reason: String,
}

impl Store {
    /// Makes an account an admin's, or an admin's a common one, with a line in the audit log. Says whether there is such
    /// an account; without it nothing is written.
    ///
    /// # Errors
    /// As every write, see [`Store::create_user`].
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

    /// Shuts an account out and ends its sessions, with a line in the audit log, all or nothing. Its tokens stay, for the
    /// day the ban is lifted: who asks for a token must look at [`User::ban`](crate::User::ban). Says whether there is
    /// such an account; without it nothing is written.
    ///
    /// # Errors
    /// As every write, see [`Store::create_user`].
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

    /// Lets an account in again, with a line in the audit log. Says whether there is such an account; without it nothing
    /// is written.
    ///
    /// # Errors
    /// As every write, see [`Store::create_user`].
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
