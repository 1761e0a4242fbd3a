//! Endpoints for signing in and out.

use axum::Json;
use axum::extract::State;
use axum::http::header::{HeaderName, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
use crate::accounts::{Login, NewSession, SESSION_SECONDS, SessionInfo};
use crate::auth::{Caller, Scope, Unscoped, session_cookie, session_token};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::{Body, NamePath};

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

/// Your sessions.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SessionList {
    /// Browsers in which you are signed in, latest sign-in first.
    sessions: Vec<SessionInfo>,
}

/// Lists the browsers in which you are signed in.
///
/// An account has at most 50 sessions; the oldest ends when another starts.
#[utoipa::path(
    get, path = "/sessions", operation_id = "list_sessions", tag = "accounts",
    responses((status = OK, description = "Your sessions, latest sign-in first", body = SessionList))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<SessionList>, Error> {
    let member = caller.member_with(Scope::Account)?;
    Ok(Json(SessionList {
        sessions: state.sessions(member, caller.credential()).await?,
    }))
}

/// Signs you out everywhere else: ends all your sessions but the one of this request.
#[utoipa::path(
    delete, path = "/sessions", operation_id = "end_other_sessions", tag = "accounts",
    responses((status = NO_CONTENT, description = "No other session is left"))
)]
pub(crate) async fn end_others(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
) -> Result<StatusCode, Error> {
    let member = caller.member_with(Scope::Account)?;
    state
        .end_other_sessions(member, caller.credential())
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends one of your sessions and closes the sockets and streams opened with it.
#[utoipa::path(
    delete, path = "/sessions/{id}", operation_id = "end_session", tag = "accounts", params(("id" = String, Path, description = "Id of the session")),
    responses((status = NO_CONTENT, description = "The session was ended"))
)]
pub(crate) async fn end(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
    NamePath(id): NamePath,
) -> Result<StatusCode, Error> {
    let member = caller.member_with(Scope::Account)?;
    state.end_own_session(member, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
