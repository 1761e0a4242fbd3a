//! Stream of everything that happens to one person, across all tables.
//!
//! News that must not be lost is written to the accounts' logs, with the events that caused it. A
//! member's stream sends it from there, in order, whoever stored it; whose turn it is is only told
//! live, and follows from the tables when a stream begins.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use futures::stream::{self, Stream, StreamExt};
use parlor_store::{AccountNote, ListPage, PlayerFilter, PlayerRole, RowStatus, Store, StoreError};
use parlor_table::{SeatKey, Table, TableId, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::events::{self, StreamEnd};
use super::schema;
use crate::accounts::store_id;
use crate::auth::{self, Caller, Requester, Scope};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::Params;
use crate::hub::{self, Listener, News, Notification, NotificationKind};
use crate::live::{self, EventFrame};
use crate::sources::Sources;
use crate::{AppState, web};

/// Maximum number of a person's games in the initial summary, newest first.
const MAX_GAMES: u64 = 500;
/// Maximum number of challenges in the initial summary, and of games that ended, newest first.
const MAX_OTHERS: u64 = 100;
/// Number of notes that are read from a log at once.
const PAGE: u64 = 200;
/// Number from which on a `Last-Event-ID` is a time.
const FIRST_TIME: i64 = 100_000_000_000;

/// Query parameters of the personal event stream.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct MyEventsQuery {
    /// Largest `n` that you received, for members: what was logged after it is sent, exactly and in
    /// order, in place of the games and challenges of the summary.
    #[param(maximum = 9_007_199_254_740_991i64)]
    after: Option<u64>,
    /// `at` of the last notification you received: games that ended since then are reported as
    /// well.
    since: Option<i64>,
}

impl MyEventsQuery {
    /// Takes a `Last-Event-ID` into account.
    fn resumed(self, headers: &HeaderMap) -> MyEventsQuery {
        let id = headers.get("last-event-id");
        let id: Option<i64> = id.and_then(|value| value.to_str().ok()?.parse().ok());
        match id {
            Some(time) if time >= FIRST_TIME => MyEventsQuery {
                since: Some(time),
                ..self
            },
            Some(n) => MyEventsQuery {
                after: u64::try_from(n).ok(),
                ..self
            },
            None => self,
        }
    }
}

/// Message of the personal stream that is not a notification.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum MyEventsControl {
    /// The summary is complete; live notifications follow. A game or challenge that was neither in
    /// the summary nor in the log no longer exists.
    CaughtUp {
        /// Start of the live notifications, in milliseconds since the Unix epoch.
        #[schema(value_type = i64)]
        at: Timestamp,
        /// Number of the last note of your account's log; guests have none.
        #[serde(skip_serializing_if = "Option::is_none")]
        n: Option<u64>,
        /// Number of games in progress.
        games: usize,
        /// Number of games in which it is your turn.
        your_turn: usize,
        /// Number of challenges to you.
        challenges: usize,
    },
}

/// Streams everything that happens to you, across all tables.
///
/// The stream starts with a summary: `game_start` for each game in progress, `your_turn` where you
/// are to move, `challenge` for each challenge to you, and then `caught_up`. Live notifications
/// follow. Each line is one JSON object, and an empty line is a keep-alive; with `Accept:
/// text/event-stream` the stream uses server-sent events. Members receive notifications for all
/// their tables, guests for the tables where they hold a seat with this token.
///
/// For members, all but whose turn it is is numbered: `n` grows by one from each to the next, on all
/// servers of the house and across restarts. Connect with `after` and the largest `n` that you have
/// received, and you hear each exactly once. At least the latest 2,000 are kept; if one is missing,
/// the stream starts with the summary.
#[utoipa::path(
    get, path = "/me/events", operation_id = "stream_my_events", tag = "events",
    params(MyEventsQuery, ("Last-Event-ID" = Option<String>, Header, description = "As `after`, or from 100,000,000,000 on as `since`; ignored if it is no number")),
    responses((status = OK, description = "Summary, then live notifications: one per line, or one per `data`", content((schema::MyEventSchema = "application/x-ndjson"), (schema::MyEventSchema = "text/event-stream"))))
)]
pub(crate) async fn stream(
    State(state): State<AppState>,
    Params(from): Params<MyEventsQuery>,
    client: Client,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let MyEventsQuery { after, since } = from.resumed(&headers);
    caller.require(Scope::Read)?;
    let permit = state.streams().open(client)?;
    let who = caller.who().clone();
    let user = who.member().map(|member| member.id);
    let from = state.now();
    // Subscribe first, so that nothing is lost while the summary is gathered.
    let listener = state
        .hub()
        .listen(who.keys().collect(), user.map(store_id), |key| {
            state.nodes().follow_person(key)
        });
    let (log, missed) = match user {
        Some(user) => {
            let (log, missed) = AccountLog::open(&state, user, after).await?;
            (Some(log), missed)
        }
        None => (None, None),
    };
    let current = current_notifications(&state, &who, &web::remembered(&headers), since).await?;
    let beginning = Beginning {
        at: from,
        missed,
        current,
    };
    let present = state.people().enter(&who);
    let frames = frames(beginning, listener, log, state.sources().clone()).map(move |frame| {
        let _held = (&permit, &present);
        frame
    });
    let revoked = auth::until_revoked(Some(&caller), &state);
    let frames = events::until_closed(frames, &state, revoked);
    Ok(if events::wants_sse(&headers) {
        events::as_sse(frames)
    } else {
        events::as_lines(frames)
    })
}

/// Reader of a member's log, one page at a time.
struct AccountLog {
    store: Store,
    user: i64,
    key: SeatKey,
    /// Number of the last note that was read.
    last: u64,
}

impl AccountLog {
    /// Opens the log of an account at its end, or after the note numbered `after`: then it returns
    /// the first page of those that the person has missed, unless the next one is gone.
    async fn open(
        state: &AppState,
        user: UserId,
        after: Option<u64>,
    ) -> Result<(AccountLog, Option<MissedNotes>), Error> {
        let store = state.store().clone();
        let ends = store.last_notes(&[store_id(user)]).await?;
        let end = ends.first().map_or(0, |(_, end)| *end);
        let mut log = AccountLog {
            store,
            user: store_id(user),
            key: SeatKey::from_member(user),
            last: end,
        };
        let Some(after) = after.filter(|after| *after <= end) else {
            return Ok((log, None));
        };
        log.last = after;
        let missed = match log.page(end - after).await {
            Ok(first) if first.is_empty() && after < end => None,
            Ok(first) => Some(MissedNotes { first, end }),
            Err(LogError::Pruned) => None,
            Err(LogError::Store(error)) => return Err(error.into()),
        };
        if missed.is_none() {
            log.last = end;
        }
        Ok((log, missed))
    }

    /// Returns true if the database has lost notes that were read, as after a failover to a copy that was
    /// behind: the same numbers will come again.
    async fn is_rewound(&self) -> bool {
        let ends = self.store.last_notes(&[self.user]).await;
        ends.is_ok_and(|ends| ends.first().map_or(0, |(_, end)| *end) < self.last)
    }

    /// Returns the next notes, at most `limit` and at most one page of them; none at the end of the
    /// log.
    async fn page(&mut self, limit: u64) -> Result<Vec<AccountNote>, LogError> {
        let limit = limit.min(PAGE);
        if limit == 0 {
            return Ok(Vec::new());
        }
        let page = self.store.account_log(self.user, self.last, limit).await?;
        if page.first().is_some_and(|first| first.n != self.last + 1) {
            return Err(LogError::Pruned);
        }
        self.last = page.last().map_or(self.last, |note| note.n);
        Ok(page)
    }
}

/// Notes that a person has missed, up to the end that the log had when the stream began.
struct MissedNotes {
    /// First page of notes, already read.
    first: Vec<AccountNote>,
    /// Number of the last note.
    end: u64,
}

/// Reason why a log cannot be read on.
#[derive(Debug, thiserror::Error)]
enum LogError {
    /// The next note was deleted, since so many have followed it.
    #[error("the next note is no longer kept")]
    Pruned,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl LogError {
    /// Returns the reason that a closed stream gives.
    fn reason(&self) -> &'static str {
        match self {
            LogError::Pruned => "too_slow",
            LogError::Store(_) => "unavailable",
        }
    }
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
        let user = store_id(member.id);
        let rows = async |statuses: &[RowStatus], roles: &[PlayerRole], limit| {
            let filter = PlayerFilter {
                statuses: statuses.to_vec(),
                roles: roles.to_vec(),
            };
            let page = ListPage {
                before: None,
                limit,
            };
            state.store().tables_of(user, &filter, &page).await
        };
        // Separately, so that challenges never push a game out.
        let mut found = rows(&[RowStatus::Playing], &[], MAX_GAMES).await?;
        found.extend(rows(&[RowStatus::Open], &[PlayerRole::Invited], MAX_OTHERS).await?);
        if let Some(since) = since {
            let ended = rows(&[RowStatus::Over, RowStatus::Aborted], &[], MAX_OTHERS).await?;
            found.extend(ended.into_iter().filter(|(row, _)| row.updated_at >= since));
        }
        ids.extend(found.iter().filter_map(|(row, _)| live::table_id(row.id)));
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

/// Contents of the beginning of a stream.
struct Beginning {
    at: Timestamp,
    /// Notes that the person has missed; `None` if the person has to be told how everything stands.
    missed: Option<MissedNotes>,
    /// Notifications that tell how everything stands.
    current: Vec<Notification>,
}

/// Returns the beginning, the `caught_up` message and what happens from then on.
fn frames(
    beginning: Beginning,
    listener: Listener,
    log: Option<AccountLog>,
    sources: Sources,
) -> impl Stream<Item = Arc<EventFrame>> + Send + 'static {
    let Beginning {
        at,
        missed,
        current,
    } = beginning;
    let is_resumed = missed.is_some();
    let (first, end) = match missed {
        Some(missed) => (missed.first, Some(missed.end)),
        None => (Vec::new(), log.as_ref().map(|log| log.last)),
    };
    let count = |kind| current.iter().filter(|note| note.kind == kind).count();
    let caught_up = MyEventsControl::CaughtUp {
        at,
        n: end,
        games: count(NotificationKind::GameStart),
        your_turn: count(NotificationKind::YourTurn),
        challenges: count(NotificationKind::Challenge),
    };
    let repeated = current
        .iter()
        .filter(|note| !is_resumed || !note.kind.is_logged());
    let summary: Vec<Arc<EventFrame>> = repeated
        .map(|note| notification_frame(note, end))
        .chain([frame(at, end, "caught_up", &caught_up)])
        .collect();
    let told = current.iter().map(|note| (note.table, note.version));
    let news = PersonalNews {
        listener,
        log,
        told: told.collect(),
        is_resumed,
        summary: Some(Summary {
            end: end.unwrap_or_default(),
            frames: summary,
        }),
        is_behind: false,
        ready: first.iter().map(logged_frame).collect(),
        sources,
    };
    stream::unfold(Some(news), async |news| {
        let mut news = news?;
        match news.next().await {
            Ok(frame) => Some((frame, Some(news))),
            Err(reason) => {
                let closed = StreamEnd::Closed { reason };
                let last = news.log.as_ref().map(|log| log.last);
                let frame = frame(news.sources.now(), last, "closed", &closed);
                Some((frame, None))
            }
        }
    })
}

/// Messages that tell how everything stands, and the `caught_up` message.
struct Summary {
    /// Number of the last note that is sent before.
    end: u64,
    frames: Vec<Arc<EventFrame>>,
}

/// The messages of a stream: what was missed, a page of the log at a time, the summary, and then
/// what happens.
struct PersonalNews {
    listener: Listener,
    log: Option<AccountLog>,
    /// Version of each table that the beginning has told of.
    told: HashMap<TableId, u64>,
    /// True if the beginning had all that was logged.
    is_resumed: bool,
    /// Summary, until it is sent.
    summary: Option<Summary>,
    /// True if the log may have more than was read after the summary.
    is_behind: bool,
    /// Messages to be sent before anything else is read: at most a page of notes, or the summary.
    ready: VecDeque<Arc<EventFrame>>,
    sources: Sources,
}

impl PersonalNews {
    /// Returns the next frame, or the reason why the stream ends.
    async fn next(&mut self) -> Result<Arc<EventFrame>, &'static str> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Ok(frame);
            }
            if let Some(summary) = self.summary.take() {
                match &self.log {
                    Some(log) if log.last < summary.end => {
                        let missing = summary.end - log.last;
                        self.summary = Some(summary);
                        self.read_log(missing).await?;
                    }
                    _ => self.ready.extend(summary.frames),
                }
                continue;
            }
            if self.is_behind {
                self.read_log(PAGE).await?;
                continue;
            }
            match self.listener.next().await.ok_or("too_slow")? {
                News::Logged(last) => {
                    if let Some(log) = self.log.as_ref().filter(|log| last < log.last)
                        && log.is_rewound().await
                    {
                        return Err("unavailable");
                    }
                    self.is_behind = self.log.as_ref().is_some_and(|log| log.last < last);
                }
                News::Note(key, note) => {
                    let is_mine = |log: &AccountLog| log.key == key;
                    if note.kind.is_logged() && self.log.as_ref().is_some_and(is_mine) {
                        self.is_behind = true;
                    } else if !self.is_told(note.table, note.version) {
                        let last = self.log.as_ref().map(|log| log.last);
                        return Ok(notification_frame(&note, last));
                    }
                }
            }
        }
    }

    /// Reads the next notes of the log, at most `limit` and at most a page.
    async fn read_log(&mut self, limit: u64) -> Result<(), &'static str> {
        let Some(log) = &mut self.log else {
            return Ok(());
        };
        let notes = log.page(limit).await.map_err(|error| {
            tracing::debug!(%error, "could not read the log of an account");
            error.reason()
        })?;
        self.is_behind = notes.len() as u64 == PAGE;
        if notes.is_empty() && self.summary.is_some() {
            // The last notes of those that were missed are gone.
            return Err(LogError::Pruned.reason());
        }
        for note in notes {
            let is_told = match (note.body["table"].as_str(), note.body["version"].as_u64()) {
                (Some(table), Some(version)) => table
                    .parse()
                    .is_ok_and(|table| self.is_told(table, version)),
                _ => false,
            };
            // The summary may have been gathered after the note was written.
            if self.is_resumed || !is_told {
                self.ready.push_back(logged_frame(&note));
            }
        }
        Ok(())
    }

    /// Returns true if the beginning told of a table at this version.
    fn is_told(&self, table: TableId, version: u64) -> bool {
        self.told.get(&table).is_some_and(|told| version <= *told)
    }
}

/// Returns the frame of a note of a log. Its id is the note's number.
fn logged_frame(note: &AccountNote) -> Arc<EventFrame> {
    let mut body = note.body.clone();
    let kind = body["type"].as_str().unwrap_or_default().to_owned();
    if let Some(body) = body.as_object_mut() {
        body.insert("n".to_owned(), note.n.into());
    }
    Arc::new(EventFrame {
        version: note.n,
        kind,
        json: body.to_string(),
    })
}

fn notification_frame(note: &Notification, last: Option<u64>) -> Arc<EventFrame> {
    frame(note.at, last, note.kind.name(), note)
}

/// Returns a frame that is in no log. Its id is the number of the last note before, if there is a
/// log, or else its time.
fn frame(
    at: Timestamp,
    last: Option<u64>,
    kind: &str,
    content: &impl Serialize,
) -> Arc<EventFrame> {
    let json = serde_json::to_string(content).unwrap_or_default();
    Arc::new(EventFrame {
        version: last.unwrap_or(at.millis().unsigned_abs()),
        kind: kind.to_owned(),
        json,
    })
}

#[cfg(test)]
mod tests {
    use parlor_store::{KEPT_NOTES, NewStoredTable};
    use serde_json::json;

    use super::*;

    /// Adds notes to the log of account 1, with a new table.
    async fn add(store: &Store, table: i64, count: usize) {
        let table = NewStoredTable {
            notes: vec![(1, json!({ "type": "game_over" })); count],
            ..NewStoredTable::new(table, "mnk", 1_000)
        };
        store.create(table).await.unwrap();
    }

    #[tokio::test]
    async fn a_log_is_read_in_pages_and_a_gap_is_noticed() {
        let store = Store::open("sqlite::memory:").await.unwrap();
        add(&store, 1, 450).await;
        let mut log = AccountLog {
            store: store.clone(),
            user: 1,
            key: SeatKey::from_member(UserId::new(1).unwrap()),
            last: 0,
        };
        let mut pages = Vec::new();
        for limit in [5, u64::MAX, u64::MAX, u64::MAX, u64::MAX] {
            let page = log.page(limit).await.unwrap();
            pages.push((page.len(), log.last));
        }
        assert_eq!(pages, [(5, 5), (200, 205), (200, 405), (45, 450), (0, 450)]);
        log.last = 5;
        let kept = usize::try_from(KEPT_NOTES).unwrap();
        add(&store, 2, kept).await;
        let gap = log.page(u64::MAX).await;
        assert!(matches!(gap, Err(LogError::Pruned)), "{gap:?}");
        store.close().await;
    }
}
