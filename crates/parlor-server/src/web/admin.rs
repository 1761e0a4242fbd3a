//! Admin pages: tables, players, talk, tokens, the load, and the audit log.
//!
//! Everything is read-only except deleting tables, banning or silencing a player, giving one a new
//! password, closing an account or a report, and revoking a token. What cannot be undone asks for
//! confirmation, and each audit entry is written in the same transaction. Only members who are admins at
//! the time of the request have access.

mod deletion;
mod listing;
mod load;
mod log;
mod players;
mod record;
mod tables;
mod talk;
mod tokens;

use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::Method;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};
use parlor_store::{AuditLine, ListPage};
use parlor_table::Timestamp;
use time::OffsetDateTime;
use time::macros::format_description;

use super::error_page::WebError;
use super::page::HtmlPage;
use crate::auth::SignedIn;
use crate::error::Error;
use crate::{AppState, accounts};

/// Rows on one page.
const ROWS: u64 = 50;

/// Routes of the admin pages.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/admin", get(async || Redirect::to("/admin/tables")))
        .route("/admin/", get(async || Redirect::to("/admin/tables")))
        .route("/admin/tables", get(tables::list))
        .route("/admin/tables/{id}", get(record::show))
        .route(
            "/admin/tables/{id}/delete",
            get(record::ask).post(record::delete),
        )
        .route("/admin/tables/delete", post(deletion::delete_selected))
        .route("/admin/players", get(players::list))
        .route(
            "/admin/players/{id}",
            get(players::show).post(players::change),
        )
        .route("/admin/players/{id}/silence", post(talk::silence_player))
        .route("/admin/talk", get(talk::list))
        .route("/admin/talk/{id}/close", post(talk::close))
        .route("/admin/talk/{id}/silence", post(talk::silence))
        .route("/admin/talk/unsilence", post(talk::unsilence))
        .route("/admin/tokens", get(tokens::list))
        .route(
            "/admin/tokens/{id}/revoke",
            get(tokens::ask).post(tokens::revoke),
        )
        .route("/admin/load", get(load::show))
        .route("/admin/log", get(log::list))
        .route("/admin/log.jsonl", get(log::download))
}

/// A member with admin rights.
#[derive(Debug)]
pub(super) struct AdminMember {
    id: i64,
    name: String,
    /// Time of the request.
    at: Timestamp,
}

impl AdminMember {
    /// Returns an audit entry for an action of this admin.
    fn line(
        &self,
        action: &str,
        target: impl Into<String>,
        detail: impl Into<String>,
    ) -> AuditLine {
        AuditLine {
            at: self.at.millis(),
            admin_id: Some(self.id),
            admin_name: self.name.clone(),
            action: action.to_owned(),
            target: target.into(),
            detail: detail.into(),
        }
    }
}

impl FromRequestParts<AppState> for AdminMember {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<AdminMember, Response> {
        // The session was looked up with this request, so lost admin rights take effect at once.
        match parts.extensions.get::<SignedIn>() {
            None => Err(Redirect::to(&sign_in_address(parts)).into_response()),
            Some(signed) if signed.admin => Ok(AdminMember {
                id: accounts::store_id(signed.member.id),
                name: signed.member.name.clone(),
                at: state.now(),
            }),
            Some(_) => {
                let detail = "only admins can see these pages";
                Err(WebError::from(Error::forbidden("not-an-admin", detail)).into_response())
            }
        }
    }
}

/// Returns the address of the sign-in page, which leads back to the page that was asked for.
fn sign_in_address(parts: &Parts) -> String {
    // A form that was sent cannot be sent again.
    let asked = match parts.method {
        Method::GET | Method::HEAD => parts.uri.path_and_query(),
        _ => None,
    };
    let next = asked.map_or("/admin", |asked| asked.as_str());
    format!("/login?next={}", escaped(next).replace("%2F", "/"))
}

/// Creates an admin page, with the sections at the top.
fn page(title: &str, body: Markup) -> HtmlPage {
    let body = html! {
        main #main.admin tabindex="-1" {
            nav.sections aria-label="Sections" {
                @for section in ["Tables", "Players", "Talk", "Tokens", "Load", "Log"] {
                    a href={ "/admin/" (section.to_lowercase()) } aria-current=[(section == title).then_some("page")] { (section) }
                }
            }
            (body)
        }
    };
    HtmlPage::new(format!("{title} – Admin – Parlor"), body)
}

/// Formats a time in UTC, such as `2026-11-22 08:00:00 UTC`.
fn time_text(millis: i64) -> String {
    let format = format_description!("[year]-[month]-[day] [hour]:[minute]:[second] UTC");
    let time = OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000);
    time.ok()
        .and_then(|time| time.format(format).ok())
        .unwrap_or_else(|| millis.to_string())
}

/// A search field.
fn search(name: &str, value: Option<&str>, hint: &str) -> Markup {
    html! {
        label.field { span { (hint) } input type="search" name=(name) value=[value] maxlength="60"; }
    }
}

/// Limits a list to the newest rows of one page.
fn newest() -> ListPage {
    ListPage {
        before: None,
        limit: ROWS,
    }
}

/// Percent-encodes a value for the query of a URL.
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

/// Formats a count with its noun: "1 table", "3 tables", "0 searches".
fn counted(count: u64, one: &str) -> String {
    let ending = match count {
        1 => "",
        _ if one.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{count} {one}{ending}")
}

/// A confirmation page before an action that can't be undone.
fn question(title: &str, text: Markup, action: &str, yes: &str, back: &str) -> HtmlPage {
    let body = html! {
        section.card {
            h1 { (title) }
            (text)
            form method="post" action=(action) {
                p.row { button.warn { (yes) } a.button href=(back) { "Cancel" } }
            }
        }
    };
    page(title, body)
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn counts_have_the_right_plural() {
        for (count, one, text) in [
            (0, "search", "0 searches"),
            (1, "search", "1 search"),
            (2, "search", "2 searches"),
            (1, "table", "1 table"),
            (3, "open report", "3 open reports"),
        ] {
            assert_eq!(counted(count, one), text);
        }
    }
}
