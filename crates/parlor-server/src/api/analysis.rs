//! Analyses of finished games.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::schema;
use crate::AppState;
use crate::analyses::Standing;
use crate::edge::Client;
use crate::error::Error;
use crate::extract::Id;

/// An analysis that is not ready yet.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub(crate) enum Pending {
    /// Others are made before it.
    Waiting {
        /// How many, one at least.
        ahead: usize,
    },
    /// It is being made.
    Running {
        /// Moves and draws that are judged already.
        done: usize,
        /// Moves and draws of the game.
        of: usize,
    },
}

/// The analysis of a finished game, if somebody has asked for it lately.
///
/// 404 means that nobody has, or that games of this kind are not analysed; 409 that the game is not over. A game that is still
/// played is analysed for nobody.
#[utoipa::path(
    get, path = "/tables/{id}/analysis", tag = "records", params(("id" = String, Path)),
    responses(
        (status = OK, body = schema::Analysis),
        (status = ACCEPTED, body = Pending, description = "It is not ready yet: ask again")
    )
)]
pub(crate) async fn look(State(state): State<AppState>, Id(id): Id) -> Result<Response, Error> {
    let found = state.analysis(id).await?;
    let unasked = || {
        let detail = "nobody has asked for the analysis of this game lately: POST to this address to have it made";
        Error::new(StatusCode::NOT_FOUND, "not-analysed", "Not found", detail)
    };
    answer(found.ok_or_else(unasked)?)
}

/// Has a finished game analysed, unless it is already. Anybody may ask; ask again, by GET or POST, until it is ready.
///
/// Only one game is analysed at a time, and few may wait: 429 says that they are too many, or that you have asked too often.
#[utoipa::path(
    post, path = "/tables/{id}/analysis", tag = "records", params(("id" = String, Path)),
    responses(
        (status = OK, body = schema::Analysis),
        (status = ACCEPTED, body = Pending, description = "It is not ready yet: ask again")
    )
)]
pub(crate) async fn begin(
    State(state): State<AppState>,
    client: Client,
    Id(id): Id,
) -> Result<Response, Error> {
    answer(state.analyse(id, client).await?)
}

fn answer(standing: Standing) -> Result<Response, Error> {
    let pending = match standing {
        Standing::Ready(analysis) => {
            return Ok(([(CACHE_CONTROL, "no-cache")], Json(&*analysis)).into_response());
        }
        Standing::Failed(why) => {
            return Err(Error::new(
                StatusCode::CONFLICT,
                "analysis-failed",
                "The game cannot be analysed",
                &*why,
            ));
        }
        Standing::Waiting { ahead } => Pending::Waiting { ahead },
        Standing::Running { done, of } => Pending::Running { done, of },
    };
    let headers = [(CACHE_CONTROL, "no-store"), (RETRY_AFTER, "1")];
    Ok((StatusCode::ACCEPTED, headers, Json(pending)).into_response())
}
