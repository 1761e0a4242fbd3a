//! Bot accounts: programs that play under their own name and belong to a member.

use axum::http::StatusCode;
use parlor_store::{AuditLine, Ban, User, UserKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::names::refuse_reserved;
use super::tokens::CreatedToken;
use super::{NewToken, store_id};
use crate::AppState;
use crate::auth::{Member, Revocation, Scopes};
use crate::edge::Client;
use crate::error::Error;

/// Maximum number of bots per member.
pub(super) const MAX_BOTS: u64 = 20;

/// Request to create a bot account.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewBot {
    /// Name of the bot: 1 to 20 of `A-Z`, `a-z`, `0-9`, `_` and `-`. Names are unique regardless of
    /// case.
    #[schema(example = "AnnsBot", pattern = "^[A-Za-z0-9_-]{1,20}$")]
    pub(crate) name: String,
}

/// A bot account.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BotAccount {
    /// Name of the bot.
    pub(crate) name: String,
    /// Creation time, in milliseconds since the Unix epoch.
    pub(crate) created_at: i64,
}

/// Returns the error for a bot too many.
pub(super) fn too_many_bots() -> Error {
    Error::unprocessable(format!(
        "a member has at most {MAX_BOTS} bots; delete some first"
    ))
}

impl AppState {
    /// Creates a bot account with a token.
    pub(crate) async fn make_bot(
        &self,
        owner: &Member,
        new: NewBot,
        client: Client,
    ) -> Result<CreatedToken, Error> {
        refuse_reserved(&new.name)?;
        // The store counts again. This spares those who have enough an account of the hour.
        if self.bots_of(store_id(owner.id)).await?.len() as u64 >= MAX_BOTS {
            return Err(too_many_bots());
        }
        if User::is_valid_name(&new.name) {
            self.refuse_taken(&new.name).await?;
        }
        self.rates().sign_up(client).await?;
        let bot = User {
            kind: UserKind::Bot,
            owner: Some(store_id(owner.id)),
            ..User::new(0, new.name, self.now().millis())
        };
        let name = self.add_user(bot).await?.name;
        let token = NewToken {
            name: name.clone(),
            scopes: None,
            days: None,
            bot: Some(name),
        };
        self.make_token(owner, Scopes::USUAL, token).await
    }

    /// Returns a member's bots, newest first.
    pub(crate) async fn bots(&self, owner: &Member) -> Result<Vec<BotAccount>, Error> {
        let bots = self.bots_of(store_id(owner.id)).await?;
        Ok(bots
            .into_iter()
            .map(
                |User {
                     name, created_at, ..
                 }| BotAccount { name, created_at },
            )
            .collect())
    }

    /// Deletes a bot: revokes its tokens and bans it. Its name and its games are kept, since its
    /// opponents' results depend on them.
    pub(crate) async fn delete_bot(&self, owner: &Member, name: &str) -> Result<(), Error> {
        let bot = self.own_bot(owner, name).await?;
        for token in self.store().tokens_of(bot.id).await? {
            self.revoke_token(token.id, None, None).await?;
        }
        let at = self.now().millis();
        let audit = AuditLine {
            at,
            admin_id: Some(store_id(owner.id)),
            admin_name: owner.name.clone(),
            action: "delete bot".to_owned(),
            target: format!("player {} ({})", bot.name, bot.id),
            detail: "by its owner".to_owned(),
        };
        self.store()
            .ban(
                bot.id,
                Ban {
                    at,
                    reason: "deleted by its owner".to_owned(),
                },
                audit,
            )
            .await?;
        self.revoke(Revocation::User(bot.id));
        Ok(())
    }

    pub(super) async fn own_bot(&self, owner: &Member, name: &str) -> Result<User, Error> {
        let bot = self.store().user_by_name(name).await?;
        let own = |bot: &User| {
            bot.kind == UserKind::Bot && bot.owner == Some(store_id(owner.id)) && bot.ban.is_none()
        };
        let missing = || {
            Error::new(
                StatusCode::NOT_FOUND,
                "not-found",
                "Not found",
                "you have no such bot",
            )
        };
        bot.filter(own).ok_or_else(missing)
    }
}
