//! Budget of each address for git, whose processes cost far more than other requests.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Client;
use crate::error::{Allowance, Error, Throttle};

/// Minimum cost of a request.
const LEAST: Duration = Duration::from_millis(20);
/// Minutes' worth that an unused budget grows to.
const BURST_MINUTES: f64 = 4.0;
/// Number of accounts at which those that are full again are closed.
const SWEPT: usize = 1_000;

/// Account of an address.
struct Account {
    /// Requests that are being worked on.
    open: usize,
    /// Seconds of work left.
    left: f64,
    /// Time at which so much was left.
    at: Instant,
}

/// Counter of requests at once, and of the time that git has worked, by address.
pub(crate) struct GitBudget {
    seconds_per_minute: Option<NonZeroU32>,
    at_once: usize,
    accounts: Mutex<HashMap<IpAddr, Account>>,
}

/// Use that an address makes of git.
pub(crate) struct GitClient {
    /// The address.
    pub(crate) client: Client,
    /// Requests that are being worked on.
    pub(crate) open: usize,
    /// Seconds of its budget that are used; 0 without a limit.
    pub(crate) used: f64,
}

/// Permit for one request, returned when dropped.
pub(crate) struct GitPermit {
    budget: Arc<GitBudget>,
    client: Client,
}

impl GitBudget {
    pub(crate) fn new(seconds_per_minute: Option<NonZeroU32>, at_once: usize) -> GitBudget {
        GitBudget {
            seconds_per_minute,
            at_once,
            accounts: Mutex::default(),
        }
    }

    /// Admits a request, unless the address has used up its time or has too many at once.
    pub(crate) fn open(self: &Arc<GitBudget>, client: Client) -> Result<GitPermit, Error> {
        let mut accounts = self.lock();
        if accounts.len() >= SWEPT {
            accounts.retain(|_, account| account.open > 0 || self.left(account) < self.full());
        }
        let account = accounts.entry(client.0).or_insert_with(|| Account {
            open: 0,
            left: self.full(),
            at: Instant::now(),
        });
        if account.open >= self.at_once {
            let refusal = match self.at_once {
                1 => "your address has a request of git under way already: wait for it".to_owned(),
                n => {
                    format!("your address has {n} requests of git under way already: wait for them")
                }
            };
            let throttle = Throttle::at_once("git-at-once", self.at_once);
            return Err(Error::throttled(refusal, throttle));
        }
        if let Some(per_minute) = self.seconds_per_minute {
            let left = self.left(account);
            if left <= 0.0 {
                return Err(used_up(per_minute, -left));
            }
        }
        account.open += 1;
        Ok(GitPermit {
            budget: self.clone(),
            client,
        })
    }

    /// Returns the addresses that git works for or has worked for lately, those that have used most of
    /// their time first.
    pub(crate) fn clients(&self) -> Vec<GitClient> {
        let accounts = self.lock();
        let client = |(address, account): (&IpAddr, &Account)| GitClient {
            client: Client(*address),
            open: account.open,
            used: self.full() - self.left(account),
        };
        let mut clients: Vec<GitClient> = accounts.iter().map(client).collect();
        clients.retain(|client| client.open > 0 || client.used > 0.0);
        clients.sort_by(|one, other| other.used.total_cmp(&one.used));
        clients
    }

    fn full(&self) -> f64 {
        self.seconds_per_minute
            .map_or(0.0, |seconds| f64::from(seconds.get()) * BURST_MINUTES)
    }

    /// Returns the time that is left of an account now.
    fn left(&self, account: &Account) -> f64 {
        let per_minute = self.seconds_per_minute.map_or(0.0, |n| f64::from(n.get()));
        let grown = account.at.elapsed().as_secs_f64() * per_minute / 60.0;
        (account.left + grown).min(self.full())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, Account>> {
        // No code that can panic runs while the lock is held.
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Error for an address that has used more than its time, by so many seconds.
fn used_up(per_minute: NonZeroU32, excess: f64) -> Error {
    let wait = excess / f64::from(per_minute.get()) * 60.0;
    Error::throttled(
        "your address has used up its time for git",
        Throttle {
            policy: "git",
            quota: per_minute.get() as usize,
            allowance: Allowance::InTime {
                window: 60,
                // One second more, after which something is left.
                wait: wait.ceil() as u64 + 1,
            },
        },
    )
}

impl GitPermit {
    /// Charges the address for work that took so long.
    pub(crate) fn charge(&self, work: Duration) {
        metrics::histogram!("parlor_git_seconds").record(work.as_secs_f64());
        let mut accounts = self.budget.lock();
        if let Some(account) = accounts.get_mut(&self.client.0) {
            account.left = self.budget.left(account) - work.max(LEAST).as_secs_f64();
            account.at = Instant::now();
        }
    }
}

impl Drop for GitPermit {
    fn drop(&mut self) {
        if let Some(account) = self.budget.lock().get_mut(&self.client.0) {
            account.open -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(n: u8) -> Client {
        Client([10, 0, 0, n].into())
    }

    #[test]
    fn an_address_has_so_much_time_and_so_many_requests_at_once() {
        let budget = Arc::new(GitBudget::new(NonZeroU32::new(1), 2));
        let open = |n: u8| budget.open(client(n));
        let (one, two) = (open(1).unwrap(), open(1).unwrap());
        assert!(open(1).is_err(), "two at once");
        let other = open(2).unwrap();
        drop(two);
        one.charge(Duration::from_secs(3));
        assert!(open(1).is_ok(), "a second is left");
        one.charge(Duration::from_secs(3_600));
        drop(one);
        let throttle = open(1).err().unwrap().throttle.unwrap();
        let Allowance::InTime { wait, .. } = throttle.allowance else {
            panic!("{throttle:?}");
        };
        // An hour and two seconds at a second a minute.
        let days = 24 * 3_600;
        assert!((2 * days..3 * days).contains(&wait), "{wait}");
        for _ in 0..199 {
            other.charge(Duration::ZERO);
        }
        assert!(open(2).is_ok());
        for _ in 0..1_000 {
            other.charge(Duration::ZERO);
        }
        assert!(open(2).is_err(), "even nothing costs something");
    }

    #[test]
    fn without_a_limit_only_requests_at_once_count() {
        let budget = Arc::new(GitBudget::new(None, 1));
        let one = budget.open(client(1)).unwrap();
        one.charge(Duration::from_secs(3_600));
        assert!(budget.open(client(1)).is_err());
        drop(one);
        assert!(budget.open(client(1)).is_ok());
    }

    #[test]
    fn accounts_that_are_full_again_are_closed() {
        let budget = Arc::new(GitBudget::new(NonZeroU32::new(60), 1));
        let address = |n: u32| Client(std::net::Ipv4Addr::from_bits(n).into());
        for n in 0..5_000 {
            drop(budget.open(address(n)).unwrap());
        }
        assert!(budget.lock().len() <= SWEPT);
    }
}
