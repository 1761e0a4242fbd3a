//! Stream of everything that happens to one person, across all tables.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use futures::stream::{self, Stream, StreamExt};
use parlor_store::{ListPage, PlayerFilter, RowStatus};
use parlor_table::{SeatKey, Table, TableId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{events, schema};
use crate::auth::{self, Caller, Requester, Scope};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::Params;
use crate::hub::{self, Listener, Notification};
use crate::live::{self, EventFrame};
use crate::sources::Sources;
use crate::{AppState, web};

/// Maximum number of a person's tables in the initial summary, newest first.
const MAX_TABLES: u64 = 100;

/// Query parameters of the personal event stream.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct MyEventsQuery {
    /// `at` of the last notification you received: games that ended since then are reported as
    /// well.
    since: Option<i64>,
}

/// Message of the personal stream that is not a notification.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum MyEventsControl {
    /// The summary is complete; live notifications follow. A game or challenge that was not in the
    /// summary no longer exists.
    CaughtUp {
        /// Start of the live notifications, in milliseconds since the Unix epoch.
        #[schema(value_type = i64)]
        at: Timestamp,
        /// Number of games in progress.
        games: usize,
        /// Number of games in which it is your turn.
        your_turn: usize,
        /// Number of challenges to you.
        challenges: usize,
    },
    /// The stream ends.
    Closed {
        /// Reason: `too_slow` if you did not keep up. Connect again for a new summary.
        reason: &'static str,
    },
}

/// Streams everything that happens to you, across all tables.
///
/// The stream starts with a summary: `game_start` for each game in progress, `your_turn` where you
/// are to move, `challenge` for each challenge to you, and then `caught_up`. Live notifications
/// follow. Each line is one JSON object, and an empty line is a keep-alive; with `Accept:
/// text/event-stream` the stream uses server-sent events. Members receive notifications for all
/// their tables, guests for the tables where they hold a seat with this token.
#[utoipa::path(
    get, path = "/me/events", operation_id = "stream_my_events", tag = "events",
    params(MyEventsQuery, ("Last-Event-ID" = Option<String>, Header, description = "As `since`; ignored if it is no number")),
    responses((status = OK, description = "Summary, then live notifications: one per line, or one per `data`", content((schema::MyEventSchema = "application/x-ndjson"), (schema::MyEventSchema = "text/event-stream"))))
)]
pub(crate) async fn stream(
    State(state): State<AppState>,
    Params(from): Params<MyEventsQuery>,
    client: Client,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let last = headers
        .get("last-event-id")
        .and_then(|value| value.to_str().ok()?.parse().ok());
    let since = last.or(from.since);
    caller.require(Scope::Read)?;
    let permit = state.streams().open(client)?;
    let who = caller.who().clone();
    let from = state.now();
    // Subscribe first, so that nothing is lost while the summary is gathered.
    let listener = state
        .hub()
        .listen(who.keys().collect(), |key| state.nodes().follow_person(key));
    let past = current_notifications(&state, &who, &web::remembered(&headers), since).await?;
    let present = state.people().enter(&who);
    let frames = frames(past, from, listener, state.sources().clone()).map(move |frame| {
        let _held = (&permit, &present);
        frame
    });
    let revoked = auth::until_revoked(Some(&caller), &state);
    let frames = frames
        .take_until(state.closing())
        .take_until(Box::pin(revoked));
    Ok(if events::wants_sse(&headers) {
        events::as_sse(frames)
    } else {
        events::as_lines(frames)
    })
}

/// Returns the current notifications of all tables that concern a person, oldest table first.
async fn current_notifications(
    state: &AppState,
    who: &Requester,
    remembered: &[TableId],
    since: Option<i64>,
) -> Result<Vec<Notification>, Error> {
    let mut ids: Vec<TableId> = remembered.to_vec();
    if let Some(member) = who.member() {
        let user = i64::try_from(member.id.number()).expect("an id is below 2^53");
        let on = PlayerFilter {
            statuses: vec![RowStatus::Open, RowStatus::Playing],
            ..PlayerFilter::default()
        };
        let over = PlayerFilter {
            statuses: vec![RowStatus::Over, RowStatus::Aborted],
            ..PlayerFilter::default()
        };
        let page = ListPage {
            before: None,
            limit: MAX_TABLES,
        };
        let mut rows = state.store().tables_of(user, &on, &page).await?;
        if let Some(since) = since {
            let ended = state.store().tables_of(user, &over, &page).await?;
            rows.extend(ended.into_iter().filter(|(row, _)| row.updated_at >= since));
        }
        ids.extend(rows.iter().filter_map(|(row, _)| live::table_id(row.id)));
    }
    ids.sort_unstable();
    ids.dedup();
    let keys: Vec<SeatKey> = who.keys().collect();
    let mut notes = Vec::new();
    for id in ids {
        let keys = keys.clone();
        // A table that cannot be read now is reported when something happens there.
        let read = state.read(id, move |table| {
            keys.iter()
                .flat_map(|key| table_notifications(table, key, since))
                .collect::<Vec<_>>()
        });
        notes.extend(read.await.unwrap_or_default());
    }
    Ok(notes)
}

fn table_notifications(table: &Table, key: &SeatKey, since: Option<i64>) -> Vec<Notification> {
    let mut notes = hub::current_notifications(table, key);
    let lately = since.is_some_and(|since| table.updated_at().millis() >= since);
    notes.extend(hub::game_over_notification(table, key).filter(|_| lately));
    notes
}

/// Returns the summary, the `caught_up` message and the live notifications.
fn frames(
    past: Vec<Notification>,
    from: Timestamp,
    listener: Listener,
    sources: Sources,
) -> impl Stream<Item = Arc<EventFrame>> + Send + 'static {
    let count = |kind| past.iter().filter(|note| note.kind == kind).count();
    let caught_up = MyEventsControl::CaughtUp {
        at: from,
        games: count(hub::NotificationKind::GameStart),
        your_turn: count(hub::NotificationKind::YourTurn),
        challenges: count(hub::NotificationKind::Challenge),
    };
    let seen: HashMap<TableId, u64> = past.iter().map(|note| (note.table, note.version)).collect();
    let begin: Vec<Arc<EventFrame>> = past
        .iter()
        .map(notification_frame)
        .chain([control_frame(from, &caught_up, "caught_up")])
        .collect();
    let happens = stream::unfold(Some((listener, seen, sources)), async |state| {
        let (mut listener, seen, sources) = state?;
        loop {
            match listener.next().await {
                // Already part of the summary.
                Some(note)
                    if seen
                        .get(&note.table)
                        .is_some_and(|version| note.version <= *version) => {}
                Some(note) => {
                    return Some((notification_frame(&note), Some((listener, seen, sources))));
                }
                None => {
                    return Some((
                        control_frame(
                            sources.now(),
                            &MyEventsControl::Closed { reason: "too_slow" },
                            "closed",
                        ),
                        None,
                    ));
                }
            }
        }
    });
    stream::iter(begin).chain(happens)
}

fn notification_frame(note: &Notification) -> Arc<EventFrame> {
    frame(note.at, note.kind.name(), note)
}

fn control_frame(at: Timestamp, control: &MyEventsControl, kind: &str) -> Arc<EventFrame> {
    frame(at, kind, control)
}

fn frame(at: Timestamp, kind: &str, content: &impl Serialize) -> Arc<EventFrame> {
    let json = serde_json::to_string(content).unwrap_or_default();
    Arc::new(EventFrame {
        version: at.millis().unsigned_abs(),
        kind: kind.to_owned(),
        json,
    })
}
