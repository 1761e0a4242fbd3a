//! `/api/v1`: JSON over HTTP, events as they happen, sockets; and its description.

mod events;
mod games;
mod moves;
mod tables;

use axum::Router;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::AppState;

#[derive(OpenApi)]
#[openapi(info(title = "Parlor", description = "Tables of turn-based board games: make, join, play, watch, verify."))]
struct Description;

/// The routes, with those that describe them.
pub(crate) fn routes() -> Router<AppState> {
    let v1 = OpenApiRouter::new()
        .routes(routes!(games::catalogue))
        .routes(routes!(tables::create, tables::list))
        .routes(routes!(tables::show))
        .routes(routes!(moves::join))
        .routes(routes!(moves::leave))
        .routes(routes!(moves::play))
        .routes(routes!(moves::legal))
        .routes(routes!(moves::resign))
        .routes(routes!(moves::abort))
        .routes(routes!(moves::rematch))
        .routes(routes!(moves::luck))
        .routes(routes!(events::stream));
    let (router, _description) =
        OpenApiRouter::with_openapi(Description::openapi()).nest("/api/v1", v1).split_for_parts();
    router
}
