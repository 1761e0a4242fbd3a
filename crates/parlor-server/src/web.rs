//! Web pages: rendered here, brought to life by one small script that knows no rules.
//!
//! A page is complete when it arrives: its style sheet comes inside, so that the first answer can be painted. The policy
//! header names that style sheet by its hash and allows no other, and no script but the house's own file. Everything but
//! the live board works without the script, by plain links and forms.

mod account;
mod actions;
mod admin;
mod analysis;
mod assets;
mod clocks;
mod create;
mod entry;
mod graph;
mod history;
mod info;
mod leaderboard;
mod listed;
mod lobby;
mod look;
mod luck;
mod memory;
mod oops;
mod pace;
mod parts;
mod play;
mod player;
mod rating;
mod shell;
mod sign;
mod snapshot;
mod statistics;
mod table;
mod verbs;
mod when;
mod words;

use axum::Router;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use parlor_table::TableId;
use tower_http::compression::CompressionLayer;

use crate::AppState;
use crate::edge;

/// The pages.
pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/", get(lobby::show))
        .route("/new", post(create::create))
        .route("/play", get(play::explain))
        .route("/challenge", post(play::challenge))
        .route("/t/{id}", get(table::show))
        .route("/t/{id}/state", get(table::state))
        .merge(actions::routes())
        .merge(admin::routes())
        .merge(sign::routes())
        .merge(account::routes())
        .route("/players/{name}", get(player::show))
        .route("/leaderboard", get(leaderboard::show))
        .route("/rules/{game}", get(info::rules))
        .route("/about", get(info::about))
        .route("/luck", get(luck::page))
        .route("/luck/verify_luck.py", get(luck::script))
        .route("/statistics/dice", get(statistics::show))
        .route("/assets/{file}", get(assets::serve))
        .route("/assets/{version}/{file}", get(assets::serve_version))
        .route("/favicon.ico", get(assets::icon))
        .layer(CompressionLayer::new())
}

/// The tables that a browser was at lately, by its own account.
pub(crate) fn remembered(headers: &HeaderMap) -> Vec<TableId> {
    memory::tables(headers)
        .into_iter()
        .map(|table| table.id)
        .collect()
}

/// The answer to addresses that lead nowhere: a page for browsers, a problem document for everybody else.
pub(crate) async fn nowhere(request: Request) -> Response {
    if oops::wants_html(request.headers()) && !request.uri().path().starts_with("/api/") {
        return oops::Oops::from(crate::error::Error::not_found(
            "There is nothing under this address.",
        ))
        .into_response();
    }
    edge::nowhere().await.into_response()
}
