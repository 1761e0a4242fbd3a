//! Automatic events of a live table, such as a fallen flag.

use std::time::Duration;

use parlor_table::{Command, Issuer, TableStatus, Timestamp};
use tokio::time::Instant;

use super::{Actor, LiveError, stored};

/// Delay before an automatic event that could not be stored is tried again.
const RETRY: Duration = Duration::from_secs(1);

impl Actor {
    /// Returns the time of the next automatic event.
    pub(super) fn due(&self) -> Option<Instant> {
        let left = self.table.due_at()?.millis() - self.now().millis();
        let wait = Duration::from_millis(u64::try_from(left).unwrap_or(0));
        Some((Instant::now() + wait).max(self.retry))
    }

    /// Returns true if the game is over and the table has no watchers.
    pub(super) fn is_finished(&self) -> bool {
        matches!(
            self.table.status(),
            TableStatus::Over | TableStatus::Aborted
        ) && !self.feed.is_watched()
    }

    /// Gives the side on turn the time back at which nobody could play.
    pub(super) async fn give_time_back(&mut self) -> Result<(), LiveError> {
        if self.table.due_at().is_none() {
            return Ok(());
        }
        let outages = self.shared.nodes.downtime().all_outages().await?;
        while let Some(outage) = outages.get(self.given_back) {
            let pause = Command::Pause {
                from: Timestamp::from_millis(outage.began_at),
                until: Timestamp::from_millis(outage.ended_at),
            };
            let entries = self.table.apply(self.now(), &Issuer::Driver, pause)?;
            match self.publish(entries).await {
                Ok(()) => self.given_back += 1,
                // Another node did it, or a move; the next try will tell.
                Err(LiveError::Conflict { .. }) if self.lost.is_none() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Checks that this node's clock agrees with the database's: times would be wrong in the log, and
    /// flags would fall too early or too late.
    pub(super) fn check_clock(&self) -> Result<(), LiveError> {
        if self.shared.nodes.is_clock_wrong() {
            Err(LiveError::WrongClock)
        } else {
            Ok(())
        }
    }

    /// Applies due automatic events.
    pub(super) async fn tick(&mut self) -> Result<(), LiveError> {
        if let Err(error) = self.check_clock() {
            self.retry = Instant::now() + RETRY;
            return Err(error);
        }
        let done = match self.apply_once(&Issuer::Driver, Command::Tick).await {
            // Another process did it.
            Err(LiveError::Conflict { .. }) => Ok(()),
            done => done,
        };
        if let Err(error) = &done {
            tracing::warn!(table = %self.table.id(), %error, "could not store an automatic event");
            self.retry = Instant::now() + RETRY;
        }
        self.ask().await;
        self.think();
        done
    }

    /// Applies automatic events that became due while requests were served.
    pub(super) async fn tick_if_due(&mut self) {
        if self.lost.is_none() && self.due().is_some_and(|due| due <= Instant::now()) {
            let _ = self.tick().await;
        }
    }

    /// Like [`Actor::tick`], for the sweeper, which found the table due in its stored row. If it is
    /// not due, corrects the row.
    pub(super) async fn tick_overdue(&mut self) -> Result<(), LiveError> {
        let before = self.table.version();
        self.tick().await?;
        if self.table.version() == before && self.lost.is_none() {
            match self
                .shared
                .store
                .append(stored::reminder(&self.table, self.now()))
                .await
                .map_err(LiveError::from)
            {
                Err(LiveError::Conflict { .. }) => self.catch_up().await?,
                done => return done,
            }
        }
        Ok(())
    }
}
