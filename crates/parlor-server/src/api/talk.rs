//! Endpoints for talk at a table.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::schema;
use crate::AppState;
use crate::auth::Caller;
use crate::edge::Client;
use crate::error::Error;
use crate::extract::{Body, Params, PresentTablePath, TablePath};
use crate::talk::{
    Phrase, PlanResponse, ReportRequest, Room, SayRequest, TalkLine, TalkView, phrases,
};

/// Query parameters of the list of messages.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TalkQuery {
    /// Only messages after this one, the oldest first, at most 200; by default the last 200.
    #[param(maximum = 9_007_199_254_740_991i64)]
    after: Option<i64>,
    /// Only messages of this room; by default of all that you may read.
    #[param(inline)]
    room: Option<Room>,
}

/// Your rights in a room.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RoomInfo {
    room: Room,
    /// True if you may read its messages.
    read: bool,
    /// Kind of message that you may write: `text`, `phrases` or `nothing`.
    #[schema(pattern = "^(text|phrases|nothing)$")]
    write: &'static str,
}

/// Talk of a table, as you may see it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TalkResponse {
    /// Messages, oldest first, without those of members that you have muted or blocked.
    messages: Vec<TalkLine>,
    rooms: Vec<RoomInfo>,
    /// Phrases that can be written at this table.
    phrases: Vec<Phrase>,
    /// Your id as an author at this table; `null` without a token.
    you: Option<String>,
    /// Time until which you may not write, in milliseconds since the Unix epoch.
    silenced_until: Option<i64>,
}

impl From<TalkView> for TalkResponse {
    fn from(talk: TalkView) -> TalkResponse {
        let room = |room| RoomInfo {
            room,
            read: talk.rights.may_read(room),
            write: talk.rights.writing(room).name(),
        };
        TalkResponse {
            rooms: Room::ALL.map(room).into(),
            phrases: phrases(talk.rights.kind).collect(),
            messages: talk.lines,
            you: talk.you,
            silenced_until: talk.silenced_until,
        }
    }
}

/// Returns what people have written at a table.
///
/// The players' room is for those who have a seat, or left one and can take it back. The watchers' room
/// is for everybody else, and after the game for the players, too. New messages come through the table's
/// socket and event stream, if asked for.
#[utoipa::path(
    get, path = "/tables/{id}/talk", operation_id = "list_messages", tag = "talk",
    params(schema::TableIdPath, TalkQuery),
    responses((status = OK, description = "Messages, and what you may write", body = TalkResponse))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(query): Params<TalkQuery>,
    caller: Option<Caller>,
) -> Result<Json<TalkResponse>, Error> {
    let who = caller.as_ref().map(Caller::who);
    let talk = state.talk(id, who, query.room, query.after).await?;
    Ok(Json(talk.into()))
}

/// Writes a message at a table.
///
/// Ready-made phrases can be written by everybody who is in the room; texts by members, and at private
/// tables by everybody. A text has at most 200 characters on one line. A plan that does not fit is refused
/// with the number of the `step` that is wrong.
#[utoipa::path(
    post, path = "/tables/{id}/talk", operation_id = "write_message", tag = "talk",
    params(schema::TableIdPath), request_body = SayRequest,
    responses((status = CREATED, description = "The message", body = TalkLine))
)]
pub(crate) async fn write(
    State(state): State<AppState>,
    client: Client,
    TablePath(id): TablePath,
    caller: Caller,
    Body(said): Body<SayRequest>,
) -> Result<(StatusCode, Json<TalkLine>), Error> {
    let line = state.say(id, caller.who(), client, said).await?;
    Ok((StatusCode::CREATED, Json(line)))
}

/// Query parameters of a plan.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PlanQuery {
    /// Moves of the seat on turn, separated by spaces.
    #[serde(default)]
    #[param(example = "drive:Cairo treat:black")]
    moves: String,
    /// Number of moves and draws of the game before the plan, as in its message; by default it is made
    /// now.
    #[param(maximum = 9_007_199_254_740_991i64)]
    since: Option<usize>,
}

/// Tells how a plan for the rest of the turn can go on, in games of a team.
///
/// Each move has to be legal after those before it; the first that is not is the `step` of the problem.
/// Seats that are asked on the way are taken to agree. With `since`, the moves that have been played are
/// left out. 409 means that the game has gone another way. Nothing is played, and nobody is told: write
/// the moves as the `plan` of a message to propose them.
#[utoipa::path(
    get, path = "/tables/{id}/plan", operation_id = "plan_turn", tag = "talk",
    params(schema::TableIdPath, PlanQuery),
    responses((status = OK, description = "What is left of the plan, and what can follow", body = PlanResponse))
)]
pub(crate) async fn plan(
    State(state): State<AppState>,
    PresentTablePath(id): PresentTablePath,
    Params(PlanQuery { moves, since }): Params<PlanQuery>,
) -> Result<Json<PlanResponse>, Error> {
    let moves = moves.split_whitespace().map(str::to_owned).collect();
    Ok(Json(state.plan(id, since, moves).await?))
}

/// A message of a table in the path.
#[derive(Debug, Deserialize)]
pub(crate) struct MessagePath {
    n: i64,
}

/// Reports a message to the admins of the house.
///
/// The report keeps a copy of the message and of the ten before it. Each person can report a message
/// once; reporting it again changes nothing. Ready-made phrases cannot be reported.
#[utoipa::path(
    post, path = "/tables/{id}/talk/{n}/report", operation_id = "report_message", tag = "talk",
    params(schema::TableIdPath, ("n" = i64, Path, description = "Number of the message", maximum = 9_007_199_254_740_991i64)),
    request_body = ReportRequest,
    responses((status = NO_CONTENT, description = "The message is reported"))
)]
pub(crate) async fn report(
    State(state): State<AppState>,
    client: Client,
    TablePath(id): TablePath,
    path: Result<Path<MessagePath>, PathRejection>,
    caller: Caller,
    Body(report): Body<ReportRequest>,
) -> Result<StatusCode, Error> {
    let missing = |_| Error::not_found("there is no such message");
    let Path(MessagePath { n }) = path.map_err(missing)?;
    state
        .report_talk(id, caller.who(), client, n, report)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
