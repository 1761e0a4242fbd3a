//! Rates of requests, tables, sign-ups and logins, each per client, account or both.

use std::hash::{BuildHasher, Hash, RandomState};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::LazyLock;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use parlor_table::{SeatKey, UserId};

use super::Client;
use crate::config::Limits;
use crate::error::{Error, Throttle};

/// Attempts to sign in to one account from one place: so many at once, and then one every
/// [`LOGIN_PAUSE`].
const LOGIN_BURST: NonZeroU32 = NonZeroU32::new(10).expect("not zero");
const LOGIN_PAUSE: Duration = Duration::from_secs(30);

/// Rate per key: a number at once, and after that as many as time brings back.
pub(crate) struct Rate<K: Clone + Eq + Hash> {
    /// Name of the policy in the response's headers.
    name: &'static str,
    refusal: &'static str,
    limiter: Option<DefaultKeyedRateLimiter<K>>,
}

impl<K: Clone + Eq + Hash> Rate<K> {
    fn new(name: &'static str, refusal: &'static str, quota: Option<Quota>) -> Rate<K> {
        Rate {
            name,
            refusal,
            limiter: quota.map(RateLimiter::keyed),
        }
    }

    /// Counts one, or fails if the key exceeds the rate; the error says when to try again.
    pub(crate) fn check(&self, key: &K) -> Result<(), Error> {
        let Some(Err(late)) = self.limiter.as_ref().map(|limiter| limiter.check_key(key)) else {
            return Ok(());
        };
        let quota = late.quota();
        let wait = late.wait_time_from(DefaultClock::default().now());
        metrics::counter!("parlor_throttled_total", "policy" => self.name).increment(1);
        Err(Error::throttled(
            self.refusal,
            Throttle {
                policy: self.name,
                quota: quota.burst_size().get(),
                window: quota.burst_size_replenished_in().as_secs().max(1),
                wait: wait.as_secs_f64().ceil().max(1.0) as u64,
            },
        ))
    }

    /// Forgets keys whose full number is free again.
    fn sweep(&self) {
        if let Some(limiter) = &self.limiter {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

/// Creator of a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Creator {
    Key(SeatKey),
    Address(IpAddr),
}

/// Account that somebody wants to sign in to, existing or not, as a hash of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LoginName(u64);

impl LoginName {
    /// Hashes an account name, in any case.
    pub(crate) fn new(name: &str) -> LoginName {
        static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        LoginName(HASHER.hash_one(name.trim().to_lowercase()))
    }
}

/// Place from which somebody signs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LoginPlace {
    /// Browser that has signed in to this account before, as the number in its cookie.
    KnownDevice(u64),
    /// Address of a client that is not known to the account.
    Address(IpAddr),
}

/// All rates of a server.
pub(crate) struct Rates {
    requests: Rate<IpAddr>,
    tables: Rate<Creator>,
    sign_ups: Rate<IpAddr>,
    analyses: Rate<IpAddr>,
    tokens: Rate<UserId>,
    exports: Rate<UserId>,
    challenges: Rate<(UserId, UserId)>,
    logins: Rate<IpAddr>,
    logins_per_account: Rate<LoginName>,
    logins_from_one_place: Rate<(LoginName, LoginPlace)>,
}

impl Rates {
    pub(crate) fn new(limits: &Limits) -> Rates {
        let per_hour = |limit: Option<u32>| limit.and_then(NonZeroU32::new).map(Quota::per_hour);
        let requests = limits
            .requests_per_second
            .map(|rate| Quota::per_second(rate).allow_burst(limits.request_burst));
        let from_one_place = limits
            .logins_per_account
            .and_then(|_| Quota::with_period(LOGIN_PAUSE))
            .map(|quota| quota.allow_burst(LOGIN_BURST));
        Rates {
            requests: Rate::new("requests", "too many requests from your address", requests),
            tables: Rate::new(
                "tables",
                "too many new tables",
                per_hour(limits.tables_per_hour),
            ),
            sign_ups: Rate::new(
                "sign-ups",
                "too many new accounts from your address",
                per_hour(limits.sign_ups_per_hour),
            ),
            analyses: Rate::new(
                "analyses",
                "too many analyses for your address",
                per_hour(limits.analyses_per_hour),
            ),
            tokens: Rate::new(
                "tokens",
                "too many new tokens",
                per_hour(limits.tokens_per_hour),
            ),
            exports: Rate::new(
                "exports",
                "too many exports of your account",
                per_hour(limits.exports_per_hour),
            ),
            challenges: Rate::new(
                "challenges",
                "you have challenged this player too often",
                per_hour(limits.challenges_per_hour),
            ),
            logins: Rate::new(
                "logins",
                "too many sign-ins from your address",
                per_hour(limits.logins_per_hour),
            ),
            logins_per_account: Rate::new(
                "logins-per-account",
                "too many sign-ins to this account",
                per_hour(limits.logins_per_account),
            ),
            logins_from_one_place: Rate::new(
                "logins-from-one-place",
                "too many sign-ins to this account",
                from_one_place,
            ),
        }
    }

    /// Counts a request, or a message on a socket.
    pub(crate) fn request(&self, client: Client) -> Result<(), Error> {
        self.requests.check(&client.0)
    }

    /// Counts a table that a client, with a key or without, is about to create.
    pub(crate) fn table(&self, client: Client, key: Option<SeatKey>) -> Result<(), Error> {
        self.tables.check(&Creator::Address(client.0))?;
        key.map_or(Ok(()), |key| self.tables.check(&Creator::Key(key)))
    }

    /// Counts an account that is about to be created.
    pub(crate) fn sign_up(&self, client: Client) -> Result<(), Error> {
        self.sign_ups.check(&client.0)
    }

    /// Counts an analysis that is about to be computed.
    pub(crate) fn analysis(&self, client: Client) -> Result<(), Error> {
        self.analyses.check(&client.0)
    }

    /// Counts an API token that a member is about to create.
    pub(crate) fn token(&self, owner: UserId) -> Result<(), Error> {
        self.tokens.check(&owner)
    }

    /// Counts an export of a member's data.
    pub(crate) fn export(&self, of: UserId) -> Result<(), Error> {
        self.exports.check(&of)
    }

    /// Counts a challenge of one member by another.
    pub(crate) fn challenge(&self, by: UserId, of: UserId) -> Result<(), Error> {
        self.challenges.check(&(by, of))
    }

    /// Counts an attempt to sign in, right or wrong. What others try does not slow a known device:
    /// neither those behind the same address nor those who try the same account.
    pub(crate) fn login(
        &self,
        name: LoginName,
        client: Client,
        known_device: Option<u64>,
    ) -> Result<(), Error> {
        let place = known_device.map_or(LoginPlace::Address(client.0), LoginPlace::KnownDevice);
        self.logins_from_one_place.check(&(name, place))?;
        if known_device.is_none() {
            self.logins_per_account.check(&name)?;
            self.logins.check(&client.0)?;
        }
        Ok(())
    }

    /// Forgets those who have been quiet for long enough.
    pub(crate) fn sweep(&self) {
        self.requests.sweep();
        self.tables.sweep();
        self.sign_ups.sweep();
        self.analyses.sweep();
        self.tokens.sweep();
        self.exports.sweep();
        self.challenges.sweep();
        self.logins.sweep();
        self.logins_per_account.sweep();
        self.logins_from_one_place.sweep();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(last: u8) -> Client {
        Client([10, 0, 0, last].into())
    }

    fn limits() -> Limits {
        Limits {
            logins_per_hour: Some(40),
            logins_per_account: Some(30),
            sign_ups_per_hour: Some(2),
            ..Limits::default()
        }
    }

    #[test]
    fn each_address_has_its_own_number_and_is_told_when_to_try_again() {
        let rates = Rates::new(&limits());
        for allowed in [true, true, false] {
            assert_eq!(rates.sign_up(client(1)).is_ok(), allowed);
        }
        assert!(rates.sign_up(client(2)).is_ok());
        let throttle = rates.sign_up(client(1)).unwrap_err().throttle.unwrap();
        assert_eq!((throttle.quota, throttle.window), (2, 3600));
        assert!((1700..=1800).contains(&throttle.wait), "{}", throttle.wait);
        let free = Rates::new(&Limits {
            sign_ups_per_hour: None,
            ..limits()
        });
        assert!((0..99).all(|_| free.sign_up(client(1)).is_ok()));
    }

    #[test]
    fn wrong_logins_do_not_lock_others_behind_the_same_address_out() {
        let rates = Rates::new(&limits());
        let tried = |name: &str, device| rates.login(LoginName::new(name), client(1), device);
        assert_eq!((0..60).filter(|_| tried("ann", None).is_ok()).count(), 10);
        assert!(tried("bob", None).is_ok(), "another account");
        assert!(tried("ANN ", None).is_err(), "the same account");
        assert!(tried("ann", Some(7)).is_ok(), "a device that Ann has used");
    }

    #[test]
    fn one_account_is_not_tried_without_end_from_many_addresses() {
        let rates = Rates::new(&limits());
        let ann = LoginName::new("ann");
        let tried = (0..240).filter(|n| rates.login(ann, client(*n), None).is_ok());
        assert_eq!(tried.count(), 30);
        assert!(rates.login(ann, client(250), Some(7)).is_ok());
    }

    #[test]
    fn one_address_does_not_try_many_accounts_without_end() {
        let rates = Rates::new(&limits());
        let names = (0..100).map(|n| LoginName::new(&n.to_string()));
        let tried = names.filter(|name| rates.login(*name, client(1), None).is_ok());
        assert_eq!(tried.count(), 40);
    }

    #[test]
    fn who_is_quiet_is_forgotten() {
        let rates = Rates::new(&Limits {
            requests_per_second: NonZeroU32::new(1_000_000),
            request_burst: NonZeroU32::MIN,
            ..limits()
        });
        for n in 0..100 {
            assert!(rates.request(client(n)).is_ok());
        }
        let limiter = rates.requests.limiter.as_ref().unwrap();
        while !limiter.is_empty() {
            rates.sweep();
        }
    }
}
