//! The house's load: clients that computing time is shared between.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use maud::html;

use super::{AdminMember, counted, page};
use crate::thinking::{Payer, ThinkingClient};
use crate::web::error_page::WebError;
use crate::{AppState, accounts};

/// Rows of the list of clients.
const CLIENTS: usize = 50;

pub(super) async fn show(
    _admin: AdminMember,
    State(state): State<AppState>,
) -> Result<Response, WebError> {
    let clients = state.live().thinking().clients();
    let sum = |count: fn(&ThinkingClient) -> usize| clients.iter().map(count).sum::<usize>() as u64;
    let (running, waiting) = (sum(|client| client.running), sum(|client| client.waiting));
    let git = state.git_budget().clients();
    let mut rows = Vec::new();
    for client in clients.iter().take(CLIENTS) {
        rows.push((name(&state, client.payer).await?, client));
    }
    let body = html! {
        h1 { "Load" }
        p {
            "Bots and analyses share the computing time of the house, with equal shares for each member and for the guests of each network. Now "
            (counted(running, "search")) @if running == 1 { " is" } @else { " are" } " running and " (waiting) " waiting."
        }
        @if !rows.is_empty() {
            div.scroll tabindex="0" role="region" aria-label="Clients" {
                table {
                    thead { tr { th { "Client" } th { "Running" } th { "Waiting" } } }
                    tbody {
                        @for (name, client) in &rows { tr { td { (name) } td { (client.running) } td { (client.waiting) } } }
                    }
                }
            }
        }
        @if !git.is_empty() {
            h2 { "Git" }
            div.scroll tabindex="0" role="region" aria-label="Git" {
                table {
                    thead { tr { th { "Address" } th { "Requests now" } th { "Seconds used" } } }
                    tbody {
                        @for client in git.iter().take(CLIENTS) { tr { td { (client.client.0) } td { (client.open) } td { (format!("{:.1}", client.used)) } } }
                    }
                }
            }
        }
    };
    Ok(page("Load", body).into_response())
}

/// Returns the name of a client to display.
async fn name(state: &AppState, payer: Payer) -> Result<String, WebError> {
    let user = match payer {
        Payer::Member(user) => user,
        Payer::Address(client) => return Ok(format!("Guests near {}", client.0)),
        Payer::Unknown => return Ok("Guests".to_owned()),
    };
    let user = state.store().user(accounts::store_id(user)).await?;
    Ok(user.map_or_else(|| "A deleted account".to_owned(), |user| user.name))
}
