//! API tokens, with which programs act for members.

use parlor_store::{AuditLine, SecretHash, StoreError, User};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{NUMBER_TRIES, USE_NOTED_EVERY_MS, member_from, store_id};
use crate::AppState;
use crate::auth::{Caller, Credential, Member, OpaqueToken, Revocation, Scope, Scopes};
use crate::error::Error;

/// Maximum length of a token's name, in characters.
const NAME_LIMIT: usize = 60;
/// Maximum number of valid tokens per account.
const MAX_PER_ACCOUNT: u64 = 50;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Request to create an API token.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewToken {
    /// Name of the token, 1 to 60 characters.
    #[schema(
        example = "my program",
        min_length = 1,
        max_length = 60,
        pattern = "^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$"
    )]
    pub(crate) name: String,
    /// Scopes; defaults to `play` and `read`. Cannot exceed the scopes of this request's own
    /// credential.
    pub(crate) scopes: Option<Vec<Scope>>,
    /// Days until the token expires, 1 to 3650; never by default.
    #[schema(minimum = 1, maximum = 3650)]
    pub(crate) days: Option<i64>,
    /// Name of one of your bots, if the token is for it.
    pub(crate) bot: Option<String>,
}

/// Description of an API token, without the token itself.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TokenInfo {
    /// Id of the token.
    pub(crate) id: i64,
    /// Name of the token.
    pub(crate) name: String,
    /// Scopes of the token.
    pub(crate) scopes: Vec<String>,
    /// Bot that the token is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bot: Option<String>,
    /// Creation time, in milliseconds since the Unix epoch.
    pub(crate) created_at: i64,
    /// Expiry time, in milliseconds since the Unix epoch.
    pub(crate) expires_at: Option<i64>,
    /// Time of the last use, accurate to ten minutes, in milliseconds since the Unix epoch.
    pub(crate) last_used_at: Option<i64>,
}

impl TokenInfo {
    fn from_stored(token: parlor_store::StoredToken, bot: Option<String>) -> TokenInfo {
        let parlor_store::StoredToken {
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

/// A newly created API token.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CreatedToken {
    /// The token. It is shown only once.
    #[schema(example = "parlor_…")]
    pub(crate) token: String,
    /// Description of the token.
    #[serde(flatten)]
    pub(crate) info: TokenInfo,
}

impl AppState {
    /// Creates a token for a member or one of their bots. Its scopes must be within `most`, those
    /// of the request.
    pub(crate) async fn make_token(
        &self,
        owner: &Member,
        most: Scopes,
        new: NewToken,
    ) -> Result<CreatedToken, Error> {
        let days = new.days.map(check_days).transpose()?;
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
            let detail = format!("you cannot grant the scope `{}`", scope.name());
            return Err(Error::forbidden("wrong-scope", detail).with("scope", scope.name()));
        }
        self.rates().token(owner.id).await?;
        let user = bot.as_ref().map_or(store_id(owner.id), |bot| bot.id);
        let (token, stored) = self.store_new_token(user, &new.name, scopes, days).await?;
        Ok(CreatedToken {
            token: token.for_program(),
            info: TokenInfo::from_stored(stored, bot.map(|bot| bot.name)),
        })
    }

    /// Stores a new token under a new id.
    pub(super) async fn store_new_token(
        &self,
        user: i64,
        name: &str,
        scopes: Scopes,
        days: Option<i64>,
    ) -> Result<(OpaqueToken, parlor_store::StoredToken), Error> {
        let name = name.trim();
        if name.is_empty()
            || name.chars().count() > NAME_LIMIT
            || name.chars().any(char::is_control)
        {
            return Err(
                Error::unprocessable("a token's name must have 1 to 60 characters")
                    .with("field", "name"),
            );
        }
        let now = self.now().millis();
        let token = OpaqueToken::generate();
        let mut stored = parlor_store::StoredToken {
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
            stored.id = self.generate_number();
            match self
                .store()
                .create_token(&token.hash(), stored.clone(), MAX_PER_ACCOUNT)
                .await
            {
                Ok(()) => return Ok((token, stored)),
                Err(StoreError::Exists) => {}
                Err(StoreError::TooMany { most }) => {
                    return Err(Error::unprocessable(format!(
                        "an account has at most {most} tokens; revoke some first"
                    )));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(Error::unavailable("no free token number was found"))
    }

    /// Returns the valid tokens of a member and their bots, newest first.
    pub(crate) async fn tokens(&self, owner: &Member) -> Result<Vec<TokenInfo>, Error> {
        let now = self.now().millis();
        let mut tokens = Vec::new();
        let bots = self.bots_of(store_id(owner.id)).await?;
        let users = std::iter::once((store_id(owner.id), None))
            .chain(bots.into_iter().map(|bot| (bot.id, Some(bot.name))));
        for (user, bot) in users {
            let theirs = self.store().tokens_of(user).await?;
            let theirs = theirs.into_iter().filter(|token| is_valid(token, now));
            tokens.extend(theirs.map(|token| TokenInfo::from_stored(token, bot.clone())));
        }
        tokens.sort_by_key(|token| std::cmp::Reverse(token.id));
        Ok(tokens)
    }

    /// Revokes a token of a member or one of their bots.
    pub(crate) async fn revoke_own_token(&self, owner: &Member, id: i64) -> Result<(), Error> {
        let missing = || Error::not_found("you have no such token");
        let known = self.tokens(owner).await?;
        known
            .iter()
            .find(|token| token.id == id)
            .ok_or_else(missing)?;
        // The owner of a token never changes, so this can only fail if the token is already gone.
        if self.revoke_token(id, None, None).await? {
            Ok(())
        } else {
            Err(missing())
        }
    }

    /// Revokes a token, only if it belongs to `user` when given, and closes the connections opened
    /// with it. Returns false if there was no such valid token.
    pub(crate) async fn revoke_token(
        &self,
        id: i64,
        user: Option<i64>,
        audit: Option<AuditLine>,
    ) -> Result<bool, Error> {
        let revoked = self
            .store()
            .revoke_token(id, user, self.now().millis(), audit)
            .await?;
        if revoked {
            self.revoke(Revocation::Token(id));
        }
        Ok(revoked)
    }

    /// Returns the caller that a valid token identifies.
    pub(crate) async fn caller_by_token(&self, hash: &SecretHash) -> Result<Option<Caller>, Error> {
        let now = self.now().millis();
        let Some((token, user)) = self.store().token(hash, now).await? else {
            return Ok(None);
        };
        let owner = self.owner_of(&user).await?;
        let is_orphan = user.owner.is_some() && owner.as_ref().is_none_or(|it| it.ban.is_some());
        if user.ban.is_some() || is_orphan {
            return Ok(None);
        }
        if token
            .last_used_at
            .is_none_or(|at| at + USE_NOTED_EVERY_MS <= now)
        {
            self.note_use(token.id, now);
        }
        let credential = Credential::Token {
            user: user.id,
            id: token.id,
            hash: *hash,
            expires_at: token.expires_at,
        };
        Ok(Some(Caller::from_program(
            Member {
                owner_name: owner.map(|owner| owner.name),
                ..member_from(&user)?
            },
            Scopes::stored(&token.scopes, user.admin),
            credential,
        )))
    }

    /// Returns the member to whom a bot belongs.
    pub(crate) async fn owner_of(&self, user: &User) -> Result<Option<User>, Error> {
        match user.owner {
            Some(owner) => Ok(self.store().user(owner).await?),
            None => Ok(None),
        }
    }

    /// Records the use of a token in the background.
    fn note_use(&self, id: i64, at: i64) {
        let store = self.store().clone();
        tokio::spawn(async move {
            if let Err(error) = store.touch_token(id, at).await {
                tracing::warn!(%error, token = id, "could not record the use of a token");
            }
        });
    }
}

fn is_valid(token: &parlor_store::StoredToken, now: i64) -> bool {
    token.revoked_at.is_none() && token.expires_at.is_none_or(|at| at > now)
}

fn check_days(days: i64) -> Result<i64, Error> {
    let odd = || Error::unprocessable("a token can last 1 to 3650 days").with("field", "days");
    (1..=3650).contains(&days).then_some(days).ok_or_else(odd)
}
