//! Endpoints for API tokens.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
use crate::accounts::{CreatedToken, NewToken, TokenInfo};
use crate::auth::{Caller, Scope, Unscoped};
use crate::error::Error;
use crate::extract::{Body, NamePath};

/// Your API tokens.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TokenList {
    /// Valid tokens, newest first.
    tokens: Vec<TokenInfo>,
}

/// Creates an API token.
///
/// Send it as `Authorization: Bearer`. It is shown only once. A request that needs another scope
/// gets 403 with the name of that scope.
#[utoipa::path(
    post, path = "/tokens", operation_id = "create_token", tag = "accounts", request_body = NewToken,
    responses((status = CREATED, description = "The new token", body = CreatedToken))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
    Body(new): Body<NewToken>,
) -> Result<(StatusCode, Json<CreatedToken>), Error> {
    let made = state
        .make_token(caller.member_with(Scope::Account)?, caller.scopes(), new)
        .await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// Lists your tokens and those of your bots.
#[utoipa::path(
    get, path = "/tokens", operation_id = "list_tokens", tag = "accounts",
    responses((status = OK, description = "Your valid tokens, newest first", body = TokenList))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<TokenList>, Error> {
    Ok(Json(TokenList {
        tokens: state.tokens(caller.member_with(Scope::Account)?).await?,
    }))
}

/// Revokes a token and closes the sockets and streams opened with it.
#[utoipa::path(
    delete, path = "/tokens/{id}", operation_id = "revoke_token", tag = "accounts", params(("id" = i64, Path, description = "Id of the token")),
    responses((status = NO_CONTENT, description = "The token was revoked"))
)]
pub(crate) async fn revoke(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
    NamePath(id): NamePath,
) -> Result<StatusCode, Error> {
    let member = caller.member_with(Scope::Account)?;
    let id = id
        .parse()
        .map_err(|_| Error::not_found("you have no such token"))?;
    state.revoke_own_token(member, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
