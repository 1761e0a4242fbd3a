//! Endpoints for game records, their verification, and pictures.

use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use parlor_table::verify::{VerificationReport, verify};
use parlor_table::{Record, Table};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::schema;
use super::tables::{etag, matches};
use crate::AppState;
use crate::error::Error;
use crate::extract::{Body, Params, TablePath};

/// Returns the record of the game so far, complete enough to be replayed and verified by anyone.
#[utoipa::path(
    get, path = "/tables/{id}/record", operation_id = "show_record", tag = "records", params(schema::TableIdPath),
    responses((status = OK, description = "The record", body = schema::RecordSchema))
)]
pub(crate) async fn record(
    State(state): State<AppState>,
    TablePath(id): TablePath,
) -> Result<Json<Record>, Error> {
    Ok(Json(state.read(id, Table::record).await?))
}

/// Result of a verification.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VerificationResponse {
    /// True if the record passed every check.
    holds: bool,
    #[serde(flatten)]
    #[schema(value_type = schema::ReportSchema)]
    report: VerificationReport,
}

impl From<VerificationReport> for VerificationResponse {
    fn from(report: VerificationReport) -> VerificationResponse {
        VerificationResponse {
            holds: report.is_valid(),
            report,
        }
    }
}

/// Verifies a table's record: replays it and derives all its luck again.
#[utoipa::path(
    get, path = "/tables/{id}/verify", operation_id = "verify_table", tag = "records", params(schema::TableIdPath),
    responses((status = OK, description = "Result of the verification", body = VerificationResponse))
)]
pub(crate) async fn verify_table(
    State(state): State<AppState>,
    TablePath(id): TablePath,
) -> Result<Json<VerificationResponse>, Error> {
    let record = state.read(id, Table::record).await?;
    verified(&state, record).await
}

/// Verifies an uploaded record: replays it and derives all its luck again.
#[utoipa::path(
    post, path = "/verify", operation_id = "verify_record", tag = "records", request_body = schema::RecordSchema,
    responses((status = OK, description = "Result of the verification", body = VerificationResponse))
)]
pub(crate) async fn verify_upload(
    State(state): State<AppState>,
    Body(record): Body<Record>,
) -> Result<Json<VerificationResponse>, Error> {
    verified(&state, record).await
}

/// Verifies a record on a thread of its own, one after the other: nobody's move waits for it.
async fn verified(state: &AppState, record: Record) -> Result<Json<VerificationResponse>, Error> {
    let turn = state.verifying().clone().acquire_owned().await;
    let turn = turn.map_err(Error::internal)?;
    let report = tokio::task::spawn_blocking(move || {
        // Held until the work is done, even if the client has left.
        let _turn = turn;
        verify(&record)
    });
    Ok(Json(report.await.map_err(Error::internal)?.into()))
}

/// Query parameters of a picture.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PictureQuery {
    /// Number of moves and draws to show; defaults to all.
    #[param(maximum = 18_446_744_073_709_551_615u64)]
    at: Option<usize>,
}

/// Returns a picture of the table as SVG.
#[utoipa::path(
    get, path = "/tables/{id}/svg", operation_id = "draw_table", tag = "records", params(schema::TableIdPath, PictureQuery),
    responses((status = OK, description = "The picture", content_type = "image/svg+xml", body = String), (status = NOT_MODIFIED, description = "Not modified since the version in `If-None-Match`"))
)]
pub(crate) async fn svg(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(PictureQuery { at }): Params<PictureQuery>,
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
