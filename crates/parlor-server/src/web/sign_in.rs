//! Signing up, in and out.

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};
use serde::Deserialize;

use super::actions::FormFields;
use super::error_page::WebError;
use super::page::HtmlPage;
use crate::AppState;
use crate::accounts::{Login, NewAccount, NewSession, PlayingStrength};
use crate::api::sessions::{ended, started};
use crate::auth::{Password, current_member, session_token};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::Params;

/// Routes of signing up, in and out.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/signup", get(sign_up_form).post(sign_up))
        .route("/login", get(login_form).post(login))
        .route("/logout", post(logout))
}

/// Query of the sign-in and sign-up forms.
#[derive(Debug, Default, Deserialize)]
pub(super) struct NextPage {
    next: Option<String>,
}

/// Returns the page to continue to; the lobby unless `next` is a local path.
fn onward(next: Option<&str>) -> &str {
    let ours = |next: &&str| {
        next.starts_with('/')
            && !next.starts_with("//")
            && next.bytes().all(|c| c.is_ascii_graphic() && c != b'\\')
    };
    next.filter(ours).unwrap_or("/")
}

/// Contents of a form, when it is shown again after an error.
#[derive(Default)]
struct SignForm<'a> {
    name: Option<&'a str>,
    level: Option<&'a str>,
    next: Option<&'a str>,
    error: Option<Error>,
}

async fn sign_up_form(Params(then): Params<NextPage>) -> Response {
    if current_member().is_some() {
        return Redirect::to(onward(then.next.as_deref())).into_response();
    }
    sign_up_page(SignForm {
        next: then.next.as_deref(),
        ..SignForm::default()
    })
}

async fn login_form(Params(then): Params<NextPage>) -> Response {
    if current_member().is_some() {
        return Redirect::to(onward(then.next.as_deref())).into_response();
    }
    login_page(SignForm {
        next: then.next.as_deref(),
        ..SignForm::default()
    })
}

async fn sign_up(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
    fields: FormFields,
) -> Response {
    let level = match fields.get("level") {
        Some("beginner") => Some(PlayingStrength::Beginner),
        Some("casual") => Some(PlayingStrength::Casual),
        Some("club") => Some(PlayingStrength::Club),
        Some("strong") => Some(PlayingStrength::Strong),
        _ => None,
    };
    let name = fields.get("name").unwrap_or_default().trim().to_owned();
    let password = Password::new(fields.get("password").unwrap_or_default());
    let next = fields.get("next");
    match state
        .sign_up(
            NewAccount {
                name: name.clone(),
                password,
                level,
            },
            client,
            &headers,
        )
        .await
    {
        Ok(session) => welcome(&state, &session, next),
        Err(error) => sign_up_page(SignForm {
            name: Some(&name),
            level: fields.get("level"),
            next,
            error: Some(error),
        }),
    }
}

async fn login(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
    fields: FormFields,
) -> Response {
    let name = fields.get("name").unwrap_or_default().trim().to_owned();
    let password = Password::new(fields.get("password").unwrap_or_default());
    let next = fields.get("next");
    match state
        .sign_in(
            Login {
                name: name.clone(),
                password,
            },
            client,
            &headers,
        )
        .await
    {
        Ok(session) => welcome(&state, &session, next),
        Err(error) => login_page(SignForm {
            name: Some(&name),
            next,
            error: Some(error),
            ..SignForm::default()
        }),
    }
}

fn welcome(state: &AppState, session: &NewSession, next: Option<&str>) -> Response {
    (started(state, session), Redirect::to(onward(next))).into_response()
}

async fn logout(State(state): State<AppState>, headers: HeaderMap) -> Result<Response, WebError> {
    if let Some(token) = session_token(&headers) {
        state.sign_out(&token).await?;
    }
    Ok(([(SET_COOKIE, ended(&state))], Redirect::to("/")).into_response())
}

fn sign_up_page(filled: SignForm<'_>) -> Response {
    let levels = [
        ("", "I'd rather not say (starts at 1000)"),
        ("beginner", "Beginner (200)"),
        ("casual", "Casual player (400)"),
        ("club", "Club player (700)"),
        ("strong", "Strong player (900)"),
    ];
    let body = html! {
        p.soft { "An account gives you rated games and one list of your games on all your devices. You can also keep playing without one." }
        form method="post" action="/signup" {
            (next(&filled))
            (name(&filled, "1 to 20 letters, digits, _ or -. Visible to everyone."))
            (password(&filled, "new-password", "At least 8 characters, and not easily guessed: three or four words that do not belong together, for example."))
            label.field {
                span { "How well do you play? This sets your first rating." }
                select name="level" {
                    @for (value, title) in levels {
                        option value=(value) selected[filled.level.unwrap_or_default() == value] { (title) }
                    }
                }
            }
            p { button.main { "Sign up" } }
        }
        p.small { "Already have an account? " a href=(with_next("/login", filled.next)) { "Sign in" } "." }
    };
    page("Sign up", filled.error, body)
}

fn login_page(filled: SignForm<'_>) -> Response {
    let body = html! {
        form method="post" action="/login" {
            (next(&filled))
            (name(&filled, ""))
            (password(&filled, "current-password", ""))
            p { button.main { "Sign in" } }
        }
        p.small { "New here? " a href=(with_next("/signup", filled.next)) { "Create an account" } ". You don't need one to play by link." }
    };
    page("Sign in", filled.error, body)
}

fn page(title: &str, error: Option<Error>, form: Markup) -> Response {
    let status = error.as_ref().map_or(StatusCode::OK, |error| error.status);
    let headers = error.as_ref().map(Error::report).unwrap_or_default();
    let body = html! {
        main #main.narrow tabindex="-1" {
            section.card {
                h1 { (title) }
                @if let Some(error) = &error { p.refused #problem role="alert" { (sentence(&error.detail)) } }
                (form)
            }
        }
    };
    let page = HtmlPage::new(format!("{title} – Parlor"), body);
    (status, headers, page).into_response()
}

/// Turns an error detail into a sentence.
pub(super) fn sentence(detail: &str) -> String {
    let mut letters = detail.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string())
        .unwrap_or_default();
    let end = if detail.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    format!("{first}{}{end}", letters.as_str())
}

fn is_wrong(filled: &SignForm<'_>, field: &str) -> bool {
    let named = |error: &Error| {
        error
            .fields
            .as_ref()
            .is_some_and(|fields| fields.get("field").is_some_and(|name| name == field))
    };
    filled.error.as_ref().is_some_and(named)
}

fn next(filled: &SignForm<'_>) -> Markup {
    html! { @if let Some(next) = filled.next { input type="hidden" name="next" value=(next); } }
}

fn with_next(path: &str, next: Option<&str>) -> String {
    match onward(next) {
        "/" => path.to_owned(),
        next => format!(
            "{path}?next={}",
            next.replace('%', "%25")
                .replace('&', "%26")
                .replace('+', "%2B")
                .replace('#', "%23")
        ),
    }
}

fn name(filled: &SignForm<'_>, hint: &str) -> Markup {
    let wrong = is_wrong(filled, "name");
    html! {
        label.field {
            span { "Name" }
            input name="name" required maxlength="20" pattern="[A-Za-z0-9_\\-]{1,20}" autocomplete="username" autocapitalize="none"
                spellcheck="false" value=[filled.name] aria-invalid=[wrong.then_some("true")] aria-describedby=[wrong.then_some("problem")];
            @if !hint.is_empty() { small.soft { (hint) } }
        }
    }
}

fn password(filled: &SignForm<'_>, purpose: &str, hint: &str) -> Markup {
    let wrong = is_wrong(filled, "password");
    html! {
        label.field {
            span { "Password" }
            input type="password" name="password" required maxlength="200" minlength=[(purpose == "new-password").then_some("8")]
                autocomplete=(purpose) aria-invalid=[wrong.then_some("true")] aria-describedby=[wrong.then_some("problem")];
            @if !hint.is_empty() { small.soft { (hint) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_redirected_to_another_site() {
        for next in ["/t/00000000001?step=2", "/account", "/"] {
            assert_eq!(onward(Some(next)), next);
        }
        for next in [
            "https://evil.example",
            "//evil.example",
            "/\\evil.example",
            "evil",
            "",
            "/a b",
            "/\r\nSet-Cookie:a",
        ] {
            assert_eq!(onward(Some(next)), "/", "{next:?}");
        }
        assert_eq!(onward(None), "/");
    }

    #[test]
    fn the_next_page_is_kept_from_form_to_form() {
        assert_eq!(
            with_next("/signup", Some("/leaderboard?game=mnk&x=1")),
            "/signup?next=/leaderboard?game=mnk%26x=1"
        );
        assert_eq!(with_next("/signup", None), "/signup");
    }
}
