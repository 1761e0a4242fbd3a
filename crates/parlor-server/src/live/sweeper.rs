//! Tables that time does something to while nobody looks: they are found in the store and ended.

use std::collections::HashMap;
use std::pin::pin;
use std::time::Duration;

use futures::stream::{self, StreamExt};
use parlor_store::{Store, StoreError};
use parlor_table::TableId;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::{Live, LiveError, stored};

/// How often the store is asked.
const EVERY: Duration = Duration::from_millis(500);
/// The most that are asked for at once.
const BATCH: u64 = 2_000;
/// How many are seen to at once; the store writes them together.
const AT_ONCE: usize = 256;
/// A table that cannot be loaded is left alone for so long.
const PARDON: Duration = Duration::from_secs(60);

/// Sees to the tables whose time has come and that are in no task here: they may never have been, or another process had
/// them. Of two that find the same table the store lets one end it.
///
/// At first also those that are due soon: among them are the tables whose bot was thinking when the house was closed.
pub(crate) async fn sweep(live: Live, store: Store) {
    let mut pardoned = HashMap::new();
    let mut ahead = stored::BOT_PATIENCE_MS;
    let mut rounds = interval(EVERY);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        rounds.tick().await;
        match round(&live, &store, ahead, &mut pardoned).await {
            Ok(()) => ahead = 0,
            Err(StoreError::Closed) => return,
            Err(error) => {
                tracing::error!(%error, "the tables whose time has come could not be found")
            }
        }
    }
}

/// Once through all that are due now.
async fn round(
    live: &Live,
    store: &Store,
    ahead: i64,
    pardoned: &mut HashMap<TableId, Instant>,
) -> Result<(), StoreError> {
    let now = stored::now().millis() + ahead;
    pardoned.retain(|_, until| *until > Instant::now());
    loop {
        let limit = BATCH + pardoned.len() as u64;
        let found = store.due(now, limit).await?;
        let full = found.len() as u64 == limit;
        let asleep = |id: &TableId| !live.is_live(*id) && !pardoned.contains_key(id);
        let asleep: Vec<TableId> = found
            .into_iter()
            .filter_map(stored::id)
            .filter(asleep)
            .collect();
        if asleep.is_empty() {
            return Ok(());
        }
        let ticks = stream::iter(asleep).map(|id| async move { (id, live.tick(id).await) });
        let mut ticks = pin!(ticks.buffer_unordered(AT_ONCE));
        while let Some((id, done)) = ticks.next().await {
            let Err(error) = done else { continue };
            tracing::error!(%error, table = %id, "a table could not be seen to in time");
            if !passes(&error) {
                pardoned.insert(id, Instant::now() + PARDON);
            }
        }
        if !full {
            return Ok(());
        }
    }
}

/// Whether this is no fault of the table.
fn passes(error: &LiveError) -> bool {
    matches!(
        error,
        LiveError::Busy
            | LiveError::Store(
                StoreError::Unavailable(_) | StoreError::InDoubt(_) | StoreError::Closed
            )
    )
}
