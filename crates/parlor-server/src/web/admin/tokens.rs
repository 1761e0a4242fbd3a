//! Tokens of all members: whose, what for; revoking one.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use parlor_store::TokenFilter;

use super::{Admin, Query, onward, page, part, question, search, time_text};
use crate::error::Error;
use crate::extract::Params;
use crate::web::oops::Oops;
use crate::{AppState, live};

pub(super) async fn list(
    _admin: Admin,
    State(state): State<AppState>,
    Params(query): Params<Query>,
) -> Result<Response, Oops> {
    let text = query.text();
    let filter = TokenFilter {
        search: text.map(str::to_owned),
        live_at: None,
    };
    let tokens = state.store().tokens(&filter, &part(query.before)).await?;
    let now = live::now().millis();
    let body = html! {
        h1 { "Tokens" }
        form.filters method="get" action="/admin/tokens" { (search("q", text, "Name or owner")) button { "Search" } }
        div.scroll tabindex="0" role="region" aria-label="Tokens" {
            table {
                thead { tr { th { "ID" } th { "Owner" } th { "Name" } th { "Scopes" } th { "Created" } th { "Last used" } th { "State" } } }
                tbody {
                    @for (token, user) in &tokens {
                        tr {
                            td { (token.id) }
                            td { a href={ "/admin/players/" (user.id) } { (user.name) } }
                            td { (token.name) } td { (token.scopes.join(", ")) }
                            td { (time_text(token.created_at)) }
                            td { (token.last_used_at.map(time_text).unwrap_or_default()) }
                            td {
                                @match (token.revoked_at, token.expires_at) {
                                    (Some(at), _) => { "revoked " (time_text(at)) },
                                    (None, Some(at)) if at <= now => { "expired " (time_text(at)) },
                                    _ => { a href={ "/admin/tokens/" (token.id) "/revoke" } { "revoke" } },
                                }
                            }
                        }
                    }
                }
            }
        }
        @if tokens.is_empty() { p.soft { "None." } }
        (onward("/admin/tokens", &[("q", text)], query.before, tokens.last().map(|(token, _)| token.id), tokens.len()))
    };
    Ok(page("Tokens", body).into_response())
}

pub(super) async fn ask(_admin: Admin, Path(id): Path<i64>) -> Response {
    let text = html! { p { "Programs that use token " (id) " lose their way in at once, and their sockets are closed." } };
    let action = format!("/admin/tokens/{id}/revoke");
    question(
        "Revoke this token?",
        text,
        &action,
        "Yes, revoke it",
        "/admin/tokens",
    )
    .into_response()
}

pub(super) async fn revoke(
    admin: Admin,
    State(state): State<AppState>,
    Path(id): Path<i64>,
) -> Result<Response, Oops> {
    let line = admin.line("revoke token", format!("token {id}"), "");
    if !state.revoke_token(id, None, Some(line)).await? {
        return Err(Error::not_found("there is no such token, or it is revoked already").into());
    }
    Ok(Redirect::to("/admin/tokens").into_response())
}
