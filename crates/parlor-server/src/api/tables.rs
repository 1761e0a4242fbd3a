//! Making, finding and looking at tables.

use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH, LOCATION, VARY};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use parlor_core::Seat;
use parlor_table::{Status, TableId, TableView, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::schema;
use crate::AppState;
use crate::auth::{Caller, Token, Who};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::{Body, Id, Params};
use crate::live::{self, Seen};
use crate::tables::{Listed, Listing, Wanted};

/// A table that was just made.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Created {
    /// What everybody sees.
    #[schema(value_type = schema::Table)]
    table: TableView,
    /// Your token, if you sit at the table and had none: whoever shows it is you. It is shown only once.
    token: Option<String>,
    /// The token that a private table's link carries. It is shown only once.
    invite: Option<String>,
    /// The link to send to the others.
    join_url: String,
}

/// Makes a table.
///
/// The answer carries a token when you showed none; send it as `Authorization: Bearer` from then on. A browser's
/// cookie serves as well.
#[utoipa::path(
    post, path = "/tables", tag = "tables", request_body = Wanted,
    responses((status = CREATED, body = Created, headers(("Location" = String, description = "the table's address"))))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    client: Client,
    caller: Option<Caller>,
    headers: HeaderMap,
    Body(wanted): Body<Wanted>,
) -> Result<Response, Error> {
    let who = caller.map(|caller| caller.who().clone());
    state
        .quotas()
        .count(client, who.as_ref().and_then(|who| who.keys().next()))?;
    let (fresh, known) = (Token::fresh(), who.is_some());
    let made = state
        .create(wanted, &who.unwrap_or_else(|| Who::guest(fresh.key())))
        .await?;
    let seated = made.view.seats.iter().any(|seat| seat.kind == "human");
    let location = format!("/api/v1/tables/{}", made.view.id);
    let created = Created {
        token: (!known && seated).then(|| fresh.as_str().to_owned()),
        invite: made
            .invite
            .as_ref()
            .map(|invite| invite.as_str().to_owned()),
        join_url: state.table_url(&headers, made.view.id, made.invite.as_ref()),
        table: made.view,
    };
    Ok((StatusCode::CREATED, [(LOCATION, location)], Json(created)).into_response())
}

/// Which tables to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Query {
    /// Only this game.
    game: Option<String>,
    /// Only tables that have come this far: `open`, `playing`, `over` or `aborted`.
    #[param(value_type = Option<schema::Status>)]
    status: Option<Status>,
    /// Only tables older than this one: the `next` of the page before.
    #[param(value_type = Option<String>)]
    before: Option<TableId>,
    /// At most so many; 50 when not said, never more than 100.
    limit: Option<u64>,
}

/// A part of the list of tables.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Tables {
    /// The tables, newest first.
    tables: Vec<Listed>,
    /// What to ask `before` for the next page; nothing after the last.
    #[schema(value_type = Option<String>)]
    next: Option<TableId>,
}

/// Lists the tables that everybody may see, newest first.
#[utoipa::path(get, path = "/tables", tag = "tables", params(Query), responses((status = OK, body = Tables)))]
pub(crate) async fn list(
    State(state): State<AppState>,
    Params(query): Params<Query>,
) -> Result<Json<Tables>, Error> {
    let Query {
        game,
        status,
        before,
        limit,
    } = query;
    let limit = limit.unwrap_or(50).clamp(1, crate::tables::MOST_ROWS);
    let tables = state
        .list(&Listing {
            game,
            status,
            before,
            limit: Some(limit),
        })
        .await?;
    let next = tables
        .last()
        .filter(|_| tables.len() as u64 == limit)
        .map(|table| table.id);
    Ok(Json(Tables { tables, next }))
}

/// A table and your place at it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Shown {
    /// What everybody sees.
    #[serde(flatten)]
    #[schema(value_type = schema::Table)]
    table: TableView,
    /// The seats you hold.
    you: Vec<u8>,
    /// The house's time of this answer, in milliseconds since 1970. A running clock shows what it had left at its `since`,
    /// minus what has passed until now.
    #[schema(value_type = i64)]
    now: Timestamp,
    /// The persons at the table who have neither a socket nor a stream of events open.
    away: Vec<Away>,
}

/// Somebody who is away.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Away {
    /// The seat.
    seat: u8,
    /// Since when, in milliseconds since 1970: when the last connection was closed, or when something was last done without.
    #[schema(value_type = i64)]
    since: Timestamp,
}

impl Away {
    fn all(seen: &Seen<'_>) -> Vec<Away> {
        let away = |seat: Seat| {
            Some(Away {
                seat: seat.number(),
                since: seen.absent_since(seat)?,
            })
        };
        Seat::all(seen.table.position().seats())
            .filter_map(away)
            .collect()
    }
}

/// Shows a table. The ETag is its version.
#[utoipa::path(
    get, path = "/tables/{id}", tag = "tables", params(("id" = String, Path, description = "The table's id")),
    responses((status = OK, body = Shown), (status = NOT_MODIFIED, description = "You have seen this version"))
)]
pub(crate) async fn show(
    State(state): State<AppState>,
    Id(id): Id,
    caller: Option<Caller>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let seen_tag = headers.get(IF_NONE_MATCH).cloned();
    let (tag, shown) = state
        .live()
        .see(id, move |seen| {
            let table = seen.table;
            let tag = etag(table.version());
            if seen_tag.is_some_and(|seen| matches(seen.as_bytes(), &tag)) {
                return (tag, None);
            }
            let you = caller
                .map(|caller| caller.who().seats(table))
                .unwrap_or_default();
            let you = you.into_iter().map(Seat::number).collect();
            (
                tag,
                Some(Shown {
                    table: table.view(),
                    you,
                    now: live::now(),
                    away: Away::all(&seen),
                }),
            )
        })
        .await?;
    let headers = [
        (ETAG, tag),
        (CACHE_CONTROL, "no-cache".to_owned()),
        (VARY, "Authorization, Cookie".to_owned()),
    ];
    Ok(match shown {
        Some(shown) => (headers, Json(shown)).into_response(),
        None => (StatusCode::NOT_MODIFIED, headers).into_response(),
    })
}

/// The entity tag of a version.
pub(crate) fn etag(version: u64) -> String {
    format!("\"{version}\"")
}

/// Whether an `If-None-Match` header names the tag. Compression makes tags weak on their way.
pub(crate) fn matches(seen: &[u8], tag: &str) -> bool {
    let seen = std::str::from_utf8(seen).unwrap_or_default();
    seen.split(',')
        .map(str::trim)
        .any(|seen| seen == "*" || seen.trim_start_matches("W/") == tag)
}
