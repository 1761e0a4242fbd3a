//! Endpoint for dice statistics.

use axum::Json;
use axum::extract::State;

use crate::AppState;
use crate::error::Error;
use crate::statistics::Statistics;

/// Compares the rolls at recently finished tables with fair dice.
///
/// Covers up to 2,000 of the newest finished tables of each game with luck, without those where the
/// players rolled real dice. The response may be up to a minute old.
#[utoipa::path(
    get, path = "/statistics/dice", operation_id = "show_dice_statistics", tag = "games",
    responses((status = OK, description = "Statistics of the dice", body = Statistics))
)]
pub(crate) async fn dice(State(state): State<AppState>) -> Result<Json<Statistics>, Error> {
    Ok(Json(Statistics::clone(&*state.statistics().await?)))
}
