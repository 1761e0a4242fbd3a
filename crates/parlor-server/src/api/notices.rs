//! Endpoints for notices to members who have no page open.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use crate::AppState;
use crate::auth::{Caller, Scope, Unscoped};
use crate::error::Error;
use crate::extract::{Body, NamePath};
use crate::notices::{NewTarget, NoticesView, TargetInfo, TestResult, Wishes};

/// Shows your notices: what you want to hear of when you have no page open, and where it is sent.
#[utoipa::path(
    get, path = "/account/notices", operation_id = "show_notices", tag = "accounts",
    responses((status = OK, description = "Your wishes and addresses", body = NoticesView))
)]
pub(crate) async fn show(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<NoticesView>, Error> {
    let member = caller.member_with(Scope::Account)?;
    Ok(Json(state.notices_of(member).await?))
}

/// Changes what you want to hear of when you have no page open, and when.
///
/// It is sent to all your addresses. While a page or a program of yours is connected, nothing is sent.
#[utoipa::path(
    put, path = "/account/notices", operation_id = "set_notices", tag = "accounts", request_body = Wishes,
    responses((status = NO_CONTENT, description = "It is stored"))
)]
pub(crate) async fn set(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
    Body(wishes): Body<Wishes>,
) -> Result<StatusCode, Error> {
    let member = caller.member_with(Scope::Account)?;
    state.set_wishes(member, &wishes).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends your notices: forgets your wishes and addresses, and all that waits to be sent.
#[utoipa::path(
    delete, path = "/account/notices", operation_id = "end_notices", tag = "accounts",
    responses((status = NO_CONTENT, description = "Nothing more is sent"))
)]
pub(crate) async fn end(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
) -> Result<StatusCode, Error> {
    let member = caller.member_with(Scope::Account)?;
    state.end_notices(member).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Adds an address to which your notices are sent.
///
/// It must begin with `https:`, at port 443 or 8443, and its host must be on the public internet. The same
/// address for a second time gets the new keys. You can have five.
#[utoipa::path(
    post, path = "/account/notices/targets", operation_id = "add_notice_target", tag = "accounts", request_body = NewTarget,
    responses((status = CREATED, description = "The address", body = TargetInfo))
)]
pub(crate) async fn add(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
    Body(new): Body<NewTarget>,
) -> Result<(StatusCode, Json<TargetInfo>), Error> {
    let member = caller.member_with(Scope::Account)?;
    let added = state.add_target(member, new).await?;
    Ok((StatusCode::CREATED, Json(added)))
}

/// Removes an address, with what waits to be sent there.
#[utoipa::path(
    delete, path = "/account/notices/targets/{id}", operation_id = "remove_notice_target", tag = "accounts",
    params(("id" = i64, Path, description = "Number of the address")),
    responses((status = NO_CONTENT, description = "The address is removed"))
)]
pub(crate) async fn remove(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
    NamePath(id): NamePath,
) -> Result<StatusCode, Error> {
    let member = caller.member_with(Scope::Account)?;
    state.remove_target(member, number(&id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sends a test to an address and answers with the result.
#[utoipa::path(
    post, path = "/account/notices/targets/{id}/test", operation_id = "test_notice_target", tag = "accounts",
    params(("id" = i64, Path, description = "Number of the address")),
    responses((status = OK, description = "Outcome, also if the address did not take the test", body = TestResult))
)]
pub(crate) async fn test(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
    NamePath(id): NamePath,
) -> Result<Json<TestResult>, Error> {
    let member = caller.member_with(Scope::Account)?;
    Ok(Json(state.test_target(member, number(&id)?).await?))
}

/// Returns the number of an address.
pub(crate) fn number(id: &str) -> Result<i64, Error> {
    id.parse()
        .map_err(|_| Error::not_found("there is no such address for notices"))
}
