//! The record API of classic tic-tac-toe, at `/tictactoe/api/`.
//!
//! A game created here is a table whose two seats share a key of the server, so that anyone may
//! move. Classic games between players or bots are shown as well, once they begin, but cannot be moved
//! or deleted here.

mod schema;
mod wire;

use axum::Json;
use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::header::{ETAG, HeaderName, IF_MATCH, LINK};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::routing::{any, get, post};
use parlor_games::classic::{self as record, Game, Square};
use parlor_table::{Command, Lag, NewTable, Player, Refusal, SeatKey, Table, TableId, TableStatus};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::OpenApi;

use self::wire::{ClassicError, body, wrong_method};
use crate::AppState;
use crate::api::{etag, matches};
use crate::auth::Requester;
use crate::edge::{Client, TableCreator};
use crate::extract::Params;
use crate::live::LiveError;
use crate::thinking::Payer;

/// Games per page, when pages are requested.
const PAGE_SIZE: u64 = 50;
/// Maximum number of games in a list without pages.
const MAX_GAMES: u64 = 1000;

/// OpenAPI description of the record API.
#[derive(OpenApi)]
#[openapi(
    paths(list, create, show, remove, play),
    components(schemas(schema::ClassicDetail)),
    tags((name = "classic tic-tac-toe", description = "The record API of classic tic-tac-toe, in which anyone may move"))
)]
pub(crate) struct ClassicDescription;

/// Returns the routes of the record API.
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
        .route(
            "/tictactoe/api/{*rest}",
            any(async || ClassicError::NotFound),
        )
}

/// Returns the key that owns the seats of games created here. It is not the hash of any token.
fn shared_key() -> SeatKey {
    SeatKey::from_token("the house plays for whoever asks")
}

async fn with_slash(uri: Uri) -> Redirect {
    let query = uri
        .query()
        .map(|query| format!("?{query}"))
        .unwrap_or_default();
    Redirect::permanent(&format!("{}/{query}", uri.path()))
}

/// Creates a classic game, in which anyone may move.
#[utoipa::path(
    post, path = "/tictactoe/api/games/", operation_id = "create_classic_game",
    tag = "classic tic-tac-toe", security(()),
    request_body(
        content = Option<Value>,
        description = "Any JSON, which is ignored; the body may be left out"
    ),
    responses(
        (status = CREATED, description = "The new game", body = schema::ClassicGame, headers(
            ("ETag" = String, description = "Version of the game, for `If-Match`")
        )),
        schema::ErrorResponse
    )
)]
async fn create(
    State(state): State<AppState>,
    client: Client,
    request: Request,
) -> Result<Response, ClassicError> {
    body(request, &state).await?;
    let seat = |name| Player::human(name, shared_key());
    let players = vec![
        seat("X").map_err(LiveError::from)?,
        seat("O").map_err(LiveError::from)?,
    ];
    let new = NewTable::new(
        state.sources().table_id(),
        record::KIND,
        record::options(),
        players,
    );
    let creator = TableCreator::new(client, None);
    let made = state
        .store_table(new, None, Payer::Unknown, None, Some(creator))
        .await?;
    let id = made.id;
    let (game, version) = load_game(&state, id).await?;
    Ok((StatusCode::CREATED, tagged(version, json!(game))).into_response())
}

#[derive(Debug, Deserialize)]
struct PageQuery {
    page: Option<String>,
}

/// Lists classic games, newest first.
#[utoipa::path(
    get, path = "/tictactoe/api/games/", operation_id = "list_classic_games",
    tag = "classic tic-tac-toe", security(()),
    params((
        "page" = Option<u64>, Query, minimum = 1,
        description = "Number of a page of 50 games, from 1; without it, all games are listed, up to 1,000"
    )),
    responses(
        (status = OK, description = "The games, or a page of them", body = schema::ClassicList, headers(
            ("Link" = String, description = "Page that goes on where a list without pages is cut; absent if it is whole")
        )),
        schema::ErrorResponse
    )
)]
async fn list(
    State(state): State<AppState>,
    Params(PageQuery { page }): Params<PageQuery>,
    uri: Uri,
) -> Result<Response, ClassicError> {
    let link = |number: u64| format!("{}?page={number}", uri.path());
    let Some(page) = page else {
        let mut games = state.classic_games(0, MAX_GAMES + 1).await?;
        let is_cut = games.len() as u64 > MAX_GAMES;
        games.truncate(MAX_GAMES as usize);
        let next = format!("<{}>; rel=\"next\"", link(MAX_GAMES / PAGE_SIZE + 1));
        let headers = AppendHeaders(is_cut.then_some((LINK, next)));
        return Ok((headers, Json(games)).into_response());
    };
    let count = state.count_classic_games().await?;
    let last = count.div_ceil(PAGE_SIZE).max(1);
    let number = page
        .parse()
        .ok()
        .filter(|number| (1..=last).contains(number))
        .ok_or(ClassicError::Page)?;
    let results = state
        .classic_games((number - 1) * PAGE_SIZE, PAGE_SIZE)
        .await?;
    let page = json!({
        "count": count,
        "next": (number < last).then(|| link(number + 1)),
        "previous": (number > 1).then(|| link(number - 1)),
        "results": results,
    });
    Ok(Json(page).into_response())
}

/// Returns a classic game.
#[utoipa::path(
    get, path = "/tictactoe/api/games/{id}/", operation_id = "show_classic_game",
    tag = "classic tic-tac-toe", security(()),
    params(("id" = i64, Path, description = "Id of the game", minimum = 0, maximum = 9_007_199_254_740_991i64)),
    responses(
        (status = OK, description = "The game with its board as text", body = schema::ShownGame, headers(
            ("ETag" = String, description = "Version of the game, for `If-Match`")
        )),
        schema::ErrorResponse
    )
)]
async fn show(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, ClassicError> {
    let (game, version) = load_game(&state, table_id(&id)?).await?;
    let shown = with(&game, "board_display", game.board_display());
    Ok(tagged(version, shown))
}

/// Deletes a game that was created with this API.
#[utoipa::path(
    delete, path = "/tictactoe/api/games/{id}/", operation_id = "delete_classic_game",
    tag = "classic tic-tac-toe", security(()),
    params(("id" = i64, Path, description = "Id of the game", minimum = 0, maximum = 9_007_199_254_740_991i64)),
    responses(
        (status = NO_CONTENT, description = "The game was deleted"),
        schema::ErrorResponse
    )
)]
async fn remove(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<StatusCode, ClassicError> {
    let id = table_id(&id)?;
    load_game(&state, id).await?;
    if !state.live().read(id, is_shared).await? {
        return Err(ClassicError::Forbidden);
    }
    state.live().delete(id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Marks a square of a game that was created with this API.
///
/// Without `player`, two moves at once may both be played, one as X and the next as O. With `version`
/// or `If-Match`, a move is played only in the version that its sender has seen.
#[utoipa::path(
    post, path = "/tictactoe/api/games/{id}/move/", operation_id = "play_classic_move",
    tag = "classic tic-tac-toe", security(()),
    params(
        ("id" = i64, Path, description = "Id of the game", minimum = 0, maximum = 9_007_199_254_740_991i64),
        ("If-Match" = Option<String>, Header, description = "`ETag` of the game in which the move is played")
    ),
    request_body = schema::ClassicMove,
    responses(
        (status = OK, description = "The game after the move", body = schema::MovedGame, headers(
            ("ETag" = String, description = "Version of the game, for `If-Match`")
        )),
        (status = BAD_REQUEST, description = "The move is illegal, or the body cannot be read", body = schema::ClassicBadRequest),
        (status = CONFLICT, description = "The game is not at the `version` of the body", body = schema::ClassicDetail),
        (status = PRECONDITION_FAILED, description = "The game is not at the version of `If-Match`", body = schema::ClassicDetail),
        schema::ErrorResponse
    )
)]
async fn play(
    State(state): State<AppState>,
    Path(id): Path<String>,
    headers: HeaderMap,
    request: Request,
) -> Result<impl IntoResponse, ClassicError> {
    let id = table_id(&id)?;
    let asked = body(request, &state).await?;
    let (game, version, shared) = state
        .live()
        .read(id, |table| (game(table), table.version(), is_shared(table)))
        .await?;
    let game = game.ok_or(ClassicError::NotFound)?;
    if !shared {
        return Err(ClassicError::Forbidden);
    }
    let expected = Expected::new(&headers, &asked);
    expected.check(version)?;
    let square = check(&game, &asked)?;
    // The version lets only one of two moves that overlap win.
    let command = Command::Move {
        text: square.cell().to_string(),
        id: None,
        version: Some(version),
        lag: Lag::ZERO,
    };
    match state
        .live()
        .act(id, Requester::from_guest(shared_key()), command, false)
        .await
    {
        Ok(_) => {}
        Err(LiveError::Conflict { .. } | LiveError::Refused(Refusal::Stale { .. })) => {
            // Somebody else moved at the same moment. The request is refused for the reason that the
            // new position gives, if it gives one.
            let (mut game, version) = load_game(&state, id).await?;
            expected.check(version)?;
            let reason = check(&game, &asked)
                .and_then(|square| {
                    let now = game.updated_at();
                    game.make_move(square, now)
                        .map_err(|reason| ClassicError::Move(reason.to_string()))
                })
                .err();
            let not_your_turn = || ClassicError::Move(Refusal::NotYourTurn.to_string());
            return Err(reason.unwrap_or_else(not_your_turn));
        }
        Err(LiveError::Refused(reason)) => return Err(ClassicError::Move(reason.to_string())),
        Err(error) => return Err(error.into()),
    }
    let (game, version) = load_game(&state, id).await?;
    let moved = with(&game, "message", record::MOVE_RESPONSE.message);
    Ok(tagged(version, moved))
}

/// Version of the game that a move is meant for, as the request names it.
struct Expected<'a> {
    /// Tags of the `If-Match` header.
    tags: Option<&'a [u8]>,
    /// Field `version` of the body.
    version: Option<&'a Value>,
}

impl<'a> Expected<'a> {
    fn new(headers: &'a HeaderMap, asked: &'a Value) -> Expected<'a> {
        Expected {
            tags: headers.get(IF_MATCH).map(HeaderValue::as_bytes),
            version: asked.get("version").filter(|version| !version.is_null()),
        }
    }

    /// Checks that the game is at the expected version, if any is named.
    fn check(&self, version: u64) -> Result<(), ClassicError> {
        let tag = etag(version);
        let status = if self.tags.is_some_and(|tags| !matches(tags, &tag)) {
            StatusCode::PRECONDITION_FAILED
        } else if self.version.is_some_and(|named| *named != version) {
            StatusCode::CONFLICT
        } else {
            return Ok(());
        };
        Err(ClassicError::Changed { status, version })
    }
}

/// Returns the requested square, if the game is in progress and it is the named player's turn.
fn check(game: &Game, asked: &Value) -> Result<Square, ClassicError> {
    if game.status() != record::Status::InProgress {
        return Err(ClassicError::Move(Refusal::Over.to_string()));
    }
    let player = asked.get("player").filter(|player| !player.is_null());
    if player.is_some_and(|player| player.as_str() != Some(&game.current_player().to_string())) {
        return Err(ClassicError::Move(Refusal::NotYourTurn.to_string()));
    }
    // Anything but an integer counts as off the board.
    let position = asked.get("position").and_then(Value::as_i64).unwrap_or(-1);
    Square::try_from(position).map_err(|reason| ClassicError::Move(reason.to_string()))
}

fn table_id(text: &str) -> Result<TableId, ClassicError> {
    text.parse()
        .ok()
        .and_then(|number| TableId::new(number).ok())
        .ok_or(ClassicError::NotFound)
}

/// Returns true for a table that was created with this API.
pub(crate) fn is_shared(table: &Table) -> bool {
    table
        .players()
        .iter()
        .all(|player| player.has_key(&shared_key()))
}

/// Returns a classic game and its version.
async fn load_game(state: &AppState, id: TableId) -> Result<(Game, u64), ClassicError> {
    let (game, version) = state
        .live()
        .read(id, |table| (game(table), table.version()))
        .await?;
    Ok((game.ok_or(ClassicError::NotFound)?, version))
}

/// Returns the record of a listed classic game that has begun and was not aborted.
fn game(table: &Table) -> Option<Game> {
    let has_record = matches!(table.status(), TableStatus::Playing | TableStatus::Over);
    let id = i64::try_from(table.id().number())
        .ok()
        .filter(|_| table.is_listed() && has_record)?;
    record::from_position(
        table.position(),
        table.turn().outcome(),
        id,
        table.created_at().millis(),
        table.updated_at().millis(),
    )
}

/// Returns a response with the entity tag of a version.
fn tagged(version: u64, body: Value) -> ([(HeaderName, String); 1], Json<Value>) {
    ([(ETAG, etag(version))], Json(body))
}

fn with(game: &Game, field: &str, text: impl Into<Value>) -> Value {
    let mut json = json!(game);
    json[field] = text.into();
    json
}
