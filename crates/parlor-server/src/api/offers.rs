//! What players ask of each other, and what a clock brings with it: one thin handler for each verb.

use axum::Json;
use axum::extract::State;
use parlor_table::{self as table, Command};
use serde::Deserialize;
use utoipa::ToSchema;

use super::moves::{Answer, Standing, act};
use crate::AppState;
use crate::auth::Caller;
use crate::error::Error;
use crate::extract::{Body, Id, Params};

/// What is done about an offer.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    /// Make it.
    Offer,
    /// Agree to the other side's.
    Accept,
    /// Turn down the other side's.
    Decline,
}

/// An offer, or the answer to one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Offer {
    action: Action,
}

/// Says that you are there.
///
/// At a table with clocks the one who begins starts the own clock by it; a game that nobody begins is called off after a
/// minute (in correspondence games after the time for one move). Saying it again changes nothing.
#[utoipa::path(
    post, path = "/tables/{id}/ready", tag = "play", params(("id" = String, Path), Answer),
    responses((status = OK, body = Standing))
)]
pub(crate) async fn ready(
    State(state): State<AppState>,
    Id(id): Id,
    Params(answer): Params<Answer>,
    caller: Caller,
) -> Result<Json<Standing>, Error> {
    act(&state, id, &caller, Command::Ready, &answer).await
}

/// Offers a draw, or answers the other side's offer.
///
/// An offer stands until the other side declines it or moves, and can be made once between two moves of one's own. Who
/// offers while the other side does has agreed. Bots play on.
#[utoipa::path(
    post, path = "/tables/{id}/draw", tag = "play", params(("id" = String, Path), Answer), request_body = Offer,
    responses((status = OK, body = Standing))
)]
pub(crate) async fn draw(
    State(state): State<AppState>,
    Id(id): Id,
    Params(answer): Params<Answer>,
    caller: Caller,
    Body(Offer { action }): Body<Offer>,
) -> Result<Json<Standing>, Error> {
    let command = match action {
        Action::Offer => Command::OfferDraw,
        Action::Accept => Command::AcceptDraw,
        Action::Decline => Command::DeclineDraw,
    };
    act(&state, id, &caller, command, &answer).await
}

/// Asks for your last move back, or answers the other side's question.
///
/// What was answered to the move is taken back with it. The question stands until the other side declines it or somebody
/// moves. Bots agree. Clocks go on from where they are.
#[utoipa::path(
    post, path = "/tables/{id}/takeback", tag = "play", params(("id" = String, Path), Answer), request_body = Offer,
    responses((status = OK, body = Standing))
)]
pub(crate) async fn takeback(
    State(state): State<AppState>,
    Id(id): Id,
    Params(answer): Params<Answer>,
    caller: Caller,
    Body(Offer { action }): Body<Offer>,
) -> Result<Json<Standing>, Error> {
    let command = match action {
        Action::Offer => Command::OfferTakeback,
        Action::Accept => Command::AcceptTakeback,
        Action::Decline => Command::DeclineTakeback,
    };
    act(&state, id, &caller, command, &answer).await
}

/// A gift of time.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Gift {
    /// How much, in seconds; 15 when not said. In correspondence games it is always a day.
    #[schema(minimum = 1, maximum = 3_600)]
    seconds: Option<u32>,
}

/// Gives the other side more time.
#[utoipa::path(
    post, path = "/tables/{id}/give-time", tag = "play", params(("id" = String, Path), Answer),
    request_body = Option<Gift>, responses((status = OK, body = Standing))
)]
pub(crate) async fn give_time(
    State(state): State<AppState>,
    Id(id): Id,
    Params(answer): Params<Answer>,
    caller: Caller,
    gift: Option<Body<Gift>>,
) -> Result<Json<Standing>, Error> {
    let seconds = gift.and_then(|Body(gift)| gift.seconds);
    act(&state, id, &caller, Command::GiveTime { seconds }, &answer).await
}

/// What is claimed.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Prize {
    /// The win.
    Win,
    /// A draw.
    Draw,
    /// A bot in the seat of the partner who has left, in games that all win or lose together.
    StandIn,
}

/// A claim.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    claim: Prize,
}

/// Claims a game that the other side has left while on turn, or the seat of a partner for a bot.
///
/// With clocks: when it has had no socket and no event stream open for a minute (a table's `away` says since when).
/// Without: when it has not moved for a week. Correspondence games are decided by their clocks.
#[utoipa::path(
    post, path = "/tables/{id}/claim", tag = "play", params(("id" = String, Path), Answer), request_body = Claim,
    responses((status = OK, body = Standing))
)]
pub(crate) async fn claim(
    State(state): State<AppState>,
    Id(id): Id,
    Params(answer): Params<Answer>,
    caller: Caller,
    Body(Claim { claim }): Body<Claim>,
) -> Result<Json<Standing>, Error> {
    let claim = match claim {
        Prize::Win => table::Claim::Win,
        Prize::Draw => table::Claim::Draw,
        Prize::StandIn => table::Claim::StandIn,
    };
    // Since when the other side is away is known to the table's task, not to who claims.
    act(
        &state,
        id,
        &caller,
        Command::Claim {
            claim,
            absent_since: None,
        },
        &answer,
    )
    .await
}
