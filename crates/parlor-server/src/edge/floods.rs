//! Addresses that are refused so often that even refusing them costs too much.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use parlor_store::{LineLimit, LogLine};

use super::Client;

/// Time in which refusals are counted.
const WINDOW: Duration = Duration::from_secs(1);
/// Time for which an address is shut out.
const SHUT_OUT: Duration = Duration::from_secs(10);
/// Number of addresses at which those that are quiet again are forgotten.
const SWEPT: usize = 1_000;

/// Refusals of each address, and the addresses that are shut out for a while: their connections are
/// closed, and no new ones are served.
#[derive(Debug)]
pub(crate) struct Floods {
    per_second: Option<NonZeroU32>,
    addresses: Mutex<HashMap<IpAddr, Refusals>>,
    lines: LineLimit,
}

/// Frames that an address may send in a second: those of HTTP/2 without data, such as heads of requests and
/// notes on the room that it has for answers, and 64 bytes of a socket each. Heads of more than 256 bytes
/// count as several. More than anybody needs who reads answers, and plays.
pub(super) const FRAMES: u32 = 10_000;

#[derive(Debug)]
struct Refusals {
    /// Beginning of the second in which they are counted.
    since: Instant,
    count: u32,
    /// Frames in that second.
    frames: u32,
    shut_out_until: Option<Instant>,
}

impl Floods {
    pub(crate) fn new(per_second: Option<NonZeroU32>) -> Floods {
        Floods {
            per_second,
            addresses: Mutex::default(),
            lines: LineLimit::new(),
        }
    }

    /// Counts a refused request. Returns true if the address is shut out from now on.
    pub(super) fn count(&self, client: Client) -> bool {
        self.count_at(client, Instant::now())
    }

    /// Counts frames. Returns true if the address is shut out.
    pub(super) fn count_frames(&self, client: Client, frames: u32) -> bool {
        let now = Instant::now();
        if self.per_second.is_none() {
            return false;
        }
        self.change(client, now, |refusals| {
            refusals.frames = refusals.frames.saturating_add(frames);
            refusals.frames >= FRAMES && !refusals.is_shut_out(now)
        });
        self.is_shut_out(client)
    }

    fn count_at(&self, client: Client, now: Instant) -> bool {
        let Some(most) = self.per_second else {
            return false;
        };
        self.change(client, now, |refusals| {
            refusals.count += 1;
            refusals.count >= most.get() && !refusals.is_shut_out(now)
        })
    }

    /// Counts something of an address. Shuts it out if `counted` returns true, and returns the same.
    fn change(
        &self,
        client: Client,
        now: Instant,
        counted: impl FnOnce(&mut Refusals) -> bool,
    ) -> bool {
        let mut addresses = self.lock();
        if addresses.len() >= SWEPT {
            addresses.retain(|_, refusals| refusals.is_recent(now));
        }
        let refusals = addresses.entry(client.0).or_insert(Refusals {
            since: now,
            count: 0,
            frames: 0,
            shut_out_until: None,
        });
        if now.saturating_duration_since(refusals.since) >= WINDOW {
            refusals.since = now;
            refusals.count = 0;
            refusals.frames = 0;
        }
        let is_too_much = counted(refusals);
        if is_too_much {
            let seconds = SHUT_OUT.as_secs();
            refusals.shut_out_until = Some(now + SHUT_OUT);
            metrics::counter!("parlor_floods_total").increment(1);
            if let Some(LogLine { left_out }) = self.lines.line() {
                tracing::warn!(client = %client.0, seconds, left_out, "shutting out an address that floods the house");
            }
        }
        is_too_much
    }

    /// Returns true while an address is shut out.
    pub(super) fn is_shut_out(&self, client: Client) -> bool {
        let now = Instant::now();
        let addresses = self.lock();
        addresses
            .get(&client.0)
            .is_some_and(|refusals| refusals.is_shut_out(now))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, Refusals>> {
        // No code that can panic runs while this lock is held.
        self.addresses
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Refusals {
    fn is_shut_out(&self, now: Instant) -> bool {
        self.shut_out_until.is_some_and(|until| now < until)
    }

    fn is_recent(&self, now: Instant) -> bool {
        self.is_shut_out(now) || now.saturating_duration_since(self.since) < WINDOW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_refusals_in_a_second_shut_out_for_a_while() {
        let floods = Floods::new(NonZeroU32::new(3));
        let [one, other] = [1, 2].map(|last| Client([10, 0, 0, last].into()));
        let start = Instant::now();
        let count = |client, ms| floods.count_at(client, start + Duration::from_millis(ms));
        let shut_out = [
            (one, 0),
            (other, 1),
            (one, 900),
            (one, 1_000),
            (one, 1_001),
            (one, 1_002),
        ]
        .map(|(client, ms)| count(client, ms));
        assert_eq!(shut_out, [false, false, false, false, false, true]);
        assert!(floods.is_shut_out(one) && !floods.is_shut_out(other));
        // Requests that were on their way do not count again.
        assert!((0..9).all(|n| !count(one, 1_003 + n)));
        let later = u64::try_from(SHUT_OUT.as_millis()).unwrap() + 1_002;
        assert_eq!(
            [0, 1, 2].map(|n| count(one, later + n)),
            [false, false, true]
        );
    }

    #[test]
    fn without_a_limit_nobody_is_shut_out() {
        let (floods, client) = (Floods::new(None), Client([10, 0, 0, 1].into()));
        assert!((0..5_000).all(|_| !floods.count(client)));
        assert!(!floods.is_shut_out(client));
    }
}
