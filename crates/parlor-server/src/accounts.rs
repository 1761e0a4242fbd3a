//! What handlers and pages do with accounts: signing up, in and out, passwords, bans.

mod bots;
mod tokens;

use axum::http::StatusCode;
use parlor_store::{
    AuditLine, Ban, PasswordHash, SecretHash, Session, Start, StoreError, User, UserFilter,
    UserKind,
};
use parlor_table::UserId;
use serde::Deserialize;
use utoipa::ToSchema;

pub(crate) use self::bots::{Bot, NewBot};
pub(crate) use self::tokens::{NewToken, NewTokenText, TokenInfo};
use crate::auth::{Credential, Member, Password, Revoked, Signed, Token};
use crate::edge::Client;
use crate::error::Error;
use crate::{AppState, live, tables};

/// How long a session lasts, in seconds.
pub(crate) const SESSION_SECONDS: i64 = 30 * 24 * 60 * 60;
/// How often a fresh number is tried when the one before was taken.
const NUMBER_TRIES: u32 = 5;

/// An account that is wanted.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAccount {
    /// 1 to 20 of `A-Z`, `a-z`, `0-9`, `_` and `-`. No two names differ only in their case.
    #[schema(example = "Ann")]
    pub(crate) name: String,
    /// 8 to 200 characters.
    pub(crate) password: Password,
    /// How strong you say you are; it decides your first Elo: 200, 400, 700 or 900, and 1000 when not said.
    pub(crate) level: Option<Level>,
}

/// How strong somebody says they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Level {
    /// New to games: 200.
    Beginner,
    /// Plays now and then: 400.
    Casual,
    /// Plays in a club: 700.
    Club,
    /// Plays well: 900.
    Strong,
}

impl From<Level> for Start {
    fn from(level: Level) -> Start {
        match level {
            Level::Beginner => Start::Beginner,
            Level::Casual => Start::Casual,
            Level::Club => Start::Club,
            Level::Strong => Start::Strong,
        }
    }
}

/// Somebody who signs in.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Login {
    /// The name, in any case.
    pub(crate) name: String,
    /// The password.
    pub(crate) password: Password,
}

/// A password that is to be another.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPassword {
    /// The password until now.
    pub(crate) current: Password,
    /// The one from now on, 8 to 200 characters.
    pub(crate) new: Password,
}

impl AppState {
    /// Makes an account and signs its owner in. The session that the browser had ends.
    pub(crate) async fn sign_up(
        &self,
        new: NewAccount,
        client: Client,
        had: Option<Token>,
    ) -> Result<(User, Token), Error> {
        if !User::valid_name(&new.name) {
            return Err(name_error(StoreError::BadName));
        }
        if self.store().user_by_name(&new.name).await?.is_some() {
            return Err(name_error(StoreError::NameTaken));
        }
        self.sign_ups().count(client)?;
        let password = match self.passwords().hash(new.password).await {
            Ok(password) => password,
            Err(error) => {
                self.sign_ups().forgive(client);
                return Err(error);
            }
        };
        let user = User {
            password: Some(password),
            level: new.level.map(Start::from).unwrap_or_default(),
            ..User::new(0, new.name, live::now().millis())
        };
        let user = self.add_user(user).await?;
        metrics::counter!("parlor_accounts_created_total").increment(1);
        let token = self.start_session(user.id, had).await?;
        Ok((user, token))
    }

    /// Writes an account under a fresh number.
    async fn add_user(&self, mut user: User) -> Result<User, Error> {
        for _ in 0..NUMBER_TRIES {
            user.id = fresh_number();
            match self.store().create_user(user.clone()).await {
                Ok(()) => return Ok(user),
                Err(StoreError::Exists) => {}
                Err(error) => return Err(name_error(error)),
            }
        }
        Err(Error::unavailable("no free account number was found"))
    }

    /// Signs somebody in, with a new session always; the one that the browser had ends. Whether the name or the password is wrong is not
    /// told, and takes the same time.
    pub(crate) async fn sign_in(
        &self,
        login: Login,
        client: Client,
        had: Option<Token>,
    ) -> Result<(User, Token), Error> {
        self.logins().count(client)?;
        let user = self.store().user_by_name(&login.name).await?;
        let stored = user.as_ref().and_then(|user| user.password.clone());
        let right = self.passwords().verify(login.password, stored).await?;
        let Some(user) = user.filter(|_| right) else {
            let detail = "the name or the password is wrong";
            return Err(Error::new(
                StatusCode::UNAUTHORIZED,
                "wrong-login",
                "Not signed in",
                detail,
            ));
        };
        self.logins().forgive(client);
        if let Some(ban) = &user.ban {
            let reason = if ban.reason.is_empty() {
                String::new()
            } else {
                format!(": {}", ban.reason)
            };
            return Err(Error::forbidden(
                "banned",
                format!("this account is shut out{reason}"),
            ));
        }
        let token = self.start_session(user.id, had).await?;
        Ok((user, token))
    }

    async fn start_session(&self, user: i64, had: Option<Token>) -> Result<Token, Error> {
        if let Some(had) = had {
            self.sign_out(&had).await?;
        }
        let (token, now) = (Token::fresh(), live::now().millis());
        let session = Session {
            user_id: user,
            created_at: now,
            expires_at: now + SESSION_SECONDS * 1000,
        };
        self.store().create_session(&token.hash(), session).await?;
        self.store().delete_expired(now).await?;
        Ok(token)
    }

    /// Ends a session, if it is one.
    pub(crate) async fn sign_out(&self, token: &Token) -> Result<(), Error> {
        if self.store().delete_session(&token.hash()).await? {
            self.revocations().tell(Revoked::Session(token.hash()));
        }
        Ok(())
    }

    /// Changes a member's password and ends all their sessions. The new session is for the one who did it.
    pub(crate) async fn change_password(
        &self,
        member: &Member,
        new: NewPassword,
        client: Client,
    ) -> Result<Token, Error> {
        self.logins().count(client)?;
        let id = number(member.id);
        let stored = self.store().user(id).await?.and_then(|user| user.password);
        if !self.passwords().verify(new.current, stored).await? {
            let detail = "the password until now is another";
            return Err(Error::forbidden("wrong-password", detail).with("field", "current"));
        }
        self.logins().forgive(client);
        let password: PasswordHash = self
            .passwords()
            .hash(new.new)
            .await
            .map_err(|error| error.with("field", "new"))?;
        self.store().set_password(id, Some(password)).await?;
        self.store().delete_sessions_of(id).await?;
        self.revocations().tell(Revoked::Sessions(id));
        self.start_session(id, None).await
    }

    /// The member behind a session that counts.
    pub(crate) async fn session(&self, hash: &SecretHash) -> Result<Option<Signed>, Error> {
        let found = self.store().session(hash, live::now().millis()).await?;
        let signed = |(session, user): (Session, User)| {
            let credential = Credential::Session {
                user: user.id,
                hash: *hash,
                expires_at: session.expires_at,
            };
            Ok(Signed {
                admin: user.admin,
                member: member(&user)?,
                credential,
            })
        };
        found
            .filter(|(_, user)| user.ban.is_none())
            .map(signed)
            .transpose()
    }

    /// Shuts an account out: its sessions end, its tokens and those of its bots stop counting, and what they have open is closed.
    /// Says whether there is such an account.
    pub(crate) async fn ban(&self, id: i64, ban: Ban, audit: AuditLine) -> Result<bool, Error> {
        let banned = self.store().ban(id, ban, audit).await?;
        if banned {
            self.revocations().tell(Revoked::User(id));
            for bot in self.bots_of(id).await? {
                self.revocations().tell(Revoked::User(bot.id));
            }
        }
        Ok(banned)
    }

    /// The bots of an account that have not been deleted.
    async fn bots_of(&self, owner: i64) -> Result<Vec<User>, Error> {
        let filter = UserFilter {
            kind: Some(UserKind::Bot),
            owner: Some(owner),
            ..UserFilter::default()
        };
        let page = parlor_store::Page {
            before: None,
            limit: tables::MOST_ROWS,
        };
        let bots = self.store().users(&filter, &page).await?;
        Ok(bots.into_iter().filter(|bot| bot.ban.is_none()).collect())
    }
}

/// A number for something new: numbers grow with time.
fn fresh_number() -> i64 {
    i64::try_from(tables::fresh_id().number()).expect("an id is below 2^53")
}

/// The number of a member in the store.
pub(crate) fn number(id: UserId) -> i64 {
    i64::try_from(id.number()).expect("account numbers are below 2^53")
}

/// The member whose account this is.
pub(crate) fn member(user: &User) -> Result<Member, Error> {
    let id = u64::try_from(user.id)
        .ok()
        .and_then(|id| UserId::new(id).ok());
    let odd = || Error::internal(format!("{} is stored as an account's number", user.id));
    Ok(Member {
        id: id.ok_or_else(odd)?,
        name: user.name.clone(),
    })
}

/// Why nobody can be called that.
fn name_error(error: StoreError) -> Error {
    match error {
        StoreError::NameTaken => {
            let title = "The name is taken";
            Error::new(
                StatusCode::CONFLICT,
                "name-taken",
                title,
                "somebody is called that already",
            )
            .with("field", "name")
        }
        StoreError::BadName => Error::unprocessable(error.to_string()).with("field", "name"),
        error => error.into(),
    }
}
