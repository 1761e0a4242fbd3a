//! Bodies and errors in the format of the record API.

use axum::Json;
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::AppState;
use crate::error::Error;
use crate::extract::bytes;
use crate::live::LiveError;

/// Error response of the record API.
#[derive(Debug)]
pub(super) enum ClassicError {
    /// An illegal move, with the game's reason.
    Move(String),
    /// The game does not exist.
    NotFound,
    /// The page does not exist.
    Page,
    /// The game belongs to other players.
    Forbidden,
    /// The game is not at the version that the request names.
    Changed {
        /// Status for the place where the request names it.
        status: StatusCode,
        /// Present version.
        version: u64,
    },
    /// The body is not valid JSON.
    Syntax(String),
    /// The body is not JSON by its media type.
    MediaType(String),
    /// The method is not supported.
    Method(Method),
    /// Any other error.
    Other(Error),
}

impl IntoResponse for ClassicError {
    fn into_response(self) -> Response {
        let detail = |status: StatusCode, text: &str| {
            (status, Json(json!({ "detail": text }))).into_response()
        };
        match self {
            ClassicError::Move(reason) => {
                (StatusCode::BAD_REQUEST, Json(json!({ "error": reason }))).into_response()
            }
            ClassicError::NotFound => detail(StatusCode::NOT_FOUND, "Not found."),
            ClassicError::Page => detail(StatusCode::NOT_FOUND, "Invalid page."),
            ClassicError::Forbidden => detail(
                StatusCode::FORBIDDEN,
                "You do not have permission to perform this action.",
            ),
            ClassicError::Changed { status, version } => {
                detail(status, &format!("The game is at version {version}."))
            }
            ClassicError::Syntax(reason) => detail(
                StatusCode::BAD_REQUEST,
                &format!("JSON parse error - {reason}"),
            ),
            ClassicError::MediaType(kind) => {
                let text = format!("Unsupported media type \"{kind}\" in request.");
                detail(StatusCode::UNSUPPORTED_MEDIA_TYPE, &text)
            }
            ClassicError::Method(method) => detail(
                StatusCode::METHOD_NOT_ALLOWED,
                &format!("Method \"{method}\" not allowed."),
            ),
            ClassicError::Other(error) => {
                (error.report(), detail(error.status, &error.detail)).into_response()
            }
        }
    }
}

impl From<Error> for ClassicError {
    fn from(error: Error) -> ClassicError {
        ClassicError::Other(error)
    }
}

impl From<LiveError> for ClassicError {
    fn from(error: LiveError) -> ClassicError {
        match error {
            LiveError::NotFound => ClassicError::NotFound,
            error => ClassicError::Other(error.into()),
        }
    }
}

pub(super) async fn wrong_method(method: Method) -> ClassicError {
    ClassicError::Method(method)
}

/// Reads a JSON body; an empty body is an empty object.
pub(super) async fn body(request: Request, state: &AppState) -> Result<Value, ClassicError> {
    let kind = request
        .headers()
        .get(CONTENT_TYPE)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let bytes = bytes(request, state).await?;
    if bytes.is_empty() {
        return Ok(json!({}));
    }
    let kind = kind.unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(ClassicError::MediaType(kind));
    }
    serde_json::from_slice(&bytes).map_err(|error| ClassicError::Syntax(error.to_string()))
}
