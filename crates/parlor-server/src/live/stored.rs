//! Tables as the store keeps them.

use std::time::{SystemTime, UNIX_EPOCH};

use parlor_games::TurnView;
use parlor_store::{Append, Event, NewTable, RowUpdate, Store, StoredTable};
use parlor_table::{Entry, SeatView, Secret, Status, Table, TableId, Timestamp};
use serde_json::{Value, json};

use super::LiveError;

/// The time.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// The number of a table in the store.
pub(crate) fn key(id: TableId) -> i64 {
    i64::try_from(id.number()).expect("an id is below 2^53")
}

/// Loads a table; `None` when there is none.
pub(crate) async fn load(store: &Store, id: TableId) -> Result<Option<Table>, LiveError> {
    let Some(stored) = store.load(key(id)).await? else { return Ok(None) };
    replay(stored).map(Some).map_err(|reason| LiveError::BadLog(id, reason))
}

fn replay(stored: StoredTable) -> Result<Table, String> {
    let secret = stored.secret.map(|bytes| <[u8; 32]>::try_from(bytes).map(Secret::new)).transpose();
    let secret = secret.map_err(|bytes| format!("its secret has {} bytes", bytes.len()))?;
    let entry = |event: Event| {
        let at = Timestamp::from_millis(event.at);
        serde_json::from_value(event.body).map(|body| Entry { version: event.version, at, event: body })
    };
    let log: Result<Vec<Entry>, _> = stored.events.into_iter().map(entry).collect();
    Table::replay(log.map_err(|error| error.to_string())?, secret).map_err(|error| error.to_string())
}

/// A table that is to be stored for the first time.
pub(crate) fn new_table(table: &Table) -> NewTable {
    NewTable {
        status: status(table.status()),
        listed: table.listed(),
        seats: seats(table),
        options: table.options().clone(),
        secret: table.secret().map(|secret| hex::decode(secret.to_hex()).expect("hexadecimal was just written")),
        events: table.log().iter().map(event).collect(),
        ..NewTable::new(key(table.id()), table.kind().name(), table.created_at().millis())
    }
}

/// New events of a table that was at version `before`.
pub(crate) fn append(table: &Table, before: u64, entries: &[Entry]) -> Append {
    let seated = |entry: &Entry| {
        use parlor_table::Event::{Joined, Left, Resigned, Started};
        matches!(entry.event, Joined { .. } | Left { .. } | Started | Resigned { .. })
    };
    let update = RowUpdate {
        status: Some(status(table.status())),
        listed: None,
        seats: entries.iter().any(seated).then(|| seats(table)),
        summary: Some(summary(table)),
        ..RowUpdate::default()
    };
    Append { expected: before, update, ..Append::new(key(table.id()), entries.iter().map(event).collect()) }
}

fn event(entry: &Entry) -> Event {
    let body = serde_json::to_value(&entry.event).expect("an event is plain data");
    Event { version: entry.version, at: entry.at.millis(), body }
}

fn status(status: Status) -> parlor_store::Status {
    match status {
        Status::Open => parlor_store::Status::Open,
        Status::Playing => parlor_store::Status::Playing,
        Status::Over => parlor_store::Status::Over,
        Status::Aborted => parlor_store::Status::Aborted,
    }
}

/// Who sits where, as lists show it.
fn seats(table: &Table) -> Value {
    let seat = |SeatView { label, kind, name, .. }: SeatView| json!({ "label": label, "kind": kind, "name": name });
    table.seat_views().into_iter().map(seat).collect()
}

/// How the game stands, as lists show it.
fn summary(table: &Table) -> Value {
    json!({
        "turn": TurnView::from(table.position().turn()),
        "plies": table.plies(),
        "text": table.position().text(),
        "last_move": table.last_move(),
        "ending": table.ending(),
        "next": table.next(),
    })
}
