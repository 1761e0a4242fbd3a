//! What luck did.

use axum::Json;
use axum::extract::State;

use crate::AppState;
use crate::error::Error;
use crate::statistics::Statistics;

/// How often each roll and each face of the dice came up at the newest finished tables, beside what fair dice do.
///
/// Of each game with luck up to 2,000 tables are counted, the newest, without those where the players brought their own dice. The
/// answer is up to a minute old.
#[utoipa::path(get, path = "/statistics/dice", tag = "games", responses((status = OK, body = Statistics)))]
pub(crate) async fn dice(State(state): State<AppState>) -> Result<Json<Statistics>, Error> {
    Ok(Json(Statistics::clone(&*state.statistics().await?)))
}
