//! Sessions: browsers in which members are signed in.

use axum::http::HeaderMap;
use parlor_store::{SecretHash, StoredSession, User};
use serde::Serialize;
use utoipa::ToSchema;

use super::{USE_NOTED_EVERY_MS, member_from, store_id};
use crate::AppState;
use crate::auth::{
    self, Credential, DeviceProof, Member, OpaqueToken, Revocation, SignedIn, browser_name,
    session_token,
};
use crate::error::Error;

/// Lifetime of a session, in seconds.
pub(crate) const SESSION_SECONDS: i64 = 30 * 24 * 60 * 60;
/// Maximum number of sessions per account. The oldest ends when another starts.
const MAX_PER_ACCOUNT: usize = 50;

/// A session that has just started.
#[derive(Debug)]
pub(crate) struct NewSession {
    pub(crate) user: User,
    pub(crate) token: OpaqueToken,
    /// Proof for the browser's next sign-in.
    pub(crate) device: Option<DeviceProof>,
}

/// Description of a session.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SessionInfo {
    /// Id of the session.
    #[schema(example = "5f0c2a9b1e77d340")]
    pub(crate) id: String,
    /// Browser and system, as far as the browser tells them.
    #[schema(example = "Firefox on Linux")]
    pub(crate) browser: Option<String>,
    /// Time of the sign-in, in milliseconds since the Unix epoch.
    pub(crate) created_at: i64,
    /// Time of the last use, accurate to ten minutes, in milliseconds since the Unix epoch.
    pub(crate) last_used_at: Option<i64>,
    /// Expiry time, in milliseconds since the Unix epoch.
    pub(crate) expires_at: i64,
    /// True for the session of this request.
    pub(crate) current: bool,
}

/// Returns the public id of a session: the start of the hash of its token, which nobody can turn
/// back into the token.
fn public_id(hash: &SecretHash) -> String {
    hex::encode(&hash[..8])
}

/// Returns the hash of the session that a request came with.
fn current(credential: &Credential) -> Option<SecretHash> {
    match credential {
        Credential::Session { hash, .. } => Some(*hash),
        Credential::Guest | Credential::Token { .. } => None,
    }
}

impl AppState {
    /// Signs a member in; a previous session of the browser ends.
    pub(super) async fn start_session(
        &self,
        user: User,
        headers: &HeaderMap,
    ) -> Result<NewSession, Error> {
        if let Some(had) = session_token(headers) {
            self.sign_out(&had).await?;
        }
        let (token, now) = (OpaqueToken::generate(), self.now().millis());
        let session = StoredSession {
            user_id: user.id,
            created_at: now,
            expires_at: now + SESSION_SECONDS * 1000,
            browser: browser_name(headers),
            last_used_at: Some(now),
        };
        self.store().create_session(&token.hash(), session).await?;
        self.store().delete_expired(now).await?;
        let open = self.store().sessions_of(user.id, now).await?;
        for (hash, _) in open.iter().skip(MAX_PER_ACCOUNT) {
            self.end_session(user.id, hash).await?;
        }
        let device = DeviceProof::new(&user, auth::random_u64());
        Ok(NewSession {
            user,
            token,
            device,
        })
    }

    /// Returns the sessions of a member, latest sign-in first.
    pub(crate) async fn sessions(
        &self,
        member: &Member,
        credential: &Credential,
    ) -> Result<Vec<SessionInfo>, Error> {
        let now = self.now().millis();
        let open = self.store().sessions_of(store_id(member.id), now).await?;
        let current = current(credential);
        let infos = open.into_iter().map(|(hash, session)| SessionInfo {
            id: public_id(&hash),
            browser: session.browser,
            created_at: session.created_at,
            last_used_at: session.last_used_at,
            expires_at: session.expires_at,
            current: current == Some(hash),
        });
        Ok(infos.collect())
    }

    /// Ends the session of this token, if there is one.
    pub(crate) async fn sign_out(&self, token: &OpaqueToken) -> Result<(), Error> {
        let hash = token.hash();
        if let Some((session, _)) = self.store().session(&hash, self.now().millis()).await? {
            self.end_session(session.user_id, &hash).await?;
        }
        Ok(())
    }

    /// Ends the session with this id, of this member.
    pub(crate) async fn end_own_session(&self, member: &Member, id: &str) -> Result<(), Error> {
        let now = self.now().millis();
        let open = self.store().sessions_of(store_id(member.id), now).await?;
        let named = open.iter().find(|(hash, _)| public_id(hash) == id);
        let ended = match named {
            Some((hash, _)) => self.end_session(store_id(member.id), hash).await?,
            None => false,
        };
        ended
            .then_some(())
            .ok_or_else(|| Error::not_found("you have no such session"))
    }

    /// Ends all sessions of a member but the one that the request came with.
    pub(crate) async fn end_other_sessions(
        &self,
        member: &Member,
        credential: &Credential,
    ) -> Result<(), Error> {
        let now = self.now().millis();
        let kept = current(credential);
        for (hash, _) in self.store().sessions_of(store_id(member.id), now).await? {
            if kept != Some(hash) {
                self.end_session(store_id(member.id), &hash).await?;
            }
        }
        Ok(())
    }

    /// Ends a session of an account and closes the connections opened with it. Returns false if there was none.
    async fn end_session(&self, user: i64, hash: &SecretHash) -> Result<bool, Error> {
        let ended = self.store().delete_session(hash).await?;
        if ended {
            self.revoke(Revocation::Session { user, hash: *hash });
        }
        Ok(ended)
    }

    /// Returns the member of a valid session.
    pub(crate) async fn session(&self, hash: &SecretHash) -> Result<Option<SignedIn>, Error> {
        let now = self.now().millis();
        let found = self.store().session(hash, now).await?;
        let Some((session, user)) = found.filter(|(_, user)| user.ban.is_none()) else {
            return Ok(None);
        };
        let used = session.last_used_at;
        if used.is_none_or(|at| at + USE_NOTED_EVERY_MS <= now) {
            self.note_session(*hash, now);
        }
        Ok(Some(SignedIn {
            admin: user.admin,
            member: member_from(&user)?,
            settings: user.settings,
            credential: Credential::Session {
                user: user.id,
                hash: *hash,
                expires_at: session.expires_at,
            },
        }))
    }

    /// Records the use of a session in the background.
    fn note_session(&self, hash: SecretHash, at: i64) {
        let store = self.store().clone();
        tokio::spawn(async move {
            if let Err(error) = store.touch_session(&hash, at).await {
                tracing::warn!(%error, "could not record the use of a session");
            }
        });
    }
}
