//! How much one client may do.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::Request;
use parlor_table::Key;
use tower_governor::GovernorError;
use tower_governor::governor::{GovernorConfig, GovernorConfigBuilder};
use tower_governor::key_extractor::KeyExtractor;

use super::Client;
use crate::config::Limits;
use crate::error::Error;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that can panic is done while these locks are held.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Requests per second and address.
pub(crate) struct RequestRate {
    config: Box<dyn Fn(&Client) -> bool + Send + Sync>,
}

/// Names the limiter's key; the key itself is taken from the request elsewhere.
#[derive(Clone, Debug)]
struct ByClient;

impl KeyExtractor for ByClient {
    type Key = IpAddr;

    fn extract<T>(&self, _: &Request<T>) -> Result<IpAddr, GovernorError> {
        Err(GovernorError::UnableToExtractKey)
    }
}

impl RequestRate {
    /// The limiter, if there is a limit. Must be called on a tokio runtime.
    pub(crate) fn new(limits: &Limits) -> Option<RequestRate> {
        const SWEEP: Duration = Duration::from_secs(60);
        let per_second = limits.requests_per_second?;
        let config: GovernorConfig<ByClient, _> = GovernorConfigBuilder::default()
            .period(Duration::from_secs(1) / per_second.get())
            .burst_size(limits.request_burst.get())
            .key_extractor(ByClient)
            .finish()?;
        let limiter = config.limiter().clone();
        let swept = Arc::downgrade(&limiter);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(SWEEP).await;
                let Some(limiter) = swept.upgrade() else {
                    return;
                };
                limiter.retain_recent();
            }
        });
        Some(RequestRate {
            config: Box::new(move |client| limiter.check_key(&client.0).is_ok()),
        })
    }

    /// Counts a request.
    pub(crate) fn check(&self, client: Client) -> Result<(), Error> {
        if (self.config)(&client) {
            Ok(())
        } else {
            Err(Error::too_many("too many requests from your address"))
        }
    }
}

/// Who makes tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Maker {
    Guest(Key),
    Address(IpAddr),
}

/// Tables per hour and maker.
pub(crate) struct Quotas {
    per_hour: Option<u32>,
    made: Mutex<(Instant, HashMap<Maker, u32>)>,
}

impl Quotas {
    const HOUR: Duration = Duration::from_secs(3600);

    pub(crate) fn new(per_hour: Option<u32>) -> Quotas {
        Quotas {
            per_hour,
            made: Mutex::new((Instant::now(), HashMap::new())),
        }
    }

    /// Counts a table that a client, known by a key or not, is about to make.
    pub(crate) fn count(&self, client: Client, key: Option<Key>) -> Result<(), Error> {
        let Some(most) = self.per_hour else {
            return Ok(());
        };
        let mut guard = lock(&self.made);
        let (since, made) = &mut *guard;
        if since.elapsed() >= Self::HOUR {
            (*since, *made) = (Instant::now(), HashMap::new());
        }
        let makers = [Some(Maker::Address(client.0)), key.map(Maker::Guest)];
        for maker in makers.into_iter().flatten() {
            let count = made.entry(maker).or_default();
            if *count >= most {
                return Err(Error::too_many(format!(
                    "at most {most} tables can be made in an hour"
                )));
            }
            *count += 1;
        }
        Ok(())
    }
}

/// Streams and sockets that are open.
pub(crate) struct Streams {
    most: usize,
    most_each: usize,
    open: Mutex<(usize, HashMap<IpAddr, usize>)>,
}

/// A place for one open stream; given back when dropped.
pub(crate) struct Place {
    streams: Arc<Streams>,
    client: Client,
}

impl Streams {
    pub(crate) fn new(most: usize, most_each: usize) -> Streams {
        Streams {
            most,
            most_each,
            open: Mutex::default(),
        }
    }

    /// Takes a place.
    pub(crate) fn open(self: &Arc<Streams>, client: Client) -> Result<Place, Error> {
        let mut guard = lock(&self.open);
        let (all, each) = &mut *guard;
        let mine = each.entry(client.0).or_default();
        if *mine >= self.most_each || *all >= self.most {
            return Err(Error::too_many(
                "too many event streams and sockets are open",
            ));
        }
        *mine += 1;
        *all += 1;
        metrics::gauge!("parlor_streams").set(*all as f64);
        Ok(Place {
            streams: self.clone(),
            client,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut guard = lock(&self.streams.open);
        let (all, each) = &mut *guard;
        *all -= 1;
        if let Some(mine) = each.get_mut(&self.client.0) {
            *mine -= 1;
            if *mine == 0 {
                each.remove(&self.client.0);
            }
        }
        metrics::gauge!("parlor_streams").set(*all as f64);
    }
}

/// Messages per second on one socket: a bucket of tokens that fills with time.
pub(crate) struct MessageRate {
    per_second: Option<NonZeroU32>,
    left: f64,
    at: Instant,
}

impl MessageRate {
    const BURST_SECONDS: f64 = 4.0;

    pub(crate) fn new(per_second: Option<NonZeroU32>) -> MessageRate {
        let left = per_second.map_or(0.0, |rate| f64::from(rate.get()) * Self::BURST_SECONDS);
        MessageRate {
            per_second,
            left,
            at: Instant::now(),
        }
    }

    /// Whether one more message is within the rate.
    pub(crate) fn admit(&mut self) -> bool {
        let Some(rate) = self.per_second.map(|rate| f64::from(rate.get())) else {
            return true;
        };
        let now = Instant::now();
        let filled = self.left + rate * (now - self.at).as_secs_f64();
        self.left = filled.min(rate * Self::BURST_SECONDS) - 1.0;
        self.at = now;
        let admitted = self.left >= 0.0;
        self.left = self.left.max(0.0);
        admitted
    }
}
