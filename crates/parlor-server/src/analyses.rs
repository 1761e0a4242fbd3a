//! Analyses of finished games: computed on request, one at a time, and kept for a while.
//!
//! Games in progress are never analyzed, since that would help their players. Analyses share the
//! computing time with the bots, one step at a time: each step comes from the share of the client
//! who asked for the analysis, after the bots of that client.

mod shared;
mod work_queue;

use axum::http::StatusCode;
use parlor_games::analysis::{Analysis, AnalysisError, AnalysisSettings, analyze};
use parlor_games::{GameKind, Story};
use parlor_table::{Table, TableId, TableStatus};
use tokio::runtime::Handle;

use self::work_queue::{JobProgress, MAX_WAITING_EACH, WorkQueue, WorkQueueFull};
use crate::AppState;
use crate::edge::Client;
use crate::error::{Error, Throttle};
use crate::thinking::{Job, JobKind, Payer, Thinking};

pub(crate) use self::work_queue::AnalysisKey;

/// Status of an analysis.
pub(crate) type AnalysisStatus = work_queue::JobStatus<Analysis, AnalysisFailure>;

/// Maximum length of a game to analyze, in moves and draws.
const MAX_STEPS: usize = 4_000;
/// Search depth and number of alternatives: a long match takes seconds.
const SETTINGS: AnalysisSettings = AnalysisSettings {
    plies: 2,
    cubeful: true,
    most: 6,
};

/// Queue and cache of analyses.
pub(crate) struct Analyses {
    queue: WorkQueue<Analysis, AnalysisFailure>,
    thinking: Thinking,
}

/// Reason why an analysis was not finished.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AnalysisFailure {
    #[error(transparent)]
    NotPossible(#[from] AnalysisError),
    #[error("the analysis was stopped")]
    Stopped,
}

/// A game to analyze.
struct AnalysisJob {
    kind: GameKind,
    story: Story,
}

impl Analyses {
    /// Creates an empty queue whose analyses acquire a permit for each step.
    pub(crate) fn new(thinking: Thinking) -> Analyses {
        Analyses {
            queue: WorkQueue::new(),
            thinking,
        }
    }

    /// Returns the status of an analysis; `None` if it was not requested recently.
    pub(crate) fn status(&self, name: AnalysisKey) -> Option<AnalysisStatus> {
        self.queue.status(name)
    }

    /// Stops all analyses.
    pub(crate) fn close(&self) {
        self.queue.close();
    }

    fn submit(
        &self,
        name: AnalysisKey,
        game: AnalysisJob,
        payer: Payer,
    ) -> Result<AnalysisStatus, WorkQueueFull> {
        let (thinking, runtime) = (self.thinking.clone(), Handle::current());
        self.queue
            .submit(name, payer, move |progress: &JobProgress| {
                let name_of_step = format!("analysis of {}", game.kind.name());
                let take = || {
                    let job = Job {
                        kind: JobKind::Analysis,
                        name: name_of_step.clone(),
                        is_awaited: Box::new(|| true),
                    };
                    runtime.block_on(thinking.permit(payer, job))
                };
                let mut permit = take();
                game.analyze(|done| {
                    // Let others that wait for a permit go first.
                    drop(permit.take());
                    permit = take();
                    progress.report(done)
                })
            })
    }
}

/// Checks that a game can be analyzed.
///
/// # Errors
/// Returns the reason if it cannot.
pub(crate) fn can_be_analyzed(
    kind: GameKind,
    status: TableStatus,
    steps: usize,
) -> Result<(), Error> {
    let conflict =
        |code, detail| Error::new(StatusCode::CONFLICT, code, "Not possible right now", detail);
    if !kind.can_analyze() {
        let detail = "this game does not support analysis";
        return Err(Error::new(
            StatusCode::NOT_FOUND,
            "no-analysis",
            "Not found",
            detail,
        ));
    }
    match status {
        TableStatus::Over if steps <= MAX_STEPS => Ok(()),
        TableStatus::Over => Err(conflict(
            "too-long",
            format!("games of more than {MAX_STEPS} moves and draws are not analyzed"),
        )),
        TableStatus::Open | TableStatus::Playing => Err(conflict(
            "not-over",
            "a game can only be analyzed once it is over".to_owned(),
        )),
        TableStatus::Aborted => Err(conflict(
            "called-off",
            "a game that was called off cannot be analyzed".to_owned(),
        )),
    }
}

impl AppState {
    /// Returns the status of the analysis of a table's game; `None` if it was not requested
    /// recently.
    ///
    /// # Errors
    /// Fails if there is no such table or its game cannot be analyzed.
    pub(crate) async fn analysis_status(
        &self,
        id: TableId,
    ) -> Result<Option<AnalysisStatus>, Error> {
        let key = self.analysis_key(id).await?;
        self.find_analysis(key).await
    }

    /// Requests the analysis of a table's game for a client, unless it exists already.
    ///
    /// # Errors
    /// Fails if there is no such table, its game cannot be analyzed, or there are too many
    /// requests.
    pub(crate) async fn request_analysis(
        &self,
        id: TableId,
        client: Client,
    ) -> Result<AnalysisStatus, Error> {
        // The game may just have ended at another node.
        self.live().confirm(id).await?;
        let name = self.analysis_key(id).await?;
        if let Some(status) = self.find_analysis(name).await? {
            return Ok(status);
        }
        let payer = Payer::Address(client);
        self.analyses()
            .queue
            .ensure_room(payer)
            .map_err(queue_full)?;
        self.rates().analysis(client).await?;
        self.begin_analysis(name, payer).await
    }

    /// Returns the key of the analysis of a table's game.
    async fn analysis_key(&self, id: TableId) -> Result<AnalysisKey, Error> {
        let stand = |table: &Table| (table.kind(), table.status(), table.steps().len());
        let (kind, status, steps) = self.read(id, stand).await?;
        can_be_analyzed(kind, status, steps)?;
        Ok(AnalysisKey { table: id, steps })
    }
}

fn queue_full(full: WorkQueueFull) -> Error {
    match full {
        WorkQueueFull::OfClient => Error::throttled(
            format!("{MAX_WAITING_EACH} of your analyses wait already: wait for one of them"),
            Throttle::at_once("analyses-at-once", MAX_WAITING_EACH),
        ),
        WorkQueueFull::OfAll => {
            Error::crowded("too many games wait to be analyzed; try again in a minute")
        }
    }
}

impl AnalysisJob {
    fn from_table(table: &Table) -> AnalysisJob {
        AnalysisJob {
            kind: table.kind(),
            story: table.record().to_story(),
        }
    }

    /// Analyzes the game. `go_on` receives the number of steps done and returns false to stop.
    fn analyze(self, mut go_on: impl FnMut(usize) -> bool) -> Result<Analysis, AnalysisFailure> {
        let AnalysisJob { kind, story } = self;
        let analysis = analyze(kind, &story, &SETTINGS, &mut |done, _| go_on(done))?;
        if analysis.steps.len() < story.steps.len() {
            return Err(AnalysisFailure::Stopped);
        }
        // As other nodes read it: their last digits may differ from the computed ones.
        let text = serde_json::to_string(&analysis).expect("an analysis is plain data");
        Ok(serde_json::from_str(&text).unwrap_or(analysis))
    }
}
