//! Endpoints for creating and managing one's own account and bots.

use axum::Json;
use axum::extract::State;
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use parlor_store::User;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::schema;
use super::sessions::{ended, started};
use crate::AppState;
use crate::accounts::{
    BotAccount, ChallengeSource, CreatedToken, NewAccount, NewBot, NewPassword, store_id,
};
use crate::auth::{Caller, Credential, Password, Scope, Scopes, Unscoped};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::{Body, NamePath};

/// Your account.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MyAccount {
    /// Account name.
    name: String,
    /// `person` or `bot`.
    kind: &'static str,
    /// Owner of a bot account; `null` for people.
    owner: Option<String>,
    /// Playing strength that you declared.
    level: &'static str,
    /// True if you are an admin.
    admin: bool,
    /// Creation time, in milliseconds since the Unix epoch.
    created_at: i64,
    /// From whom you take challenges.
    challenges_from: ChallengeSource,
    /// Choices on the page of settings that differ from the defaults, such as `sound=off&theme=dark`.
    settings: String,
    /// Scopes of the session or token used for this request.
    scopes: Vec<Scope>,
}

impl MyAccount {
    /// Returns the account of a caller.
    pub(super) async fn load(state: &AppState, caller: &Caller) -> Result<MyAccount, Error> {
        let user = state.store().user(store_id(caller.member()?.id)).await?;
        let user = user.ok_or_else(|| Error::not_found("the account no longer exists"))?;
        let owner = state.owner_of(&user).await?.map(|owner| owner.name);
        let scopes = caller.scopes();
        Ok(MyAccount {
            owner,
            ..MyAccount::new(user, scopes)
        })
    }

    fn new(user: User, scopes: Scopes) -> MyAccount {
        MyAccount {
            name: user.name,
            kind: user.kind.as_str(),
            owner: None,
            level: user.level.as_str(),
            admin: user.admin,
            created_at: user.created_at,
            settings: user.settings.unwrap_or_default(),
            challenges_from: user.challenges_from.into(),
            scopes: scopes.iter().collect(),
        }
    }
}

/// Creates an account and signs you in.
///
/// The response sets the session cookie. A name that is taken yields 409; `field` names an invalid
/// field.
#[utoipa::path(
    post, path = "/accounts", operation_id = "create_account", tag = "accounts", request_body = NewAccount,
    responses((status = CREATED, description = "Your new account", body = MyAccount, headers(("Location" = String, description = "your public profile"))))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
    Body(new): Body<NewAccount>,
) -> Result<Response, Error> {
    let session = state.sign_up(new, client, &headers).await?;
    let cookies = started(&state, &session);
    let user = session.user;
    let location =
        HeaderValue::try_from(format!("/api/v1/players/{}", user.name)).map_err(Error::internal)?;
    let scopes = Scopes::of_session(user.admin);
    let me = MyAccount::new(user, scopes);
    Ok((
        StatusCode::CREATED,
        [(LOCATION, location)],
        cookies,
        Json(me),
    )
        .into_response())
}

/// Returns your account.
#[utoipa::path(
    get, path = "/me", operation_id = "show_account", tag = "accounts",
    responses((status = OK, description = "Your account", body = MyAccount))
)]
pub(crate) async fn me(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
) -> Result<Json<MyAccount>, Error> {
    Ok(Json(MyAccount::load(&state, &caller).await?))
}

/// Request to change settings of an account.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AccountChanges {
    /// From whom you take challenges; unchanged if omitted.
    challenges_from: Option<ChallengeSource>,
}

/// Changes settings of your account.
///
/// A challenge that you don't take is refused with 403 `no-challenges`. Challenges that wait for your
/// answer already, and tables that are joined by link, are not affected.
#[utoipa::path(
    patch, path = "/me", operation_id = "change_account", tag = "accounts", request_body = AccountChanges,
    responses((status = OK, description = "Your account", body = MyAccount))
)]
pub(crate) async fn change(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
    Body(AccountChanges { challenges_from }): Body<AccountChanges>,
) -> Result<Json<MyAccount>, Error> {
    let member = caller.member_with(Scope::Account)?;
    if let Some(source) = challenges_from {
        state.set_challenges_from(member, source).await?;
    }
    Ok(Json(MyAccount::load(&state, &caller).await?))
}

/// Changes your password.
///
/// Ends all your sessions. If the request came with a session, the response sets the cookie of a
/// new one. Tokens stay valid.
#[utoipa::path(
    post, path = "/me/password", operation_id = "change_password", tag = "accounts", request_body = NewPassword,
    responses((status = NO_CONTENT, description = "The password was changed"))
)]
pub(crate) async fn password(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
    Unscoped(caller): Unscoped,
    Body(new): Body<NewPassword>,
) -> Result<Response, Error> {
    let session = state
        .change_password(caller.member_with(Scope::Account)?, new, client, &headers)
        .await?;
    if !matches!(caller.credential(), Credential::Session { .. }) {
        state.sign_out(&session.token).await?;
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok((StatusCode::NO_CONTENT, started(&state, &session)).into_response())
}

/// Request to close your account.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClosingAccount {
    /// Your password.
    password: Password,
    /// True to close the account. Nothing happens without it.
    #[serde(default)]
    #[schema(default = false)]
    sure: bool,
}

/// Closes your account for good.
///
/// Its name is replaced, its games, results and ratings stay. Sessions end, tokens and bots stop, and
/// the name is free again. 422 says that `sure` is not true, that games are not over, or that the account
/// is an admin's; 403 `wrong-password` that the password is wrong. The response ends the cookie's session.
#[utoipa::path(
    delete, path = "/me", operation_id = "close_account", tag = "accounts", request_body = ClosingAccount,
    responses((status = NO_CONTENT, description = "The account was closed", headers(("Set-Cookie" = String))))
)]
pub(crate) async fn close(
    State(state): State<AppState>,
    client: Client,
    Unscoped(caller): Unscoped,
    Body(ClosingAccount { password, sure }): Body<ClosingAccount>,
) -> Result<Response, Error> {
    let member = caller.member_with(Scope::Account)?;
    if !sure {
        let detail = "closing an account can't be undone; set \"sure\" to true to do it";
        return Err(Error::unprocessable(detail).with("field", "sure"));
    }
    state.close_own_account(member, password, client).await?;
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, ended(&state))]).into_response())
}

/// Your bots.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BotList {
    /// Bot accounts, newest first.
    bots: Vec<BotAccount>,
}

/// Creates a bot account with a token.
///
/// The bot plays under its own name, has its own ratings and is marked as a bot. The token is shown
/// only once; create further ones with `POST /tokens`.
#[utoipa::path(
    post, path = "/bots", operation_id = "create_bot", tag = "accounts", request_body = NewBot, responses((status = CREATED, description = "Token of the new bot", body = CreatedToken))
)]
pub(crate) async fn create_bot(
    State(state): State<AppState>,
    client: Client,
    Unscoped(caller): Unscoped,
    Body(new): Body<NewBot>,
) -> Result<(StatusCode, Json<CreatedToken>), Error> {
    let made = state
        .make_bot(caller.member_with(Scope::Account)?, new, client)
        .await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// Lists your bots.
#[utoipa::path(
    get, path = "/bots", operation_id = "list_bots", tag = "accounts",
    responses((status = OK, description = "Your bots, newest first", body = BotList))
)]
pub(crate) async fn bots(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<BotList>, Error> {
    Ok(Json(BotList {
        bots: state.bots(caller.member_with(Scope::Account)?).await?,
    }))
}

/// Deletes one of your bots.
///
/// Its tokens are revoked. Its name stays reserved and its games are kept, since they also belong
/// to its opponents.
#[utoipa::path(
    delete, path = "/bots/{name}", operation_id = "delete_bot", tag = "accounts", params(schema::NamePath),
    responses((status = NO_CONTENT, description = "The bot was deleted"))
)]
pub(crate) async fn delete_bot(
    State(state): State<AppState>,
    Unscoped(caller): Unscoped,
    NamePath(name): NamePath,
) -> Result<StatusCode, Error> {
    state
        .delete_bot(caller.member_with(Scope::Account)?, &name)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
