//! Credentials, and their revocation while connections are open.

use std::time::Duration;

use parlor_store::SecretHash;
use parlor_table::Timestamp;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::AppState;
use crate::error::Error;

/// Interval at which an open connection checks its credential in the store. Revocations in this
/// process are announced at once; this is for those of other processes.
const CHECK_EVERY: Duration = Duration::from_secs(30);
/// Number of revocations that a connection may lag behind before it checks the store.
const BACKLOG: usize = 256;

/// Credential of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Credential {
    /// A guest's token. It is only known to the tables, by its hash, and cannot be revoked.
    Guest,
    /// A member's session.
    Session {
        /// Id of the account.
        user: i64,
        /// Hash of the session's token.
        hash: SecretHash,
        /// Expiry time, in milliseconds since the Unix epoch.
        expires_at: i64,
    },
    /// A member's API token.
    Token {
        /// Id of the account.
        user: i64,
        /// Id of the token.
        id: i64,
        /// Hash of the token.
        hash: SecretHash,
        /// Expiry time, in milliseconds since the Unix epoch.
        expires_at: Option<i64>,
    },
}

/// Credentials that have become invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Revocation {
    /// One session.
    Session {
        /// Id of the account.
        user: i64,
        /// Hash of the session's token.
        hash: SecretHash,
    },
    /// All sessions of an account.
    Sessions(i64),
    /// One API token.
    Token(i64),
    /// All sessions and tokens of an account.
    User(i64),
    /// Perhaps some sessions or tokens of an account: the store knows.
    Recheck(i64),
}

impl Revocation {
    fn covers(&self, credential: &Credential) -> bool {
        match (self, credential) {
            (Revocation::Session { hash: gone, .. }, Credential::Session { hash, .. }) => {
                gone == hash
            }
            (Revocation::Sessions(gone), Credential::Session { user, .. }) => gone == user,
            (Revocation::Token(gone), Credential::Token { id, .. }) => gone == id,
            (
                Revocation::User(gone),
                Credential::Session { user, .. } | Credential::Token { user, .. },
            ) => gone == user,
            _ => false,
        }
    }

    /// Returns true if the store must be asked whether a credential is still valid.
    fn is_doubt_about(&self, credential: &Credential) -> bool {
        let owner = match credential {
            Credential::Guest => return false,
            Credential::Session { user, .. } | Credential::Token { user, .. } => *user,
        };
        matches!(self, Revocation::Recheck(user) if *user == owner)
    }
}

/// Announces revocations to open connections.
#[derive(Debug)]
pub(crate) struct Revocations(broadcast::Sender<Revocation>);

impl Revocations {
    pub(crate) fn new() -> Revocations {
        Revocations(broadcast::Sender::new(BACKLOG))
    }

    /// Closes the connections opened with these credentials.
    pub(crate) fn announce(&self, revoked: Revocation) {
        // There may be no receivers.
        let _ = self.0.send(revoked);
    }
}

impl Credential {
    /// Completes when the credential becomes invalid. A guest's token always stays valid.
    pub(crate) fn until_revoked(
        &self,
        state: &AppState,
    ) -> impl Future<Output = ()> + Send + 'static {
        let (credential, state) = (self.clone(), state.clone());
        let mut revocations = state.revocations().0.subscribe();
        async move {
            if credential == Credential::Guest {
                return std::future::pending().await;
            }
            // The subscription exists already: earlier revocations are found in the store, later
            // ones are announced.
            while credential
                .is_valid(&state)
                .await
                .unwrap_or_else(|error| error.status.is_server_error())
            {
                let check = tokio::time::sleep(credential.time_left(state.now()).min(CHECK_EVERY));
                tokio::pin!(check);
                loop {
                    tokio::select! {
                        () = &mut check => break,
                        heard = revocations.recv() => match heard {
                            Ok(revoked) if revoked.covers(&credential) => return,
                            Ok(revoked) if revoked.is_doubt_about(&credential) => break,
                            Ok(_) => {}
                            Err(RecvError::Lagged(_)) => break,
                            Err(RecvError::Closed) => return,
                        },
                    }
                }
            }
        }
    }

    /// Returns the time until the credential expires.
    fn time_left(&self, now: Timestamp) -> Duration {
        let expires_at = match self {
            Credential::Guest => None,
            Credential::Session { expires_at, .. } => Some(*expires_at),
            Credential::Token { expires_at, .. } => *expires_at,
        };
        let millis = expires_at.map_or(i64::MAX, |at| at.saturating_sub(now.millis()));
        Duration::from_millis(u64::try_from(millis).unwrap_or(0))
    }

    async fn is_valid(&self, state: &AppState) -> Result<bool, Error> {
        Ok(match self {
            Credential::Guest => true,
            Credential::Session { hash, .. } => state.session(hash).await?.is_some(),
            Credential::Token { hash, .. } => state.caller_by_token(hash).await?.is_some(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revocation_means_exactly_what_it_names() {
        let session = |user, byte| Credential::Session {
            user,
            hash: [byte; 32],
            expires_at: 0,
        };
        let token = |user, id| Credential::Token {
            user,
            id,
            hash: [9; 32],
            expires_at: None,
        };
        let all = [
            Credential::Guest,
            session(1, 1),
            session(1, 2),
            session(2, 3),
            token(1, 10),
            token(1, 11),
            token(2, 12),
        ];
        let gone = |revoked: Revocation| {
            all.iter()
                .map(|one| u8::from(revoked.covers(one)))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            gone(Revocation::Session {
                user: 1,
                hash: [2; 32]
            }),
            [0, 0, 1, 0, 0, 0, 0]
        );
        assert_eq!(gone(Revocation::Sessions(1)), [0, 1, 1, 0, 0, 0, 0]);
        assert_eq!(gone(Revocation::Token(11)), [0, 0, 0, 0, 0, 1, 0]);
        assert_eq!(gone(Revocation::User(1)), [0, 1, 1, 0, 1, 1, 0]);
        let recheck = Revocation::Recheck(1);
        assert_eq!(gone(recheck.clone()), [0; 7], "the store knows");
        let doubtful = all.iter().filter(|one| recheck.is_doubt_about(one));
        assert_eq!(doubtful.count(), 4);
    }
}
