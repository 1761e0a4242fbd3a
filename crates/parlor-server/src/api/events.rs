//! A table's events as they happen, as server-sent events or newline-delimited JSON.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::future;
use futures::stream::{self, Stream, StreamExt};
use parlor_table::TableId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::schema;
use crate::AppState;
use crate::auth::{self, Caller};
use crate::edge::Client;
use crate::edge::answer::LiveStream;
use crate::error::Error;
use crate::extract::{Params, TablePath};
use crate::live::{EventFrame, LiveError, NoFrame, Subscription};

/// Interval of keep-alive messages on a quiet stream.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Media type of newline-delimited JSON.
const LINES: &str = "application/x-ndjson";

/// Query parameters of an event stream.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct EventsQuery {
    /// Only events after this version; all events if neither this nor `Last-Event-ID` is given.
    after: Option<u64>,
    /// True to keep the stream open after the past events were sent. Default: true.
    follow: Option<bool>,
}

/// Frame of a stream.
#[derive(Debug)]
pub(super) enum Frame {
    Event(Arc<EventFrame>),
    /// The log cannot be read any further, so that the answer must not look whole.
    CutOff,
    /// The server ends the stream, for a reason.
    Closed(&'static str),
}

/// Last message of a stream that the server ends.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum StreamEnd {
    /// The server ends the stream: connect again.
    Closed {
        /// Reason: `away` if the server is being stopped or cannot reach the database, so that another
        /// one, or the same one in a moment, goes on; `revoked` if your session or token has ended;
        /// on the personal stream also `too_slow` if you did not keep up, and `unavailable` if your
        /// account's log cannot be read now.
        reason: &'static str,
    },
}

/// Streams a table's events from any version on, then live.
///
/// As server-sent events, `id` is the version, `event` the type and `data` the event. With `Accept:
/// application/x-ndjson` each event is one line, and an empty line is a keep-alive. A player whose
/// token is sent counts as present while the stream is open. If the server ends the stream, the last
/// message is `closed`, with the reason; it is no event of the table and has no version.
#[utoipa::path(
    get, path = "/tables/{id}/events", operation_id = "stream_table_events", tag = "events",
    params(schema::TableIdPath, EventsQuery, ("Last-Event-ID" = Option<String>, Header, description = "As `after`; ignored if it is no number")),
    responses((status = OK, description = "Events of the table, oldest first: one per line, or one per `data`", content((schema::TableStreamSchema = "application/x-ndjson"), (schema::TableStreamSchema = "text/event-stream"))))
)]
pub(crate) async fn stream(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    Params(from): Params<EventsQuery>,
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
    let permit = state.streams().open(client)?;
    let revoked = auth::until_revoked(caller.as_ref(), &state);
    let who = caller.map(|caller| caller.who().clone());
    let mut subscription = state.live().subscribe(id, after, who).await?;
    let present = subscription.present.take();
    let follow = from.follow.unwrap_or(true);
    let frames = frames(&state, id, after, subscription, follow).map(move |frame| {
        let _held = (&permit, &present);
        frame
    });
    // A log that is not followed ends by itself; cut off, it would not be whole.
    let frames = match follow {
        true => {
            let readable = frames.filter_map(|frame| future::ready(frame.ok()));
            until_closed(readable, &state, revoked).boxed()
        }
        false => frames
            .map(|frame| frame.map_or(Frame::CutOff, Frame::Event))
            .boxed(),
    };
    Ok(if lines {
        as_lines(frames)
    } else {
        as_sse(frames)
    })
}

/// Returns the frames until the server ends its streams or `revoked` completes, and then one that
/// says so.
pub(super) fn until_closed(
    frames: impl Stream<Item = Arc<EventFrame>> + Send + 'static,
    state: &AppState,
    revoked: impl Future<Output = ()> + Send + 'static,
) -> impl Stream<Item = Frame> + Send + 'static {
    let end = state.streams_end();
    let closed = Box::pin(async move {
        tokio::select! {
            () = end => "away",
            () = revoked => "revoked",
        }
    });
    let open = Some((Box::pin(frames), closed));
    stream::unfold(open, |open| async {
        let (mut frames, mut closed) = open?;
        tokio::select! {
            biased;
            reason = &mut closed => Some((Frame::Closed(reason), None)),
            frame = frames.next() => frame.map(|frame| (Frame::Event(frame), Some((frames, closed)))),
        }
    })
}

/// Returns the past events, a page at a time as the client reads them, then live ones. A client that
/// falls behind is caught up from the log. The last item is an error if the log cannot be read.
fn frames(
    state: &AppState,
    id: TableId,
    after: u64,
    subscription: Subscription,
    follow: bool,
) -> impl Stream<Item = Result<Arc<EventFrame>, LiveError>> + Send + 'static {
    let tables = state.live().clone();
    let page = |subscription: Subscription| (subscription.past.into_iter(), subscription.live);
    let (past, live) = page(subscription);
    stream::unfold(Some((past, live, after)), move |reading| {
        let tables = tables.clone();
        async move {
            let (mut past, mut live, mut seen) = reading?;
            loop {
                if let Some(frame) = past.next() {
                    seen = frame.version;
                    return Some((Ok(Arc::new(frame)), Some((past, live, seen))));
                }
                let Some(watcher) = &mut live else {
                    match tables.subscribe_further(id, seen).await {
                        Ok(again) => (past, live) = page(again),
                        Err(error) => return Some((Err(error), None)),
                    }
                    continue;
                };
                if !follow {
                    return None;
                }
                match watcher.next().await {
                    Ok(frame) if frame.version <= seen => {}
                    Ok(frame) => {
                        seen = frame.version;
                        return Some((Ok(frame), Some((past, live, seen))));
                    }
                    Err(NoFrame::Lagged) => live = None,
                    Err(NoFrame::Closed | NoFrame::Rewound) => return None,
                }
            }
        }
    })
}

/// Returns true if the client accepts server-sent events.
pub(super) fn wants_sse(headers: &HeaderMap) -> bool {
    let accepted = headers
        .get_all(ACCEPT)
        .into_iter()
        .filter_map(|value| value.to_str().ok());
    accepted
        .into_iter()
        .any(|text| text.contains("text/event-stream"))
}

impl Frame {
    /// Returns the message as JSON; an error ends the connection, so that the client notices.
    fn json(&self) -> io::Result<String> {
        match self {
            Frame::Event(frame) => Ok(frame.json.clone()),
            Frame::CutOff => Err(io::Error::other("the log cannot be read")),
            Frame::Closed(reason) => Ok(serde_json::to_string(&StreamEnd::Closed { reason })?),
        }
    }
}

/// Returns a response that sends the frames as server-sent events.
pub(super) fn as_sse(frames: impl Stream<Item = Frame> + Send + 'static) -> Response {
    let events = frames.map(|frame| {
        let event = match &frame {
            Frame::Event(frame) => Event::default()
                .id(frame.version.to_string())
                .event(&frame.kind),
            // Without an id: the client goes on after its last event.
            Frame::CutOff | Frame::Closed(_) => Event::default().event("closed"),
        };
        Ok::<_, io::Error>(event.data(frame.json()?))
    });
    let alive = Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT));
    (LiveStream, alive).into_response()
}

/// Returns a response that sends the frames as newline-delimited JSON.
pub(super) fn as_lines(frames: impl Stream<Item = Frame> + Send + 'static) -> Response {
    let lines = Box::pin(frames.map(|frame| Ok(Bytes::from(format!("{}\n", frame.json()?)))));
    let alive = stream::unfold(lines, |mut lines| async move {
        match tokio::time::timeout(HEARTBEAT, lines.next()).await {
            Ok(line) => line.map(|line: io::Result<Bytes>| (line, lines)),
            Err(_) => Some((Ok(Bytes::from_static(b"\n")), lines)),
        }
    });
    (
        LiveStream,
        [(CONTENT_TYPE, LINES), (CACHE_CONTROL, "no-cache")],
        Body::from_stream(alive),
    )
        .into_response()
}
