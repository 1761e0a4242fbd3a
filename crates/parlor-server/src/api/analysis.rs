//! Endpoints for the analysis of finished games.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::schema;
use crate::AppState;
use crate::analyses::AnalysisStatus;
use crate::edge::Client;
use crate::error::Error;
use crate::extract::TablePath;

/// Progress of an analysis that is not ready yet.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub(crate) enum PendingAnalysis {
    /// Waiting in the queue.
    Waiting {
        /// Number of analyses ahead, at least 1.
        ahead: usize,
    },
    /// In progress.
    Running {
        /// Moves and draws analyzed so far.
        done: usize,
        /// Moves and draws in the game.
        of: usize,
    },
}

/// Returns the analysis of a finished game, if it was requested recently.
///
/// 404 means that it has not been requested, or that the game does not support analysis; 409 that
/// the game is not over. Games in progress are never analyzed.
#[utoipa::path(
    get, path = "/tables/{id}/analysis", operation_id = "show_analysis", tag = "records", params(schema::TableIdPath),
    responses(
        (status = OK, description = "The analysis", body = schema::AnalysisSchema),
        (status = ACCEPTED, body = PendingAnalysis, description = "Not ready yet; ask again")
    )
)]
pub(crate) async fn look(
    State(state): State<AppState>,
    TablePath(id): TablePath,
) -> Result<Response, Error> {
    let found = state.analysis_status(id).await?;
    let unasked = || {
        let detail =
            "no analysis of this game was requested recently: POST to this address to request one";
        Error::new(StatusCode::NOT_FOUND, "not-analysed", "Not found", detail)
    };
    answer(found.ok_or_else(unasked)?)
}

/// Requests the analysis of a finished game, unless it exists already. Open to everyone; repeat the
/// request, by GET or POST, until it is ready.
///
/// Games are analyzed one at a time and the queue is short: 429 means that it is full, or that you
/// have made too many requests.
#[utoipa::path(
    post, path = "/tables/{id}/analysis", operation_id = "request_analysis", tag = "records", params(schema::TableIdPath),
    responses(
        (status = OK, description = "The analysis", body = schema::AnalysisSchema),
        (status = ACCEPTED, body = PendingAnalysis, description = "Not ready yet; ask again")
    )
)]
pub(crate) async fn begin(
    State(state): State<AppState>,
    client: Client,
    TablePath(id): TablePath,
) -> Result<Response, Error> {
    answer(state.request_analysis(id, client).await?)
}

fn answer(standing: AnalysisStatus) -> Result<Response, Error> {
    let pending = match standing {
        AnalysisStatus::Ready(analysis) => {
            return Ok(([(CACHE_CONTROL, "no-cache")], Json(&*analysis)).into_response());
        }
        AnalysisStatus::Failed(why) => {
            return Err(Error::new(
                StatusCode::CONFLICT,
                "analysis-failed",
                "The game cannot be analyzed",
                why.to_string(),
            ));
        }
        AnalysisStatus::Waiting { ahead } => PendingAnalysis::Waiting { ahead },
        AnalysisStatus::Running { done, of } => PendingAnalysis::Running { done, of },
    };
    let headers = [(CACHE_CONTROL, "no-store"), (RETRY_AFTER, "1")];
    Ok((StatusCode::ACCEPTED, headers, Json(pending)).into_response())
}
