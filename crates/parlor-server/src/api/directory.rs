//! Endpoint for the directory of bots.

use axum::Json;
use axum::extract::State;
use parlor_games::GameKind;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::games::GameBot;
use crate::AppState;
use crate::directory::{MemberBot, house_bots};
use crate::error::Error;
use crate::extract::Params;
use crate::tables::MAX_ROWS;

/// Query parameters of the directory of bots.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DirectoryQuery {
    /// Only members' bots after this name: `next` of the previous page.
    #[param(pattern = "^[A-Za-z0-9_-]{1,20}$")]
    after: Option<String>,
    /// Maximum number of members' bots, up to 100; 50 by default.
    limit: Option<u64>,
}

/// The house's bots for a game.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HouseBots {
    /// Name of the game.
    game: &'static str,
    /// Bots for the default options, weakest first.
    bots: Vec<GameBot>,
}

/// Directory of bots.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BotDirectory {
    /// The house's own bots, by game.
    house: Vec<HouseBots>,
    /// Members' bots that have finished a game, ordered by name.
    members: Vec<MemberBot>,
    /// Value of `after` for the next page of members' bots; `null` on the last page.
    next: Option<String>,
}

/// Lists the bots: those of the house with their strengths, and members' bots with their ratings.
///
/// Members' bots that have not finished a game, and deleted ones, are left out. Challenge one with
/// `POST /tables` and its name.
#[utoipa::path(
    get, path = "/directory/bots", operation_id = "list_all_bots", tag = "players",
    params(DirectoryQuery),
    responses((status = OK, description = "A page of the directory", body = BotDirectory))
)]
pub(crate) async fn bots(
    State(state): State<AppState>,
    Params(DirectoryQuery { after, limit }): Params<DirectoryQuery>,
) -> Result<Json<BotDirectory>, Error> {
    let limit = limit.unwrap_or(50).clamp(1, MAX_ROWS);
    let members = state.member_bots(after.as_deref(), limit).await?;
    let last = members.last().filter(|_| members.len() as u64 == limit);
    let next = last.map(|last| last.name.clone());
    let house = GameKind::all().iter().map(|kind| HouseBots {
        game: kind.name(),
        bots: house_bots(*kind).into_iter().map(GameBot::from).collect(),
    });
    Ok(Json(BotDirectory {
        house: house.collect(),
        members,
        next,
    }))
}
