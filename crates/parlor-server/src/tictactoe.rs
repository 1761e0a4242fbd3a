//! The record API of classic tic-tac-toe.

use axum::Router;

use crate::AppState;

/// The routes.
pub(crate) fn routes() -> Router<AppState> {
    Router::new()
}
