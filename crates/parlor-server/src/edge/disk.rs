//! Reserve on the disk of the database: when little room is left, nothing new begins, so that games
//! that have begun can go on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use crate::AppState;
use crate::error::{Error, MAKE_ROOM_SECONDS};

/// Interval at which the room is measured.
const MEASURE_EVERY: Duration = Duration::from_secs(2);

/// Reserve of room on a disk, and the news that it is reached.
#[derive(Debug)]
pub(crate) struct DiskReserve {
    /// Reserve in bytes; `None` for no reserve.
    reserve: Option<u64>,
    is_reached: AtomicBool,
}

impl DiskReserve {
    pub(crate) fn new(reserve: Option<u64>) -> DiskReserve {
        DiskReserve {
            reserve,
            is_reached: AtomicBool::new(false),
        }
    }

    /// Fails if there is only room for what has begun.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.is_reached.load(Ordering::Relaxed) {
            let error = Error::crowded(
                "the disk of this house is nearly full: games go on, but nothing new can begin until its operator has made room",
            );
            return Err(error.retry_after(MAKE_ROOM_SECONDS));
        }
        Ok(())
    }

    /// Takes note of the room on the disk, in bytes.
    fn learn(&self, free: u64) {
        let is_reached = self.reserve.is_some_and(|reserve| free < reserve);
        let was_reached = self.is_reached.swap(is_reached, Ordering::Relaxed);
        let free_mb = free >> 20;
        if is_reached && !was_reached {
            tracing::error!(
                free_mb,
                "the disk of the database is nearly full: nothing new can begin"
            );
        } else if was_reached && !is_reached {
            tracing::info!(free_mb, "the disk of the database has room again");
        }
    }
}

/// Measures the room on the disk of the database, again and again; returns if it is on none of this
/// machine's.
pub(crate) async fn watch(state: AppState) {
    let mut rounds = interval(MEASURE_EVERY);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        rounds.tick().await;
        let store = state.store().clone();
        // A disk behind a network may be slow.
        let measured = tokio::task::spawn_blocking(move || store.free_space()).await;
        let Ok(Some(free)) = measured else {
            return;
        };
        metrics::gauge!("parlor_disk_free_bytes").set(free as f64);
        state.rates().disk().learn(free);
    }
}
