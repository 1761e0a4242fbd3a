//! Conversion of tables to and from the store's rows.

use std::sync::Arc;

use parlor_core::Seat;
use parlor_games::OutcomeView;
use parlor_store::{
    Append, NewStoredTable, PlayerRole, RowUpdate, Store, StoredEvent, StoredTable,
};
use parlor_table::{
    BadLog, LogEntry, SeatView, Secret, Situation, Table, TableEvent, TableId, TableStatus,
    Timestamp, UserId,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::LiveError;
use super::feed::{EventFrame, PastEvents};
use super::settlement::{account, settlement};
use crate::hub;
use crate::people::fingerprints;

/// Time after which a bot that has not moved is presumed lost with its process, in milliseconds.
pub(super) const BOT_PATIENCE_MS: i64 = 30_000;

/// Returns the id of a table in the store.
pub(crate) fn table_key(id: TableId) -> i64 {
    i64::try_from(id.number()).expect("an id is below 2^53")
}

/// Returns the table with this id in the store.
pub(crate) fn table_id(key: i64) -> Option<TableId> {
    u64::try_from(key)
        .ok()
        .and_then(|number| TableId::new(number).ok())
}

/// Loads a table; `None` if it does not exist.
pub(crate) async fn load(store: &Store, id: TableId) -> Result<Option<Table>, LiveError> {
    let Some(stored) = store.load(table_key(id)).await? else {
        return Ok(None);
    };
    replay(stored)
        .map(Some)
        .map_err(|error| LiveError::BadLog(id, error))
}

/// Returns the stored events of a table after a version, up to a number of them.
///
/// # Errors
/// [`LiveError::NotFound`] if there is no such table, [`LiveError::BadLog`] if an event cannot be
/// read.
pub(super) async fn events(
    store: &Store,
    id: TableId,
    after: u64,
    limit: u64,
) -> Result<Vec<LogEntry>, LiveError> {
    let stored = store.events(table_key(id), after, limit).await?;
    let entries: Result<_, _> = stored.into_iter().map(log_entry).collect();
    entries.map_err(|error| LiveError::BadLog(id, error))
}

/// Returns a page of up to `page` stored events of a table after a version, for watchers.
///
/// # Errors
/// As of [`events`].
pub(super) async fn past(
    store: &Store,
    id: TableId,
    after: u64,
    page: usize,
) -> Result<PastEvents, LiveError> {
    // With the event before, which tells the version if there are no later ones.
    let limit = page + 1;
    let entries = events(store, id, after.saturating_sub(1), limit as u64).await?;
    let Some(last) = entries.last() else {
        let row = store.row(table_key(id)).await?.ok_or(LiveError::NotFound)?;
        return Ok(PastEvents {
            frames: Vec::new(),
            version: row.version,
            is_whole: true,
        });
    };
    let later = entries.iter().filter(|entry| entry.version > after);
    Ok(PastEvents {
        frames: later.map(EventFrame::from_entry).collect(),
        version: last.version,
        is_whole: entries.len() < limit,
    })
}

/// Reason why a stored table cannot be loaded.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum BadStoredTable {
    #[error("its secret has {0} bytes")]
    Secret(usize),
    #[error(transparent)]
    Event(Arc<serde_json::Error>),
    #[error(transparent)]
    Log(#[from] BadLog),
}

fn replay(stored: StoredTable) -> Result<Table, BadStoredTable> {
    let secret = stored.secret.map(secret).transpose()?;
    let log: Vec<LogEntry> = stored
        .events
        .into_iter()
        .map(log_entry)
        .collect::<Result<_, _>>()?;
    Ok(Table::replay(log, secret)?)
}

fn secret(bytes: Vec<u8>) -> Result<Secret, BadStoredTable> {
    <[u8; 32]>::try_from(bytes)
        .map(Secret::new)
        .map_err(|bytes| BadStoredTable::Secret(bytes.len()))
}

/// Body of a stored event: what [`LogEntry`] has beside the version and the time.
#[derive(Serialize, Deserialize)]
struct Body<Event> {
    #[serde(flatten)]
    event: Event,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<Situation>,
}

/// Reads a stored event.
fn log_entry(stored: StoredEvent) -> Result<LogEntry, BadStoredTable> {
    let body: Body<TableEvent> = serde_json::from_value(stored.body)
        .map_err(|error| BadStoredTable::Event(Arc::new(error)))?;
    Ok(LogEntry {
        version: stored.version,
        at: Timestamp::from_millis(stored.at),
        event: body.event,
        after: body.after,
    })
}

/// Returns the rows of a new table.
pub(crate) fn new_table(table: &Table) -> NewStoredTable {
    NewStoredTable {
        status: status(table.status()),
        listed: table.is_listed(),
        seats: seats(table),
        options: table.options().clone(),
        secret: table
            .secret()
            .map(|secret| hex::decode(secret.to_hex()).expect("hexadecimal was just written")),
        events: table.log().iter().map(event).collect(),
        due_at: due_at(table, table.updated_at()),
        turn: turn(table),
        summary: Some(summary(table)),
        rated: table.is_rated(),
        players: players(table),
        people: people(table),
        notes: hub::account_notes(table, table.log(), None),
        ..NewStoredTable::new(
            table_key(table.id()),
            table.kind().name(),
            table.created_at().millis(),
        )
    }
}

/// Returns the append of new events to a table that was at version `before`. `invited` is the
/// invited member, if that member must be told.
pub(crate) fn append(
    table: &Table,
    before: u64,
    entries: &[LogEntry],
    invited: Option<UserId>,
) -> Append {
    let seated = |entry: &LogEntry| {
        use parlor_table::TableEvent::{
            Flagged, Joined, Left, Resigned, Returned, StandInChosen, Started,
        };
        matches!(
            entry.event,
            Joined { .. }
                | Left { .. }
                | Started
                | Resigned { .. }
                | Flagged { .. }
                | StandInChosen { .. }
                | Returned { .. }
        )
    };
    let seated = entries.iter().any(seated);
    let update = RowUpdate {
        status: Some(status(table.status())),
        listed: None,
        seats: seated.then(|| seats(table)),
        summary: Some(summary(table)),
        due_at: Some(due_at(table, table.updated_at())),
        turn: Some(turn(table)),
        result: result(table),
        rated: None,
    };
    Append {
        expected: before,
        update,
        players: seated.then(|| players(table)),
        people: (seated || is_finished(table)).then(|| people(table)),
        scores: settlement(table, entries),
        notes: hub::account_notes(table, entries, invited),
        ..Append::new(table_key(table.id()), entries.iter().map(event).collect())
    }
}

/// Returns an update of the time at which a table must be checked again, as seen at `now`.
pub(super) fn reminder(table: &Table, now: Timestamp) -> Append {
    let update = RowUpdate {
        due_at: Some(due_at(table, now)),
        ..RowUpdate::default()
    };
    Append {
        expected: table.version(),
        update,
        ..Append::new(table_key(table.id()), Vec::new())
    }
}

/// Returns the time at which an unloaded table must be checked: for its next automatic event, or
/// because the bot that was asked for a move at `asked` should have moved.
fn due_at(table: &Table, asked: Timestamp) -> Option<i64> {
    let bot = table
        .bot_to_move()
        .map(|_| asked.millis() + BOT_PATIENCE_MS);
    table
        .due_at()
        .map(Timestamp::millis)
        .into_iter()
        .chain(bot)
        .min()
}

/// Returns the name of the side whose player is the current one; see [`Table::current_seat`].
fn turn(table: &Table) -> Option<String> {
    let seat = table.current_seat()?;
    Some(table.position().seat_name(seat))
}

/// Returns the result: `draw`, or the name of the winning side.
fn result(table: &Table) -> Option<String> {
    match table.ending()?.outcome? {
        OutcomeView::Won { seat, .. } => Some(table.position().seat_name(Seat::new(seat).ok()?)),
        OutcomeView::Draw => Some("draw".to_owned()),
        OutcomeView::TeamWon => Some("won".to_owned()),
        OutcomeView::TeamLost => Some("lost".to_owned()),
    }
}

/// Returns the accounts of the seated players.
fn players(table: &Table) -> Vec<(i64, PlayerRole)> {
    table
        .players()
        .iter()
        .filter_map(account)
        .map(|user| (user, PlayerRole::Seated))
        .collect()
}

/// Returns the numbers of the people at a table, which are kept until the game ends.
fn people(table: &Table) -> Vec<i64> {
    if is_finished(table) {
        return Vec::new();
    }
    let people = fingerprints(table).into_iter();
    people.map(u64::cast_signed).collect()
}

fn is_finished(table: &Table) -> bool {
    matches!(table.status(), TableStatus::Over | TableStatus::Aborted)
}

/// Returns an event as it is stored.
fn event(entry: &LogEntry) -> StoredEvent {
    let body = Body {
        event: &entry.event,
        after: entry.after.clone(),
    };
    let body = serde_json::to_value(body).expect("an event is plain data");
    StoredEvent {
        version: entry.version,
        at: entry.at.millis(),
        body,
    }
}

fn status(status: TableStatus) -> parlor_store::RowStatus {
    match status {
        TableStatus::Open => parlor_store::RowStatus::Open,
        TableStatus::Playing => parlor_store::RowStatus::Playing,
        TableStatus::Over => parlor_store::RowStatus::Over,
        TableStatus::Aborted => parlor_store::RowStatus::Aborted,
    }
}

/// Returns the seats for lists of tables.
fn seats(table: &Table) -> Value {
    let seat = |seat: SeatView| {
        let SeatView {
            label,
            kind,
            name,
            stands_in_for,
            member,
            owner,
            ..
        } = seat;
        let mut seat = json!({ "label": label, "kind": kind, "name": name, "member": member });
        if let Some(owner) = owner {
            seat["owner"] = owner.into();
        }
        if let Some(person) = stands_in_for {
            seat["stands_in_for"] = person.into();
        }
        seat
    };
    table.seat_views().into_iter().map(seat).collect()
}

/// Returns the summary for lists of tables.
fn summary(table: &Table) -> Value {
    json!({
        "turn": table.turn(),
        "plies": table.plies(),
        "clock": table.clock(),
        "luck_by_hand": table.luck_by_hand(),
        "text": table.position().text(),
        "last_move": table.last_move(),
        "ending": table.ending(),
        "next": table.next(),
    })
}

#[cfg(test)]
mod tests;
