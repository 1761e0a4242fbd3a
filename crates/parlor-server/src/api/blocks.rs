//! Endpoints for the members that one has blocked.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::schema;
use crate::AppState;
use crate::accounts::BlockInfo;
use crate::auth::{Caller, Scope, Unscoped};
use crate::error::Error;
use crate::extract::NamePath;

/// Members that you have blocked.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BlockList {
    /// Blocked members, latest block first.
    blocks: Vec<BlockInfo>,
}

/// Lists the members that you have blocked.
#[utoipa::path(
    get, path = "/me/blocks", operation_id = "list_blocks", tag = "accounts",
    responses((status = OK, description = "Blocked members, latest block first", body = BlockList))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<BlockList>, Error> {
    Ok(Json(BlockList {
        blocks: state.blocks(caller.member_with(Scope::Account)?).await?,
    }))
}

/// Blocks a member.
///
/// The member can no longer challenge you, and quick pairing never pairs the two of you. This also
/// holds for the bots of both. The member is not told. Blocking a member again changes nothing. You
/// can block up to 500 members.
#[utoipa::path(
    put, path = "/me/blocks/{name}", operation_id = "block_member", tag = "accounts", params(schema::NamePath),
    responses((status = NO_CONTENT, description = "The member is blocked"))
)]
pub(crate) async fn block(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
    NamePath(name): NamePath,
) -> Result<StatusCode, Error> {
    state
        .block(caller.member_with(Scope::Account)?, &name)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Unblocks a member.
#[utoipa::path(
    delete, path = "/me/blocks/{name}", operation_id = "unblock_member", tag = "accounts", params(schema::NamePath),
    responses((status = NO_CONTENT, description = "The member is no longer blocked"))
)]
pub(crate) async fn unblock(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
    NamePath(name): NamePath,
) -> Result<StatusCode, Error> {
    state
        .unblock(caller.member_with(Scope::Account)?, &name)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
