//! Errors as pages, or as problem documents for the script.

use axum::extract::FromRequestParts;
use axum::http::header::ACCEPT;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::html;
use parlor_table::TableId;

use super::shell::Page;
use crate::AppState;
use crate::error::Error;

/// An error on its way to a browser.
#[derive(Debug)]
pub(super) struct Oops {
    error: Error,
    table: Option<TableId>,
    json: bool,
}

impl Oops {
    /// The way back leads to this table; the script gets a problem document.
    pub(super) fn at(error: impl Into<Error>, table: TableId, wants: Wants) -> Oops {
        Oops {
            error: error.into(),
            table: Some(table),
            json: wants == Wants::Json,
        }
    }
}

impl<E: Into<Error>> From<E> for Oops {
    fn from(error: E) -> Oops {
        Oops {
            error: error.into(),
            table: None,
            json: false,
        }
    }
}

/// Whether a request comes from the page's script or from the browser itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wants {
    /// A page.
    Html,
    /// The state of the table.
    Json,
}

impl FromRequestParts<AppState> for Wants {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Wants, Self::Rejection> {
        let json = parts
            .headers
            .get(ACCEPT)
            .is_some_and(|value| value.as_bytes() == b"application/json");
        Ok(if json { Wants::Json } else { Wants::Html })
    }
}

/// Whether a browser asks for a page.
pub(super) fn wants_html(headers: &HeaderMap) -> bool {
    headers
        .get(ACCEPT)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|text| text.contains("text/html"))
}

impl IntoResponse for Oops {
    fn into_response(self) -> Response {
        if self.json {
            return self.error.into_response();
        }
        let status = self.error.status;
        let title = match status {
            StatusCode::NOT_FOUND => "Nobody sits here",
            status if status.is_server_error() => "Something fell off the table",
            _ => "That did not work",
        };
        let mut detail = self.error.detail;
        if let Some(first) = detail.get(..1).map(str::to_uppercase) {
            detail.replace_range(..1, &first);
        }
        let detail = if detail.ends_with(['.', '!', '?']) {
            detail
        } else {
            detail + "."
        };
        let body = html! {
            main #main.prose tabindex="-1" {
                h1 { (title) }
                p { (detail) }
                p.row {
                    @if let Some(table) = self.table { a.button.main href={ "/t/" (table) } { "Back to the table" } }
                    a.button href="/" { "To the lobby" }
                }
            }
        };
        (
            status,
            Page {
                title: format!("{title} – Parlor"),
                live: false,
                body,
            },
        )
            .into_response()
    }
}
