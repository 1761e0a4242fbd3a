//! Limits of open streams, and of messages on a socket.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::Client;
use crate::error::{Error, Throttle};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No code that can panic runs while these locks are held.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
        if *mine >= self.max_per_address {
            let throttle = Throttle::at_once("streams", self.max_per_address);
            let refusal = "your address has too many event streams and sockets open: close some";
            return Err(Error::throttled(refusal, throttle));
        }
        if *all >= self.max {
            metrics::counter!("parlor_streams_refused_total").increment(1);
            return Err(Error::crowded(
                "the server has too many event streams and sockets open; try again",
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
