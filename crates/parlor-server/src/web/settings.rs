//! Page with all settings, and the controls that the drawer of a table shares with it.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::routing::get;
use maud::{Markup, html};
use parlor_games::GameKind;

use super::actions::FormFields;
use super::cookies;
use super::error_page::{ResponseFormat, WebError};
use super::page::HtmlPage;
use super::snapshot::Viewer;
use super::talk;
use crate::AppState;
use crate::accounts::store_id;
use crate::auth::{SignedIn, current_member, current_settings};
use crate::error::Error;
use crate::settings::Setting;

/// Routes of the settings.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/settings", get(show).post(save))
        .route("/settings/{game}", get(of_game))
}

async fn show(viewer: Viewer) -> HtmlPage {
    let member = current_member();
    let body = html! {
        main #main.members tabindex="-1" {
            h1 { "Settings" }
            p.soft {
                @if member.is_some() { "Kept with your account, for every browser in which you sign in." }
                @else { "Kept in this browser. Sign in to keep them with your account." }
            }
            form.settings method="post" action="/settings" data-settings {
                section.card aria-labelledby="general" {
                    h2 #general { "Colors, sound and motion" }
                    @for setting in Setting::common() { (choices(&setting)) }
                    (notifications())
                }
                section.card aria-labelledby="boards" {
                    h2 #boards { "Boards" }
                    @for kind in GameKind::all() { (choices(&Setting::board(*kind))) }
                }
                button.main.nojs { "Save" }
            }
            section.card aria-labelledby="talk" {
                h2 #talk { "Talk" }
                p.soft { "What people write to each other at tables. Hiding it applies to this browser." }
                (talk::switch(None, &viewer))
            }
            p #say.hidden aria-live="polite" {}
        }
    };
    HtmlPage {
        scripts: &["settings-page.js"],
        ..HtmlPage::new("Settings – Parlor", body)
    }
}

/// Renders the place for the settings that matter at a table of a game, which the script loads when it
/// is opened: most readers of a table's page do not need them.
pub(super) fn quick(kind: GameKind) -> Markup {
    html! {
        div.settings data-load={ "/settings/" (kind.name()) } {}
        (notifications())
        p { a href="/settings" { "All settings" } }
    }
}

/// Shows the settings that matter at a table of a game, for the drawer. They apply at once.
async fn of_game(Path(game): Path<String>) -> Result<Markup, WebError> {
    let kind = GameKind::from_name(&game).map_err(|error| Error::not_found(&error.to_string()))?;
    let mut board = Setting::board(kind);
    board.title = "Board".to_owned();
    Ok(html! {
        form.settings method="post" action="/settings" data-settings {
            (choices(&board))
            @for setting in Setting::common() { (choices(&setting)) }
        }
    })
}

/// Renders the switch for notifications, which every browser asks about by itself.
fn notifications() -> Markup {
    html! {
        div.alerts role="group" aria-label="Notifications" { button type="button" data-switch="notify" aria-pressed="false" { "Notify me" } }
    }
}

/// Renders the choices of a setting.
fn choices(setting: &Setting) -> Markup {
    let chosen = current_settings().get(setting);
    html! {
        fieldset.setting {
            legend { (setting.title) }
            div.words {
                @for (word, title) in &setting.choices {
                    label { input type="radio" name=(setting.name) value=(word) checked[*word == chosen]; span { (title) } }
                }
            }
            @if !setting.help.is_empty() { p.small.soft { (setting.help) } }
        }
    }
}

/// Keeps the settings that are sent, and leaves the others.
async fn save(
    State(state): State<AppState>,
    signed: Option<axum::Extension<SignedIn>>,
    wants: ResponseFormat,
    fields: FormFields,
) -> Result<Response, WebError> {
    let mut settings = current_settings();
    for (name, word) in fields.all() {
        settings.choose(name, word);
    }
    let text = settings.text();
    if let Some(axum::Extension(signed)) = signed {
        let kept = state
            .store()
            .set_settings(store_id(signed.member.id), &text);
        kept.await.map_err(Error::from)?;
    }
    let cookie = AppendHeaders([(SET_COOKIE, cookies::with_settings(&text, state.is_https()))]);
    Ok(match wants {
        ResponseFormat::Json => (cookie, StatusCode::NO_CONTENT).into_response(),
        ResponseFormat::Html => (cookie, Redirect::to("/settings")).into_response(),
    })
}
