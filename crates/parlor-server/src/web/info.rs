//! Static pages: the rules of a game, and about this server.

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use parlor_games::GameKind;
use serde_json::Value;

use super::error_page::WebError;
use super::page::HtmlPage;
use crate::error::Error;

/// Shows the rules of a game.
pub(super) async fn rules(Path(game): Path<String>) -> Result<Response, WebError> {
    let kind = GameKind::from_name(&game).map_err(|error| Error::not_found(&error.to_string()))?;
    let body = html! {
        main #main.prose tabindex="-1" {
            h1 { "Rules of " (kind.title()) }
            p.soft { (kind.summary()) }
            (rules_of(kind))
            h2 { "Playing here" }
            (help(kind))
            @if kind.has_luck() { h2 { "Luck" } (about_luck()) }
            p { a.button href="/" { "Go to the lobby" } }
        }
    };
    Ok(HtmlPage::new(format!("Rules of {} – Parlor", kind.title()), body).into_response())
}

/// Shows the text of the rules alone, for the drawer of a table.
pub(super) async fn rules_text(Path(game): Path<String>) -> Result<Markup, WebError> {
    let kind = GameKind::from_name(&game).map_err(|error| Error::not_found(&error.to_string()))?;
    Ok(rules_of(kind))
}

/// Renders the rules of a game.
fn rules_of(kind: GameKind) -> Markup {
    html! { @for paragraph in kind.rules().split("\n\n") { p { (paragraph) } } }
}

/// Explains how moves of a game are entered.
pub(super) fn help(kind: GameKind) -> Markup {
    html! {
        p { "Click or tap a place on the board to play there. With the keyboard, press Tab to reach the board, move with the arrow keys, and play with Enter or Space." }
        @if in_parts(kind) {
            p { "A move has several steps: click a piece and then its destination, or drag it there. Escape undoes a step. When the move is complete, a button plays it. To play complete moves without confirmation, set “Confirm moves” to “None” in the settings." }
        }
        @if has_premoves(kind) {
            p { "While others think, a click chooses your next move in advance. It is played as soon as it is your turn, if it is still possible. A click on another place chooses that instead; one on the same place, or Escape, takes the move back." }
        }
        @if kind.is_cooperative() && kind.can_analyze() {
            p { "“Ask the adviser” among the buttons of the game shows the best turns, each with your team's chance to win and its way on the board. Nobody else sees it." }
        }
        p { "Unless Tab has brought you to the board, the left and right arrow keys step through the game, also after a click on the board. Home and End jump to its start and to the latest move." }
    }
}

/// True if moves of a game are made in parts, judging by its first position.
fn in_parts(kind: GameKind) -> bool {
    let Ok(mut position) = kind.start(&Value::Null) else {
        return false;
    };
    if let Some((chance, _)) = position.chances().first() {
        let _ = position.resolve(chance);
    }
    position.clicks().iter().any(|click| click.partial)
}

/// True if moves of a game can be chosen in advance, judging by its first position.
fn has_premoves(kind: GameKind) -> bool {
    let start = kind.start(&Value::Null);
    start.is_ok_and(|position| !position.premoves().is_empty())
}

/// Explains in short where luck comes from.
pub(super) fn about_luck() -> Markup {
    html! {
        p { "All luck at a table comes from a secret that the server commits to before the first draw. Every player can mix in a text. After the game the secret is revealed, and anyone can recompute every draw. " a href="/luck" { "How it works" } }
    }
}

/// Shows what this server is.
pub(super) async fn about() -> HtmlPage {
    let body = html! {
        main #main.prose tabindex="-1" {
            h1 { "About Parlor" }
            p { "Parlor is a place for turn-based board games. Play with a friend by sharing a link, together on one device, or against the computer. You don't need an account: a cookie in this browser holds the key to your seats." }
            h2 { "What is stored" }
            p { "The moves of listed games and the names given at the table. A table that is not listed can be seen by its players and by those to whom they give a link to join or to watch. A challenge to a member is in no list, but can be watched by anyone who has its address. Tables from before this rule can be watched by anyone who has their link." }
            h2 { "Games" }
            ul {
                @for kind in GameKind::all() {
                    li { a href={ "/rules/" (kind.name()) } { (kind.title()) } ": " (kind.summary()) }
                }
            }
            h2 { "API" }
            p { "Programs can do everything these pages can, through the " a href="/api/docs/" { "HTTP API" } "." }
        }
    };
    HtmlPage::new("About – Parlor", body)
}
