//! Log of clients that have reached a limit.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderValue, Method, Uri};

use super::Client;

/// Time in which one client is named for each limit: floods must not fill the log.
const PAUSE: Duration = Duration::from_secs(1);

/// Limits that were reached, by name.
#[derive(Debug, Default)]
pub(crate) struct LimitLog(Mutex<HashMap<String, Told>>);

#[derive(Debug)]
struct Told {
    at: Instant,
    /// Number of refusals since then.
    since: u64,
}

impl LimitLog {
    /// Logs that a client has reached a limit with this request. `limit` is the header that tells it
    /// so, which begins with the limit's name in quotes.
    pub(super) fn note(&self, limit: &HeaderValue, client: Client, method: &Method, uri: &Uri) {
        let name = limit.to_str().unwrap_or_default().split('"').nth(1);
        let policy = name.unwrap_or_default();
        if let Some(unnamed) = self.count(policy, Instant::now()) {
            // The query, which may contain an invite, is left out.
            let (client, path) = (client.0, uri.path());
            tracing::info!(policy, %client, %method, path, unnamed, "a client has reached a limit");
        }
    }

    /// Logs that a client has reached a limit with something else than a request, such as a connection.
    pub(crate) fn note_other(&self, policy: &str, client: Client) {
        if let Some(unnamed) = self.count(policy, Instant::now()) {
            let client = client.0;
            tracing::info!(policy, %client, unnamed, "a client has reached a limit");
        }
    }

    /// Counts a refusal. If it is to be logged, returns how many before it were not.
    fn count(&self, policy: &str, now: Instant) -> Option<u64> {
        // No code that can panic runs while this lock is held.
        let mut limits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(told) = limits.get_mut(policy) else {
            limits.insert(policy.to_owned(), Told { at: now, since: 0 });
            return Some(0);
        };
        if now.saturating_duration_since(told.at) < PAUSE {
            told.since += 1;
            return None;
        }
        told.at = now;
        Some(std::mem::take(&mut told.since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_logged_once_a_second_with_the_number_of_the_others() {
        let log = LimitLog::default();
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        assert_eq!(log.count("requests", at(0)), Some(0));
        assert_eq!(log.count("requests", at(1)), None);
        assert_eq!(log.count("tables", at(2)), Some(0), "another limit");
        assert_eq!(log.count("requests", at(999)), None);
        assert_eq!(log.count("requests", at(1_000)), Some(2));
        assert_eq!(log.count("requests", at(2_500)), Some(0));
    }
}
