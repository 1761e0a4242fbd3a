//! Tokens of all members: the list, and revoking one.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use parlor_store::TokenFilter;

use super::{AdminMember, SearchQuery, page, page_before, page_links, question, search, time_text};
use crate::AppState;
use crate::error::Error;
use crate::extract::Params;
use crate::web::error_page::WebError;

pub(super) async fn list(
    _admin: AdminMember,
    State(state): State<AppState>,
    Params(query): Params<SearchQuery>,
) -> Result<Response, WebError> {
    let text = query.text();
    let filter = TokenFilter {
        search: text.map(str::to_owned),
        live_at: None,
    };
    let tokens = state
        .store()
        .tokens(&filter, &page_before(query.before))
        .await?;
    let now = state.now().millis();
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
        @if tokens.is_empty() { p.soft { "No tokens." } }
        (page_links("/admin/tokens", &[("q", text)], query.before, tokens.last().map(|(token, _)| token.id), tokens.len()))
    };
    Ok(page("Tokens", body).into_response())
}

pub(super) async fn ask(_admin: AdminMember, Path(id): Path<i64>) -> Response {
    let text = html! { p { "Programs that use token " (id) " lose access at once, and their connections are closed." } };
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
    admin: AdminMember,
    State(state): State<AppState>,
    Path(id): Path<i64>,
) -> Result<Response, WebError> {
    let line = admin.line("revoke token", format!("token {id}"), "");
    if !state.revoke_token(id, None, Some(line)).await? {
        return Err(
            Error::not_found("there is no such token, or it has already been revoked").into(),
        );
    }
    Ok(Redirect::to("/admin/tokens").into_response())
}
