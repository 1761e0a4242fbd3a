//! Passwords: a slow hash, never on the threads that answer requests, and only so many at once.

use std::fmt;
use std::sync::{Arc, LazyLock};

use parlor_store::PasswordHash;
use serde::Deserialize;
use tokio::sync::Semaphore;
use utoipa::ToSchema;

use crate::error::Error;

/// The shortest password, in characters.
const SHORTEST: usize = 8;
/// The longest password, in characters.
const LONGEST: usize = 200;

/// What a wrong name is compared with, so that it takes as long as a wrong password.
static NOBODYS: LazyLock<String> =
    LazyLock::new(|| password_auth::generate_hash(hex::encode(super::random().to_le_bytes())));

/// A password as it was typed. Shows nothing of itself in logs.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, format = Password)]
pub(crate) struct Password(String);

impl Password {
    pub(crate) fn new(text: impl Into<String>) -> Password {
        Password(text.into())
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

/// A password that is too short or too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a password has 8 to 200 characters")]
pub struct BadPassword;

/// Makes of a password what the store keeps (argon2id). Takes some 20 ms and 19 MiB: not for threads that must not wait.
///
/// # Errors
/// [`BadPassword`] when it is too short or too long.
pub fn hash_password(password: &str) -> Result<PasswordHash, BadPassword> {
    check(password)?;
    Ok(PasswordHash(password_auth::generate_hash(password)))
}

fn check(password: &str) -> Result<(), BadPassword> {
    let length = password.chars().take(LONGEST + 1).count();
    if (SHORTEST..=LONGEST).contains(&length) {
        Ok(())
    } else {
        Err(BadPassword)
    }
}

/// Hashes and compares, as many at once as there are cores.
#[derive(Debug)]
pub(crate) struct Passwords {
    places: Arc<Semaphore>,
}

impl Passwords {
    pub(crate) fn new() -> Passwords {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Passwords {
            places: Arc::new(Semaphore::new(cores)),
        }
    }

    /// What the store keeps of a password that can be one.
    pub(crate) async fn hash(&self, password: Password) -> Result<PasswordHash, Error> {
        check(&password.0)
            .map_err(|bad| Error::unprocessable(bad.to_string()).with("field", "password"))?;
        self.slowly(move || PasswordHash(password_auth::generate_hash(password.0)))
            .await
    }

    /// Whether it is the password. Takes as long when there is none to compare with, and then it is not.
    pub(crate) async fn verify(
        &self,
        password: Password,
        stored: Option<PasswordHash>,
    ) -> Result<bool, Error> {
        self.slowly(move || {
            let nobodys = NOBODYS.as_str();
            let hash = stored.as_ref().map_or(nobodys, |hash| hash.0.as_str());
            // What is too long to be a password costs no more than one.
            let text: String = password.0.chars().take(LONGEST + 1).collect();
            password_auth::verify_password(text, hash).is_ok() && stored.is_some()
        })
        .await
    }

    async fn slowly<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        // The place is given back when the work is done, even if nobody waits for it any more.
        let place = self
            .places
            .clone()
            .acquire_owned()
            .await
            .map_err(Error::internal)?;
        let work = move || {
            let _place = place;
            work()
        };
        tokio::task::spawn_blocking(work)
            .await
            .map_err(Error::internal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_has_eight_to_two_hundred_characters() {
        for (length, good) in [(7, false), (8, true), (200, true), (201, false)] {
            assert_eq!(check(&"ü".repeat(length)).is_ok(), good, "{length}");
        }
    }

    #[tokio::test]
    async fn only_the_password_itself_is_right_and_nothing_shows_it() {
        let passwords = Passwords::new();
        let hash = passwords
            .hash(Password::new("correct horse"))
            .await
            .expect("it is long enough");
        assert!(hash.0.starts_with("$argon2id$"), "{}", hash.0);
        for (text, stored, right) in [
            ("correct horse", Some(&hash), true),
            ("correct horsf", Some(&hash), false),
            ("correct horse", None, false),
        ] {
            let verified = passwords
                .verify(Password::new(text), stored.cloned())
                .await
                .expect("the thread is there");
            assert_eq!(verified, right, "{text}");
        }
        assert_eq!(
            format!("{:?} {hash:?}", Password::new("correct horse")),
            "Password(..) PasswordHash(..)"
        );
    }
}
