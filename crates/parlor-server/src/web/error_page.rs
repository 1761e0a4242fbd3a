//! Error pages for browsers, and problem documents for the script.

use axum::extract::FromRequestParts;
use axum::http::header::ACCEPT;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, html};
use parlor_table::TableId;

use super::page::HtmlPage;
use crate::AppState;
use crate::error::Error;
use crate::extract::TablePath;

/// An error to be shown as a page or as a problem document.
#[derive(Debug)]
pub(super) struct WebError {
    error: Error,
    table: Option<TableId>,
    json: bool,
}

impl WebError {
    /// Creates an error at a table, whose page links back to that table.
    pub(super) fn at(error: impl Into<Error>, table: TableId, wants: ResponseFormat) -> WebError {
        WebError {
            error: error.into(),
            table: Some(table),
            json: wants == ResponseFormat::Json,
        }
    }
}

impl<E: Into<Error>> From<E> for WebError {
    fn from(error: E) -> WebError {
        WebError {
            error: error.into(),
            table: None,
            json: false,
        }
    }
}

/// Format of a response: a page for the browser, or JSON for the page's script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResponseFormat {
    /// HTML page.
    Html,
    /// State of the table, as JSON.
    Json,
}

impl FromRequestParts<AppState> for ResponseFormat {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        _: &AppState,
    ) -> Result<ResponseFormat, Self::Rejection> {
        let json = parts
            .headers
            .get(ACCEPT)
            .is_some_and(|value| value.as_bytes() == b"application/json");
        Ok(if json {
            ResponseFormat::Json
        } else {
            ResponseFormat::Html
        })
    }
}

/// The table in the path, of a table that the sender may see. A refusal has the format that the sender
/// expects.
#[derive(Debug)]
pub(super) struct PageTablePath(pub(super) TableId);

impl FromRequestParts<AppState> for PageTablePath {
    type Rejection = WebError;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<PageTablePath, WebError> {
        let Ok(wants) = ResponseFormat::from_request_parts(parts, state).await;
        let path = TablePath::from_request_parts(parts, state).await;
        path.map(|TablePath(id)| PageTablePath(id))
            .map_err(|error| WebError {
                json: wants == ResponseFormat::Json,
                ..WebError::from(error)
            })
    }
}

/// True if the client accepts HTML.
pub(crate) fn wants_html(headers: &HeaderMap) -> bool {
    headers
        .get(ACCEPT)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|text| text.contains("text/html"))
}

/// Returns an error as a page without styles and links.
pub(super) fn brief(error: Error) -> Response {
    let (status, headers, title) = (error.status, error.report(), title(error.status));
    let page = html! {
        (DOCTYPE)
        html lang="en" { head { title { (title) } } body { h1 { (title) } p { (sentence(error.detail)) } } }
    };
    (status, headers, page).into_response()
}

fn title(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => "Page not found",
        status if status.is_server_error() => "Something went wrong on our side",
        _ => "That didn't work",
    }
}

/// Returns a text with a capital at its start and a full stop at its end.
fn sentence(mut text: String) -> String {
    if let Some(first) = text.get(..1).map(str::to_uppercase) {
        text.replace_range(..1, &first);
    }
    if text.ends_with(['.', '!', '?']) {
        text
    } else {
        text + "."
    }
}

impl IntoResponse for WebError {
    fn into_response(self) -> Response {
        if self.json {
            return self.error.into_response();
        }
        let (status, headers) = (self.error.status, self.error.report());
        let title = title(status);
        let detail = sentence(self.error.detail);
        let body = html! {
            main #main.prose tabindex="-1" {
                h1 { (title) }
                p { (detail) }
                p.row {
                    @if let Some(table) = self.table { a.button.main href={ "/t/" (table) } { "Back to the table" } }
                    a.button href="/" { "Go to the lobby" }
                }
            }
        };
        let page = HtmlPage::new(format!("{title} – Parlor"), body);
        (status, headers, page).into_response()
    }
}
