//! Limits per client.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::Request;
use parlor_table::SeatKey;
use tower_governor::GovernorError;
use tower_governor::governor::{GovernorConfig, GovernorConfigBuilder};
use tower_governor::key_extractor::KeyExtractor;

use super::Client;
use crate::config::Limits;
use crate::error::Error;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No code that can panic runs while these locks are held.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Rate limiter by client address.
pub(crate) struct RequestRate {
    config: Box<dyn Fn(&Client) -> bool + Send + Sync>,
}

/// Key type of the limiter; the key is taken from the request elsewhere.
#[derive(Clone, Debug)]
struct ByClient;

impl KeyExtractor for ByClient {
    type Key = IpAddr;

    fn extract<T>(&self, _: &Request<T>) -> Result<IpAddr, GovernorError> {
        Err(GovernorError::UnableToExtractKey)
    }
}

impl RequestRate {
    /// Creates the limiter, if there is a limit. Must be called on a tokio runtime.
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

    /// Counts a request, or fails if the client exceeds the rate.
    pub(crate) fn check(&self, client: Client) -> Result<(), Error> {
        if (self.config)(&client) {
            Ok(())
        } else {
            Err(Error::too_many("too many requests from your address"))
        }
    }
}

/// Creator of a table, as counted by [`TableQuotas`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Maker {
    Guest(SeatKey),
    Address(IpAddr),
}

/// Counter of tables per hour and creator.
pub(crate) struct TableQuotas {
    per_hour: Option<u32>,
    made: Mutex<(Instant, HashMap<Maker, u32>)>,
}

impl TableQuotas {
    const HOUR: Duration = Duration::from_secs(3600);

    pub(crate) fn new(per_hour: Option<u32>) -> TableQuotas {
        TableQuotas {
            per_hour,
            made: Mutex::new((Instant::now(), HashMap::new())),
        }
    }

    /// Counts a table that a client, with a key or without, is about to create.
    pub(crate) fn count(&self, client: Client, key: Option<SeatKey>) -> Result<(), Error> {
        let Some(max) = self.per_hour else {
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
            if *count >= max {
                return Err(Error::too_many(format!(
                    "at most {max} tables can be created per hour"
                )));
            }
            *count += 1;
        }
        Ok(())
    }
}

/// Counter of open streams and sockets.
pub(crate) struct Streams {
    max: usize,
    max_per_address: usize,
    open: Mutex<(usize, HashMap<IpAddr, usize>)>,
}

/// Permit for one open stream, returned when dropped.
pub(crate) struct StreamPermit {
    streams: Arc<Streams>,
    client: Client,
}

impl Streams {
    pub(crate) fn new(max: usize, max_per_address: usize) -> Streams {
        Streams {
            max,
            max_per_address,
            open: Mutex::default(),
        }
    }

    /// Acquires a permit for a stream.
    pub(crate) fn open(self: &Arc<Streams>, client: Client) -> Result<StreamPermit, Error> {
        let mut guard = lock(&self.open);
        let (all, each) = &mut *guard;
        let mine = each.entry(client.0).or_default();
        if *mine >= self.max_per_address || *all >= self.max {
            return Err(Error::too_many(
                "too many event streams and sockets are open",
            ));
        }
        *mine += 1;
        *all += 1;
        metrics::gauge!("parlor_streams").set(*all as f64);
        Ok(StreamPermit {
            streams: self.clone(),
            client,
        })
    }
}

impl Drop for StreamPermit {
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

/// Rate limiter for the messages on one socket: a token bucket.
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

    /// Counts a message; returns false if it exceeds the rate.
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
