//! Records, their verification, and pictures.

use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use parlor_table::verify::{Report, verify};
use parlor_table::{Record, Table};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::schema;
use super::tables::{etag, matches};
use crate::AppState;
use crate::error::Error;
use crate::extract::{Body, Id, Params};

/// The whole game so far, complete enough to be played again and verified by anyone.
#[utoipa::path(
    get, path = "/tables/{id}/record", tag = "records", params(("id" = String, Path)),
    responses((status = OK, body = schema::Record))
)]
pub(crate) async fn record(
    State(state): State<AppState>,
    Id(id): Id,
) -> Result<Json<Record>, Error> {
    Ok(Json(state.read(id, Table::record).await?))
}

/// What a verification found.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Verified {
    /// Whether the record holds in everything that could be checked.
    holds: bool,
    #[serde(flatten)]
    #[schema(value_type = schema::Report)]
    report: Report,
}

impl From<Report> for Verified {
    fn from(report: Report) -> Verified {
        Verified {
            holds: report.holds(),
            report,
        }
    }
}

/// Replays a table's record and derives all its luck again.
#[utoipa::path(
    get, path = "/tables/{id}/verify", tag = "records", params(("id" = String, Path)),
    responses((status = OK, body = Verified))
)]
pub(crate) async fn verify_table(
    State(state): State<AppState>,
    Id(id): Id,
) -> Result<Json<Verified>, Error> {
    let record = state.read(id, Table::record).await?;
    Ok(Json(verify(&record).into()))
}

/// Replays a record that you send, and derives all its luck again.
#[utoipa::path(
    post, path = "/verify", tag = "records", request_body = schema::Record,
    responses((status = OK, body = Verified))
)]
pub(crate) async fn verify_upload(Body(record): Body<Record>) -> Json<Verified> {
    Json(verify(&record).into())
}

/// Which position to draw.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Step {
    /// After so many moves and draws; the last position when not said.
    at: Option<usize>,
}

/// A picture of the table.
#[utoipa::path(
    get, path = "/tables/{id}/svg", tag = "records", params(("id" = String, Path), Step),
    responses((status = OK, content_type = "image/svg+xml", body = String), (status = NOT_MODIFIED))
)]
pub(crate) async fn svg(
    State(state): State<AppState>,
    Id(id): Id,
    Params(Step { at }): Params<Step>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let picture = state.picture(id, at).await?;
    let tag = match at {
        Some(step) => format!("\"step-{step}\""),
        None => etag(picture.version),
    };
    let seen = headers
        .get(IF_NONE_MATCH)
        .is_some_and(|seen| matches(seen.as_bytes(), &tag));
    let headers = [
        (ETAG, tag.as_str()),
        (CACHE_CONTROL, "no-cache"),
        (CONTENT_TYPE, "image/svg+xml"),
    ];
    Ok(if seen {
        (StatusCode::NOT_MODIFIED, headers).into_response()
    } else {
        (headers, picture.svg).into_response()
    })
}
