//! Endpoints for quick pairing.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::SET_COOKIE;
use axum::response::Response;
use futures::StreamExt;
use parlor_table::Timestamp;
use serde::Deserialize;
use utoipa::IntoParams;

use super::{events, schema};
use crate::AppState;
use crate::auth::{self, Caller, OpaqueToken, Requester, Scope, Visitor};
use crate::edge::{self, Client, TableCreator};
use crate::error::Error;
use crate::extract::{Body, Params, parse};
use crate::live::EventFrame;
use crate::queue::{Queue, QueueEvent, QueueRequest};

/// Waits for an opponent.
///
/// The response stays open while you wait and sends one JSON line per event; closing it leaves the
/// queue. It begins with `waiting` and ends with `matched`, `expired` or `left`; an empty line is a
/// keep-alive. A second request replaces the first. With `Accept: text/event-stream` the events are
/// server-sent events.
#[utoipa::path(
    post, path = "/queue", operation_id = "join_queue", tag = "queue", request_body = QueueRequest,
    responses((status = OK, description = "Events of the queue while you wait: one per line, or one per `data`", content((schema::QueueStreamSchema = "application/x-ndjson"), (schema::QueueStreamSchema = "text/event-stream"))))
)]
pub(crate) async fn wait(
    State(state): State<AppState>,
    client: Client,
    caller: Option<Caller>,
    headers: HeaderMap,
    Body(wish): Body<QueueRequest>,
) -> Result<Response, Error> {
    let token = OpaqueToken::generate();
    let (who, fresh) = match &caller {
        Some(caller) => (caller.who().clone(), None),
        None => (Requester::from_guest(token.key()), Some(token)),
    };
    stream(&state, client, &headers, wish, caller.as_ref(), who, fresh).await
}

/// Query parameters for waiting from a browser.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct QueueQuery {
    /// Name of the game.
    #[param(value_type = schema::GameNameSchema)]
    game: String,
    /// Options of the game, as a JSON object.
    options: Option<String>,
    /// Time control, as a JSON object or `null`.
    clock: Option<String>,
    /// True if the game affects the players' ratings.
    #[serde(default)]
    rated: bool,
    /// Maximum rating difference to an opponent.
    #[param(maximum = 4_294_967_295i64)]
    window: Option<u32>,
    /// True if you take a bot for an opponent, or a bot a person.
    #[serde(default)]
    mixed: bool,
    /// Display name.
    #[param(
        min_length = 1,
        max_length = 40,
        pattern = "^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$"
    )]
    name: Option<String>,
}

impl QueueQuery {
    fn wish(self) -> Result<QueueRequest, Error> {
        let QueueQuery {
            game,
            options,
            clock,
            rated,
            window,
            mixed,
            name,
        } = self;
        let options = options
            .map(|text| parse(text.as_bytes()))
            .transpose()?
            .unwrap_or_default();
        let clock = match clock.as_deref() {
            None => None,
            Some("null") => Some(None),
            Some(text) => Some(Some(parse(text.as_bytes())?)),
        };
        Ok(QueueRequest {
            game,
            options,
            clock,
            rated,
            window,
            mixed,
            name,
        })
    }
}

/// Waits for an opponent, from a browser.
///
/// Like the POST method. A browser without a cookie gets one, which identifies the waiting player.
#[utoipa::path(
    get, path = "/queue", operation_id = "stream_queue_events", tag = "queue", params(QueueQuery),
    responses((status = OK, description = "Events of the queue while you wait: one per line, or one per `data`", content((schema::QueueStreamSchema = "text/event-stream"), (schema::QueueStreamSchema = "application/x-ndjson"))))
)]
pub(crate) async fn listen(
    State(state): State<AppState>,
    client: Client,
    caller: Option<Caller>,
    guest: Visitor,
    headers: HeaderMap,
    Params(query): Params<QueueQuery>,
) -> Result<Response, Error> {
    if edge::is_foreign(&headers, state.public_url()) {
        return Err(Error::forbidden(
            "cross-site",
            "requests from pages of other sites are not allowed",
        ));
    }
    caller
        .as_ref()
        .map_or(Ok(()), |caller| caller.require(Scope::Play))?;
    let who = caller
        .as_ref()
        .map_or_else(|| guest.who().clone(), |caller| caller.who().clone());
    let mut response = stream(
        &state,
        client,
        &headers,
        query.wish()?,
        caller.as_ref(),
        who,
        None,
    )
    .await?;
    if let Some(cookie) = guest.set_cookie().filter(|_| caller.is_none()) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(response)
}

async fn stream(
    state: &AppState,
    client: Client,
    headers: &HeaderMap,
    wish: QueueRequest,
    caller: Option<&Caller>,
    who: Requester,
    fresh: Option<OpaqueToken>,
) -> Result<Response, Error> {
    let revoked = auth::until_revoked(caller, state);
    let permit = state.streams().open(client)?;
    let creator = TableCreator::new(client, who.counted_as());
    let present = state.people().enter(&who);
    let news = Queue::enter(state, wish, who, fresh, creator).await?.news();
    let sources = state.sources().clone();
    let frames = news.map(move |news| {
        let _held = (&permit, &present);
        frame(&news, sources.now())
    });
    let frames = events::until_closed(frames, state, revoked);
    Ok(if events::wants_sse(headers) {
        events::as_sse(frames)
    } else {
        events::as_lines(frames)
    })
}

fn frame(news: &QueueEvent, at: Timestamp) -> Arc<EventFrame> {
    let json = serde_json::to_string(news).unwrap_or_default();
    Arc::new(EventFrame {
        version: at.millis().unsigned_abs(),
        kind: news.kind().to_owned(),
        json,
    })
}
