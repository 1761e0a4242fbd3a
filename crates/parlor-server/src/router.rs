//! All routes, and what every request passes.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::trace::TraceLayer;

use crate::{AppState, api, edge, ops, tictactoe, web};

/// All routes of the house.
///
/// A service made from it should know the clients' addresses
/// ([`Router::into_make_service_with_connect_info`]): limits are per address.
pub fn router(state: AppState) -> Router {
    let layers = ServiceBuilder::new()
        .layer(TraceLayer::new_for_http())
        .layer(middleware::from_fn_with_state(state.clone(), edge::guard))
        .layer(CatchPanicLayer::custom(edge::panicked))
        .layer(DefaultBodyLimit::max(state.limits().body));
    Router::new()
        .merge(web::routes())
        .merge(api::routes())
        .merge(tictactoe::routes())
        .merge(ops::routes())
        .fallback(edge::nowhere)
        .method_not_allowed_fallback(edge::wrong_method)
        .layer(layers)
        .with_state(state)
}
