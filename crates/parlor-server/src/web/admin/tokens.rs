//! Tokens of all members: the list, and revoking one.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use parlor_store::{StoredToken, TokenFilter, TokenSort, User};
use serde::Deserialize;

use super::listing::{ListAddress, PageNumber, SortOrder, heads, no_column};
use super::{AdminMember, counted, page, question, search, time_text};
use crate::AppState;
use crate::error::Error;
use crate::extract::Params;
use crate::web::error_page::WebError;

/// Address of the list.
const PATH: &str = "/admin/tokens";
/// Columns of the list: the word that sorts by it and the title; no word if none does.
const COLUMNS: [(Option<&str>, &str); 7] = [
    (Some("id"), "ID"),
    (Some("owner"), "Owner"),
    (Some("name"), "Name"),
    (None, "Scopes"),
    (Some("created"), "Created"),
    (Some("used"), "Last used"),
    (None, "State"),
];

#[derive(Debug, Deserialize)]
pub(in crate::web) struct TokenQuery {
    q: Option<String>,
    /// Word of a column, after `-` for the largest value first.
    sort: Option<String>,
    page: Option<String>,
}

fn token_sort(column: &str) -> Result<TokenSort, Error> {
    Ok(match column {
        "id" => TokenSort::Id,
        "owner" => TokenSort::Owner,
        "name" => TokenSort::Name,
        "created" => TokenSort::Created,
        "used" => TokenSort::Used,
        other => return Err(no_column(other)),
    })
}

pub(super) async fn list(
    _admin: AdminMember,
    State(state): State<AppState>,
    Params(query): Params<TokenQuery>,
) -> Result<Response, WebError> {
    let text = query.q.as_deref().filter(|text| !text.is_empty());
    let filter = TokenFilter {
        search: text.map(str::to_owned),
        live_at: None,
    };
    let count = state.store().count_tokens(&filter).await?;
    let number = PageNumber::parse(query.page.as_deref(), count);
    let order = SortOrder::parse(query.sort.as_deref());
    let slice = order.slice(token_sort(order.column)?, number);
    let tokens = state.store().sorted_tokens(&filter, &slice).await?;
    let now = state.now().millis();
    let address = ListAddress::new(PATH, &[("q", text), ("sort", query.sort.as_deref())]);
    let body = html! {
        h1 { "Tokens" }
        form.filters method="get" action=(PATH) {
            (address.hidden_fields(&["q"]))
            (search("q", text, "Name or owner"))
            button { "Search" }
        }
        p.soft { (counted(count, "token")) }
        div.scroll tabindex="0" role="region" aria-label="Tokens" {
            table {
                thead { tr { (heads(&address, order, &COLUMNS)) } }
                tbody { @for (token, user) in &tokens { (line(token, user, now)) } }
            }
        }
        (number.links(&address))
    };
    Ok(page("Tokens", body).into_response())
}

fn line(token: &StoredToken, user: &User, now: i64) -> Markup {
    html! {
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
