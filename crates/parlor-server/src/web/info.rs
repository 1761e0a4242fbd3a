//! Pages that only tell something.

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use parlor_games::GameKind;
use serde_json::Value;

use super::oops::Oops;
use super::shell::Page;
use crate::error::Error;

/// The rules of a game.
pub(super) async fn rules(Path(game): Path<String>) -> Result<Response, Oops> {
    let kind = GameKind::from_name(&game).map_err(|error| Error::not_found(&error.to_string()))?;
    let body = html! {
        main #main.prose tabindex="-1" {
            h1 { "Rules of " (kind.title()) }
            p.soft { (kind.summary()) }
            @for paragraph in kind.rules().split("\n\n") { p { (paragraph) } }
            h2 { "Playing here" }
            p { "Click or tap a place to play there. With the keyboard, reach the board by the tab key, move with the arrow keys, and play with Enter or Space." }
            @if in_parts(kind) {
                p { "A move is made part by part: click a piece and then where it goes, or drag it there. Escape takes a step back. When the move is whole, a button plays it; beside that button you can have whole moves played without asking." }
            }
            p { "Away from the board the left and right arrow keys step through the game; Home and End lead to its start and to the latest move." }
            @if kind.has_luck() { (about_luck()) }
            p { a.button href="/" { "To the lobby" } }
        }
    };
    Ok(Page {
        title: format!("Rules of {} – Parlor", kind.title()),
        live: false,
        body,
    }
    .into_response())
}

/// Whether moves of a game are made in parts, as far as its beginning shows.
fn in_parts(kind: GameKind) -> bool {
    let Ok(mut position) = kind.start(&Value::Null) else {
        return false;
    };
    if let Some((chance, _)) = position.chances().first() {
        let _ = position.resolve(chance);
    }
    position.clicks().iter().any(|click| click.partial)
}

fn about_luck() -> Markup {
    html! {
        h2 { "Luck" }
        p { "All luck of a table is drawn from a secret that the house commits to before the first draw. Every player may mix in a text. After the game the secret is shown, and the whole record can be drawn again and compared. " a href="/luck" { "How that works" } }
    }
}

/// The house itself.
pub(super) async fn about() -> Page {
    let body = html! {
        main #main.prose tabindex="-1" {
            h1 { "About this house" }
            p { "Parlor is a house of turn-based board games. Play with a friend by sending a link, on one device side by side, or against the computer. No account is needed: this browser keeps a token in a cookie, and whoever holds it holds your seats." }
            h2 { "What is kept" }
            p { "The moves of every game and the names given at the table. Tables that are not listed are found by their link only, but anyone who has the address can watch." }
            h2 { "Games" }
            ul {
                @for kind in GameKind::ALL {
                    li { a href={ "/rules/" (kind.name()) } { (kind.title()) } ": " (kind.summary()) }
                }
            }
            h2 { "For programs" }
            p { "Everything on these pages can also be done through the " a href="/api/docs/" { "HTTP interface" } "." }
        }
    };
    Page {
        title: "About – Parlor".to_owned(),
        live: false,
        body,
    }
}
