//! What happens to somebody, at whatever table.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use futures::stream::{self, Stream, StreamExt};
use parlor_store::{Page, PlayerFilter, Status};
use parlor_table::{Key, Table, TableId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::events;
use crate::auth::{self, Caller, Scope, Who};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::Params;
use crate::hub::{self, Listener, Note};
use crate::live::{self, Frame};
use crate::{AppState, web};

/// How many tables of one person are looked at, the newest first.
const MOST_TABLES: u64 = 100;

/// From when to listen.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct From {
    /// The `at` of the last note you have: games that ended since then are told as well.
    since: Option<i64>,
}

/// What else is told, beside notes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Word {
    /// How everything stands was told; from here on it is told when it happens. A game or a challenge that was not among
    /// it is no more.
    CaughtUp {
        /// Since when it is told, in milliseconds since 1970.
        #[schema(value_type = i64)]
        at: Timestamp,
        /// Games that are going on.
        games: usize,
        /// Games in which you are to move.
        your_turn: usize,
        /// Those who ask you to play.
        challenges: usize,
    },
    /// Nothing follows.
    Closed {
        /// Why: `too_slow` when you did not read what was told. Come again, and hear how everything stands.
        reason: &'static str,
    },
}

/// What happens to you, at whatever table.
///
/// First how everything stands: `game_start` for each game that is going on, `your_turn` where you are to move,
/// `challenge` for each one who asks you to play, and `caught_up`. Then what happens, when it happens. One JSON object to a
/// line, and an empty line says that the stream is alive; with `Accept: text/event-stream` server-sent events. Members
/// hear of all their tables. Guests hear of those at which they show this token, from now on.
#[utoipa::path(
    get, path = "/me/events", tag = "events",
    params(From, ("Last-Event-ID" = Option<i64>, Header, description = "As `since`")),
    responses((status = OK, content((Note = "application/x-ndjson"), (String = "text/event-stream"))))
)]
pub(crate) async fn stream(
    State(state): State<AppState>,
    Params(from): Params<From>,
    client: Client,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let last = headers
        .get("last-event-id")
        .and_then(|value| value.to_str().ok()?.parse().ok());
    let since = last.or(from.since);
    caller.may(Scope::Read)?;
    let place = state.streams().open(client)?;
    let who = caller.who().clone();
    let from = live::now();
    // Listening comes first: what happens while the rest is gathered is not lost.
    let listener = state.hub().listen(who.keys().collect());
    let past = how_it_stands(&state, &who, &web::remembered(&headers), since).await?;
    let frames = frames(past, from, listener).map(move |frame| {
        let _held = &place;
        frame
    });
    let revoked = auth::revoked(Some(&caller), &state);
    let frames = frames
        .take_until(state.closing())
        .take_until(Box::pin(revoked));
    Ok(if events::wants_sse(&headers) {
        events::as_sse(frames)
    } else {
        events::as_lines(frames)
    })
}

/// Notes on all tables that concern somebody, the oldest table first.
async fn how_it_stands(
    state: &AppState,
    who: &Who,
    remembered: &[TableId],
    since: Option<i64>,
) -> Result<Vec<Note>, Error> {
    let mut ids: Vec<TableId> = remembered.to_vec();
    if let Some(member) = who.account() {
        let user = i64::try_from(member.id.number()).expect("an id is below 2^53");
        let on = PlayerFilter {
            statuses: vec![Status::Open, Status::Playing],
            ..PlayerFilter::default()
        };
        let over = PlayerFilter {
            statuses: vec![Status::Over, Status::Aborted],
            ..PlayerFilter::default()
        };
        let page = Page {
            before: None,
            limit: MOST_TABLES,
        };
        let mut rows = state.store().tables_of(user, &on, &page).await?;
        if let Some(since) = since {
            let ended = state.store().tables_of(user, &over, &page).await?;
            rows.extend(ended.into_iter().filter(|(row, _)| row.updated_at >= since));
        }
        ids.extend(rows.iter().filter_map(|(row, _)| live::id(row.id)));
    }
    ids.sort_unstable();
    ids.dedup();
    let keys: Vec<Key> = who.keys().collect();
    let mut notes = Vec::new();
    for id in ids {
        let keys = keys.clone();
        // A table that cannot be read now will be told of when something happens there.
        let told = state.read(id, move |table| {
            keys.iter()
                .flat_map(|key| note(table, key, since))
                .collect::<Vec<_>>()
        });
        notes.extend(told.await.unwrap_or_default());
    }
    Ok(notes)
}

fn note(table: &Table, key: &Key, since: Option<i64>) -> Vec<Note> {
    let mut notes = hub::standing(table, key);
    let lately = since.is_some_and(|since| table.updated_at().millis() >= since);
    notes.extend(hub::ended(table, key).filter(|_| lately));
    notes
}

/// What was gathered, the word that this was all, and then what happens.
fn frames(
    past: Vec<Note>,
    from: Timestamp,
    listener: Listener,
) -> impl Stream<Item = Arc<Frame>> + Send + 'static {
    let count = |kind| past.iter().filter(|note| note.kind == kind).count();
    let caught_up = Word::CaughtUp {
        at: from,
        games: count(hub::Kind::GameStart),
        your_turn: count(hub::Kind::YourTurn),
        challenges: count(hub::Kind::Challenge),
    };
    let seen: HashMap<TableId, u64> = past.iter().map(|note| (note.table, note.version)).collect();
    let begin: Vec<Arc<Frame>> = past
        .iter()
        .map(told)
        .chain([word(&caught_up, "caught_up")])
        .collect();
    let happens = stream::unfold(Some((listener, seen)), async |state| {
        let (mut listener, seen) = state?;
        loop {
            match listener.next().await {
                // It is part of what was gathered.
                Some(note)
                    if seen
                        .get(&note.table)
                        .is_some_and(|version| note.version <= *version) => {}
                Some(note) => return Some((told(&note), Some((listener, seen)))),
                None => return Some((word(&Word::Closed { reason: "too_slow" }, "closed"), None)),
            }
        }
    });
    stream::iter(begin).chain(happens)
}

fn told(note: &Note) -> Arc<Frame> {
    frame(note.at, note.kind.name(), note)
}

fn word(word: &Word, kind: &str) -> Arc<Frame> {
    frame(live::now(), kind, word)
}

fn frame(at: Timestamp, kind: &str, content: &impl Serialize) -> Arc<Frame> {
    let json = serde_json::to_string(content).unwrap_or_default();
    Arc::new(Frame {
        version: at.millis().unsigned_abs(),
        kind: kind.to_owned(),
        json,
    })
}
