//! Events as they happen: server-sent events, or JSON line by line.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::stream::{self, Stream, StreamExt};
use parlor_table::TableId;
use serde::Deserialize;
use tokio::sync::broadcast::error::RecvError;
use utoipa::IntoParams;

use crate::AppState;
use crate::auth::{self, Caller};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::{Id, Params};
use crate::live::{Frame, Subscription};

/// How often a quiet stream says that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The media type of JSON line by line.
const LINES: &str = "application/x-ndjson";

/// From where to listen.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct From {
    /// Only events after this version; all when neither this nor `Last-Event-ID` is said.
    after: Option<u64>,
    /// Whether to go on when all events so far were sent; true when not said.
    follow: Option<bool>,
}

/// A table's events from any version on, and then live.
///
/// Server-sent events: `id` is the version, `event` the type, `data` the event. With `Accept: application/x-ndjson` one
/// event is one line, and an empty line says that the stream is alive. Whoever shows the token of a seat counts as being
/// there while the stream is open.
#[utoipa::path(
    get, path = "/tables/{id}/events", tag = "events",
    params(("id" = String, Path), From, ("Last-Event-ID" = Option<u64>, Header, description = "As `after`")),
    responses((status = OK, content((String = "text/event-stream"), (String = "application/x-ndjson"))))
)]
pub(crate) async fn stream(
    State(state): State<AppState>,
    Id(id): Id,
    Params(from): Params<From>,
    client: Client,
    caller: Option<Caller>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let last = headers
        .get("last-event-id")
        .and_then(|value| value.to_str().ok()?.parse().ok());
    let after = last.or(from.after).unwrap_or(0);
    let lines = headers
        .get_all(ACCEPT)
        .into_iter()
        .any(|value| value.to_str().is_ok_and(|text| text.contains(LINES)));
    let place = state.streams().open(client)?;
    let revoked = auth::revoked(caller.as_ref(), &state);
    let who = caller.map(|caller| caller.who().clone());
    let mut subscription = state.live().subscribe(id, after, who).await?;
    let present = subscription.present.take();
    let frames =
        frames(&state, id, after, subscription, from.follow.unwrap_or(true)).map(move |frame| {
            let _held = (&place, &present);
            frame
        });
    let frames = frames
        .take_until(state.closing())
        .take_until(Box::pin(revoked));
    Ok(if lines {
        as_lines(frames)
    } else {
        as_sse(frames)
    })
}

/// What was, then what comes. Whoever falls behind is caught up from the log.
fn frames(
    state: &AppState,
    id: TableId,
    after: u64,
    subscription: Subscription,
    follow: bool,
) -> impl Stream<Item = Arc<Frame>> + Send + 'static {
    let live = state.live().clone();
    let past = |subscription: Subscription| {
        (
            subscription
                .past
                .into_iter()
                .map(Arc::new)
                .collect::<Vec<_>>()
                .into_iter(),
            subscription.live,
        )
    };
    let (caught_up, receiver) = past(subscription);
    stream::unfold(
        (caught_up, receiver, after),
        move |(mut caught_up, mut receiver, mut seen)| {
            let live = live.clone();
            async move {
                loop {
                    if let Some(frame) = caught_up.next() {
                        let version = frame.version;
                        return Some((frame, (caught_up, receiver, version)));
                    }
                    if !follow {
                        return None;
                    }
                    match receiver.recv().await {
                        Ok(frame) if frame.version <= seen => {}
                        Ok(frame) => {
                            seen = frame.version;
                            return Some((frame, (caught_up, receiver, seen)));
                        }
                        Err(RecvError::Lagged(_)) => {
                            let again = live.subscribe(id, seen, None).await.ok()?;
                            (caught_up, receiver) = past(again);
                        }
                        Err(RecvError::Closed) => return None,
                    }
                }
            }
        },
    )
}

/// Whether a client asks for server-sent events.
pub(super) fn wants_sse(headers: &HeaderMap) -> bool {
    let accepted = headers
        .get_all(ACCEPT)
        .into_iter()
        .filter_map(|value| value.to_str().ok());
    accepted
        .into_iter()
        .any(|text| text.contains("text/event-stream"))
}

/// Frames as server-sent events.
pub(super) fn as_sse(frames: impl Stream<Item = Arc<Frame>> + Send + 'static) -> Response {
    let events = frames.map(|frame| {
        let event = Event::default()
            .id(frame.version.to_string())
            .event(&frame.kind)
            .data(&frame.json);
        Ok::<_, Infallible>(event)
    });
    let mut response = Sse::new(events)
        .keep_alive(KeepAlive::new().interval(HEARTBEAT))
        .into_response();
    // Proxies that collect what passes would hold events back.
    response.headers_mut().insert(
        "x-accel-buffering",
        axum::http::HeaderValue::from_static("no"),
    );
    response
}

/// Frames as JSON, one to a line.
pub(super) fn as_lines(frames: impl Stream<Item = Arc<Frame>> + Send + 'static) -> Response {
    let lines = Box::pin(frames.map(|frame| Bytes::from(format!("{}\n", frame.json))));
    let alive = stream::unfold(lines, |mut lines| async move {
        match tokio::time::timeout(HEARTBEAT, lines.next()).await {
            Ok(line) => line.map(|line| (Ok::<_, Infallible>(line), lines)),
            Err(_) => Some((Ok(Bytes::from_static(b"\n")), lines)),
        }
    });
    (
        [(CONTENT_TYPE, LINES), (CACHE_CONTROL, "no-cache")],
        Body::from_stream(alive),
    )
        .into_response()
}
