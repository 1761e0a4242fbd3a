//! Endpoints for members' public profiles and for one's own games.

use axum::Json;
use axum::extract::State;
use parlor_games::GameKind;
use parlor_table::TableId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::schema;
use crate::AppState;
use crate::auth::{Caller, Scope};
use crate::error::Error;
use crate::extract::{NamePath, Params};
use crate::profiles::{CurrentTable, LeaderboardEntry, Profile, RatingPoint};
use crate::ratings::{self, RatingPool};
use crate::tables::{MAX_ROWS, TableSummary};

/// Returns a member's profile: declared level, and ratings and results for each variant of a game, at each
/// pace.
#[utoipa::path(
    get, path = "/players/{name}", operation_id = "show_player", tag = "players", params(schema::NamePath),
    responses((status = OK, description = "The member's profile", body = Profile))
)]
pub(crate) async fn show(
    State(state): State<AppState>,
    NamePath(name): NamePath,
) -> Result<Json<Profile>, Error> {
    let user = state.find_user(&name).await?;
    Ok(Json(state.profile(&user).await?))
}

/// Query parameters of a rating history.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RatingsQuery {
    /// Name of the game.
    #[param(value_type = schema::GameNameSchema)]
    game: String,
    /// Key of the variant; the usual one by default.
    #[param(pattern = "^[a-z0-9-]{0,24}$")]
    variant: Option<String>,
    /// Pace: `none`, `bullet`, `blitz`, `rapid` or `days`; that of the game's usual clock by default.
    #[param(pattern = "^(none|bullet|blitz|rapid|days)$")]
    pace: Option<String>,
}

/// Rating history of a member in one variant of a game, at one pace.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RatingHistory {
    /// Name of the game.
    game: &'static str,
    /// Key of the variant; empty for the usual one.
    variant: String,
    /// Pace: `none`, `bullet`, `blitz`, `rapid` or `days`.
    pace: &'static str,
    /// Effects of the last 500 rated games, oldest first.
    points: Vec<RatingPoint>,
}

/// Returns the rating history of a member in one variant of a game, at one pace.
#[utoipa::path(
    get, path = "/players/{name}/ratings", operation_id = "list_player_ratings", tag = "players", params(schema::NamePath, RatingsQuery),
    responses((status = OK, description = "Ratings after each rated game, oldest first", body = RatingHistory))
)]
pub(crate) async fn ratings(
    State(state): State<AppState>,
    NamePath(name): NamePath,
    Params(query): Params<RatingsQuery>,
) -> Result<Json<RatingHistory>, Error> {
    let RatingsQuery {
        game,
        variant,
        pace,
    } = query;
    let pool = RatingPool::from_names(kind(&game)?, variant.as_deref(), pace.as_deref())?;
    let user = state.find_user(&name).await?;
    let points = state.rating_points(user.id, &pool).await?;
    Ok(Json(RatingHistory {
        game: pool.game.name(),
        pace: pool.pace.name(),
        variant: pool.variant.key,
        points,
    }))
}

/// Query parameters of a member's tables.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PlayerTablesQuery {
    /// Only tables older than this one: `next` of the previous page.
    #[param(value_type = Option<String>, pattern = "^[0-7][0-9a-hjkmnp-tv-z]{10}$")]
    before: Option<TableId>,
    /// Maximum number of entries, up to 100; 50 by default.
    limit: Option<u64>,
}

/// A page of a member's tables.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayerTables {
    /// Tables, newest first.
    tables: Vec<TableSummary>,
    /// Value of `before` for the next page; `null` on the last page.
    #[schema(value_type = Option<String>)]
    next: Option<TableId>,
}

/// Lists the tables at which a member sits or sat, newest first. Unlisted tables are included only
/// for the member.
#[utoipa::path(
    get, path = "/players/{name}/games", operation_id = "list_player_tables", tag = "players", params(schema::NamePath, PlayerTablesQuery),
    responses((status = OK, description = "A page of the member's tables, newest first", body = PlayerTables))
)]
pub(crate) async fn games(
    State(state): State<AppState>,
    NamePath(name): NamePath,
    Params(PlayerTablesQuery { before, limit }): Params<PlayerTablesQuery>,
    caller: Option<Caller>,
) -> Result<Json<PlayerTables>, Error> {
    let limit = limit.unwrap_or(50).clamp(1, MAX_ROWS);
    let user = state.find_user(&name).await?;
    let who = caller
        .as_ref()
        .and_then(|caller| caller.member_with(Scope::Read).ok());
    let mut tables = state.tables_of(user.id, who, before, limit).await?;
    ratings::add_to(&state, &mut tables.iter_mut().collect::<Vec<_>>()).await?;
    let next = tables
        .last()
        .filter(|_| tables.len() as u64 == limit)
        .map(|table| table.id);
    Ok(Json(PlayerTables { tables, next }))
}

/// Query parameters of a leaderboard.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LeaderboardQuery {
    /// Name of the game.
    #[param(value_type = schema::GameNameSchema)]
    game: String,
    /// Key of the variant; the usual one by default.
    #[param(pattern = "^[a-z0-9-]{0,24}$")]
    variant: Option<String>,
    /// Pace: `none`, `bullet`, `blitz`, `rapid` or `days`; that of the game's usual clock by default.
    #[param(pattern = "^(none|bullet|blitz|rapid|days)$")]
    pace: Option<String>,
    /// Position in the list: `next` of the previous page.
    #[param(pattern = "^[+-]?[0-9]{1,9}([.][0-9]{1,20})?~")]
    after: Option<String>,
    /// Maximum number of entries, up to 100; 50 by default.
    limit: Option<u64>,
}

/// A page of the leaderboard of one variant of a game, at one pace.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Leaderboard {
    /// Name of the game.
    game: &'static str,
    /// Key of the variant; empty for the usual one.
    variant: String,
    /// Pace: `none`, `bullet`, `blitz`, `rapid` or `days`.
    pace: &'static str,
    /// Members by Glicko-2 rating, best first.
    players: Vec<LeaderboardEntry>,
    /// Value of `after` for the next page; `null` on the last page.
    next: Option<String>,
}

/// Lists the members with the highest ratings in one variant of a game, at one pace.
///
/// Members without rated games and banned members are left out.
#[utoipa::path(
    get, path = "/leaderboard", operation_id = "show_leaderboard", tag = "players",
    params(LeaderboardQuery),
    responses((status = OK, description = "A page of the leaderboard, best first", body = Leaderboard))
)]
pub(crate) async fn leaderboard(
    State(state): State<AppState>,
    Params(query): Params<LeaderboardQuery>,
) -> Result<Json<Leaderboard>, Error> {
    let LeaderboardQuery {
        game,
        variant,
        pace,
        after,
        limit,
    } = query;
    let pool = RatingPool::from_names(kind(&game)?, variant.as_deref(), pace.as_deref())?;
    let limit = limit.unwrap_or(50).clamp(1, MAX_ROWS);
    let odd = || {
        Error::unprocessable("`after` must be the `next` of a previous page").with("field", "after")
    };
    let place = |text: &str| {
        let (rating, name) = text.split_once('~')?;
        let rating = rating
            .parse::<f64>()
            .ok()
            .filter(|rating| rating.is_finite())?;
        Some((rating, name.to_owned()))
    };
    let after = after.map(|text| place(&text).ok_or_else(odd)).transpose()?;
    let after = after
        .as_ref()
        .map(|(rating, name)| (*rating, name.as_str()));
    let players = state.leaderboard(&pool, limit, after).await?;
    let last = players.last().filter(|_| players.len() as u64 == limit);
    let next = last.map(|last| format!("{}~{}", last.exact, last.name));
    Ok(Json(Leaderboard {
        game: pool.game.name(),
        pace: pool.pace.name(),
        variant: pool.variant.key,
        players,
        next,
    }))
}

/// Your current tables.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MyGames {
    /// Tables where it is your turn first, then the newest.
    tables: Vec<CurrentTable>,
}

/// Lists your tables that are in progress or open, those where it is your turn first.
#[utoipa::path(
    get, path = "/me/games", operation_id = "list_my_tables", tag = "players",
    responses((status = OK, description = "Your current tables", body = MyGames))
)]
pub(crate) async fn my_games(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<MyGames>, Error> {
    let member = caller.member_with(Scope::Read)?;
    let mut tables = state.current_tables(member).await?;
    let mut rows: Vec<_> = tables
        .iter_mut()
        .map(|current| &mut current.table)
        .collect();
    ratings::add_to(&state, &mut rows).await?;
    Ok(Json(MyGames { tables }))
}

fn kind(name: &str) -> Result<GameKind, Error> {
    GameKind::from_name(name)
        .map_err(|error| Error::unprocessable(error.to_string()).with("field", "game"))
}
