//! Endpoints for creating, listing and showing tables.

use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH, LOCATION, VARY};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use parlor_core::Seat;
use parlor_table::{Player, SeatView, Table, TableId, TableStatus, TableView, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::schema;
use crate::AppState;
use crate::auth::{Caller, OpaqueToken, Requester};
use crate::edge::{Client, TableCreator};
use crate::error::Error;
use crate::extract::{Body, Params, PresentTablePath};
use crate::live::LiveView;
use crate::ratings::{self, PlayerRating, RatedSeats, RatingPool};
use crate::tables::{CreateTableRequest, TableFilter, TableSummary};

/// Response to the creation of a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreateTableResponse {
    /// Public state of the table.
    #[schema(value_type = schema::TableSchema)]
    table: TableView,
    /// Your new token, if you hold a seat and the request had none: it is the key to your seat. It
    /// is shown only once.
    token: Option<String>,
    /// Invite token of a private table. It is shown only once.
    invite: Option<String>,
    /// Link to share with the other players.
    join_url: String,
    /// Link to a private table for watchers, whom its players may give it to; `null` if everybody
    /// may watch.
    watch_url: Option<String>,
}

/// Creates a table.
///
/// The response contains a token if the request had none; send it as `Authorization: Bearer` with
/// later requests. A browser's cookie works as well.
#[utoipa::path(
    post, path = "/tables", operation_id = "create_table", tag = "tables", request_body = CreateTableRequest,
    responses((status = CREATED, description = "The new table", body = CreateTableResponse, headers(("Location" = String, description = "the table's address"))))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    client: Client,
    caller: Option<Caller>,
    headers: HeaderMap,
    Body(wanted): Body<CreateTableRequest>,
) -> Result<Response, Error> {
    let who = caller.map(|caller| caller.who().clone());
    let key = who.as_ref().and_then(Requester::counted_as);
    let (fresh, known) = (OpaqueToken::generate(), who.is_some());
    let made = state
        .create_table(
            wanted,
            &who.unwrap_or_else(|| Requester::from_guest(fresh.key()).at_client(client)),
            TableCreator::new(client, key),
        )
        .await?;
    let seated = made.view.seats.iter().any(SeatView::has_client);
    let location = format!("/api/v1/tables/{}", made.view.id);
    let created = CreateTableResponse {
        token: (!known && seated).then(|| fresh.as_str().to_owned()),
        invite: made
            .invite
            .as_ref()
            .map(|invite| invite.as_str().to_owned()),
        join_url: state.table_url(&headers, made.view.id, made.invite.as_ref()),
        watch_url: made
            .watch
            .map(|token| state.watch_url(&headers, made.view.id, &token)),
        table: made.view,
    };
    Ok((StatusCode::CREATED, [(LOCATION, location)], Json(created)).into_response())
}

/// Query parameters of the list of tables.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListTablesQuery {
    /// Only tables of this game.
    #[param(value_type = Option<schema::GameNameSchema>)]
    game: Option<String>,
    /// Only tables with this status: `open`, `playing`, `over` or `aborted`.
    #[param(value_type = Option<schema::StatusSchema>)]
    status: Option<TableStatus>,
    /// Only tables older than this one: `next` of the previous page.
    #[param(value_type = Option<String>, pattern = "^[0-7][0-9a-hjkmnp-tv-z]{10}$")]
    before: Option<TableId>,
    /// Maximum number of tables, up to 100; 50 by default.
    limit: Option<u64>,
}

/// A page of the list of tables.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableList {
    /// Tables, newest first.
    tables: Vec<TableSummary>,
    /// Value of `before` for the next page; `null` on the last page.
    #[schema(value_type = Option<String>)]
    next: Option<TableId>,
}

/// Lists public tables, newest first.
#[utoipa::path(
    get, path = "/tables", operation_id = "list_tables", tag = "tables",
    params(ListTablesQuery),
    responses((status = OK, description = "A page of tables, newest first", body = TableList))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Params(query): Params<ListTablesQuery>,
) -> Result<Json<TableList>, Error> {
    let ListTablesQuery {
        game,
        status,
        before,
        limit,
    } = query;
    let limit = limit.unwrap_or(50).clamp(1, crate::tables::MAX_ROWS);
    let mut tables = state
        .list(&TableFilter {
            game,
            status,
            before,
            limit: Some(limit),
        })
        .await?;
    ratings::add_to(&state, &mut tables.iter_mut().collect::<Vec<_>>()).await?;
    let next = tables
        .last()
        .filter(|_| tables.len() as u64 == limit)
        .map(|table| table.id);
    Ok(Json(TableList { tables, next }))
}

/// State of a table and your seats at it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableResponse {
    /// Public state of the table.
    #[serde(flatten)]
    #[schema(value_type = schema::TableSchema)]
    table: TableView,
    /// Seats that you hold.
    you: Vec<u8>,
    /// Seats that you left and can take back with `POST …/return`; omitted if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    left: Vec<u8>,
    /// Server time of this response, in milliseconds since the Unix epoch. A running clock shows
    /// its `left_ms` minus the time elapsed between its `since` and now.
    #[schema(value_type = i64)]
    now: Timestamp,
    /// Players who are away: without an open socket or stream.
    away: Vec<AwaySeat>,
    /// Ratings of the players by seat, for this variant of the game at this pace; `null` for guests, bots
    /// of the house and open seats. Omitted if nobody at the table has one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    ratings: Vec<Option<PlayerRating>>,
}

/// An absent player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AwaySeat {
    /// Number of the seat.
    seat: u8,
    /// Time since which the player has been absent, in milliseconds since the Unix epoch: the last
    /// connection closed, or the last request without one.
    #[schema(value_type = i64)]
    since: Timestamp,
}

impl AwaySeat {
    fn all(seen: &LiveView<'_>) -> Vec<AwaySeat> {
        let away = |seat: Seat| {
            Some(AwaySeat {
                seat: seat.number(),
                since: seen.absent_since(seat)?,
            })
        };
        Seat::all(seen.table.position().seats())
            .filter_map(away)
            .collect()
    }
}

/// Returns the state of a table. The ETag changes with its version, and with who is away, but not with a
/// rating that another game has changed.
#[utoipa::path(
    get, path = "/tables/{id}", operation_id = "show_table", tag = "tables", params(schema::TableIdPath),
    responses((status = OK, description = "State of the table", body = TableResponse), (status = NOT_MODIFIED, description = "Not modified since this version"))
)]
pub(crate) async fn show(
    State(state): State<AppState>,
    PresentTablePath(id): PresentTablePath,
    caller: Option<Caller>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let seen_tag = headers.get(IF_NONE_MATCH).cloned();
    let (tag, shown) = state
        .live()
        .read_with_presence(id, move |seen| {
            let table = seen.table;
            let away = AwaySeat::all(&seen);
            let tag = presence_tag(table.version(), &away);
            if seen_tag.is_some_and(|seen| matches(seen.as_bytes(), &tag)) {
                return (tag, None);
            }
            let numbers = |seats: fn(&Requester, &Table) -> Vec<Seat>| -> Vec<u8> {
                let who = caller.as_ref().map(Caller::who);
                let seats = who.map(|who| seats(who, table)).unwrap_or_default();
                seats.into_iter().map(Seat::number).collect()
            };
            let you = numbers(Requester::seats);
            let left = numbers(Requester::seats_to_take_back);
            let users: Vec<_> = table.players().iter().map(Player::user).collect();
            let rated = RatedSeats::new(id, RatingPool::from_table(table), &users);
            (
                tag,
                Some((
                    TableResponse {
                        table: table.view(),
                        you,
                        left,
                        now: seen.now,
                        away,
                        ratings: Vec::new(),
                    },
                    rated,
                )),
            )
        })
        .await?;
    let headers = [
        (ETAG, tag),
        (CACHE_CONTROL, "no-cache".to_owned()),
        (VARY, "Authorization, Cookie".to_owned()),
    ];
    Ok(match shown {
        Some((mut shown, rated)) => {
            shown.ratings = ratings::of_players(&state, rated).await;
            (headers, Json(shown)).into_response()
        }
        None => (StatusCode::NOT_MODIFIED, headers).into_response(),
    })
}

/// Returns the entity tag of a version with these players away: `"7"`, or `"7.1@1764086400000"` if the
/// second player is.
fn presence_tag(version: u64, away: &[AwaySeat]) -> String {
    let away = away
        .iter()
        .map(|AwaySeat { seat, since }| format!(".{seat}@{}", since.millis()));
    format!("\"{version}{}\"", away.collect::<String>())
}

/// Returns the entity tag of a version.
pub(crate) fn etag(version: u64) -> String {
    format!("\"{version}\"")
}

/// Returns true if an `If-None-Match` header names the tag. Weak tags match, since compression
/// makes tags weak.
pub(crate) fn matches(seen: &[u8], tag: &str) -> bool {
    let seen = std::str::from_utf8(seen).unwrap_or_default();
    seen.split(',')
        .map(str::trim)
        .any(|seen| seen == "*" || seen.trim_start_matches("W/") == tag)
}
