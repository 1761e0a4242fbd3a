//! The frame of every page: head, navigation and footer.

use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use parlor_games::GameKind;

use super::assets::{EARLY_SCRIPT, Section, StyleSheet, game_sheet, policy, sheets, versioned};
use crate::auth::{current_member, current_settings};
use crate::settings::Settings;

/// Modules that `table.js` imports directly or indirectly. Browsers load them all at once instead of
/// one after the other.
const TABLE_MODULES: [&str; 27] = [
    "actions.js",
    "alerts.js",
    "board.js",
    "board-input.js",
    "carry.js",
    "clock.js",
    "confirm.js",
    "controls.js",
    "dom.js",
    "draft.js",
    "drag.js",
    "drawer.js",
    "end.js",
    "hints.js",
    "kept.js",
    "kinds.js",
    "network.js",
    "parts.js",
    "picture.js",
    "pieces.js",
    "premove.js",
    "settings.js",
    "sight.js",
    "slips.js",
    "state.js",
    "team.js",
    "update.js",
];

/// An HTML page.
pub(super) struct HtmlPage {
    /// Title of the browser tab.
    pub(super) title: String,
    /// Section, which decides about styles and scripts.
    pub(super) section: Section,
    /// Other scripts of the page.
    pub(super) scripts: &'static [&'static str],
    /// Modules that its scripts load only on some pages, this one among them.
    pub(super) loads: Vec<&'static str>,
    /// Game whose board is on the page.
    pub(super) game: Option<GameKind>,
    /// Content between header and footer, including the `main` element.
    pub(super) body: Markup,
}

impl IntoResponse for HtmlPage {
    fn into_response(self) -> Response {
        let settings = current_settings();
        let sheets = sheets(self.section, self.game, settings.theme());
        let headers = [
            (CONTENT_SECURITY_POLICY, policy(&sheets, self.section)),
            (CACHE_CONTROL, "no-store".to_owned()),
        ];
        (headers, self.render(&sheets, &settings)).into_response()
    }
}

impl HtmlPage {
    /// Creates a page without board or script.
    pub(super) fn new(title: impl Into<String>, body: Markup) -> HtmlPage {
        HtmlPage {
            title: title.into(),
            section: Section::Pages,
            scripts: &[],
            loads: Vec::new(),
            game: None,
            body,
        }
    }

    fn render(&self, sheets: &[&StyleSheet], settings: &Settings) -> Markup {
        html! {
            (DOCTYPE)
            (root(settings, self.game))
            head {
                meta charset="utf-8";
                title { (self.title) }
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="description" content="Board games with friends and against the computer";
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                @for sheet in sheets { style { (PreEscaped(&sheet.css)) } }
                @if let Some(url) = self.game.and_then(|game| game_sheet(game, settings.theme())) {
                    link rel="stylesheet" href=(url);
                }
                @if self.section != Section::Pages {
                    script { (PreEscaped(EARLY_SCRIPT.as_str())) }
                    // The drawer ends what lies above the fold: nothing is shown, and then moved, before it is there.
                    link rel="expect" href="#drawer" blocking="render";
                    @for name in TABLE_MODULES.iter().chain(&self.loads) { link rel="modulepreload" href=(versioned(name)); }
                    script type="module" src=(versioned("table.js")) {}
                }
                @if self.section == Section::Talk { script type="module" src=(versioned("talk.js")) {} }
                @for name in self.scripts { script type="module" src=(versioned(name)) {} }
                @if current_member().is_some() { script type="module" src=(versioned("notify.js")) {} }
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                (head())
                (self.body)
                (foot())
            }
            (PreEscaped("</html>"))
        }
    }
}

/// Renders a page that is the same for everybody: it knows neither who reads it nor their settings.
pub(super) fn fixed_page(title: &str, sheets: &[&StyleSheet], body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                title { (title) }
                meta name="viewport" content="width=device-width, initial-scale=1";
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                @for sheet in sheets { style { (PreEscaped(&sheet.css)) } }
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                header.top {
                    (brand())
                    nav aria-label="Main" { a.wide href="/" { "Lobby" } a href="/leaderboard" { "Leaderboard" } a.wide href="/settings" { "Settings" } }
                }
                (body)
                (foot())
            }
        }
    }
}

/// Renders the start tag of the root element, with an attribute for each setting.
fn root(settings: &Settings, game: Option<GameKind>) -> PreEscaped<String> {
    let attributes = settings.attributes(game).into_iter();
    let attributes: String = attributes
        .map(|(name, word)| format!(" {name}=\"{word}\""))
        .collect();
    PreEscaped(format!("<html lang=\"en\"{attributes}>"))
}

/// Renders the name of the house, which leads to the lobby.
fn brand() -> Markup {
    html! {
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
    }
}

fn head() -> Markup {
    html! {
        header.top {
            (brand())
            nav aria-label="Main" {
                // At the start of a line that ends at the margin, it leaves no hole while it is hidden.
                @if current_member().is_some() { a.waiting href="/" hidden data-waiting {} }
                a.wide href="/" { "Lobby" }
                a href="/leaderboard" { "Leaderboard" }
                a.wide href="/settings" { "Settings" }
                @match current_member() {
                    Some(name) => a.me href={ "/players/" (name) } { bdi { (name) } },
                    None => a href="/login" { "Sign in" },
                }
            }
        }
    }
}

fn foot() -> Markup {
    html! {
        footer.foot {
            span { "Parlor, board games with friends" }
            a href="/settings" { "Settings" }
            a href="/bots" { "Bots" }
            a href="/about" { "About" }
            a href="/luck" { "Verifiable luck" }
            a href="/api/docs/" { "API" }
        }
    }
}
