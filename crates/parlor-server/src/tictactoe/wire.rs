//! Bodies and errors in the shape that clients of the record API know.

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

/// Why a request was not done.
#[derive(Debug)]
pub(super) enum Wrong {
    /// A move that cannot be played; the reason is the game's.
    Move(String),
    /// There is no such game.
    NotFound,
    /// There is no such page.
    Page,
    /// The game is played by others.
    Forbidden,
    /// The body is no JSON.
    Syntax(String),
    /// The body is something else altogether.
    MediaType(String),
    /// The address does not know this method.
    Method(Method),
    /// What can happen to every request.
    Other(Error),
}

impl IntoResponse for Wrong {
    fn into_response(self) -> Response {
        let detail = |status: StatusCode, text: &str| {
            (status, Json(json!({ "detail": text }))).into_response()
        };
        match self {
            Wrong::Move(reason) => {
                (StatusCode::BAD_REQUEST, Json(json!({ "error": reason }))).into_response()
            }
            Wrong::NotFound => detail(StatusCode::NOT_FOUND, "Not found."),
            Wrong::Page => detail(StatusCode::NOT_FOUND, "Invalid page."),
            Wrong::Forbidden => detail(
                StatusCode::FORBIDDEN,
                "You do not have permission to perform this action.",
            ),
            Wrong::Syntax(reason) => detail(
                StatusCode::BAD_REQUEST,
                &format!("JSON parse error - {reason}"),
            ),
            Wrong::MediaType(kind) => {
                let text = format!("Unsupported media type \"{kind}\" in request.");
                detail(StatusCode::UNSUPPORTED_MEDIA_TYPE, &text)
            }
            Wrong::Method(method) => detail(
                StatusCode::METHOD_NOT_ALLOWED,
                &format!("Method \"{method}\" not allowed."),
            ),
            Wrong::Other(error) => detail(error.status, &error.detail),
        }
    }
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Wrong {
        Wrong::Other(error)
    }
}

impl From<LiveError> for Wrong {
    fn from(error: LiveError) -> Wrong {
        match error {
            LiveError::NotFound => Wrong::NotFound,
            error => Wrong::Other(error.into()),
        }
    }
}

pub(super) async fn wrong_method(method: Method) -> Wrong {
    Wrong::Method(method)
}

/// The JSON of a body; an empty body is an empty object.
pub(super) async fn body(request: Request, state: &AppState) -> Result<Value, Wrong> {
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
        return Err(Wrong::MediaType(kind));
    }
    serde_json::from_slice(&bytes).map_err(|error| Wrong::Syntax(error.to_string()))
}
