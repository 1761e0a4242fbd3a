//! Locks that other processes keep on an SQLite file.
//!
//! A statement that changes something waits for such a lock, for [`PATIENCE`] at most. Those that wait
//! behind it or come soon after are refused with it: one after another, they would wait for as long
//! each, and in vain.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sea_orm::DbErr;
use tokio::sync::{Semaphore, SemaphorePermit, watch};
use tokio::time::Instant;

use crate::error::{is_locked, locked};

/// Time limit for a lock that another process holds on the file.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);
/// Time for which nobody tries again.
const REFUSAL: Duration = Duration::from_millis(500);
/// Number of statements that use the connection or wait for it. With one at a time, the connection would be
/// idle until the next has been woken.
const AT_ONCE: usize = 2;

/// Knowledge of the locks that other processes keep on a file.
pub(crate) struct FileLock {
    turns: Semaphore,
    /// Last time that the lock was waited for in vain.
    met_at: watch::Sender<Option<Instant>>,
    was_told: AtomicBool,
}

impl FileLock {
    pub fn new() -> Self {
        Self {
            turns: Semaphore::new(AT_ONCE),
            met_at: watch::Sender::new(None),
            was_told: AtomicBool::new(false),
        }
    }

    /// Waits until it is the caller's turn. Refuses as soon as somebody has waited for the lock in vain.
    pub async fn turn(&self) -> Result<SemaphorePermit<'_>, DbErr> {
        let mut met_at = self.met_at.subscribe();
        let is_kept = |met_at: &Option<Instant>| met_at.is_some_and(|at| at.elapsed() < REFUSAL);
        tokio::select! {
            biased;
            _ = met_at.wait_for(is_kept) => Err(locked()),
            turn = self.turns.acquire() => turn.map_err(|_| locked()),
        }
    }

    /// Remembers what became of a statement.
    pub fn note<T>(&self, result: &Result<T, DbErr>) {
        match result {
            Err(e) if is_locked(e) => {
                self.met_at.send_replace(Some(Instant::now()));
                if !self.was_told.swap(true, Ordering::Relaxed) {
                    tracing::warn!(
                        "another process keeps the file of the database locked; changes are refused"
                    );
                }
            }
            Ok(_) if self.was_told.swap(false, Ordering::Relaxed) => {
                tracing::info!("the file of the database is no longer locked");
            }
            _ => {}
        }
    }
}
