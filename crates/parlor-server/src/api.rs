//! The JSON API under `/api/v1`, its event streams and sockets, and its OpenAPI description.

mod accounts;
mod advice;
mod analysis;
mod blocks;
mod directory;
mod document;
mod events;
mod export;
mod games;
mod me_events;
mod moves;
mod mutes;
mod notices;
mod offers;
mod players;
mod queue;
mod records;
pub(crate) mod schema;
pub(crate) mod sessions;
mod socket;
mod statistics;
mod tables;
mod talk;
mod tokens;

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::response::Redirect;
use axum::routing::get;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) use self::notices::number as notice_target_number;
pub(crate) use self::tables::{etag, matches};
use crate::AppState;
use crate::classic::ClassicDescription;
use crate::edge::packed::{Packed, pack};
use crate::web::api_page::ApiPages;

/// Address of the OpenAPI description.
const DOCUMENT: &str = "/api/openapi.json";

/// Returns the routes of the API, including those that serve its OpenAPI description.
pub(crate) fn routes() -> Router<AppState> {
    let v1 = OpenApiRouter::new()
        .routes(routes!(games::catalogue))
        .routes(routes!(tables::create, tables::list))
        .routes(routes!(tables::show))
        .routes(routes!(moves::join))
        .routes(routes!(moves::leave))
        .routes(routes!(moves::play))
        .routes(routes!(moves::legal))
        .routes(routes!(moves::clicks))
        .routes(routes!(moves::chance))
        .routes(routes!(moves::resign))
        .routes(routes!(moves::return_to_seat))
        .routes(routes!(moves::choose_stand_in))
        .routes(routes!(moves::abort))
        .routes(routes!(offers::rematch))
        .routes(routes!(moves::luck))
        .routes(routes!(offers::ready))
        .routes(routes!(offers::draw))
        .routes(routes!(offers::takeback))
        .routes(routes!(offers::asking))
        .routes(routes!(offers::pass))
        .routes(routes!(offers::give_time))
        .routes(routes!(offers::claim))
        .routes(routes!(events::stream))
        .routes(routes!(socket::open))
        .routes(routes!(talk::list, talk::write))
        .routes(routes!(talk::report))
        .routes(routes!(talk::plan))
        .routes(routes!(me_events::stream))
        .routes(routes!(queue::wait, queue::listen))
        .routes(routes!(records::record))
        .routes(routes!(records::verify_table))
        .routes(routes!(records::verify_upload))
        .routes(routes!(records::svg))
        .routes(routes!(analysis::look, analysis::begin))
        .routes(routes!(advice::ask))
        .routes(routes!(accounts::create))
        .routes(routes!(accounts::me, accounts::change, accounts::close))
        .routes(routes!(blocks::list))
        .routes(routes!(blocks::block, blocks::unblock))
        .routes(routes!(mutes::list))
        .routes(routes!(mutes::mute, mutes::unmute))
        .routes(routes!(notices::show, notices::set, notices::end))
        .routes(routes!(notices::add))
        .routes(routes!(notices::remove))
        .routes(routes!(notices::test))
        .routes(routes!(export::export))
        .routes(routes!(accounts::password))
        .routes(routes!(accounts::create_bot, accounts::bots))
        .routes(routes!(accounts::delete_bot))
        .routes(routes!(
            sessions::create,
            sessions::list,
            sessions::end_others
        ))
        .routes(routes!(sessions::delete))
        .routes(routes!(sessions::end))
        .routes(routes!(tokens::create, tokens::list))
        .routes(routes!(tokens::revoke))
        .routes(routes!(statistics::dice))
        .routes(routes!(directory::bots))
        .routes(routes!(players::show))
        .routes(routes!(players::ratings))
        .routes(routes!(players::games))
        .routes(routes!(players::leaderboard))
        .routes(routes!(players::my_games));
    let mut description = document::ApiDescription::openapi();
    description.merge(ClassicDescription::openapi());
    let (router, description) = OpenApiRouter::with_openapi(description)
        .nest("/api/v1", v1)
        .split_for_parts();
    let document = document::complete(description);
    let pages = ApiPages::new(&document, DOCUMENT);
    let document = serde_json::to_vec(&document);
    // One copy in memory for all answers.
    let document = Bytes::from(document.expect("a description is plain data"));
    let show_document = move || {
        let document = document.clone();
        async move { ([(CONTENT_TYPE, "application/json")], document) }
    };
    let fixed = Router::new()
        .route(DOCUMENT, get(show_document))
        .route("/api/docs/", get(async move || pages.chosen()))
        .layer(from_fn_with_state(Packed::default(), pack));
    router
        .route("/api/docs", get(async || Redirect::permanent("/api/docs/")))
        .merge(fixed)
}
