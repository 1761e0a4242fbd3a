//! Tokens with which programs act for members.

use parlor_store::{AuditLine, SecretHash, StoreError, User, UserKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{NUMBER_TRIES, fresh_number, member, number};
use crate::auth::{Caller, Credential, Member, Revoked, Scope, Scopes, Token};
use crate::error::Error;
use crate::{AppState, live};

/// The longest name of a token, in characters.
const NAME_LIMIT: usize = 60;
/// The most tokens that an account has at a time.
const MOST: usize = 50;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// How often a token's last use is written down, in milliseconds.
const NOTE_EVERY_MS: i64 = 10 * 60 * 1000;

/// A token that is wanted.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewToken {
    /// What you call it, 1 to 60 characters.
    #[schema(example = "my program")]
    pub(crate) name: String,
    /// What it may do; `play` and `read` when not said, and never more than whoever asks may do.
    pub(crate) scopes: Option<Vec<Scope>>,
    /// After how many days it stops counting, 1 to 3650; never when not said.
    pub(crate) days: Option<i64>,
    /// The name of one of your bots, when the token is for it.
    pub(crate) bot: Option<String>,
}

/// A token, without its text.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TokenInfo {
    /// Its number.
    pub(crate) id: i64,
    /// What its owner calls it.
    pub(crate) name: String,
    /// What it may do.
    pub(crate) scopes: Vec<String>,
    /// The bot it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bot: Option<String>,
    /// When it was made, in milliseconds since 1970.
    pub(crate) created_at: i64,
    /// From when on it does not count, in milliseconds since 1970.
    pub(crate) expires_at: Option<i64>,
    /// When it was last used, to some ten minutes, in milliseconds since 1970.
    pub(crate) last_used_at: Option<i64>,
}

impl TokenInfo {
    fn of(token: parlor_store::Token, bot: Option<String>) -> TokenInfo {
        let parlor_store::Token {
            id,
            name,
            scopes,
            created_at,
            expires_at,
            last_used_at,
            ..
        } = token;
        TokenInfo {
            id,
            name,
            scopes,
            bot,
            created_at,
            expires_at,
            last_used_at,
        }
    }
}

/// A token that was just made.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct NewTokenText {
    /// The token itself. It is shown only once.
    #[schema(example = "parlor_…")]
    pub(crate) token: String,
    /// What it is.
    #[serde(flatten)]
    pub(crate) info: TokenInfo,
}

impl AppState {
    /// Makes a token for a member or one of their bots. `most` is what whoever asks may do.
    pub(crate) async fn make_token(
        &self,
        owner: &Member,
        most: Scopes,
        new: NewToken,
    ) -> Result<NewTokenText, Error> {
        let days = new.days.map(days).transpose()?;
        let bot = match &new.bot {
            Some(name) => Some(self.own_bot(owner, name).await?),
            None => None,
        };
        let scopes: Scopes = new
            .scopes
            .map_or(Scopes::USUAL, |scopes| scopes.into_iter().collect());
        if let Some(scope) = scopes
            .iter()
            .find(|scope| !most.has(*scope) || bot.is_some() && !Scopes::USUAL.has(*scope))
        {
            let detail = format!("you cannot give away the scope `{}`", scope.name());
            return Err(Error::forbidden("wrong-scope", detail).with("scope", scope.name()));
        }
        let user = bot.as_ref().map_or(number(owner.id), |bot| bot.id);
        let (token, stored) = self.write_token(user, &new.name, scopes, days).await?;
        Ok(NewTokenText {
            token: token.for_program(),
            info: TokenInfo::of(stored, bot.map(|bot| bot.name)),
        })
    }

    /// Writes a new token under a fresh number.
    pub(super) async fn write_token(
        &self,
        user: i64,
        name: &str,
        scopes: Scopes,
        days: Option<i64>,
    ) -> Result<(Token, parlor_store::Token), Error> {
        let name = name.trim();
        if name.is_empty()
            || name.chars().count() > NAME_LIMIT
            || name.chars().any(char::is_control)
        {
            return Err(
                Error::unprocessable("a token's name has 1 to 60 characters").with("field", "name"),
            );
        }
        let now = live::now().millis();
        let all = self.store().tokens_of(user).await?;
        if all.iter().filter(|token| counts(token, now)).count() >= MOST {
            return Err(Error::unprocessable(format!(
                "an account has at most {MOST} tokens; revoke some first"
            )));
        }
        let token = Token::fresh();
        let mut stored = parlor_store::Token {
            id: 0,
            user_id: user,
            name: name.to_owned(),
            scopes: scopes.iter().map(|scope| scope.name().to_owned()).collect(),
            created_at: now,
            expires_at: days.map(|days| now + days * DAY_MS),
            revoked_at: None,
            last_used_at: None,
        };
        for _ in 0..NUMBER_TRIES {
            stored.id = fresh_number();
            match self
                .store()
                .create_token(&token.hash(), stored.clone())
                .await
            {
                Ok(()) => return Ok((token, stored)),
                Err(StoreError::Exists) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Error::unavailable("no free token number was found"))
    }

    /// The tokens of a member and of their bots that count, newest first.
    pub(crate) async fn tokens(&self, owner: &Member) -> Result<Vec<TokenInfo>, Error> {
        let now = live::now().millis();
        let mut tokens = Vec::new();
        let bots = self.bots_of(number(owner.id)).await?;
        let users = std::iter::once((number(owner.id), None))
            .chain(bots.into_iter().map(|bot| (bot.id, Some(bot.name))));
        for (user, bot) in users {
            let theirs = self.store().tokens_of(user).await?;
            let theirs = theirs.into_iter().filter(|token| counts(token, now));
            tokens.extend(theirs.map(|token| TokenInfo::of(token, bot.clone())));
        }
        tokens.sort_by_key(|token| std::cmp::Reverse(token.id));
        Ok(tokens)
    }

    /// Revokes a token of a member or of one of their bots.
    pub(crate) async fn revoke_own_token(&self, owner: &Member, id: i64) -> Result<(), Error> {
        let missing = || Error::not_found("you have no such token");
        let known = self.tokens(owner).await?;
        known
            .iter()
            .find(|token| token.id == id)
            .ok_or_else(missing)?;
        // The owner of a token never changes, so the second look can only find it gone.
        if self.revoke_token(id, None, None).await? {
            Ok(())
        } else {
            Err(missing())
        }
    }

    /// Revokes a token, of `user` only when one is named, and closes what was opened with it. Says whether there was one
    /// that counted.
    pub(crate) async fn revoke_token(
        &self,
        id: i64,
        user: Option<i64>,
        audit: Option<AuditLine>,
    ) -> Result<bool, Error> {
        let revoked = self
            .store()
            .revoke_token(id, user, live::now().millis(), audit)
            .await?;
        if revoked {
            self.revocations().tell(Revoked::Token(id));
        }
        Ok(revoked)
    }

    /// The member whose program shows a token, if it counts.
    pub(crate) async fn program(&self, hash: &SecretHash) -> Result<Option<Caller>, Error> {
        let now = live::now().millis();
        let Some((token, user)) = self.store().token(hash, now).await? else {
            return Ok(None);
        };
        if user.ban.is_some() || self.owner_is_banned(&user).await? {
            return Ok(None);
        }
        if token
            .last_used_at
            .is_none_or(|at| at + NOTE_EVERY_MS <= now)
        {
            self.note_use(token.id, now);
        }
        let credential = Credential::Token {
            user: user.id,
            id: token.id,
            hash: *hash,
            expires_at: token.expires_at,
        };
        Ok(Some(Caller::program(
            member(&user)?,
            Scopes::stored(&token.scopes, user.admin),
            credential,
        )))
    }

    async fn owner_is_banned(&self, user: &User) -> Result<bool, Error> {
        match (user.kind, user.owner) {
            (UserKind::Bot, Some(owner)) => Ok(self
                .store()
                .user(owner)
                .await?
                .is_none_or(|owner| owner.ban.is_some())),
            _ => Ok(false),
        }
    }

    /// Notes that a token was used; nobody waits for it.
    fn note_use(&self, id: i64, at: i64) {
        let store = self.store().clone();
        tokio::spawn(async move {
            if let Err(error) = store.touch_token(id, at).await {
                tracing::warn!(%error, token = id, "the use of a token could not be noted");
            }
        });
    }
}

fn counts(token: &parlor_store::Token, now: i64) -> bool {
    token.revoked_at.is_none() && token.expires_at.is_none_or(|at| at > now)
}

fn days(days: i64) -> Result<i64, Error> {
    let odd = || Error::unprocessable("a token lasts 1 to 3650 days").with("field", "days");
    (1..=3650).contains(&days).then_some(days).ok_or_else(odd)
}
