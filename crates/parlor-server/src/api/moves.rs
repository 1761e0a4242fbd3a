//! What is done at a table: one thin handler for each verb.

use axum::Json;
use axum::extract::State;
use parlor_core::Seat;
use parlor_games::TurnView;
use parlor_table::{
    ClockView, Command, Ending, MoveId, Refused, Status, TableId, TableView, Timestamp,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::schema;
use crate::AppState;
use crate::auth::{Caller, Token, Who};
use crate::error::Error;
use crate::extract::{Body, Id, Params};
use crate::live::Done;
use crate::tables::{self, Clicks, Legal};

/// How the table stands after a command.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Standing {
    /// Number of the table's last event now.
    version: u64,
    /// `open`, `playing`, `over` or `aborted`.
    #[schema(value_type = schema::Status)]
    status: Status,
    /// What happens next under the rules.
    #[schema(value_type = schema::Turn)]
    turn: TurnView,
    /// How the game ended.
    #[schema(value_type = Option<schema::Ending>, required)]
    ending: Option<Ending>,
    /// The clocks, at tables that have them.
    #[schema(value_type = Option<schema::Clock>, required)]
    clock: Option<ClockView>,
    /// The house's time of this answer, in milliseconds since 1970.
    #[schema(value_type = i64)]
    now: Timestamp,
    /// The table of the rematch, once all have agreed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    next: Option<TableId>,
    /// Your token, if you joined without one: whoever shows it is you. It is shown only once.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    /// The whole table, if it was asked for by `?view=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<schema::Table>)]
    table: Option<Box<TableView>>,
}

impl From<Done> for Standing {
    fn from(done: Done) -> Standing {
        let Done {
            version,
            status,
            turn,
            ending,
            next,
            clock,
            now,
            view,
        } = done;
        Standing {
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

/// How much to answer.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Answer {
    /// Whether the answer holds the whole table.
    #[serde(default)]
    view: bool,
}

/// Who wants to join.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Join {
    /// Which seat; the first open one when not said.
    seat: Option<u8>,
    /// The name to be shown; "Guest" when not said. Members are called by their own names.
    name: Option<String>,
    /// What the link of a private table carries.
    invite: Option<String>,
    /// A text of your own for the table's luck, in games with luck.
    luck_text: Option<String>,
}

/// Takes a seat.
///
/// The answer carries a token when you showed none. Who has a seat already and names none keeps it, so that the request
/// can be repeated.
#[utoipa::path(
    post, path = "/tables/{id}/join", tag = "play", params(("id" = String, Path), Answer), request_body = Join,
    responses((status = OK, body = Standing))
)]
pub(crate) async fn join(
    State(state): State<AppState>,
    Id(id): Id,
    Params(answer): Params<Answer>,
    caller: Option<Caller>,
    Body(join): Body<Join>,
) -> Result<Json<Standing>, Error> {
    let fresh = Token::fresh();
    let seat = join
        .seat
        .map(Seat::new)
        .transpose()
        .map_err(|error| Error::unprocessable(error.to_string()))?;
    let invite = join
        .invite
        .as_deref()
        .and_then(Token::parse)
        .map(|token| token.key());
    let who = caller
        .as_ref()
        .map_or_else(|| Who::guest(fresh.key()), |caller| caller.who().clone());
    let name = who.name(join.name.as_deref().unwrap_or(tables::GUEST_NAME));
    let command = Command::Join {
        seat,
        name,
        invite,
        luck_text: join.luck_text,
    };
    let done = state.act_and_view(id, who, command, answer.view).await?;
    let token = caller.is_none().then(|| fresh.as_str().to_owned());
    Ok(Json(Standing {
        token,
        ..done.into()
    }))
}

/// Gives up your seats before the game starts.
#[utoipa::path(
    post, path = "/tables/{id}/leave", tag = "play", params(("id" = String, Path), Answer),
    responses((status = OK, body = Standing))
)]
pub(crate) async fn leave(
    State(state): State<AppState>,
    Id(id): Id,
    Params(answer): Params<Answer>,
    caller: Caller,
) -> Result<Json<Standing>, Error> {
    act(&state, id, &caller, Command::Leave, &answer).await
}

/// A move.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Move {
    /// The move's text in the game's notation.
    #[serde(rename = "move")]
    #[schema(example = "1,1")]
    text: String,
    /// A name of your own for this move, 1 to 64 characters: the request can be repeated without playing twice.
    id: Option<String>,
    /// The version of the table that you decided on; if it has moved on, the move is refused, unless all that is new is that somebody is ready, was given time, or declined an offer.
    version: Option<u64>,
}

impl Move {
    /// What the table is asked.
    pub(crate) fn command(self) -> Result<Command, Refused> {
        let id = self.id.as_deref().map(MoveId::new).transpose()?;
        Ok(Command::Move {
            text: self.text,
            id,
            version: self.version,
        })
    }
}

/// Plays a move.
///
/// The move is durable when the answer comes. A repeated move id answers with the table as it is, and changes nothing.
/// The clock is charged when the move is accepted. A move after one's time is over is refused as `time-exceeded`; the game is
/// lost then, and stored as lost before the answer comes.
#[utoipa::path(
    post, path = "/tables/{id}/moves", tag = "play", params(("id" = String, Path), Answer), request_body = Move,
    responses((status = OK, body = Standing))
)]
pub(crate) async fn play(
    State(state): State<AppState>,
    Id(id): Id,
    Params(answer): Params<Answer>,
    caller: Caller,
    Body(body): Body<Move>,
) -> Result<Json<Standing>, Error> {
    act(&state, id, &caller, body.command()?, &answer).await
}

/// What luck did.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chance {
    /// What came up, as the game writes it.
    #[schema(example = "31")]
    chance: String,
    /// The version of the table that you saw; if it has moved on, the chance is refused in the same way.
    version: Option<u64>,
}

/// Types in what luck did, at a table where the players bring their own.
#[utoipa::path(
    post, path = "/tables/{id}/chance", tag = "play", params(("id" = String, Path), Answer), request_body = Chance,
    responses((status = OK, body = Standing))
)]
pub(crate) async fn chance(
    State(state): State<AppState>,
    Id(id): Id,
    Params(answer): Params<Answer>,
    caller: Caller,
    Body(Chance { chance, version }): Body<Chance>,
) -> Result<Json<Standing>, Error> {
    act(
        &state,
        id,
        &caller,
        Command::Luck { chance, version },
        &answer,
    )
    .await
}

/// A move that was begun.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Begun {
    /// What was done so far: the text of the click that was made last.
    #[serde(default)]
    draft: String,
}

/// How the move of the seat on turn can be made by clicks, in games whose moves are made in parts step by step.
///
/// Each click leads on: its `move` is the next `draft`, as long as it is `partial`. Once the move is whole, `whole` is what to
/// play. Nothing of this changes the table.
#[utoipa::path(
    get, path = "/tables/{id}/clicks", tag = "play", params(("id" = String, Path), Begun),
    responses((status = OK, body = Clicks))
)]
pub(crate) async fn clicks(
    State(state): State<AppState>,
    Id(id): Id,
    Params(Begun { draft }): Params<Begun>,
) -> Result<Json<Clicks>, Error> {
    Ok(Json(state.clicks(id, draft).await?))
}

/// What can be played now: the texts of all legal moves, and the clicks on the picture that make each.
#[utoipa::path(
    get, path = "/tables/{id}/legal", tag = "play", params(("id" = String, Path)),
    responses((status = OK, body = Legal))
)]
pub(crate) async fn legal(State(state): State<AppState>, Id(id): Id) -> Result<Json<Legal>, Error> {
    Ok(Json(state.legal(id).await?))
}

/// Gives up the game.
#[utoipa::path(
    post, path = "/tables/{id}/resign", tag = "play", params(("id" = String, Path), Answer),
    responses((status = OK, body = Standing))
)]
pub(crate) async fn resign(
    State(state): State<AppState>,
    Id(id): Id,
    Params(answer): Params<Answer>,
    caller: Caller,
) -> Result<Json<Standing>, Error> {
    act(&state, id, &caller, Command::Resign, &answer).await
}

/// Calls the game off, as long as not every seat has moved.
#[utoipa::path(
    post, path = "/tables/{id}/abort", tag = "play", params(("id" = String, Path), Answer),
    responses((status = OK, body = Standing))
)]
pub(crate) async fn abort(
    State(state): State<AppState>,
    Id(id): Id,
    Params(answer): Params<Answer>,
    caller: Caller,
) -> Result<Json<Standing>, Error> {
    act(&state, id, &caller, Command::Abort, &answer).await
}

/// Asks for another game, or agrees to it. When all persons have, `next` names its table.
#[utoipa::path(
    post, path = "/tables/{id}/rematch", tag = "play", params(("id" = String, Path), Answer),
    responses((status = OK, body = Standing))
)]
pub(crate) async fn rematch(
    State(state): State<AppState>,
    Id(id): Id,
    Params(answer): Params<Answer>,
    caller: Caller,
) -> Result<Json<Standing>, Error> {
    act(
        &state,
        id,
        &caller,
        Command::Rematch {
            next: tables::fresh_id(),
        },
        &answer,
    )
    .await
}

/// A text for luck.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LuckText {
    /// The text, at most 100 characters.
    text: String,
}

/// Mixes a text of your own into the table's luck, before the first draw.
#[utoipa::path(
    post, path = "/tables/{id}/luck", tag = "play", params(("id" = String, Path), Answer), request_body = LuckText,
    responses((status = OK, body = Standing))
)]
pub(crate) async fn luck(
    State(state): State<AppState>,
    Id(id): Id,
    Params(answer): Params<Answer>,
    caller: Caller,
    Body(LuckText { text }): Body<LuckText>,
) -> Result<Json<Standing>, Error> {
    act(&state, id, &caller, Command::LuckText { text }, &answer).await
}

/// Does what is asked and says how the table stands.
pub(super) async fn act(
    state: &AppState,
    id: TableId,
    caller: &Caller,
    command: Command,
    answer: &Answer,
) -> Result<Json<Standing>, Error> {
    let done = state
        .act_and_view(id, caller.who().clone(), command, answer.view)
        .await?;
    Ok(Json(done.into()))
}
