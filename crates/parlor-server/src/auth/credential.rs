//! What somebody came in with, and how it stops counting while they are here.

use std::time::Duration;

use parlor_store::SecretHash;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::error::Error;
use crate::{AppState, live};

/// How often an open line asks the store whether its credential still counts. What is revoked here is told at once; this
/// is for what another process does.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// How many revocations a line may be behind before it asks the store.
const BACKLOG: usize = 256;

/// What somebody came in with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Credential {
    /// A token that only the seats know. It cannot be taken away.
    Guest,
    /// A member's session.
    Session {
        /// Whose.
        user: i64,
        /// The hash of its token.
        hash: SecretHash,
        /// From when on it does not count, in milliseconds since 1970.
        expires_at: i64,
    },
    /// A member's token for programs.
    Token {
        /// Whose.
        user: i64,
        /// Its number.
        id: i64,
        /// The hash of its text.
        hash: SecretHash,
        /// From when on it does not count, in milliseconds since 1970.
        expires_at: Option<i64>,
    },
}

/// Something that does not count any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Revoked {
    /// One session.
    Session(SecretHash),
    /// All sessions of an account.
    Sessions(i64),
    /// One token.
    Token(i64),
    /// Everything an account has.
    User(i64),
}

impl Revoked {
    fn means(&self, credential: &Credential) -> bool {
        match (self, credential) {
            (Revoked::Session(gone), Credential::Session { hash, .. }) => gone == hash,
            (Revoked::Sessions(gone), Credential::Session { user, .. }) => gone == user,
            (Revoked::Token(gone), Credential::Token { id, .. }) => gone == id,
            (
                Revoked::User(gone),
                Credential::Session { user, .. } | Credential::Token { user, .. },
            ) => gone == user,
            _ => false,
        }
    }
}

/// Tells open lines what does not count any more.
#[derive(Debug)]
pub(crate) struct Revocations(broadcast::Sender<Revoked>);

impl Revocations {
    pub(crate) fn new() -> Revocations {
        Revocations(broadcast::Sender::new(BACKLOG))
    }

    /// Ends what was opened with it.
    pub(crate) fn tell(&self, revoked: Revoked) {
        // Nobody may be listening.
        let _ = self.0.send(revoked);
    }
}

impl Credential {
    /// Returns when the credential does not count any more. A guest's always does.
    pub(crate) fn revoked(&self, state: &AppState) -> impl Future<Output = ()> + Send + 'static {
        let (credential, state) = (self.clone(), state.clone());
        let mut told = state.revocations().0.subscribe();
        async move {
            if credential == Credential::Guest {
                return std::future::pending().await;
            }
            // It listens already: what was revoked before is found in the store, what comes later is told.
            while credential
                .counts(&state)
                .await
                .unwrap_or_else(|error| error.status.is_server_error())
            {
                let look = tokio::time::sleep(credential.left().min(LOOK_EVERY));
                tokio::pin!(look);
                loop {
                    tokio::select! {
                        () = &mut look => break,
                        heard = told.recv() => match heard {
                            Ok(revoked) if revoked.means(&credential) => return,
                            Ok(_) => {}
                            Err(RecvError::Lagged(_)) => break,
                            Err(RecvError::Closed) => return,
                        },
                    }
                }
            }
        }
    }

    /// How long it counts at most.
    fn left(&self) -> Duration {
        let expires_at = match self {
            Credential::Guest => None,
            Credential::Session { expires_at, .. } => Some(*expires_at),
            Credential::Token { expires_at, .. } => *expires_at,
        };
        let millis = expires_at.map_or(i64::MAX, |at| at.saturating_sub(live::now().millis()));
        Duration::from_millis(u64::try_from(millis).unwrap_or(0))
    }

    async fn counts(&self, state: &AppState) -> Result<bool, Error> {
        Ok(match self {
            Credential::Guest => true,
            Credential::Session { hash, .. } => state.session(hash).await?.is_some(),
            Credential::Token { hash, .. } => state.program(hash).await?.is_some(),
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
        let gone = |revoked: Revoked| {
            all.iter()
                .map(|one| u8::from(revoked.means(one)))
                .collect::<Vec<_>>()
        };
        assert_eq!(gone(Revoked::Session([2; 32])), [0, 0, 1, 0, 0, 0, 0]);
        assert_eq!(gone(Revoked::Sessions(1)), [0, 1, 1, 0, 0, 0, 0]);
        assert_eq!(gone(Revoked::Token(11)), [0, 0, 0, 0, 0, 1, 0]);
        assert_eq!(gone(Revoked::User(1)), [0, 1, 1, 0, 1, 1, 0]);
    }
}
