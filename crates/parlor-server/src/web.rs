//! Web pages: rendered on the server, and kept up to date by one small script without any game
//! rules.
//!
//! A page is complete when it arrives. It embeds the style sheets that many pages share; that of the
//! game whose board it shows is a file, which browsers keep. The policy header allows only the
//! embedded sheets, by hash, and files of this server. Everything but the live board works without
//! scripts, by plain links and forms.

mod account;
mod action_bar;
mod actions;
mod admin;
mod advice;
mod analysis;
pub(crate) mod api_page;
mod assets;
mod bots;
mod clock_fields;
mod clocks;
mod controls;
pub(crate) mod cookies;
mod create;
mod dates;
mod drawer;
mod end;
mod entry;
mod error_page;
mod faces;
mod graph;
mod history;
mod info;
mod leaderboard;
mod lobby;
mod luck;
mod matchmaking;
mod notices;
mod page;
mod page_parts;
mod phrases;
mod player;
mod rating;
mod settings;
mod sign_in;
mod snapshot;
mod statistics;
mod table;
mod table_list;
mod talk;
mod viewpoint;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, Method};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use parlor_table::TableId;

use crate::AppState;
use crate::edge;
use crate::error::Error;

pub(crate) use error_page::wants_html;

/// Routes of the pages.
pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/", get(lobby::show))
        .route("/new", post(create::create))
        .route("/new/difficulty", post(create::difficulty))
        .route("/play", get(matchmaking::explain))
        .route("/challenge", post(matchmaking::challenge))
        .route("/t/{id}", get(table::show))
        .route("/t/{id}/state", get(table::state))
        .merge(actions::routes())
        .merge(talk::routes())
        .merge(admin::routes())
        .merge(sign_in::routes())
        .merge(account::routes())
        .merge(settings::routes())
        .merge(notices::routes())
        .route("/players/{name}", get(player::show))
        .route("/leaderboard", get(leaderboard::show))
        .route("/bots", get(bots::show))
        .route("/tables/open", get(table_list::open))
        .route("/tables/live", get(table_list::live))
        .route("/rules/{game}", get(info::rules))
        .route("/rules/{game}/text", get(info::rules_text))
        .route("/about", get(info::about))
        .route("/luck", get(luck::page))
        .route("/luck/verify_luck.py", get(luck::script))
        .route("/statistics/dice", get(statistics::show))
        .route("/assets/{file}", get(assets::serve))
        .route("/assets/{version}/{file}", get(assets::serve_version))
        .route("/favicon.ico", get(assets::icon))
        .layer(edge::layers::compression(32))
        .layer(map_response(edge::reading::packed))
}

/// Returns the tables that a browser visited recently, according to its cookies.
pub(crate) fn remembered(headers: &HeaderMap) -> Vec<TableId> {
    cookies::tables(headers)
        .into_iter()
        .map(|table| table.id)
        .collect()
}

/// Returns true if a browser asks for a page; other clients get problem documents.
pub(crate) fn wants_page(request: &Request) -> bool {
    wants_html(request.headers()) && !request.uri().path().starts_with("/api/")
}

/// Returns an error as a page, or as a problem document.
pub(crate) fn refuse(error: Error, as_page: bool) -> Response {
    match as_page {
        true => error_page::WebError::from(error).into_response(),
        false => error.into_response(),
    }
}

/// Returns an error as [`refuse`] does, but the page is as small as it can be: it may be sent thousands
/// of times.
pub(crate) fn refuse_briefly(error: Error, as_page: bool) -> Response {
    match as_page {
        true => error_page::brief(error),
        false => error.into_response(),
    }
}

/// Responds to unknown paths.
pub(crate) async fn nowhere(request: Request) -> Response {
    if wants_page(&request) {
        return refuse(Error::not_found("There is no page at this address."), true);
    }
    edge::nowhere().await.into_response()
}

/// Responds to methods that a path does not have. A browser that opens the address to which a table's
/// form was sent is led to the table.
pub(crate) async fn wrong_method(request: Request) -> Response {
    if !wants_page(&request) {
        return edge::wrong_method().await.into_response();
    }
    let path = request.uri().path();
    let table = path
        .strip_prefix("/t/")
        .and_then(|rest| rest.split('/').next());
    let table = table.and_then(|id| id.parse::<TableId>().ok());
    match table.filter(|_| request.method() == Method::GET) {
        Some(id) => Redirect::to(&format!("/t/{id}")).into_response(),
        None => {
            let detail = "Nothing can be opened here: this address only takes what a form sends.";
            let error = Error {
                detail: detail.to_owned(),
                ..Error::method_not_allowed()
            };
            refuse(error, true)
        }
    }
}
