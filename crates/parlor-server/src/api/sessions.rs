//! Endpoints for signing in and out.

use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::AppState;
use crate::accounts::{Login, SESSION_SECONDS};
use crate::auth::{OpaqueToken, session_cookie, session_token};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::Body;

/// Returns the cookie of a session that has just started.
pub(crate) fn started(state: &AppState, token: &OpaqueToken) -> HeaderValue {
    session_cookie(Some(token), SESSION_SECONDS, state.is_https())
}

/// Returns the cookie that ends a browser's session.
pub(crate) fn ended(state: &AppState) -> HeaderValue {
    session_cookie(None, 0, state.is_https())
}

/// Signs in.
///
/// The response sets the cookie of a new session; a previous session ends. A wrong name and a wrong
/// password get the same response. Programs should use tokens instead.
#[utoipa::path(
    post, path = "/sessions", operation_id = "sign_in", tag = "accounts", request_body = Login,
    responses((status = NO_CONTENT, description = "You are signed in", headers(("Set-Cookie" = String))))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
    Body(login): Body<Login>,
) -> Result<Response, Error> {
    let (_, token) = state
        .sign_in(login, client, session_token(&headers))
        .await?;
    Ok((
        StatusCode::NO_CONTENT,
        [(SET_COOKIE, started(&state, &token))],
    )
        .into_response())
}

/// Signs out: ends the session of the cookie, if there is one.
#[utoipa::path(
    delete, path = "/sessions/current", operation_id = "sign_out", tag = "accounts",
    responses((status = NO_CONTENT, description = "You are signed out"))
)]
pub(crate) async fn delete(
    State(state): State<AppState>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    if let Some(token) = session_token(&headers) {
        state.sign_out(&token).await?;
    }
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, ended(&state))]).into_response())
}
