//! Members as everybody sees them, and what is one's own.

use axum::Json;
use axum::extract::State;
use parlor_games::GameKind;
use parlor_table::TableId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::AppState;
use crate::auth::{Caller, Scope};
use crate::error::Error;
use crate::extract::{Named, Params};
use crate::profiles::{Current, Place, Point, Profile};
use crate::tables::{Listed, MOST_ROWS};

/// Shows a member: level, and for each game the ratings and the games won, lost and drawn.
#[utoipa::path(
    get, path = "/players/{name}", tag = "players", params(("name" = String, Path, description = "In any case")),
    responses((status = OK, body = Profile))
)]
pub(crate) async fn show(
    State(state): State<AppState>,
    Named(name): Named,
) -> Result<Json<Profile>, Error> {
    let user = state.player(&name).await?;
    Ok(Json(state.profile(&user).await?))
}

/// Which game.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct OfGame {
    /// The game's name.
    game: String,
}

/// How a rating came about.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Ratings {
    /// The game's name.
    game: &'static str,
    /// What each of the last 500 rated games did to it, the oldest first.
    points: Vec<Point>,
}

/// Shows how a member's rating in a game came about.
#[utoipa::path(
    get, path = "/players/{name}/ratings", tag = "players", params(("name" = String, Path), OfGame),
    responses((status = OK, body = Ratings))
)]
pub(crate) async fn ratings(
    State(state): State<AppState>,
    Named(name): Named,
    Params(OfGame { game }): Params<OfGame>,
) -> Result<Json<Ratings>, Error> {
    let game = kind(&game)?;
    let user = state.player(&name).await?;
    Ok(Json(Ratings {
        game: game.name(),
        points: state.points(user.id, game).await?,
    }))
}

/// Which part of a list of tables.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Part {
    /// Only tables older than this one: the `next` of the page before.
    #[param(value_type = Option<String>)]
    before: Option<TableId>,
    /// At most so many; 50 when not said, never more than 100.
    limit: Option<u64>,
}

/// A member's tables.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayersTables {
    /// The tables, newest first.
    tables: Vec<Listed>,
    /// What to ask `before` for the next page; nothing after the last.
    #[schema(value_type = Option<String>)]
    next: Option<TableId>,
}

/// Lists the tables at which a member sits or sat, newest first. Those that no list shows are shown to the member only.
#[utoipa::path(
    get, path = "/players/{name}/games", tag = "players", params(("name" = String, Path), Part),
    responses((status = OK, body = PlayersTables))
)]
pub(crate) async fn games(
    State(state): State<AppState>,
    Named(name): Named,
    Params(Part { before, limit }): Params<Part>,
    caller: Option<Caller>,
) -> Result<Json<PlayersTables>, Error> {
    let limit = limit.unwrap_or(50).clamp(1, MOST_ROWS);
    let user = state.player(&name).await?;
    let who = caller
        .as_ref()
        .and_then(|caller| caller.member(Scope::Read).ok());
    let tables = state.tables_of(user.id, who, before, limit).await?;
    let next = tables
        .last()
        .filter(|_| tables.len() as u64 == limit)
        .map(|table| table.id);
    Ok(Json(PlayersTables { tables, next }))
}

/// Which part of a leaderboard.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Board {
    /// The game's name.
    game: String,
    /// Where the page before ended: its `next`.
    after: Option<String>,
    /// At most so many; 50 when not said, never more than 100.
    limit: Option<u64>,
}

/// The best in a game.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Leaderboard {
    /// The game's name.
    game: &'static str,
    /// The members by their Elo, the best first.
    players: Vec<Place>,
    /// What to ask `after` for the next page; nothing after the last.
    next: Option<String>,
}

/// Lists the best in a game by their Elo. Who has not played a rated game, or is shut out, has no place.
#[utoipa::path(get, path = "/leaderboard", tag = "players", params(Board), responses((status = OK, body = Leaderboard)))]
pub(crate) async fn leaderboard(
    State(state): State<AppState>,
    Params(Board { game, after, limit }): Params<Board>,
) -> Result<Json<Leaderboard>, Error> {
    let (game, limit) = (kind(&game)?, limit.unwrap_or(50).clamp(1, MOST_ROWS));
    let odd =
        || Error::unprocessable("`after` is the `next` of a page before").with("field", "after");
    let place = |text: &str| {
        let (elo, name) = text.split_once('~')?;
        Some((elo.parse::<i32>().ok()?, name.to_owned()))
    };
    let after = after.map(|text| place(&text).ok_or_else(odd)).transpose()?;
    let after = after.as_ref().map(|(elo, name)| (*elo, name.as_str()));
    let players = state.leaderboard(game, limit, after).await?;
    let last = players.last().filter(|_| players.len() as u64 == limit);
    let next = last.map(|last| format!("{}~{}", last.rating.elo, last.name));
    Ok(Json(Leaderboard {
        game: game.name(),
        players,
        next,
    }))
}

/// Your tables that are going on.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MyGames {
    /// Those that wait for you first, then the newest.
    tables: Vec<Current>,
}

/// Lists your tables that are going on or wait for others: those that wait for you first.
#[utoipa::path(get, path = "/me/games", tag = "players", responses((status = OK, body = MyGames)))]
pub(crate) async fn my_games(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<MyGames>, Error> {
    Ok(Json(MyGames {
        tables: state.current_tables(caller.member(Scope::Read)?).await?,
    }))
}

fn kind(name: &str) -> Result<GameKind, Error> {
    GameKind::from_name(name)
        .map_err(|error| Error::unprocessable(error.to_string()).with("field", "game"))
}
