//! Accounts: making one, what one's own looks like, its password, its bots.

use axum::Json;
use axum::extract::State;
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::sessions::started;
use crate::AppState;
use crate::accounts::{Bot, NewAccount, NewBot, NewPassword, NewTokenText, number};
use crate::auth::{Caller, Credential, Scope, Unscoped, shown_session};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::{Body, Named};

/// Your account.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Me {
    /// Your name.
    name: String,
    /// `person` or `bot`.
    kind: &'static str,
    /// How strong you said you are.
    level: &'static str,
    /// Whether you keep the house.
    admin: bool,
    /// When the account was made, in milliseconds since 1970.
    created_at: i64,
    /// What you may do with what you came in with.
    scopes: Vec<Scope>,
}

/// Makes an account, and signs you in.
///
/// The answer sets the cookie of the session. A name that is taken gives 409; `field` names what does not fit.
#[utoipa::path(
    post, path = "/accounts", tag = "accounts", request_body = NewAccount,
    responses((status = CREATED, body = Me, headers(("Location" = String, description = "your public profile"))))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
    Body(new): Body<NewAccount>,
) -> Result<Response, Error> {
    let (user, token) = state.sign_up(new, client, shown_session(&headers)).await?;
    let location =
        HeaderValue::try_from(format!("/api/v1/players/{}", user.name)).map_err(Error::internal)?;
    let me = Me {
        name: user.name,
        kind: user.kind.as_str(),
        level: user.level.as_str(),
        admin: user.admin,
        created_at: user.created_at,
        scopes: crate::auth::Scopes::of_session(user.admin).iter().collect(),
    };
    let headers = AppendHeaders([(LOCATION, location), (SET_COOKIE, started(&state, &token))]);
    Ok((StatusCode::CREATED, headers, Json(me)).into_response())
}

/// Shows who you are.
#[utoipa::path(get, path = "/me", tag = "accounts", responses((status = OK, body = Me)))]
pub(crate) async fn me(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
) -> Result<Json<Me>, Error> {
    let id = number(caller.account()?.id);
    let user = state
        .store()
        .user(id)
        .await?
        .ok_or_else(|| Error::not_found("the account is gone"))?;
    Ok(Json(Me {
        name: user.name,
        kind: user.kind.as_str(),
        level: user.level.as_str(),
        admin: user.admin,
        created_at: user.created_at,
        scopes: caller.scopes().iter().collect(),
    }))
}

/// Changes your password.
///
/// All your sessions end. When you came in with one, the answer sets the cookie of a new one. Tokens stay.
#[utoipa::path(
    post, path = "/me/password", tag = "accounts", request_body = NewPassword,
    responses((status = NO_CONTENT, description = "It is changed"))
)]
pub(crate) async fn password(
    State(state): State<AppState>,
    client: Client,
    Unscoped(caller): Unscoped,
    Body(new): Body<NewPassword>,
) -> Result<Response, Error> {
    let token = state
        .change_password(caller.member(Scope::Account)?, new, client)
        .await?;
    if !matches!(caller.credential(), Credential::Session { .. }) {
        state.sign_out(&token).await?;
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok((
        StatusCode::NO_CONTENT,
        [(SET_COOKIE, started(&state, &token))],
    )
        .into_response())
}

/// Your bots.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Bots {
    /// The bots, newest first.
    bots: Vec<Bot>,
}

/// Makes an account for a bot of yours, with a token for it.
///
/// The bot plays under its own name, has ratings of its own, and is known as a bot. The token is shown only once; make
/// another at `POST /tokens`.
#[utoipa::path(
    post, path = "/bots", tag = "accounts", request_body = NewBot, responses((status = CREATED, body = NewTokenText))
)]
pub(crate) async fn create_bot(
    State(state): State<AppState>,
    client: Client,
    Unscoped(caller): Unscoped,
    Body(new): Body<NewBot>,
) -> Result<(StatusCode, Json<NewTokenText>), Error> {
    let made = state
        .make_bot(caller.member(Scope::Account)?, new, client)
        .await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// Lists your bots.
#[utoipa::path(get, path = "/bots", tag = "accounts", responses((status = OK, body = Bots)))]
pub(crate) async fn bots(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<Bots>, Error> {
    Ok(Json(Bots {
        bots: state.bots(caller.member(Scope::Account)?).await?,
    }))
}

/// Deletes a bot of yours.
///
/// Its tokens stop counting. Its name stays taken and its games stay, for they are the others' games too.
#[utoipa::path(
    delete, path = "/bots/{name}", tag = "accounts", params(("name" = String, Path)),
    responses((status = NO_CONTENT, description = "It is gone"))
)]
pub(crate) async fn delete_bot(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
    Named(name): Named,
) -> Result<StatusCode, Error> {
    state
        .delete_bot(caller.member(Scope::Account)?, &name)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
