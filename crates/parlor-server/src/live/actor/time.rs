//! What time brings to a live table by itself.

use std::time::Duration;

use parlor_table::{By, Command, Status};
use tokio::time::Instant;

use super::{Actor, LiveError, stored};

/// So long until it is tried again to store what time has brought.
const RETRY: Duration = Duration::from_secs(1);

impl Actor {
    /// When time brings something by itself.
    pub(super) fn due(&self) -> Option<Instant> {
        let left = self.table.due_at()?.millis() - stored::now().millis();
        let wait = Duration::from_millis(u64::try_from(left).unwrap_or(0));
        Some((Instant::now() + wait).max(self.retry))
    }

    /// Whether nothing will happen here that anybody waits for.
    pub(super) fn is_done_with(&self) -> bool {
        matches!(self.table.status(), Status::Over | Status::Aborted) && !self.feed.is_watched()
    }

    /// Lets happen what time brings by itself.
    pub(super) async fn tick(&mut self) -> Result<(), LiveError> {
        let done = match self.apply(&By::House, Command::Tick).await {
            // Another process let it happen.
            Err(LiveError::Conflict { .. }) => Ok(()),
            done => done,
        };
        if let Err(error) = &done {
            tracing::warn!(table = %self.table.id(), %error, "what time has brought could not be stored");
            self.retry = Instant::now() + RETRY;
        }
        self.think();
        done
    }

    /// However many ask, time goes on.
    pub(super) async fn tick_if_due(&mut self) {
        if self.lost.is_none() && self.due().is_some_and(|due| due <= Instant::now()) {
            let _ = self.tick().await;
        }
    }

    /// As [`Actor::tick`], for the sweeper, who read in the table's row that it is due. If it is not, the row is mended.
    pub(super) async fn see_to(&mut self) -> Result<(), LiveError> {
        let before = self.table.version();
        self.tick().await?;
        if self.table.version() == before && self.lost.is_none() {
            match self
                .shared
                .store
                .append(stored::reminder(&self.table))
                .await
                .map_err(LiveError::from)
            {
                Err(LiveError::Conflict { .. }) => self.reload(before).await,
                done => return done,
            }
        }
        Ok(())
    }
}
