//! The log of what admins did. Nobody can change it.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use maud::html;
use parlor_store::AuditFilter;

use super::{Admin, Query, onward, page, part, search, time_text};
use crate::AppState;
use crate::extract::Params;
use crate::web::oops::Oops;

pub(super) async fn list(
    _admin: Admin,
    State(state): State<AppState>,
    Params(query): Params<Query>,
) -> Result<Response, Oops> {
    let text = query.text();
    let filter = AuditFilter {
        search: text.map(str::to_owned),
        admin_id: None,
    };
    let entries = state.store().audit(&filter, &part(query.before)).await?;
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
        @if entries.is_empty() { p.soft { "Nothing." } }
        (onward("/admin/log", &[("q", text)], query.before, entries.last().map(|entry| entry.id), entries.len()))
    };
    Ok(page("Log", body).into_response())
}
