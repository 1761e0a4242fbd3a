//! Bot accounts: programs that play under a name of their own and belong to a member.

use axum::http::StatusCode;
use parlor_store::{AuditLine, Ban, User, UserKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::tokens::NewTokenText;
use super::{NewToken, number};
use crate::auth::{Member, Revoked, Scopes};
use crate::edge::Client;
use crate::error::Error;
use crate::{AppState, live};

/// The most bots that a member has.
const MOST: usize = 20;

/// A bot account that is wanted.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewBot {
    /// 1 to 20 of `A-Z`, `a-z`, `0-9`, `_` and `-`. No two names differ only in their case.
    #[schema(example = "AnnsBot")]
    pub(crate) name: String,
}

/// A bot account.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Bot {
    /// Its name.
    pub(crate) name: String,
    /// When it was made, in milliseconds since 1970.
    pub(crate) created_at: i64,
}

impl AppState {
    /// Makes a bot account, and a token for it.
    pub(crate) async fn make_bot(
        &self,
        owner: &Member,
        new: NewBot,
        client: Client,
    ) -> Result<NewTokenText, Error> {
        if self.bots_of(number(owner.id)).await?.len() >= MOST {
            return Err(Error::unprocessable(format!(
                "a member has at most {MOST} bots; delete some first"
            )));
        }
        self.sign_ups().count(client)?;
        let bot = User {
            kind: UserKind::Bot,
            owner: Some(number(owner.id)),
            ..User::new(0, new.name, live::now().millis())
        };
        let name = match self.add_user(bot).await {
            Ok(bot) => bot.name,
            Err(error) => {
                self.sign_ups().forgive(client);
                return Err(error);
            }
        };
        let token = NewToken {
            name: name.clone(),
            scopes: None,
            days: None,
            bot: Some(name),
        };
        self.make_token(owner, Scopes::USUAL, token).await
    }

    /// A member's bots, newest first.
    pub(crate) async fn bots(&self, owner: &Member) -> Result<Vec<Bot>, Error> {
        let bots = self.bots_of(number(owner.id)).await?;
        Ok(bots
            .into_iter()
            .map(
                |User {
                     name, created_at, ..
                 }| Bot { name, created_at },
            )
            .collect())
    }

    /// Ends a bot: its tokens stop counting and it is shut out. Its name and what it played stay, as the others' results
    /// do.
    pub(crate) async fn delete_bot(&self, owner: &Member, name: &str) -> Result<(), Error> {
        let bot = self.own_bot(owner, name).await?;
        for token in self.store().tokens_of(bot.id).await? {
            self.revoke_token(token.id, None, None).await?;
        }
        let at = live::now().millis();
        let audit = AuditLine {
            at,
            admin_id: Some(number(owner.id)),
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
        self.revocations().tell(Revoked::User(bot.id));
        Ok(())
    }

    pub(super) async fn own_bot(&self, owner: &Member, name: &str) -> Result<User, Error> {
        let bot = self.store().user_by_name(name).await?;
        let own = |bot: &User| {
            bot.kind == UserKind::Bot && bot.owner == Some(number(owner.id)) && bot.ban.is_none()
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
