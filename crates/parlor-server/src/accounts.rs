//! Account operations shared by API handlers and pages: signing up and in, passwords, bans.

mod blocks;
mod bots;
mod closing;
mod names;
mod sessions;
mod tokens;

use axum::http::{HeaderMap, StatusCode};
use parlor_store::{
    AuditLine, Ban, DeclaredLevel, PasswordHash, StoreError, User, UserFilter, UserKind,
};
use parlor_table::UserId;
use serde::Deserialize;
use utoipa::ToSchema;

pub(crate) use self::blocks::{BlockInfo, ChallengeSource};
pub(crate) use self::bots::{BotAccount, NewBot};
use self::bots::{MAX_BOTS, too_many_bots};
use self::names::refuse_reserved;
pub(crate) use self::names::{letter_seen, refuse_reserved_for_guest};
pub(crate) use self::sessions::{NewSession, SESSION_SECONDS, SessionInfo};
pub(crate) use self::tokens::{CreatedToken, NewToken, TokenInfo};
use crate::auth::{Asker, DeviceProof, Member, Password, Revocation, generate_password};
use crate::edge::Client;
use crate::edge::rates::LoginName;
use crate::error::Error;
use crate::{AppState, tables};

/// Minimum interval between updates of the last use of a token or a session, in milliseconds.
const USE_NOTED_EVERY_MS: i64 = 10 * 60 * 1000;
/// Maximum number of attempts to find an unused id.
const NUMBER_TRIES: u32 = 5;

/// Request to create an account.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAccount {
    /// Account name: 1 to 20 of `A-Z`, `a-z`, `0-9`, `_` and `-`. Names are unique regardless of
    /// case.
    #[schema(example = "Ann", pattern = "^[A-Za-z0-9_-]{1,20}$")]
    pub(crate) name: String,
    /// Password, 8 to 200 characters.
    pub(crate) password: Password,
    /// Declared playing strength, which sets the initial Elo rating: 200, 400, 700 or 900, or 1000
    /// if omitted.
    pub(crate) level: Option<PlayingStrength>,
}

/// Declared playing strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PlayingStrength {
    /// New to games; initial rating 200.
    Beginner,
    /// Occasional player; initial rating 400.
    Casual,
    /// Club player; initial rating 700.
    Club,
    /// Strong player; initial rating 900.
    Strong,
}

impl From<PlayingStrength> for DeclaredLevel {
    fn from(level: PlayingStrength) -> DeclaredLevel {
        match level {
            PlayingStrength::Beginner => DeclaredLevel::Beginner,
            PlayingStrength::Casual => DeclaredLevel::Casual,
            PlayingStrength::Club => DeclaredLevel::Club,
            PlayingStrength::Strong => DeclaredLevel::Strong,
        }
    }
}

/// Request to sign in.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Login {
    /// Account name, in any case.
    pub(crate) name: String,
    /// Password.
    pub(crate) password: Password,
}

/// Request to change a password.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPassword {
    /// Current password.
    pub(crate) current: Password,
    /// New password, 8 to 200 characters.
    pub(crate) new: Password,
}

impl AppState {
    /// Creates an account and signs its owner in. A previous session of the browser ends.
    pub(crate) async fn sign_up(
        &self,
        new: NewAccount,
        client: Client,
        headers: &HeaderMap,
    ) -> Result<NewSession, Error> {
        if !User::is_valid_name(&new.name) {
            return Err(name_error(StoreError::BadName));
        }
        refuse_reserved(&new.name)?;
        self.refuse_taken(&new.name).await?;
        new.password.check(&[&new.name])?;
        self.rates().sign_up(client).await?;
        let password = self
            .passwords()
            .hash(new.password, Asker::Stranger(client))
            .await?;
        let user = User {
            password: Some(password),
            level: new.level.map(DeclaredLevel::from).unwrap_or_default(),
            ..User::new(0, new.name, self.now().millis())
        };
        let user = self.add_user(user).await?;
        metrics::counter!("parlor_accounts_created_total").increment(1);
        self.start_session(user, headers).await
    }

    /// Refuses a name that another account has, or one that looks like it. Two who ask for such names at the
    /// same instant both get theirs.
    async fn refuse_taken(&self, name: &str) -> Result<(), Error> {
        if self.store().user_by_name(name).await?.is_some() {
            return Err(name_error(StoreError::NameTaken));
        }
        match self.store().name_like(name).await? {
            None => Ok(()),
            Some(other) => {
                let detail = format!("{name} could be taken for {other}: choose another name");
                Err(name_taken(&detail))
            }
        }
    }

    /// Stores an account under a new id.
    async fn add_user(&self, mut user: User) -> Result<User, Error> {
        for _ in 0..NUMBER_TRIES {
            user.id = self.generate_number();
            let added = match user.kind {
                UserKind::Person => self.store().create_user(user.clone()).await,
                UserKind::Bot => self.store().create_bot(user.clone(), MAX_BOTS).await,
            };
            match added {
                Ok(()) => return Ok(user),
                Err(StoreError::Exists) => {}
                Err(error) => return Err(name_error(error)),
            }
        }
        Err(Error::unavailable("no free account number was found"))
    }

    /// Signs a member in with a new session; a previous session of the browser ends. A wrong name
    /// and a wrong password get the same error and take the same time.
    pub(crate) async fn sign_in(
        &self,
        login: Login,
        client: Client,
        headers: &HeaderMap,
    ) -> Result<NewSession, Error> {
        let user = self.store().user_by_name(&login.name).await?;
        let device = user
            .as_ref()
            .and_then(|user| DeviceProof::verify(headers, user));
        self.rates()
            .login(LoginName::new(&login.name), client, device)
            .await?;
        let stored = user.as_ref().and_then(|user| user.password.clone());
        let asker = match device {
            Some(_) => Asker::Known(client),
            None => Asker::Stranger(client),
        };
        let right = self
            .passwords()
            .verify(login.password, stored, asker)
            .await?;
        let Some(user) = user.filter(|_| right) else {
            let detail = "wrong name or password";
            return Err(Error::new(
                StatusCode::UNAUTHORIZED,
                "wrong-login",
                "Not signed in",
                detail,
            ));
        };
        if let Some(ban) = &user.ban {
            let reason = if ban.reason.is_empty() {
                String::new()
            } else {
                format!(": {}", ban.reason)
            };
            return Err(Error::forbidden(
                "banned",
                format!("this account is banned{reason}"),
            ));
        }
        self.start_session(user, headers).await
    }

    /// Returns the account of a signed-in member who gives its password.
    ///
    /// # Errors
    /// `wrong` if it is another password, and those of too many attempts.
    async fn account_with_password(
        &self,
        member: &Member,
        password: Password,
        client: Client,
        wrong: impl FnOnce() -> Error,
    ) -> Result<User, Error> {
        let id = store_id(member.id);
        // A signed-in member is known: what others try at the account changes nothing.
        let known = Some(id.cast_unsigned());
        self.rates()
            .login(LoginName::new(&member.name), client, known)
            .await?;
        let gone = || Error::not_found("the account no longer exists");
        let user = self.store().user(id).await?.ok_or_else(gone)?;
        let stored = user.password.clone();
        let is_right = self
            .passwords()
            .verify(password, stored, Asker::Known(client))
            .await?;
        is_right.then_some(user).ok_or_else(wrong)
    }

    /// Changes a member's password, ends all their sessions and starts a new one.
    pub(crate) async fn change_password(
        &self,
        member: &Member,
        new: NewPassword,
        client: Client,
        headers: &HeaderMap,
    ) -> Result<NewSession, Error> {
        let wrong = || {
            let detail = "the current password is wrong";
            Error::forbidden("wrong-password", detail).with("field", "current")
        };
        let mut user = self
            .account_with_password(member, new.current, client, wrong)
            .await?;
        let named = |error: Error| error.with("field", "new");
        new.new.check(&[&member.name]).map_err(named)?;
        let password: PasswordHash = self
            .passwords()
            .hash(new.new, Asker::Known(client))
            .await
            .map_err(named)?;
        let (id, before) = (user.id, user.password.take().ok_or_else(wrong)?);
        let store = self.store();
        if !store
            .replace_password(id, &before, password.clone())
            .await?
        {
            // Somebody else has changed it meanwhile.
            return Err(wrong());
        }
        user.password = Some(password);
        self.store().delete_sessions_of(id).await?;
        self.revoke(Revocation::Sessions(id));
        self.start_session(user, headers).await
    }

    /// Gives a person a new password, ends all sessions and returns the password. Tokens keep working.
    pub(crate) async fn reset_password(
        &self,
        id: i64,
        client: Client,
        audit: AuditLine,
    ) -> Result<String, Error> {
        let password = generate_password();
        let hash = self
            .passwords()
            .hash(Password::new(password.clone()), Asker::Known(client))
            .await?;
        if !self.store().reset_password(id, hash, audit).await? {
            return Err(Error::not_found("there is no such person"));
        }
        self.revoke(Revocation::Sessions(id));
        Ok(password)
    }

    /// Generates an id for a new row; ids grow with time.
    fn generate_number(&self) -> i64 {
        i64::try_from(self.sources().table_id().number()).expect("an id is below 2^53")
    }

    /// Bans an account: ends its sessions, invalidates its tokens and those of its bots, and closes
    /// their connections. Returns false if there is no such account.
    pub(crate) async fn ban(&self, id: i64, ban: Ban, audit: AuditLine) -> Result<bool, Error> {
        let banned = self.store().ban(id, ban, audit).await?;
        if banned {
            self.revoke(Revocation::User(id));
            for bot in self.bots_of(id).await? {
                self.revoke(Revocation::User(bot.id));
            }
        }
        Ok(banned)
    }

    /// Returns the bots of an account that have not been deleted.
    pub(crate) async fn bots_of(&self, owner: i64) -> Result<Vec<User>, Error> {
        let filter = UserFilter {
            kind: Some(UserKind::Bot),
            owner: Some(owner),
            ..UserFilter::default()
        };
        let page = parlor_store::ListPage {
            before: None,
            limit: tables::MAX_ROWS,
        };
        let bots = self.store().users(&filter, &page).await?;
        Ok(bots.into_iter().filter(|bot| bot.ban.is_none()).collect())
    }
}

/// Returns the id of an account in the store.
pub(crate) fn store_id(id: UserId) -> i64 {
    i64::try_from(id.number()).expect("account numbers are below 2^53")
}

/// Returns the member with this account; the name of a bot's owner is not known.
pub(crate) fn member_from(user: &User) -> Result<Member, Error> {
    Ok(Member {
        id: user_id(user.id)?,
        name: user.name.clone(),
        owner: user.owner.map(user_id).transpose()?,
        owner_name: None,
    })
}

/// Returns the id of an account from its number in the store.
fn user_id(stored: i64) -> Result<UserId, Error> {
    let id = u64::try_from(stored)
        .ok()
        .and_then(|id| UserId::new(id).ok());
    id.ok_or_else(|| Error::internal(format!("{stored} is stored as an account's number")))
}

/// Returns the error for an account that cannot be stored.
fn name_taken(detail: &str) -> Error {
    let title = "The name is taken";
    Error::new(StatusCode::CONFLICT, "name-taken", title, detail).with("field", "name")
}

fn name_error(error: StoreError) -> Error {
    match error {
        StoreError::NameTaken => name_taken("this name is already taken"),
        StoreError::BadName => Error::unprocessable(error.to_string()).with("field", "name"),
        StoreError::TooMany { .. } => too_many_bots(),
        error => error.into(),
    }
}
