//! Signing in and out.

use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::AppState;
use crate::accounts::{Login, SESSION_SECONDS};
use crate::auth::{Token, session_cookie, shown_session};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::Body;

/// The cookie of a session that has just begun.
pub(crate) fn started(state: &AppState, token: &Token) -> HeaderValue {
    session_cookie(Some(token), SESSION_SECONDS, state.is_https())
}

/// The cookie that ends the session of a browser.
pub(crate) fn ended(state: &AppState) -> HeaderValue {
    session_cookie(None, 0, state.is_https())
}

/// Signs in.
///
/// The answer sets the cookie of a new session; one that you had ends. A wrong name and a wrong password are answered
/// alike. Programs had better use tokens.
#[utoipa::path(
    post, path = "/sessions", tag = "accounts", request_body = Login,
    responses((status = NO_CONTENT, description = "You are signed in", headers(("Set-Cookie" = String))))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
    Body(login): Body<Login>,
) -> Result<Response, Error> {
    let (_, token) = state
        .sign_in(login, client, shown_session(&headers))
        .await?;
    Ok((
        StatusCode::NO_CONTENT,
        [(SET_COOKIE, started(&state, &token))],
    )
        .into_response())
}

/// Signs out: the session of the cookie ends, if there is one.
#[utoipa::path(
    delete, path = "/sessions/current", tag = "accounts",
    responses((status = NO_CONTENT, description = "You are signed out"))
)]
pub(crate) async fn delete(
    State(state): State<AppState>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    if let Some(token) = shown_session(&headers) {
        state.sign_out(&token).await?;
    }
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, ended(&state))]).into_response())
}
