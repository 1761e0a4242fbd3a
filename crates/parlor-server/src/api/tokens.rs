//! Tokens with which programs act for you.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
use crate::accounts::{NewToken, NewTokenText, TokenInfo};
use crate::auth::{Caller, Scope, Unscoped};
use crate::error::Error;
use crate::extract::{Body, Named};

/// Your tokens.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Tokens {
    /// Those that count, newest first.
    tokens: Vec<TokenInfo>,
}

/// Makes a token for a program.
///
/// Send it as `Authorization: Bearer`. It is shown only once. Without the right scope the answer is 403 and names the
/// scope.
#[utoipa::path(
    post, path = "/tokens", tag = "accounts", request_body = NewToken,
    responses((status = CREATED, body = NewTokenText))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
    Body(new): Body<NewToken>,
) -> Result<(StatusCode, Json<NewTokenText>), Error> {
    let made = state
        .make_token(caller.member(Scope::Account)?, caller.scopes(), new)
        .await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// Lists your tokens and those of your bots.
#[utoipa::path(get, path = "/tokens", tag = "accounts", responses((status = OK, body = Tokens)))]
pub(crate) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<Tokens>, Error> {
    Ok(Json(Tokens {
        tokens: state.tokens(caller.member(Scope::Account)?).await?,
    }))
}

/// Revokes a token: it stops counting, and sockets and streams that were opened with it are closed.
#[utoipa::path(
    delete, path = "/tokens/{id}", tag = "accounts", params(("id" = i64, Path)),
    responses((status = NO_CONTENT, description = "It is revoked"))
)]
pub(crate) async fn revoke(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
    Named(id): Named,
) -> Result<StatusCode, Error> {
    let member = caller.member(Scope::Account)?;
    let id = id
        .parse()
        .map_err(|_| Error::not_found("you have no such token"))?;
    state.revoke_own_token(member, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
