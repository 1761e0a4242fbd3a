//! What all pages have in common.

use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::assets::{POLICY, STYLE, script};
use crate::auth::current_member;

/// A page of the house.
pub(super) struct Page {
    /// What the browser's tab says.
    pub(super) title: String,
    /// Whether the page has the live script.
    pub(super) live: bool,
    /// Everything between head and foot, `main` included.
    pub(super) body: Markup,
}

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        let headers = [
            (CONTENT_SECURITY_POLICY, POLICY.as_str()),
            (CACHE_CONTROL, "no-store"),
        ];
        (headers, self.render()).into_response()
    }
}

impl Page {
    fn render(&self) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    title { (self.title) }
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="description" content="Board games with friends and against the computer";
                    link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                    style { (PreEscaped(STYLE.as_str())) }
                    @if self.live {
                        @for name in ["picture.js", "clock.js", "alerts.js"] { link rel="modulepreload" href=(script(name)); }
                        script type="module" src=(script("table.js")) {}
                    }
                    @if current_member().is_some() { script type="module" src=(script("notify.js")) {} }
                }
                body {
                    a.skip href="#main" { "Skip to the content" }
                    (head())
                    (self.body)
                    (foot())
                }
            }
        }
    }
}

fn head() -> Markup {
    html! {
        header.top {
            a.brand href="/" {
                svg viewBox="0 0 64 64" aria-hidden="true" {
                    rect width="64" height="64" rx="14" fill="#68401f" {}
                    rect x="8" y="8" width="48" height="48" rx="5" fill="#ecd3a4" {}
                    g fill="none" stroke-linecap="round" stroke-width="6" {
                        path d="M15 15l13 13M28 15L15 28" stroke="#22405f" {}
                        circle cx="42" cy="42" r="7.5" stroke="#a8361e" {}
                    }
                    path d="M32 12v40M12 32h40" stroke="#80562b" stroke-width="2" stroke-linecap="round" {}
                }
                "Parlor"
            }
            nav aria-label="House" {
                a href="/" { "Lobby" }
                @if current_member().is_some() { a.waiting href="/" hidden data-waiting {} }
                a href="/leaderboard" { "Leaderboard" }
                @match current_member() {
                    Some(name) => a.me href={ "/players/" (name) } { (name) },
                    None => a href="/login" { "Sign in" },
                }
            }
        }
    }
}

fn foot() -> Markup {
    html! {
        footer.foot {
            span { "Parlor, a house of board games" }
            a href="/about" { "About this house" }
            a href="/luck" { "Luck you can check" }
            a href="/api/docs/" { "For programs" }
        }
    }
}
