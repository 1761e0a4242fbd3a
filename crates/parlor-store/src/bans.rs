//! Admin actions on accounts, each with its audit line.

use sea_orm::sea_query::{Expr, LockType};
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter, QuerySelect, Set};

use crate::entity::{session, user};
use crate::search::storable;
use crate::transaction::{Transaction, begin, commit};
use crate::users::update;
use crate::{AuditLine, PasswordHash, Store, StoreError, User, UserKind};

/// Ban of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ban {
    /// Time of the ban, in milliseconds since the Unix epoch.
    pub at: i64,
    /// Reason; may be empty.
    pub reason: String,
}

impl Ban {
    /// Returns the ban that replaces an earlier one that has not been lifted: it began with that, and
    /// keeps its reason unless there is a new one.
    #[must_use]
    pub fn after(self, earlier: Option<&Ban>) -> Ban {
        let Some(earlier) = earlier else {
            return self;
        };
        let reason = match self.reason.is_empty() {
            true => earlier.reason.clone(),
            false => self.reason,
        };
        let at = earlier.at;
        Ban { at, reason }
    }

    /// Detail for the audit log's line of a ban: its reason, and the one that it replaces.
    #[must_use]
    pub fn audit_detail(&self, earlier: Option<&Ban>) -> String {
        let reason = &self.reason;
        match earlier {
            None => reason.clone(),
            Some(_) if reason.is_empty() => "was banned already; the reason is kept".to_owned(),
            Some(earlier) if earlier.reason.is_empty() => {
                format!("{reason} (was banned already, without a reason)")
            }
            Some(earlier) => format!("{reason} (was banned already: {})", earlier.reason),
        }
    }
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
    /// [`User::ban`](crate::User::ban). An account that is banned already stays banned since then, and
    /// keeps the reason unless there is a new one. Returns `false`, and writes nothing, if there is no
    /// such account.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn ban(&self, id: i64, ban: Ban, audit: AuditLine) -> Result<bool, StoreError> {
        let transaction = begin(self.writes()).await?;
        let found = user::Entity::find_by_id(id).lock(LockType::Update);
        let Some(found) = found.one(&transaction).await? else {
            return Ok(false);
        };
        let ban = ban.after(User::try_from(found)?.ban.as_ref());
        if !update(&transaction, id, banned(Some(ban))).await? {
            return Ok(false);
        }
        end_sessions(&transaction, id).await?;
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

impl Store {
    /// Changes a person's password without knowing the old one and ends all sessions, with an audit line,
    /// atomically. Tokens are kept. Returns `false`, and writes nothing, if there is no such person.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn reset_password(
        &self,
        id: i64,
        password: PasswordHash,
        audit: AuditLine,
    ) -> Result<bool, StoreError> {
        let transaction = begin(self.writes()).await?;
        let changed = user::Entity::update_many()
            .col_expr(user::Column::Password, Expr::value(password.0))
            .filter(user::Column::Id.eq(id))
            .filter(user::Column::Kind.eq(UserKind::Person.as_str()))
            .exec(&transaction)
            .await?;
        if changed.rows_affected == 0 {
            return Ok(false);
        }
        end_sessions(&transaction, id).await?;
        commit(transaction, Some(audit)).await?;
        Ok(true)
    }
}

/// Ends all sessions of an account.
pub(crate) async fn end_sessions(transaction: &Transaction, id: i64) -> Result<(), DbErr> {
    session::Entity::delete_many()
        .filter(session::Column::UserId.eq(id))
        .exec(transaction)
        .await
        .map(drop)
}

/// Returns the change of an account that bans it, or lifts its ban.
pub(crate) fn banned(ban: Option<Ban>) -> user::ActiveModel {
    let (at, reason) = ban.map(|ban| (ban.at, storable(&ban.reason))).unzip();
    user::ActiveModel {
        banned_at: Set(at),
        ban_reason: Set(reason),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::Ban;

    #[test]
    fn the_audit_log_tells_what_a_second_ban_changes() {
        let ban = |reason: &str| Ban {
            at: 1,
            reason: reason.to_owned(),
        };
        for (reason, earlier, detail) in [
            ("rude", None, "rude"),
            ("", None, ""),
            ("", Some("rude"), "was banned already; the reason is kept"),
            ("spam", Some("rude"), "spam (was banned already: rude)"),
            (
                "spam",
                Some(""),
                "spam (was banned already, without a reason)",
            ),
        ] {
            let earlier = earlier.map(ban);
            assert_eq!(ban(reason).audit_detail(earlier.as_ref()), detail);
        }
    }
}
