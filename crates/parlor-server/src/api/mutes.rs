//! Endpoints for the members that one has muted.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::schema;
use crate::AppState;
use crate::auth::{Caller, Scope, Unscoped};
use crate::error::Error;
use crate::extract::NamePath;
use crate::talk::MuteInfo;

/// Members that you have muted.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MuteList {
    /// Muted members, latest mute first.
    mutes: Vec<MuteInfo>,
}

/// Lists the members that you have muted.
#[utoipa::path(
    get, path = "/me/mutes", operation_id = "list_mutes", tag = "accounts",
    responses((status = OK, description = "Muted members, latest mute first", body = MuteList))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<MuteList>, Error> {
    Ok(Json(MuteList {
        mutes: state.mutes(caller.member_with(Scope::Account)?).await?,
    }))
}

/// Mutes a member.
///
/// You no longer see what the member writes at tables. The member is not told. Muting a member again
/// changes nothing. Sockets and streams that are open go on as before. You can mute up to 500 members;
/// those whom you have blocked are muted, too.
#[utoipa::path(
    put, path = "/me/mutes/{name}", operation_id = "mute_member", tag = "accounts", params(schema::NamePath),
    responses((status = NO_CONTENT, description = "The member is muted"))
)]
pub(crate) async fn mute(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
    NamePath(name): NamePath,
) -> Result<StatusCode, Error> {
    state
        .mute(caller.member_with(Scope::Account)?, &name)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Unmutes a member.
#[utoipa::path(
    delete, path = "/me/mutes/{name}", operation_id = "unmute_member", tag = "accounts", params(schema::NamePath),
    responses((status = NO_CONTENT, description = "The member is no longer muted"))
)]
pub(crate) async fn unmute(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
    NamePath(name): NamePath,
) -> Result<StatusCode, Error> {
    state
        .unmute(caller.member_with(Scope::Account)?, &name)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
