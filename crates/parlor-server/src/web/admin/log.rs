//! The audit log: everything admins did. It can't be changed.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures::stream;
use maud::html;
use parlor_store::{AuditFilter, ListPage, StoreError};

use super::{AdminMember, SearchQuery, page, page_before, page_links, search, time_text};
use crate::AppState;
use crate::extract::Params;
use crate::web::error_page::WebError;

pub(super) async fn list(
    _admin: AdminMember,
    State(state): State<AppState>,
    Params(query): Params<SearchQuery>,
) -> Result<Response, WebError> {
    let text = query.text();
    let filter = AuditFilter {
        search: text.map(str::to_owned),
        admin_id: None,
    };
    let entries = state
        .store()
        .audit(&filter, &page_before(query.before))
        .await?;
    let body = html! {
        h1 { "Log" }
        p { a href="/admin/log.jsonl" download { "Download everything as JSON lines" } }
        form.filters method="get" action="/admin/log" { (search("q", text, "Admin, action or target")) button { "Search" } }
        div.scroll tabindex="0" role="region" aria-label="Log" {
            table {
                thead { tr { th { "Time" } th { "Admin" } th { "Action" } th { "Target" } th { "Detail" } } }
                tbody {
                    @for entry in &entries {
                        tr {
                            td { (time_text(entry.line.at)) } td { (entry.line.admin_name) } td { (entry.line.action) }
                            td { (entry.line.target) } td { (entry.line.detail) }
                        }
                    }
                }
            }
        }
        @if entries.is_empty() { p.soft { "No entries." } }
        (page_links("/admin/log", &[("q", text)], query.before, entries.last().map(|entry| entry.id), entries.len()))
    };
    Ok(page("Log", body).into_response())
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
