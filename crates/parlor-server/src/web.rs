//! Web pages.

use axum::Router;

use crate::AppState;

/// The pages.
pub(crate) fn routes() -> Router<AppState> {
    Router::new()
}
