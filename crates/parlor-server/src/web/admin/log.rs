//! The audit log: everything admins did. It can't be changed.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use maud::html;
use parlor_store::AuditFilter;

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
