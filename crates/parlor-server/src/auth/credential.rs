//! Credentials, and their revocation while connections are open.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use parlor_store::{SecretHash, Store, StoreError};
use parlor_table::Timestamp;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::AppState;
use crate::error::Error;

/// Interval at which an open connection checks its credential in the store. Most revocations are
/// announced; this is for those that nobody announces, such as the ban of a bot's owner.
const CHECK_EVERY: Duration = Duration::from_secs(30);
/// Number of revocations that a connection may lag behind before it checks the store.
const BACKLOG: usize = 256;

/// Credential of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
pub(crate) struct Revocations {
    announced: broadcast::Sender<Revocation>,
    open: OpenCredentials,
}

/// Credentials of open connections, each with the number of its connections.
type OpenCredentials = Arc<Mutex<HashMap<Credential, usize>>>;

impl Revocations {
    pub(crate) fn new() -> Revocations {
        Revocations {
            announced: broadcast::Sender::new(BACKLOG),
            open: OpenCredentials::default(),
        }
    }

    /// Closes the connections opened with these credentials.
    pub(crate) fn announce(&self, revoked: Revocation) {
        // There may be no receivers.
        let _ = self.announced.send(revoked);
    }

    /// Asks the store which credentials of open connections were revoked by other processes, and
    /// closes those connections.
    pub(crate) async fn ask(&self, store: &Store) -> Result<(), StoreError> {
        let (mut sessions, mut tokens) = (HashMap::new(), HashSet::new());
        for credential in lock(&self.open).keys() {
            match credential {
                Credential::Guest => {}
                Credential::Session { user, hash, .. } => drop(sessions.insert(*hash, *user)),
                Credential::Token { id, .. } => drop(tokens.insert(*id)),
            }
        }
        let hashes: Vec<SecretHash> = sessions.keys().copied().collect();
        for hash in store.open_sessions(&hashes).await? {
            sessions.remove(&hash);
        }
        let ids: Vec<i64> = tokens.iter().copied().collect();
        for id in store.unrevoked_tokens(&ids).await? {
            tokens.remove(&id);
        }
        let ended = sessions.into_iter();
        let ended = ended.map(|(hash, user)| Revocation::Session { user, hash });
        let ended = ended.chain(tokens.into_iter().map(Revocation::Token));
        ended.for_each(|revoked| self.announce(revoked));
        Ok(())
    }
}

/// Guard that counts one open connection of a credential.
struct OpenCredential {
    credential: Credential,
    open: OpenCredentials,
}

impl OpenCredential {
    fn new(credential: &Credential, revocations: &Revocations) -> OpenCredential {
        let open = revocations.open.clone();
        *lock(&open).entry(credential.clone()).or_default() += 1;
        OpenCredential {
            credential: credential.clone(),
            open,
        }
    }
}

impl Drop for OpenCredential {
    fn drop(&mut self) {
        let mut open = lock(&self.open);
        if let Some(count) = open.get_mut(&self.credential) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.credential);
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No code that can panic runs while the lock is held.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Credential {
    /// Completes when the credential becomes invalid. A guest's token always stays valid.
    pub(crate) fn until_revoked(
        &self,
        state: &AppState,
    ) -> impl Future<Output = ()> + Send + 'static {
        let (credential, state) = (self.clone(), state.clone());
        let mut revocations = state.revocations().announced.subscribe();
        let open = OpenCredential::new(&credential, state.revocations());
        async move {
            let _open = open;
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
    use parlor_store::{StoredSession, StoredToken, User};

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

    #[tokio::test]
    async fn the_store_tells_what_other_processes_revoked() {
        let store = Store::open("sqlite::memory:").await.unwrap();
        store.create_user(User::new(7, "Ann", 0)).await.unwrap();
        let (session, tokens) = ([1; 32], [[2; 32], [3; 32]]);
        let browser = StoredSession {
            user_id: 7,
            created_at: 0,
            expires_at: 1_000,
            browser: None,
            last_used_at: None,
        };
        store.create_session(&session, browser).await.unwrap();
        let revocations = Revocations::new();
        let mut open = vec![OpenCredential::new(
            &Credential::Session {
                user: 7,
                hash: session,
                expires_at: 1_000,
            },
            &revocations,
        )];
        for (id, hash) in (10..).zip(tokens) {
            let token = StoredToken {
                id,
                user_id: 7,
                name: "program".to_owned(),
                scopes: Vec::new(),
                created_at: 0,
                expires_at: None,
                revoked_at: None,
                last_used_at: None,
            };
            store.create_token(&hash, token, 9).await.unwrap();
            let credential = Credential::Token {
                user: 7,
                id,
                hash,
                expires_at: None,
            };
            open.push(OpenCredential::new(&credential, &revocations));
        }
        let mut announced = revocations.announced.subscribe();
        revocations.ask(&store).await.unwrap();
        assert!(announced.is_empty());
        store.revoke_token(11, None, 5, None).await.unwrap();
        store.delete_session(&session).await.unwrap();
        revocations.ask(&store).await.unwrap();
        let ended = Revocation::Session {
            user: 7,
            hash: session,
        };
        assert_eq!(announced.try_recv(), Ok(ended));
        assert_eq!(announced.try_recv(), Ok(Revocation::Token(11)));
        assert!(announced.is_empty());
        open.clear();
        assert!(lock(&revocations.open).is_empty());
    }
}
