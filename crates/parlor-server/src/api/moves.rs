//! Endpoints for joining a table and playing: one thin handler for each command.

use axum::Json;
use axum::extract::State;
use parlor_core::Seat;
use parlor_table::{
    ClockView, Command, Ending, Lag, MoveId, Refusal, TableId, TableStatus, TableTurn, TableView,
    Timestamp,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::schema;
use crate::AppState;
use crate::auth::{Caller, OpaqueToken, Requester};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::{Body, Params, PresentTablePath, TablePath, UnseenTablePath};
use crate::live::CommandResult;
use crate::tables::{self, Clicks, LegalMoves};

/// State of the table after a command.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CommandResponse {
    /// Version: the number of the table's last event.
    version: u64,
    /// `open`, `playing`, `over` or `aborted`.
    #[schema(value_type = schema::StatusSchema)]
    status: TableStatus,
    #[schema(value_type = schema::TurnSchema)]
    turn: TableTurn,
    /// Ending, once the game is over.
    #[schema(value_type = Option<schema::EndingSchema>, required)]
    ending: Option<Ending>,
    /// Clocks; `null` at tables without time control.
    #[schema(value_type = Option<schema::ClockSchema>, required)]
    clock: Option<ClockView>,
    /// Server time of this response, in milliseconds since the Unix epoch.
    #[schema(value_type = i64)]
    now: Timestamp,
    /// Table of the rematch, once all players agreed to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    next: Option<TableId>,
    /// Your new token, if the request had none: it is the key to your seat. It is shown only once.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    /// Complete state of the table, if requested with `?view=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<schema::TableSchema>)]
    table: Option<Box<TableView>>,
}

impl From<CommandResult> for CommandResponse {
    fn from(done: CommandResult) -> CommandResponse {
        let CommandResult {
            version,
            status,
            turn,
            ending,
            next,
            clock,
            now,
            view,
        } = done;
        CommandResponse {
            version,
            status,
            turn,
            ending,
            clock,
            now,
            next,
            token: None,
            table: view,
        }
    }
}

/// Query parameters of commands.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct CommandQuery {
    /// True to include the complete state of the table in the response.
    #[serde(default)]
    view: bool,
}

/// Request to join a table.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JoinRequest {
    /// Number of the seat; defaults to the first open one.
    #[schema(maximum = 15)]
    seat: Option<u8>,
    /// Display name; defaults to "Guest". Members keep their account names.
    #[schema(
        min_length = 1,
        max_length = 40,
        pattern = "^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$"
    )]
    name: Option<String>,
    /// Invite token from the link to a private table.
    invite: Option<String>,
    /// Text to mix into the table's luck, in games with luck.
    #[schema(max_length = 100)]
    luck_text: Option<String>,
}

/// Takes a seat.
///
/// The response contains a token if the request had none. If you already hold a seat and name none,
/// you keep it, so the request can be repeated safely.
#[utoipa::path(
    post, path = "/tables/{id}/join", operation_id = "join_table", tag = "play", params(schema::TableIdPath, CommandQuery), request_body = JoinRequest,
    responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn join(
    State(state): State<AppState>,
    UnseenTablePath(id): UnseenTablePath,
    Params(answer): Params<CommandQuery>,
    client: Client,
    caller: Option<Caller>,
    Body(join): Body<JoinRequest>,
) -> Result<Json<CommandResponse>, Error> {
    let fresh = OpaqueToken::generate();
    let seat = join
        .seat
        .map(Seat::new)
        .transpose()
        .map_err(|error| Error::unprocessable(error.to_string()))?;
    let invite = join
        .invite
        .as_deref()
        .and_then(OpaqueToken::parse)
        .map(|token| token.key());
    let who = caller.as_ref().map_or_else(
        || Requester::from_guest(fresh.key()).at_client(client),
        |caller| caller.who().clone(),
    );
    let name = who.name(join.name.as_deref().unwrap_or(tables::GUEST_NAME))?;
    let command = Command::Join {
        seat,
        name,
        owner: who.owner().map(str::to_owned),
        invite,
        luck_text: join.luck_text,
    };
    let done = state.act_and_view(id, who, command, answer.view).await?;
    let token = caller.is_none().then(|| fresh.as_str().to_owned());
    Ok(Json(CommandResponse {
        token,
        ..done.into()
    }))
}

/// Leaves the table before the game starts.
#[utoipa::path(
    post, path = "/tables/{id}/leave", operation_id = "leave_table", tag = "play", params(schema::TableIdPath, CommandQuery),
    responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn leave(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(answer): Params<CommandQuery>,
    caller: Caller,
) -> Result<Json<CommandResponse>, Error> {
    act(&state, id, &caller, Command::Leave, &answer).await
}

/// Request to play a move.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveRequest {
    /// Text of the move in the game's notation.
    #[serde(rename = "move")]
    #[schema(example = "1,1")]
    text: String,
    /// Client-chosen id of this move, 1 to 64 characters, so that the request can be repeated
    /// without playing twice.
    #[schema(pattern = "^[A-Za-z0-9_-]{1,64}$")]
    id: Option<String>,
    /// Version of the table that the move was decided on. If the table has moved on, the move is
    /// refused, unless the new events only mark a player as ready, give time or decline an offer.
    version: Option<u64>,
    /// Round trip that you measured lately, in milliseconds: of a request to this server and its answer.
    /// Clocks take it off the time of your turn, as far as your quota goes (`clock.lag` of the table).
    #[schema(maximum = 60_000)]
    lag_ms: Option<u64>,
}

impl MoveRequest {
    /// Returns the command for the table.
    pub(crate) fn command(self) -> Result<Command, Refusal> {
        let id = self.id.as_deref().map(MoveId::new).transpose()?;
        Ok(Command::Move {
            text: self.text,
            id,
            version: self.version,
            lag: Lag::from_millis(self.lag_ms.unwrap_or(0))?,
        })
    }
}

/// Plays a move.
///
/// The move is durable when the response arrives. A repeated move id returns the current state and
/// changes nothing. The clock is charged when the move is accepted, less what it allows for the delay of
/// the network. A move after the flag fell is
/// refused as `time-exceeded`; the loss is stored before the response is sent.
#[utoipa::path(
    post, path = "/tables/{id}/moves", operation_id = "play_move", tag = "play", params(schema::TableIdPath, CommandQuery), request_body = MoveRequest,
    responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn play(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(answer): Params<CommandQuery>,
    caller: Caller,
    Body(body): Body<MoveRequest>,
) -> Result<Json<CommandResponse>, Error> {
    act(&state, id, &caller, body.command()?, &answer).await
}

/// Request to enter the result of a roll or draw.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChanceRequest {
    /// Result in the game's notation.
    #[schema(example = "31")]
    chance: String,
    /// Version of the table that you saw. If the table has moved on, the request is refused as for
    /// moves.
    version: Option<u64>,
}

/// Enters the result of a roll or draw, at tables where the players roll real dice.
#[utoipa::path(
    post, path = "/tables/{id}/chance", operation_id = "enter_chance", tag = "play", params(schema::TableIdPath, CommandQuery), request_body = ChanceRequest,
    responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn chance(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(answer): Params<CommandQuery>,
    caller: Caller,
    Body(ChanceRequest { chance, version }): Body<ChanceRequest>,
) -> Result<Json<CommandResponse>, Error> {
    act(
        &state,
        id,
        &caller,
        Command::Luck { chance, version },
        &answer,
    )
    .await
}

/// Query parameters of click paths.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ClicksQuery {
    /// Partial move so far: the `move` of the last click.
    #[serde(default)]
    draft: String,
}

/// Lists the clicks that continue the move of the seat on turn, in games whose moves are made step
/// by step.
///
/// Pass a click's `move` as the next `draft` while it is `partial`. Once the move is complete,
/// `whole` is the move to play. This does not change the table.
#[utoipa::path(
    get, path = "/tables/{id}/clicks", operation_id = "list_clicks", tag = "play", params(schema::TableIdPath, ClicksQuery),
    responses((status = OK, description = "Possible next clicks", body = Clicks))
)]
pub(crate) async fn clicks(
    State(state): State<AppState>,
    PresentTablePath(id): PresentTablePath,
    Params(ClicksQuery { draft }): Params<ClicksQuery>,
) -> Result<Json<Clicks>, Error> {
    Ok(Json(state.clicks(id, draft).await?))
}

/// Lists the legal moves and the clicks on the picture that enter them.
#[utoipa::path(
    get, path = "/tables/{id}/legal", operation_id = "list_legal_moves", tag = "play", params(schema::TableIdPath),
    responses((status = OK, description = "All legal moves", body = LegalMoves))
)]
pub(crate) async fn legal(
    State(state): State<AppState>,
    PresentTablePath(id): PresentTablePath,
) -> Result<Json<LegalMoves>, Error> {
    Ok(Json(state.legal(id).await?))
}

/// Resigns the game.
///
/// A rated game is called off instead, until both players have moved.
/// In a team, and in a game of three or more, a bot takes over your seats while another person is left:
/// `stands_in_for` of the seat has your name. In a team you can come back with `POST …/return`.
#[utoipa::path(
    post, path = "/tables/{id}/resign", operation_id = "resign_game", tag = "play", params(schema::TableIdPath, CommandQuery),
    responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn resign(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(answer): Params<CommandQuery>,
    caller: Caller,
) -> Result<Json<CommandResponse>, Error> {
    act(&state, id, &caller, Command::Resign, &answer).await
}

/// Takes the seats back that you left, in a team, as long as the game goes on.
///
/// The bots there play no longer. At a table with clocks you get at most the time that you had left:
/// 409 `no-time-to-return` if it was none. In a correspondence game, that concerns only the move that was
/// under way.
#[utoipa::path(
    post, path = "/tables/{id}/return", operation_id = "return_to_seat", tag = "play", params(schema::TableIdPath, CommandQuery),
    responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn return_to_seat(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(answer): Params<CommandQuery>,
    caller: Caller,
) -> Result<Json<CommandResponse>, Error> {
    act(&state, id, &caller, Command::Return, &answer).await
}

/// Choice of the bot that plays for somebody who left.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StandInRequest {
    /// Number of the seat.
    seat: u8,
    /// Spec of the bot.
    #[schema(example = "level:4")]
    spec: String,
}

/// Chooses the bot that plays for somebody who left your team.
///
/// Every person in the team can choose, and choose again, as long as the bot stands in
/// (`stands_in_for` of the seat). At first the bot is `level:3`.
#[utoipa::path(
    put, path = "/tables/{id}/stand-in", operation_id = "choose_stand_in", tag = "play", params(schema::TableIdPath, CommandQuery), request_body = StandInRequest,
    responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn choose_stand_in(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(answer): Params<CommandQuery>,
    caller: Caller,
    Body(StandInRequest { seat, spec }): Body<StandInRequest>,
) -> Result<Json<CommandResponse>, Error> {
    let seat = Seat::new(seat).map_err(|error| Error::unprocessable(error.to_string()))?;
    act(
        &state,
        id,
        &caller,
        Command::ChooseStandIn { seat, spec },
        &answer,
    )
    .await
}

/// Calls the game off. Possible until every seat has moved.
#[utoipa::path(
    post, path = "/tables/{id}/abort", operation_id = "abort_game", tag = "play", params(schema::TableIdPath, CommandQuery),
    responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn abort(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(answer): Params<CommandQuery>,
    caller: Caller,
) -> Result<Json<CommandResponse>, Error> {
    act(&state, id, &caller, Command::Abort, &answer).await
}

/// Request to contribute a text to the table's luck.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LuckTextRequest {
    /// The text, at most 100 characters.
    #[schema(max_length = 100)]
    text: String,
}

/// Mixes a text of yours into the table's luck, before the first draw.
#[utoipa::path(
    post, path = "/tables/{id}/luck", operation_id = "add_luck_text", tag = "play", params(schema::TableIdPath, CommandQuery), request_body = LuckTextRequest,
    responses((status = OK, description = "State of the table after the command", body = CommandResponse))
)]
pub(crate) async fn luck(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(answer): Params<CommandQuery>,
    caller: Caller,
    Body(LuckTextRequest { text }): Body<LuckTextRequest>,
) -> Result<Json<CommandResponse>, Error> {
    act(&state, id, &caller, Command::LuckText { text }, &answer).await
}

/// Applies a command and returns the state of the table after it.
pub(super) async fn act(
    state: &AppState,
    id: TableId,
    caller: &Caller,
    command: Command,
    answer: &CommandQuery,
) -> Result<Json<CommandResponse>, Error> {
    let done = state
        .act_and_view(id, caller.who().clone(), command, answer.view)
        .await?;
    Ok(Json(done.into()))
}
