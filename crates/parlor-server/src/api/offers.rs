//! Endpoints for offers between players and for clocks: one thin handler for each command.

use axum::Json;
use axum::extract::State;
use parlor_table::{self as table, AskWhen, Command, Refusal, TableId};
use serde::Deserialize;
use utoipa::ToSchema;

use super::moves::{CommandQuery, CommandResponse, act};
use super::schema;
use crate::AppState;
use crate::auth::{Caller, Requester};
use crate::edge::{Client, TableCreator};
use crate::error::Error;
use crate::extract::{Body, Params, TablePath};

/// Action on an offer.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum OfferAction {
    /// Make an offer.
    #[default]
    Offer,
    /// Accept the opponent's offer.
    Accept,
    /// Decline the opponent's offer.
    Decline,
}

/// Request to make an offer or to answer one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfferRequest {
    action: OfferAction,
}

/// Declares that you are ready.
///
/// At a table with clocks this starts the first player's clock; a game that is not started is
/// called off after a minute (in correspondence games after the time for one move). Repeating the
/// request has no effect.
#[utoipa::path(
    post, path = "/tables/{id}/ready", operation_id = "declare_ready", tag = "play", params(schema::TableIdPath, CommandQuery),
    responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn ready(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(answer): Params<CommandQuery>,
    caller: Caller,
) -> Result<Json<CommandResponse>, Error> {
    act(&state, id, &caller, Command::Ready, &answer).await
}

/// Offers a draw, or answers the opponent's offer.
///
/// An offer stands until the opponent declines it or moves, and can be made once between two of
/// your moves. Offering while the opponent's offer stands accepts it. Bots do not accept draws.
#[utoipa::path(
    post, path = "/tables/{id}/draw", operation_id = "offer_draw", tag = "play", params(schema::TableIdPath, CommandQuery), request_body = OfferRequest,
    responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn draw(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(answer): Params<CommandQuery>,
    caller: Caller,
    Body(OfferRequest { action }): Body<OfferRequest>,
) -> Result<Json<CommandResponse>, Error> {
    let command = match action {
        OfferAction::Offer => Command::OfferDraw,
        OfferAction::Accept => Command::AcceptDraw,
        OfferAction::Decline => Command::DeclineDraw,
    };
    act(&state, id, &caller, command, &answer).await
}

/// Asks to take back your last move, or answers the opponent's request.
///
/// The opponent's reply is taken back, too. The request stands until the opponent declines it or a
/// player moves. Bots always agree. The increments for these moves are taken back, and time that was used
/// stays used.
#[utoipa::path(
    post, path = "/tables/{id}/takeback", operation_id = "offer_takeback", tag = "play", params(schema::TableIdPath, CommandQuery), request_body = OfferRequest,
    responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn takeback(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(answer): Params<CommandQuery>,
    caller: Caller,
    Body(OfferRequest { action }): Body<OfferRequest>,
) -> Result<Json<CommandResponse>, Error> {
    let command = match action {
        OfferAction::Offer => Command::OfferTakeback,
        OfferAction::Accept => Command::AcceptTakeback,
        OfferAction::Decline => Command::DeclineTakeback,
    };
    act(&state, id, &caller, command, &answer).await
}

/// Choice of when you are asked for moves out of turn.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskingRequest {
    #[schema(value_type = schema::AskWhenSchema)]
    when: AskWhen,
}

/// Chooses when you are asked for moves out of turn, such as event cards in Pandemic.
///
/// `never`, which is the usual; `crucial` for the moments before something that cannot be undone; or
/// `always`. Who is asked finds its seat in `asked` of the table, and the seat on turn waits for it, twenty
/// seconds at most. It answers with a move or `POST …/pass`. Players who are away are not asked.
#[utoipa::path(
    put, path = "/tables/{id}/asking", operation_id = "choose_asking", tag = "play", params(schema::TableIdPath, CommandQuery), request_body = AskingRequest,
    responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn asking(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(answer): Params<CommandQuery>,
    caller: Caller,
    Body(AskingRequest { when }): Body<AskingRequest>,
) -> Result<Json<CommandResponse>, Error> {
    act(&state, id, &caller, Command::ChooseAsking { when }, &answer).await
}

/// Answer of a player who is asked and does not move.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PassRequest {
    /// True if you need not be asked again in this turn.
    #[serde(default)]
    rest_of_turn: bool,
}

/// Declines to move out of turn, when you are asked.
#[utoipa::path(
    post, path = "/tables/{id}/pass", operation_id = "pass_when_asked", tag = "play", params(schema::TableIdPath, CommandQuery),
    request_body(content = Option<PassRequest>, description = "For how long; the body may be left out"),
    responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn pass(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(answer): Params<CommandQuery>,
    caller: Caller,
    request: Option<Body<PassRequest>>,
) -> Result<Json<CommandResponse>, Error> {
    let PassRequest { rest_of_turn } = request.map(|Body(request)| request).unwrap_or_default();
    act(&state, id, &caller, Command::Pass { rest_of_turn }, &answer).await
}

/// Request for a rematch.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RematchRequest {
    /// `offer` if missing, which also accepts what others have offered. `accept` only accepts.
    #[serde(default)]
    action: OfferAction,
}

/// Asks for a rematch, agrees to one, or declines it. Once all human players agreed, `next` names its table.
#[utoipa::path(
    post, path = "/tables/{id}/rematch", operation_id = "offer_rematch", tag = "play", params(schema::TableIdPath, CommandQuery),
    request_body(content = Option<RematchRequest>, description = "What to do; the body may be left out"),
    responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn rematch(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    client: Client,
    Params(answer): Params<CommandQuery>,
    caller: Caller,
    request: Option<Body<RematchRequest>>,
) -> Result<Json<CommandResponse>, Error> {
    let action = request.map(|Body(request)| request.action);
    match action.unwrap_or_default() {
        OfferAction::Offer => {}
        _ if !is_rematch_offered(&state, id, caller.who()).await? => {
            return Err(Refusal::NothingOffered.into());
        }
        OfferAction::Accept => {}
        OfferAction::Decline => {
            return act(&state, id, &caller, Command::DeclineRematch, &answer).await;
        }
    }
    // It may create a table.
    let creator = TableCreator::new(client, caller.who().counted_as());
    state.count_rematch(id, caller.who(), creator).await?;
    let next = state.sources().table_id();
    act(&state, id, &caller, Command::Rematch { next }, &answer).await
}

/// True if somebody else asked for a rematch.
async fn is_rematch_offered(state: &AppState, id: TableId, who: &Requester) -> Result<bool, Error> {
    let who = who.clone();
    let asked = move |table: &table::Table| {
        let mine: Vec<u8> = who.seats(table).iter().map(|seat| seat.number()).collect();
        let mut seats = table.view().seats.into_iter();
        seats.any(|seat| seat.rematch && !mine.contains(&seat.seat))
    };
    state.read(id, asked).await
}

/// Request to give the opponent more time.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GiveTimeRequest {
    /// Seconds to give; 15 by default. In correspondence games it is always one day.
    #[schema(minimum = 1, maximum = 3_600)]
    seconds: Option<u32>,
}

/// Gives the opponent more time.
#[utoipa::path(
    post, path = "/tables/{id}/give-time", operation_id = "give_time", tag = "play", params(schema::TableIdPath, CommandQuery),
    request_body(content = Option<GiveTimeRequest>, description = "Time to give; the body may be left out"), responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn give_time(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(answer): Params<CommandQuery>,
    caller: Caller,
    gift: Option<Body<GiveTimeRequest>>,
) -> Result<Json<CommandResponse>, Error> {
    let seconds = gift.and_then(|Body(gift)| gift.seconds);
    act(&state, id, &caller, Command::GiveTime { seconds }, &answer).await
}

/// Kind of claim.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum ClaimKind {
    /// Claim the win.
    Win,
    /// Claim a draw.
    Draw,
    /// Replace the absent partner with a bot, in team games.
    StandIn,
}

/// Request to claim a game.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClaimRequest {
    claim: ClaimKind,
}

/// Claims a game that the opponent has left while on turn, or replaces an absent partner with a
/// bot.
///
/// With clocks, the opponent must have been away for a while: without an open socket or stream, and
/// without a request (`away` in the table's state says since when). The while is a tenth of the time
/// for forty moves, between twenty seconds and an hour; in a correspondence game, half of the time
/// for a move, but not less than a day. Without clocks, the opponent must not have moved for a week;
/// a partner in a team, only have been away for five minutes. Nothing is claimed of an opponent who has
/// not moved yet in a rated game, which is called off instead.
#[utoipa::path(
    post, path = "/tables/{id}/claim", operation_id = "claim_game", tag = "play", params(schema::TableIdPath, CommandQuery), request_body = ClaimRequest,
    responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn claim(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(answer): Params<CommandQuery>,
    caller: Caller,
    Body(ClaimRequest { claim }): Body<ClaimRequest>,
) -> Result<Json<CommandResponse>, Error> {
    let claim = match claim {
        ClaimKind::Win => table::Claim::Win,
        ClaimKind::Draw => table::Claim::Draw,
        ClaimKind::StandIn => table::Claim::StandIn,
    };
    act(&state, id, &caller, Command::Claim(claim), &answer).await
}
