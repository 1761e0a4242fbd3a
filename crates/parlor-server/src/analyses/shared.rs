//! Analyses of all nodes: one works on each, and the result is stored for all.

use std::time::Duration;

use parlor_store::{AnalyzedGame, StoreError, StoredAnalysis};
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::{AnalysisJob, AnalysisKey, AnalysisStatus, queue_full};
use crate::AppState;
use crate::error::Error;
use crate::live::table_key;
use crate::thinking::Payer;

/// Interval at which an analysis is looked after.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Interval at which a node says that it still works on an analysis.
const RENEW_EVERY: Duration = Duration::from_millis(500);

impl AppState {
    /// Returns the status of an analysis; `None` if nobody asked for it lately. One whose node has
    /// died is begun again here.
    pub(crate) async fn find_analysis(
        &self,
        key: AnalysisKey,
    ) -> Result<Option<AnalysisStatus>, Error> {
        if let Some(status) = self.analyses().status(key) {
            return Ok(Some(status));
        }
        match self.store().analysis(stored(key)).await? {
            None => Ok(None),
            Some(StoredAnalysis::Running { done }) => Ok(Some(running(key, done))),
            Some(StoredAnalysis::Abandoned) => {
                // The client who asked for it is not known here.
                self.begin_analysis(key, Payer::Unknown).await.map(Some)
            }
            Some(StoredAnalysis::Ready(result)) => match serde_json::from_str(&result) {
                Ok(analysis) => Ok(Some(self.analyses().queue.keep(key, analysis))),
                // The node was of another release. Make an analysis of our own when asked to.
                Err(error) => {
                    tracing::debug!(%error, "a stored analysis cannot be read");
                    Ok(None)
                }
            },
        }
    }

    /// Begins an analysis, unless another node works on it.
    pub(super) async fn begin_analysis(
        &self,
        key: AnalysisKey,
        payer: Payer,
    ) -> Result<AnalysisStatus, Error> {
        self.analyses()
            .queue
            .ensure_room(payer)
            .map_err(queue_full)?;
        let game = self.read(key.table, AnalysisJob::from_table).await?;
        let node = self.nodes().number();
        let is_ours = self.store().claim_analysis(stored(key), node).await?;
        if !is_ours
            && let Some(StoredAnalysis::Running { done }) =
                self.store().analysis(stored(key)).await?
        {
            return Ok(running(key, done));
        }
        let status = self.analyses().submit(key, game, payer).map_err(queue_full);
        if is_ours {
            tokio::spawn(keep_claim(self.clone(), key));
        }
        status
    }
}

/// Tells the other nodes how far an analysis of this node has come, and in the end its result.
async fn keep_claim(state: AppState, key: AnalysisKey) {
    let (store, game, node) = (state.store(), stored(key), state.nodes().number());
    let mut rounds = interval(LOOK_EVERY);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut renewed = Instant::now();
    loop {
        rounds.tick().await;
        let (told, is_over) = match state.analyses().status(key) {
            Some(AnalysisStatus::Waiting { .. } | AnalysisStatus::Running { .. })
                if renewed.elapsed() < RENEW_EVERY =>
            {
                continue;
            }
            Some(AnalysisStatus::Waiting { .. }) => {
                renewed = Instant::now();
                (store.continue_analysis(game, node, 0).await, false)
            }
            Some(AnalysisStatus::Running { done, .. }) => {
                renewed = Instant::now();
                let done = i64::try_from(done).unwrap_or(i64::MAX);
                (store.continue_analysis(game, node, done).await, false)
            }
            Some(AnalysisStatus::Ready(analysis)) => {
                let result = serde_json::to_string(&*analysis).expect("an analysis is plain data");
                (store.end_analysis(game, node, Some(result)).await, true)
            }
            Some(AnalysisStatus::Failed(_)) | None => {
                (store.end_analysis(game, node, None).await, true)
            }
        };
        match told {
            Ok(true) if is_over => break,
            Ok(true) => {}
            Ok(false) => {
                // Another node has taken it over, because this one gave no sign of life.
                return state.analyses().queue.discard(key);
            }
            Err(StoreError::Closed) => return,
            Err(error) => tracing::debug!(%error, "could not tell of an analysis"),
        }
    }
    if let Err(error) = store.forget_analyses().await {
        tracing::debug!(%error, "could not forget old analyses");
    }
}

fn running(key: AnalysisKey, done: i64) -> AnalysisStatus {
    AnalysisStatus::Running {
        done: usize::try_from(done).unwrap_or_default(),
        of: key.steps,
    }
}

fn stored(key: AnalysisKey) -> AnalyzedGame {
    AnalyzedGame {
        table: table_key(key.table),
        steps: i64::try_from(key.steps).unwrap_or(i64::MAX),
    }
}
