//! Endpoints for signing in and out.

use axum::extract::State;
use axum::http::header::{HeaderName, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{AppendHeaders, IntoResponse, Response};

use crate::AppState;
use crate::accounts::{Login, NewSession, SESSION_SECONDS};
use crate::auth::{session_cookie, session_token};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::Body;

/// Returns the cookies of a session that has just started.
pub(crate) fn started(
    state: &AppState,
    session: &NewSession,
) -> AppendHeaders<Vec<(HeaderName, HeaderValue)>> {
    let cookie = session_cookie(Some(&session.token), SESSION_SECONDS, state.is_https());
    let device = session.device.as_ref();
    let device = device.map(|device| device.cookie(state.is_https()));
    let cookies = [Some(cookie), device].into_iter().flatten();
    AppendHeaders(cookies.map(|cookie| (SET_COOKIE, cookie)).collect())
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
    let session = state.sign_in(login, client, &headers).await?;
    Ok((StatusCode::NO_CONTENT, started(&state, &session)).into_response())
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
