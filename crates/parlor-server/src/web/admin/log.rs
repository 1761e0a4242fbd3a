//! The audit log: everything admins did. It can't be changed.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures::stream;
use maud::{Markup, html};
use parlor_store::{
    AuditEntry, AuditFilter, AuditLine, AuditSort, AuditTarget, ListPage, StoreError,
};
use serde::Deserialize;

use super::listing::{ListAddress, PageNumber, SortOrder, heads, no_column};
use super::{AdminMember, counted, escaped, page, search, time_text};
use crate::AppState;
use crate::error::Error;
use crate::extract::Params;
use crate::web::error_page::WebError;

/// Address of the list.
const PATH: &str = "/admin/log";
/// Columns of the list: the word that sorts by it and the title; no word if none does.
const COLUMNS: [(Option<&str>, &str); 5] = [
    (Some("id"), "Time"),
    (Some("admin"), "Admin"),
    (Some("action"), "Action"),
    (Some("target"), "Target"),
    (None, "Detail"),
];
/// Lines of the history on the page of an object.
const HISTORY_LINES: u64 = 10;

#[derive(Debug, Deserialize)]
pub(in crate::web) struct LogQuery {
    q: Option<String>,
    /// Object that the lines are about, as in `table 17`.
    about: Option<String>,
    /// Word of a column, after `-` for the largest value first.
    sort: Option<String>,
    page: Option<String>,
}

fn audit_sort(column: &str) -> Result<AuditSort, Error> {
    Ok(match column {
        "id" => AuditSort::Id,
        "admin" => AuditSort::Admin,
        "action" => AuditSort::Action,
        "target" => AuditSort::Target,
        other => return Err(no_column(other)),
    })
}

pub(super) async fn list(
    _admin: AdminMember,
    State(state): State<AppState>,
    Params(query): Params<LogQuery>,
) -> Result<Response, WebError> {
    let text = query.q.as_deref().filter(|text| !text.is_empty());
    let about = query.about.as_deref().filter(|about| !about.is_empty());
    let unknown = || Error::unprocessable("about is a table, a player or a token");
    let target = about.map(|about| AuditTarget::parse(about).ok_or_else(unknown));
    let filter = AuditFilter {
        search: text.map(str::to_owned),
        admin_id: None,
        about: target.transpose()?,
    };
    let count = state.store().count_audit(&filter).await?;
    let number = PageNumber::parse(query.page.as_deref(), count);
    let order = SortOrder::parse(query.sort.as_deref());
    let slice = order.slice(audit_sort(order.column)?, number);
    let entries = state.store().sorted_audit(&filter, &slice).await?;
    let given = [
        ("q", text),
        ("about", about),
        ("sort", query.sort.as_deref()),
    ];
    let address = ListAddress::new(PATH, &given);
    let body = html! {
        h1 { @if let Some(about) = about { "History of " (about) } @else { "Log" } }
        p { a href="/admin/log.jsonl" download { "Download everything as JSON lines" } }
        @if about.is_some() { p { a href="/admin/log" { "The whole log" } } }
        form.filters method="get" action=(PATH) {
            (address.hidden_fields(&["q"]))
            (search("q", text, "Admin, action or target"))
            button { "Search" }
        }
        p.soft { (counted(count, "line")) }
        div.scroll tabindex="0" role="region" aria-label="Log" {
            table {
                thead { tr { (heads(&address, order, &COLUMNS)) } }
                tbody {
                    @for AuditEntry { line, .. } in &entries {
                        tr {
                            td { (time_text(line.at)) } td { (admin_name(line)) } td { (line.action) }
                            td { (target_link(&line.target)) } td { (line.detail) }
                        }
                    }
                }
            }
        }
        (number.links(&address))
    };
    Ok(page("Log", body).into_response())
}

/// Renders the name of who acted; an account's links to its page.
fn admin_name(line: &AuditLine) -> Markup {
    html! {
        @match line.admin_id {
            Some(id) => a href={ "/admin/players/" (id) } { (line.admin_name) },
            None => (line.admin_name),
        }
    }
}

/// Renders the target of a line, with a link to its page if there is one for its kind.
fn target_link(target: &str) -> Markup {
    let address = match AuditTarget::parse(target) {
        Some(AuditTarget::Table(id)) => Some(format!("/admin/tables/{id}")),
        Some(AuditTarget::Player(id)) => Some(format!("/admin/players/{id}")),
        Some(AuditTarget::Token(_)) | None => None,
    };
    html! {
        @match address {
            Some(address) => a href=(address) { (target) },
            None => (target),
        }
    }
}

/// Renders what admins did to an object, for its page. `target` names it as the log does.
pub(super) async fn history(state: &AppState, target: &str) -> Result<Markup, Error> {
    let filter = AuditFilter {
        about: AuditTarget::parse(target),
        ..AuditFilter::default()
    };
    let page = ListPage {
        before: None,
        limit: HISTORY_LINES,
    };
    let entries = state.store().audit(&filter, &page).await?;
    let all = format!("/admin/log?about={}", escaped(target));
    Ok(html! {
        section.card #history aria-labelledby="history-title" {
            h2 #history-title { "History" }
            @if entries.is_empty() { p.soft { "No admin has changed anything here." } } @else {
                ul.rows {
                    @for AuditEntry { line, .. } in &entries {
                        li {
                            span {
                                b { (line.action) } @if !line.detail.is_empty() { ": " (line.detail) } br;
                                span.small.soft { (time_text(line.at)) " by " (admin_name(line)) }
                            }
                        }
                    }
                }
                p { a href=(all) { "All of it in the log" } }
            }
        }
    })
}

/// Entries read at once for the download.
const BATCH: u64 = 500;

/// Streams the whole log as JSON lines, newest first.
pub(super) async fn download(_admin: AdminMember, State(state): State<AppState>) -> Response {
    let filter = Arc::new(AuditFilter::default());
    let batches = stream::try_unfold(Some(None), move |before: Option<Option<i64>>| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let Some(before) = before else {
                return Ok(None);
            };
            let page = ListPage {
                before,
                limit: BATCH,
            };
            let entries = state.store().audit(&filter, &page).await?;
            let next = entries.last().map(|entry| Some(entry.id));
            let lines: String = entries
                .iter()
                .map(|entry| format!("{}\n", entry.to_json()))
                .collect();
            let is_last = (entries.len() as u64) < BATCH;
            Ok::<_, StoreError>(Some((lines, next.filter(|_| !is_last))))
        }
    });
    let headers = [
        (CONTENT_TYPE, "application/x-ndjson"),
        (
            CONTENT_DISPOSITION,
            "attachment; filename=\"parlor-log.jsonl\"",
        ),
    ];
    (headers, Body::from_stream(batches)).into_response()
}
