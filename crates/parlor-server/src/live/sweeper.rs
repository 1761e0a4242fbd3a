//! Sweeper: finds unloaded tables with due automatic events in the store.

use std::collections::HashMap;
use std::pin::pin;
use std::time::Duration;

use futures::stream::{self, StreamExt};
use parlor_store::{Store, StoreError};
use parlor_table::TableId;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::{LiveError, LiveTables, stored};

/// Interval between queries of the store.
const INTERVAL: Duration = Duration::from_millis(500);
/// Maximum number of tables per query.
const BATCH: u64 = 2_000;
/// Number of tables handled concurrently; the store batches their writes.
const CONCURRENCY: usize = 256;
/// Time for which a table that cannot be loaded is skipped.
const SKIP_TIME: Duration = Duration::from_secs(60);

/// Applies the automatic events of tables that are due and have no task here: they were never
/// loaded, or another process had them. If two processes find the same table, the store lets one of
/// them write.
///
/// The first round, and the next one after another node is gone, includes tables that are due soon:
/// their bots may have been thinking there.
pub(crate) async fn sweep(live: LiveTables, store: Store) {
    let mut skipped = HashMap::new();
    let mut ahead = stored::BOT_PATIENCE_MS;
    let mut rounds = interval(INTERVAL);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut is_silent = false;
    let mut gone = live.shared.nodes.downtime().gone();
    loop {
        tokio::select! {
            _ = rounds.tick() => {}
            Ok(()) = gone.changed() => ahead = stored::BOT_PATIENCE_MS,
        }
        match sweep_once(&live, &store, ahead, &mut skipped).await {
            Ok(()) => (ahead, is_silent) = (0, false),
            Err(StoreError::Closed) => return,
            Err(error) => {
                if !is_silent {
                    tracing::error!(%error, "could not find the tables that are due");
                }
                is_silent = true;
            }
        }
    }
}

/// Handles all tables that are due now.
async fn sweep_once(
    live: &LiveTables,
    store: &Store,
    ahead: i64,
    skipped: &mut HashMap<TableId, Instant>,
) -> Result<(), StoreError> {
    if live.shared.nodes.is_clock_wrong() {
        // Others sweep.
        return Ok(());
    }
    let now = live.shared.sources.now().millis() + ahead;
    skipped.retain(|_, until| *until > Instant::now());
    loop {
        let limit = BATCH + skipped.len() as u64;
        let found = store.due(now, limit).await?;
        let full = found.len() as u64 == limit;
        let asleep = |id: &TableId| !live.is_live(*id) && !skipped.contains_key(id);
        let asleep: Vec<TableId> = found
            .into_iter()
            .filter_map(stored::table_id)
            .filter(asleep)
            .collect();
        if asleep.is_empty() {
            return Ok(());
        }
        let ticks = stream::iter(asleep).map(|id| async move { (id, live.tick(id).await) });
        let mut ticks = pin!(ticks.buffer_unordered(CONCURRENCY));
        while let Some((id, done)) = ticks.next().await {
            let Err(error) = done else { continue };
            tracing::error!(%error, table = %id, "could not handle a table that is due");
            if !is_transient(&error) {
                skipped.insert(id, Instant::now() + SKIP_TIME);
            }
        }
        if !full {
            return Ok(());
        }
    }
}

/// Returns true for a temporary error, which is not specific to the table.
fn is_transient(error: &LiveError) -> bool {
    matches!(
        error,
        LiveError::Busy
            | LiveError::Late
            | LiveError::Store(
                StoreError::Unavailable(_) | StoreError::InDoubt(_) | StoreError::Closed
            )
    )
}

#[cfg(test)]
mod tests {
    use parlor_table::Refusal;

    use super::*;

    #[test]
    fn only_what_may_pass_by_itself_is_temporary() {
        for error in [LiveError::Busy, LiveError::Store(StoreError::Closed)] {
            assert!(is_transient(&error), "{error}");
        }
        for error in [LiveError::NotFound, LiveError::Refused(Refusal::Over)] {
            assert!(!is_transient(&error), "{error}");
        }
    }
}
