//! Hourly limits per address, such as for sign-ups and failed logins.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Client;
use crate::error::Error;

const HOUR: Duration = Duration::from_secs(3600);

/// Counter of attempts per hour and address.
#[derive(Debug)]
pub(crate) struct Attempts {
    per_hour: Option<u32>,
    made: Mutex<(Instant, HashMap<IpAddr, u32>)>,
}

impl Attempts {
    pub(crate) fn new(per_hour: Option<u32>) -> Attempts {
        Attempts {
            per_hour,
            made: Mutex::new((Instant::now(), HashMap::new())),
        }
    }

    /// Counts an attempt in advance, so that concurrent attempts cannot exceed the limit.
    pub(crate) fn count(&self, client: Client) -> Result<(), Error> {
        let Some(most) = self.per_hour else {
            return Ok(());
        };
        self.with(|made| {
            let count = made.entry(client.0).or_default();
            if *count >= most {
                return Err(Error::too_many(
                    "too many attempts from your address; try again later",
                ));
            }
            *count += 1;
            Ok(())
        })
    }

    /// Takes back an attempt that should not count.
    pub(crate) fn forgive(&self, client: Client) {
        self.with(|made| {
            if let Some(count) = made.get_mut(&client.0) {
                *count = count.saturating_sub(1);
            }
        });
    }

    fn with<T>(&self, act: impl FnOnce(&mut HashMap<IpAddr, u32>) -> T) -> T {
        // No code that can panic runs while the lock is held.
        let mut guard = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, made) = &mut *guard;
        if since.elapsed() >= HOUR {
            (*since, *made) = (Instant::now(), HashMap::new());
        }
        act(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_has_its_own_attempts_and_what_is_forgiven_does_not_count() {
        let attempts = Attempts::new(Some(2));
        let [one, other] = [[10, 0, 0, 1], [10, 0, 0, 2]].map(|address| Client(address.into()));
        for allowed in [true, true, false] {
            assert_eq!(attempts.count(one).is_ok(), allowed);
        }
        assert!(attempts.count(other).is_ok());
        attempts.forgive(one);
        assert!(attempts.count(one).is_ok() && attempts.count(one).is_err());
        assert!((0..99).all(|_| Attempts::new(None).count(one).is_ok()));
    }
}
