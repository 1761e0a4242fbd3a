//! Endpoint for advice to the players of a team.

use axum::Json;
use axum::extract::State;
use parlor_games::analysis::Ranked;
use serde::Serialize;
use utoipa::ToSchema;

use super::schema;
use crate::AppState;
use crate::advice::Advice;
use crate::auth::Caller;
use crate::error::Error;
use crate::extract::TablePath;

/// Advice about the present position of a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AdviceResponse {
    /// Version of the table.
    version: u64,
    /// The team's chance to win after the best turn, from 0 to 1; while luck decides, before that.
    #[schema(required)]
    chance: Option<f64>,
    /// Turns of the team, best first, each with another first move; empty while luck decides.
    #[schema(value_type = Vec<schema::RankedSchema>)]
    turns: Vec<Ranked>,
    /// The game so far, at the start of turns: pairs of the number of moves and draws before, and the
    /// chance to win then.
    #[schema(value_type = Vec<Vec<f64>>)]
    course: Vec<(usize, f64)>,
}

impl From<Advice> for AdviceResponse {
    fn from(advice: Advice) -> AdviceResponse {
        let Advice {
            version,
            assessment,
            course,
        } = advice;
        let decided = assessment.decision.as_ref().map(|best| best.winning);
        let prospects = assessment.prospects.as_ref();
        AdviceResponse {
            version,
            chance: decided.or(prospects.map(|prospects| prospects.winning)),
            turns: assessment.decision.map_or_else(Vec::new, |one| one.ranked),
            course,
        }
    }
}

/// Advises you about the present position, in games of a team.
///
/// Only the players of a game in progress are advised. 403 means that you have no seat, or that the
/// table was created without an adviser; 503, that too many ask just now. The answer takes about a second,
/// and longer while others are answered. It knows no more than the players, and nobody else is told.
#[utoipa::path(
    post, path = "/tables/{id}/advice", operation_id = "request_advice", tag = "play", params(schema::TableIdPath),
    responses((status = OK, description = "The advice", body = AdviceResponse))
)]
pub(crate) async fn ask(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    caller: Caller,
) -> Result<Json<AdviceResponse>, Error> {
    let advice = state.advise(id, caller.who()).await?;
    Ok(Json(advice.into()))
}
