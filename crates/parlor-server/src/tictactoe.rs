//! The record API of classic tic-tac-toe, at `/tictactoe/api/`.
//!
//! A game here is a table like any other, whose two seats are held by the house itself, so that whoever asks may move.
//! Tables of the classic game that persons or bots play are shown as well, but cannot be moved or deleted from here.

mod wire;

use axum::Json;
use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{any, get, post};
use parlor_games::mnk::record::{self, Game, Square};
use parlor_table::{Command, Key, NewTable, Player, Refused, Table, TableId};
use serde::Deserialize;
use serde_json::{Value, json};

use self::wire::{Wrong, body, wrong_method};
use crate::AppState;
use crate::auth::Who;
use crate::edge::Client;
use crate::extract::Params;
use crate::live::LiveError;
use crate::tables;

/// Games on a page, when pages are asked for.
const PAGE_SIZE: u64 = 50;
/// The most games of a list.
const MOST: u64 = 1000;

/// The routes.
pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route(
            "/tictactoe/api/games/",
            get(list).post(create).fallback(wrong_method),
        )
        .route(
            "/tictactoe/api/games/{id}/",
            get(show).delete(remove).fallback(wrong_method),
        )
        .route(
            "/tictactoe/api/games/{id}/move/",
            post(play).fallback(wrong_method),
        )
        .route("/tictactoe/api/games", any(with_slash))
        .route("/tictactoe/api/games/{id}", any(with_slash))
        .route("/tictactoe/api/games/{id}/move", any(with_slash))
        .route("/tictactoe/api/{*rest}", any(async || Wrong::NotFound))
}

/// Who holds the seats of games made here. The text is no token that anybody could show.
fn house() -> Key {
    Key::of("the house plays for whoever asks")
}

async fn with_slash(uri: Uri) -> Redirect {
    let query = uri
        .query()
        .map(|query| format!("?{query}"))
        .unwrap_or_default();
    Redirect::permanent(&format!("{}/{query}", uri.path()))
}

async fn create(
    State(state): State<AppState>,
    client: Client,
    request: Request,
) -> Result<Response, Wrong> {
    body(request, &state).await?;
    state.quotas().count(client, None)?;
    let seat = |name| Player::human(name, house());
    let players = vec![
        seat("X").map_err(LiveError::from)?,
        seat("O").map_err(LiveError::from)?,
    ];
    let new = NewTable::new(tables::fresh_id(), record::KIND, record::options(), players);
    let id = state.found(new, None).await?.id;
    let game = look(&state, id).await?;
    Ok((StatusCode::CREATED, Json(game)).into_response())
}

#[derive(Debug, Deserialize)]
struct Page {
    page: Option<String>,
}

async fn list(
    State(state): State<AppState>,
    Params(Page { page }): Params<Page>,
    uri: Uri,
) -> Result<Json<Value>, Wrong> {
    let Some(page) = page else {
        return Ok(Json(json!(state.classic_games(0, MOST).await?)));
    };
    let count = state.count_classic_games().await?;
    let last = count.div_ceil(PAGE_SIZE).max(1);
    let number = page
        .parse()
        .ok()
        .filter(|number| (1..=last).contains(number))
        .ok_or(Wrong::Page)?;
    let results = state
        .classic_games((number - 1) * PAGE_SIZE, PAGE_SIZE)
        .await?;
    let link = |number: u64| format!("{}?page={number}", uri.path());
    Ok(Json(json!({
        "count": count,
        "next": (number < last).then(|| link(number + 1)),
        "previous": (number > 1).then(|| link(number - 1)),
        "results": results,
    })))
}

async fn show(State(state): State<AppState>, Path(id): Path<String>) -> Result<Json<Value>, Wrong> {
    let game = look(&state, table_id(&id)?).await?;
    Ok(Json(with(&game, "board_display", game.board_display())))
}

async fn remove(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<StatusCode, Wrong> {
    let id = table_id(&id)?;
    look(&state, id).await?;
    if !state.live().read(id, is_ours).await? {
        return Err(Wrong::Forbidden);
    }
    state.live().delete(id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn play(
    State(state): State<AppState>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Value>, Wrong> {
    let id = table_id(&id)?;
    let asked = body(request, &state).await?;
    let (game, version, ours) = state
        .live()
        .read(id, |table| (game(table), table.version(), is_ours(table)))
        .await?;
    let game = game.ok_or(Wrong::NotFound)?;
    if !ours {
        return Err(Wrong::Forbidden);
    }
    let square = check(&game, &asked)?;
    // The version makes one of two moves at once the only one.
    let command = Command::Move {
        text: square.cell().to_string(),
        id: None,
        version: Some(version),
    };
    match state
        .live()
        .act(id, Who::guest(house()), command, false)
        .await
    {
        Ok(_) => {}
        Err(LiveError::Conflict { .. } | LiveError::Refused(Refused::Stale { .. })) => {
            return Err(Wrong::Move(Refused::NotYourTurn.to_string()));
        }
        Err(LiveError::Refused(reason)) => return Err(Wrong::Move(reason.to_string())),
        Err(error) => return Err(error.into()),
    }
    let game = look(&state, id).await?;
    Ok(Json(with(&game, "message", record::MOVED.message)))
}

/// The square that is asked for, if the game is on and it is the named player's turn.
fn check(game: &Game, asked: &Value) -> Result<Square, Wrong> {
    if game.status() != record::Status::InProgress {
        return Err(Wrong::Move(Refused::Over.to_string()));
    }
    let player = asked.get("player").filter(|player| !player.is_null());
    if player.is_some_and(|player| player.as_str() != Some(&game.current_player().to_string())) {
        return Err(Wrong::Move(Refused::NotYourTurn.to_string()));
    }
    // What is no whole number is as far off the board as any other.
    let position = asked.get("position").and_then(Value::as_i64).unwrap_or(-1);
    Square::try_from(position).map_err(|reason| Wrong::Move(reason.to_string()))
}

fn table_id(text: &str) -> Result<TableId, Wrong> {
    text.parse()
        .ok()
        .and_then(|number| TableId::new(number).ok())
        .ok_or(Wrong::NotFound)
}

fn is_ours(table: &Table) -> bool {
    table
        .players()
        .iter()
        .all(|player| player.has_key(&house()))
}

async fn look(state: &AppState, id: TableId) -> Result<Game, Wrong> {
    state.live().read(id, game).await?.ok_or(Wrong::NotFound)
}

fn game(table: &Table) -> Option<Game> {
    let id = i64::try_from(table.id().number())
        .ok()
        .filter(|_| table.listed())?;
    record::of(
        table.position(),
        id,
        table.created_at().millis(),
        table.updated_at().millis(),
    )
}

fn with(game: &Game, field: &str, text: impl Into<Value>) -> Value {
    let mut json = json!(game);
    json[field] = text.into();
    json
}
