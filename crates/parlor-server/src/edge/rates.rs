//! Rates of requests, tables, sign-ups and logins, each per client, account or both.
//!
//! Each node counts in its memory. Where several nodes serve one database, they share all rates but
//! that of requests, as rows: a client that goes from node to node gets no more.

use std::hash::{Hash, Hasher};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use parlor_store::Store;
use parlor_table::{SeatKey, UserId};
use sha2::{Digest, Sha256};

use super::Client;
use super::disk::DiskReserve;
use crate::config::Limits;
use crate::error::{Allowance, Error, Throttle};

/// Minutes whose messages may be written before the rate applies.
const TALK_MINUTES: u32 = 10;
/// Number of tests of a member's addresses for notices per hour.
const NOTICE_TESTS: NonZeroU32 = NonZeroU32::new(20).expect("not zero");
/// Number of people who share an address.
const TALK_SHARE: u32 = 10;

/// Rate per key: a number at once, and after that as many as time brings back.
pub(crate) struct Rate<K: Clone + Eq + Hash> {
    /// Name of the policy in the response's headers.
    name: &'static str,
    refusal: &'static str,
    quota: Option<Quota>,
    limiter: Option<DefaultKeyedRateLimiter<K>>,
}

impl<K: Clone + Eq + Hash> Rate<K> {
    fn new(name: &'static str, refusal: &'static str, quota: Option<Quota>) -> Rate<K> {
        // It is there before the first refusal.
        metrics::counter!("parlor_throttled_total", "policy" => name).increment(0);
        Rate {
            name,
            refusal,
            quota,
            limiter: quota.map(RateLimiter::keyed),
        }
    }

    /// Counts one on this node, or fails if the key exceeds the rate; the error says when to try
    /// again.
    pub(crate) fn check(&self, key: &K) -> Result<(), Error> {
        let Some(Err(late)) = self.limiter.as_ref().map(|limiter| limiter.check_key(key)) else {
            return Ok(());
        };
        let wait = late.wait_time_from(DefaultClock::default().now());
        Err(self.refused(late.quota(), wait))
    }

    /// Counts one on all nodes: here, and if there is a `store` that nodes share, there.
    async fn count(&self, key: &K, store: Option<&Store>) -> Result<(), Error> {
        self.check(key)?;
        let (Some(store), Some(quota)) = (store, self.quota) else {
            return Ok(());
        };
        let period = i64::try_from(quota.replenish_interval().as_millis()).unwrap_or(i64::MAX);
        let burst = i64::from(quota.burst_size().get());
        match store.spend(self.row(key), period, burst).await {
            Ok(None) => Ok(()),
            Ok(Some(wait)) => {
                let wait = Duration::from_millis(wait.unsigned_abs());
                Err(self.refused(quota, wait))
            }
            // The request that is counted needs the database, too, and fails by itself.
            Err(error) => {
                tracing::debug!(%error, "could not count for all nodes");
                Ok(())
            }
        }
    }

    fn refused(&self, quota: Quota, wait: Duration) -> Error {
        let allowance = Allowance::InTime {
            window: quota.burst_size_replenished_in().as_secs().max(1),
            wait: wait.as_secs_f64().ceil().max(1.0) as u64,
        };
        Error::throttled(
            self.refusal,
            Throttle {
                policy: self.name,
                quota: quota.burst_size().get() as usize,
                allowance,
            },
        )
    }

    /// Returns the number of a key's row, the same on all nodes. It does not tell the key.
    fn row(&self, key: &K) -> i64 {
        let mut hasher = StableHasher(Sha256::new());
        (self.name, key).hash(&mut hasher);
        hasher.finish().cast_signed()
    }

    /// Forgets keys whose full number is free again.
    fn sweep(&self) {
        if let Some(limiter) = &self.limiter {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

/// Hasher with the same results in all processes.
struct StableHasher(Sha256);

impl Hasher for StableHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let digest: [u8; 32] = self.0.clone().finalize().into();
        let first = digest.iter().take(8);
        first.fold(0, |bits, byte| bits << 8 | u64::from(*byte))
    }
}

const TOO_MUCH_TALK: &str = "you write too much: wait a moment";

/// Client that creates a table, and its key if it has one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableCreator {
    client: Client,
    key: Option<SeatKey>,
}

impl TableCreator {
    pub(crate) fn new(client: Client, key: Option<SeatKey>) -> TableCreator {
        TableCreator { client, key }
    }

    /// Returns the number of the creator's address, the same on all nodes. It does not tell the
    /// address.
    pub(crate) fn number(self) -> i64 {
        let mut hasher = StableHasher(Sha256::new());
        ("open-tables", self.client.0).hash(&mut hasher);
        hasher.finish().cast_signed()
    }
}

/// Creator of a table, or who reports a message.
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
        let mut hasher = StableHasher(Sha256::new());
        name.trim().to_lowercase().hash(&mut hasher);
        LoginName(hasher.finish())
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
    /// Database that the nodes share, if there can be several.
    store: Option<Store>,
    disk: DiskReserve,
    requests: Rate<IpAddr>,
    tables: Rate<Creator>,
    sign_ups: Rate<IpAddr>,
    analyses: Rate<IpAddr>,
    tokens: Rate<UserId>,
    exports: Rate<UserId>,
    notice_tests: Rate<UserId>,
    challenges: Rate<(UserId, UserId)>,
    talk_at_once: Rate<SeatKey>,
    talk: Rate<SeatKey>,
    talk_per_address: Rate<IpAddr>,
    reports: Rate<Creator>,
    logins: Rate<IpAddr>,
    logins_per_account: Rate<LoginName>,
    logins_from_one_place: Rate<(LoginName, LoginPlace)>,
}

impl Rates {
    /// Creates the rates of a node. `store` is the database that the nodes share, if there can be
    /// several.
    pub(crate) fn new(limits: &Limits, store: Option<Store>) -> Rates {
        let per_hour = |limit: Option<u32>| limit.and_then(NonZeroU32::new).map(Quota::per_hour);
        let requests = limits
            .requests_per_second
            .map(|rate| Quota::per_second(rate).allow_burst(limits.request_burst));
        let from_one_place = limits
            .logins_per_account
            .and_then(|_| Quota::with_period(limits.login_pause))
            .map(|quota| quota.allow_burst(limits.logins_at_once));
        let talk_at_once = limits
            .talk_per_minute
            .and_then(|_| Quota::with_period(limits.talk_pause))
            .map(|quota| quota.allow_burst(limits.talk_at_once));
        let talk = |people: u32| {
            let rate = NonZeroU32::new(limits.talk_per_minute?.saturating_mul(people))?;
            let burst = rate.saturating_mul(NonZeroU32::new(TALK_MINUTES)?);
            Some(Quota::per_minute(rate).allow_burst(burst))
        };
        Rates {
            store,
            disk: DiskReserve::new(limits.disk_reserve),
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
            notice_tests: Rate::new(
                "notice-tests",
                "too many tests of your addresses for notices",
                Some(Quota::per_hour(NOTICE_TESTS)),
            ),
            challenges: Rate::new(
                "challenges",
                "you have challenged this player too often",
                per_hour(limits.challenges_per_hour),
            ),
            talk_at_once: Rate::new("talk-at-once", TOO_MUCH_TALK, talk_at_once),
            talk: Rate::new("talk", TOO_MUCH_TALK, talk(1)),
            talk_per_address: Rate::new(
                "talk-per-address",
                "too many messages from your address",
                talk(TALK_SHARE),
            ),
            reports: Rate::new(
                "reports",
                "too many reports",
                per_hour(limits.reports_per_hour),
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

    /// Returns the reserve on the disk, which everything keeps that is counted because it is stored.
    pub(crate) fn disk(&self) -> &DiskReserve {
        &self.disk
    }

    /// Counts a request, or a message on a socket.
    pub(crate) fn request(&self, client: Client) -> Result<(), Error> {
        self.requests.check(&client.0)
    }

    /// Counts a table that is about to be created.
    pub(crate) async fn table(&self, by: TableCreator) -> Result<(), Error> {
        self.disk.check()?;
        let store = self.store.as_ref();
        self.tables
            .count(&Creator::Address(by.client.0), store)
            .await?;
        match by.key {
            Some(key) => self.tables.count(&Creator::Key(key), store).await,
            None => Ok(()),
        }
    }

    /// Counts an account that is about to be created.
    pub(crate) async fn sign_up(&self, client: Client) -> Result<(), Error> {
        self.disk.check()?;
        self.sign_ups.count(&client.0, self.store.as_ref()).await
    }

    /// Counts an analysis that is about to be computed.
    pub(crate) async fn analysis(&self, client: Client) -> Result<(), Error> {
        self.disk.check()?;
        self.analyses.count(&client.0, self.store.as_ref()).await
    }

    /// Counts an API token that a member is about to create.
    pub(crate) async fn token(&self, owner: UserId) -> Result<(), Error> {
        self.disk.check()?;
        self.tokens.count(&owner, self.store.as_ref()).await
    }

    /// Counts an export of a member's data.
    pub(crate) async fn export(&self, of: UserId) -> Result<(), Error> {
        self.exports.count(&of, self.store.as_ref()).await
    }

    /// Counts a test of an address for a member's notices.
    pub(crate) async fn notice_test(&self, of: UserId) -> Result<(), Error> {
        self.notice_tests.count(&of, self.store.as_ref()).await
    }

    /// Counts a message that a person is about to write.
    pub(crate) async fn talk(&self, client: Client, key: Option<SeatKey>) -> Result<(), Error> {
        self.disk.check()?;
        let store = self.store.as_ref();
        if let Some(key) = key {
            self.talk_at_once.count(&key, store).await?;
            self.talk.count(&key, store).await?;
        }
        self.talk_per_address.count(&client.0, store).await
    }

    /// Counts a report of a message.
    pub(crate) async fn report(&self, client: Client, key: SeatKey) -> Result<(), Error> {
        self.disk.check()?;
        let store = self.store.as_ref();
        self.reports.count(&Creator::Key(key), store).await?;
        self.reports.count(&Creator::Address(client.0), store).await
    }

    /// Counts a challenge of one member by another.
    pub(crate) async fn challenge(&self, by: UserId, of: UserId) -> Result<(), Error> {
        self.disk.check()?;
        self.challenges.count(&(by, of), self.store.as_ref()).await
    }

    /// Counts an attempt to sign in, right or wrong. What others try does not slow a known device:
    /// neither those behind the same address nor those who try the same account.
    pub(crate) async fn login(
        &self,
        name: LoginName,
        client: Client,
        known_device: Option<u64>,
    ) -> Result<(), Error> {
        let place = known_device.map_or(LoginPlace::Address(client.0), LoginPlace::KnownDevice);
        let store = self.store.as_ref();
        self.logins_from_one_place
            .count(&(name, place), store)
            .await?;
        if known_device.is_none() {
            self.logins_per_account.count(&name, store).await?;
            self.logins.count(&client.0, store).await?;
        }
        Ok(())
    }

    /// Forgets those who have been quiet for long enough.
    pub(crate) async fn sweep(&self) {
        if let Some(store) = &self.store
            && let Err(error) = store.forget_full_quotas().await
        {
            tracing::debug!(%error, "could not forget quotas");
        }
        self.requests.sweep();
        self.tables.sweep();
        self.sign_ups.sweep();
        self.analyses.sweep();
        self.tokens.sweep();
        self.exports.sweep();
        self.notice_tests.sweep();
        self.challenges.sweep();
        self.talk_at_once.sweep();
        self.talk.sweep();
        self.talk_per_address.sweep();
        self.reports.sweep();
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

    /// Checks the refusal of a third sign-up within an hour.
    fn assert_waits_half_an_hour(refused: &Error) {
        let throttle = refused.throttle.as_ref().unwrap();
        let Allowance::InTime { window, wait } = throttle.allowance else {
            panic!("{throttle:?}");
        };
        assert_eq!((throttle.quota, window), (2, 3600));
        assert!((1700..=1800).contains(&wait), "{wait}");
    }

    #[tokio::test]
    async fn each_address_has_its_own_number_and_is_told_when_to_try_again() {
        let rates = Rates::new(&limits(), None);
        for allowed in [true, true, false] {
            assert_eq!(rates.sign_up(client(1)).await.is_ok(), allowed);
        }
        assert!(rates.sign_up(client(2)).await.is_ok());
        let late = rates.sign_up(client(1)).await.unwrap_err();
        assert_waits_half_an_hour(&late);
        let unlimited = Limits {
            sign_ups_per_hour: None,
            ..limits()
        };
        let free = Rates::new(&unlimited, None);
        for _ in 0..99 {
            assert!(free.sign_up(client(1)).await.is_ok());
        }
    }

    /// Returns how many of these attempts to sign in are allowed.
    async fn allowed(
        rates: &Rates,
        tried: impl IntoIterator<Item = (LoginName, Client, Option<u64>)>,
    ) -> usize {
        let mut allowed = 0;
        for (name, client, device) in tried {
            allowed += usize::from(rates.login(name, client, device).await.is_ok());
        }
        allowed
    }

    #[tokio::test]
    async fn wrong_logins_do_not_lock_others_behind_the_same_address_out() {
        let rates = Rates::new(&limits(), None);
        let tried = |name: &str, device| (LoginName::new(name), client(1), device);
        assert_eq!(
            allowed(&rates, (0..60).map(|_| tried("ann", None))).await,
            10
        );
        let others = [
            (tried("bob", None), 1),
            (tried("ANN ", None), 0),
            (tried("ann", Some(7)), 1),
        ];
        for (other, expected) in others {
            assert_eq!(allowed(&rates, [other]).await, expected, "{other:?}");
        }
    }

    #[tokio::test]
    async fn one_account_is_not_tried_without_end_from_many_addresses() {
        let rates = Rates::new(&limits(), None);
        let ann = LoginName::new("ann");
        let tried = (0..240).map(|n| (ann, client(n), None));
        assert_eq!(allowed(&rates, tried).await, 30);
        assert_eq!(allowed(&rates, [(ann, client(250), Some(7))]).await, 1);
    }

    #[tokio::test]
    async fn one_address_does_not_try_many_accounts_without_end() {
        let rates = Rates::new(&limits(), None);
        let names = (0..100).map(|n| LoginName::new(&n.to_string()));
        let tried = names.map(|name| (name, client(1), None));
        assert_eq!(allowed(&rates, tried).await, 40);
    }

    #[tokio::test]
    async fn nodes_on_one_database_share_all_but_requests() {
        let store = Store::open("sqlite::memory:").await.unwrap();
        let [one, other] = [(); 2].map(|()| Rates::new(&limits(), Some(store.clone())));
        assert!(one.sign_up(client(1)).await.is_ok());
        assert!(other.sign_up(client(1)).await.is_ok());
        for rates in [&one, &other] {
            assert_waits_half_an_hour(&rates.sign_up(client(1)).await.unwrap_err());
            assert!(rates.sign_up(client(2)).await.is_ok(), "another address");
        }
        one.sweep().await;
        assert!(one.sign_up(client(1)).await.is_err(), "it is not forgotten");
        let ann = LoginName::new("Ann");
        let tried = |n: usize| [&one, &other][n % 2].login(ann, client(3), None);
        let mut allowed = 0;
        for n in 0..40 {
            allowed += usize::from(tried(n).await.is_ok());
        }
        assert_eq!(allowed, 10);
    }

    #[tokio::test]
    async fn who_is_quiet_is_forgotten() {
        let limits = Limits {
            requests_per_second: NonZeroU32::new(1_000_000),
            request_burst: NonZeroU32::MIN,
            ..limits()
        };
        let rates = Rates::new(&limits, None);
        for n in 0..100 {
            assert!(rates.request(client(n)).is_ok());
        }
        let limiter = rates.requests.limiter.as_ref().unwrap();
        while !limiter.is_empty() {
            rates.sweep().await;
        }
    }
}
