//! Pages for those who keep the house: tables, players, tokens, and the log of what was done here.
//!
//! Everything is read-only but what the log names: deleting a table, banning a player, revoking a token. Each asks first,
//! and its line in the log is written in the same transaction. Only members who are admins at this very moment come in.

mod log;
mod players;
mod tables;
mod tokens;

use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use maud::{Markup, html};
use parlor_store::{AuditLine, Page as StorePage};
use serde::Deserialize;
use time::OffsetDateTime;
use time::macros::format_description;

use super::oops::Oops;
use super::shell::Page;
use crate::auth::Signed;
use crate::error::Error;
use crate::{AppState, accounts, live};

/// Rows on one page.
const ROWS: u64 = 50;

/// The pages.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/admin", get(async || Redirect::to("/admin/tables")))
        .route("/admin/tables", get(tables::list))
        .route("/admin/tables/{id}", get(tables::show))
        .route(
            "/admin/tables/{id}/delete",
            get(tables::ask).post(tables::delete),
        )
        .route("/admin/players", get(players::list))
        .route(
            "/admin/players/{id}",
            get(players::show).post(players::change),
        )
        .route("/admin/tokens", get(tokens::list))
        .route(
            "/admin/tokens/{id}/revoke",
            get(tokens::ask).post(tokens::revoke),
        )
        .route("/admin/log", get(log::list))
}

/// Somebody who keeps the house.
#[derive(Debug)]
pub(super) struct Admin {
    id: i64,
    name: String,
}

impl Admin {
    /// What the log will say.
    fn line(
        &self,
        action: &str,
        target: impl Into<String>,
        detail: impl Into<String>,
    ) -> AuditLine {
        AuditLine {
            at: live::now().millis(),
            admin_id: Some(self.id),
            admin_name: self.name.clone(),
            action: action.to_owned(),
            target: target.into(),
            detail: detail.into(),
        }
    }
}

impl FromRequestParts<AppState> for Admin {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Admin, Response> {
        // The session was looked up with this very request, so whoever is no admin any more does not come in.
        match parts.extensions.get::<Signed>() {
            None => Err(Redirect::to("/login?next=/admin").into_response()),
            Some(signed) if signed.admin => Ok(Admin {
                id: accounts::number(signed.member.id),
                name: signed.member.name.clone(),
            }),
            Some(_) => {
                let detail = "these pages are for those who keep the house";
                Err(Oops::from(Error::forbidden("not-an-admin", detail)).into_response())
            }
        }
    }
}

/// What a list with one search field is asked for.
#[derive(Debug, Deserialize)]
struct Query {
    q: Option<String>,
    before: Option<i64>,
}

impl Query {
    /// What is searched for, if anything.
    fn text(&self) -> Option<&str> {
        self.q.as_deref().filter(|text| !text.is_empty())
    }
}

/// A page with the sections on top.
fn page(title: &str, body: Markup) -> Page {
    let body = html! {
        main #main.admin tabindex="-1" {
            nav.sections aria-label="Sections" {
                @for section in ["Tables", "Players", "Tokens", "Log"] {
                    a href={ "/admin/" (section.to_lowercase()) } aria-current=[(section == title).then_some("page")] { (section) }
                }
            }
            (body)
        }
    };
    Page {
        title: format!("{title} – Admin – Parlor"),
        live: false,
        body,
    }
}

/// A point in time for people, in UTC.
fn time_text(millis: i64) -> String {
    let format = format_description!("[year]-[month]-[day] [hour]:[minute]:[second] UTC");
    let time = OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000);
    time.ok()
        .and_then(|time| time.format(format).ok())
        .unwrap_or_else(|| millis.to_string())
}

/// A form that is sent by itself: what a list is filtered by.
fn search(name: &str, value: Option<&str>, hint: &str) -> Markup {
    html! {
        label.field { span { (hint) } input type="search" name=(name) value=[value] maxlength="60"; }
    }
}

/// The page of a list that begins below an id.
fn part(before: Option<i64>) -> StorePage {
    StorePage {
        before,
        limit: ROWS,
    }
}

/// The ways to the next rows and back to the first. `query` is what the list is filtered by.
fn onward(
    path: &str,
    query: &[(&str, Option<&str>)],
    before: Option<i64>,
    last: Option<i64>,
    rows: usize,
) -> Markup {
    let address = |before: Option<i64>| {
        let mut query: Vec<(&str, String)> = query
            .iter()
            .filter_map(|(name, value)| Some((*name, (*value)?.to_owned())))
            .collect();
        query.extend(before.map(|id| ("before", id.to_string())));
        let pairs: Vec<String> = query
            .iter()
            .map(|(name, value)| format!("{name}={}", escaped(value)))
            .collect();
        if pairs.is_empty() {
            path.to_owned()
        } else {
            format!("{path}?{}", pairs.join("&"))
        }
    };
    let more = last.filter(|_| rows as u64 == ROWS);
    html! {
        p.row {
            @if before.is_some() { a.button href=(address(None)) { "Newest" } }
            @if let Some(last) = more { a.button href=(address(Some(last))) { "Older" } }
        }
    }
}

/// A value in the query of an address.
fn escaped(text: &str) -> String {
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    let write = |byte: u8| {
        if safe(byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    text.bytes().map(write).collect()
}

/// How many there are, in words: "1 table", "3 tables".
fn counted(count: u64, one: &str) -> String {
    if count == 1 {
        format!("1 {one}")
    } else {
        format!("{count} {one}s")
    }
}

/// A question before something that cannot be undone.
fn question(title: &str, text: Markup, action: &str, yes: &str, back: &str) -> Page {
    let body = html! {
        section.card {
            h1 { (title) }
            (text)
            form method="post" action=(action) {
                p.row { button.warn { (yes) } a.button href=(back) { "No, go back" } }
            }
        }
    };
    page(title, body)
}
