//! Tables as the store keeps them.

use std::time::{SystemTime, UNIX_EPOCH};

use parlor_core::Seat;
use parlor_games::{OutcomeView, TurnView};
use parlor_store::{Append, Event, NewTable, Role, RowUpdate, Store, StoredTable};
use parlor_table::{Entry, SeatView, Secret, Status, Table, TableId, Timestamp};
use serde_json::{Value, json};

use super::LiveError;
use super::settlement::{account, settlement};

/// A bot that has not moved after so long, in milliseconds, was thinking in a process that is gone.
pub(super) const BOT_PATIENCE_MS: i64 = 30_000;

/// The time.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// The number of a table in the store.
pub(crate) fn key(id: TableId) -> i64 {
    i64::try_from(id.number()).expect("an id is below 2^53")
}

/// The table with this number in the store.
pub(crate) fn id(key: i64) -> Option<TableId> {
    u64::try_from(key)
        .ok()
        .and_then(|number| TableId::new(number).ok())
}

/// Loads a table; `None` when there is none.
pub(crate) async fn load(store: &Store, id: TableId) -> Result<Option<Table>, LiveError> {
    let Some(stored) = store.load(key(id)).await? else {
        return Ok(None);
    };
    replay(stored)
        .map(Some)
        .map_err(|reason| LiveError::BadLog(id, reason))
}

fn replay(stored: StoredTable) -> Result<Table, String> {
    let secret = stored
        .secret
        .map(|bytes| <[u8; 32]>::try_from(bytes).map(Secret::new))
        .transpose();
    let secret = secret.map_err(|bytes| format!("its secret has {} bytes", bytes.len()))?;
    let entry = |event: Event| {
        let at = Timestamp::from_millis(event.at);
        serde_json::from_value(event.body).map(|body| Entry {
            version: event.version,
            at,
            event: body,
        })
    };
    let log: Result<Vec<Entry>, _> = stored.events.into_iter().map(entry).collect();
    Table::replay(log.map_err(|error| error.to_string())?, secret)
        .map_err(|error| error.to_string())
}

/// A table that is to be stored for the first time.
pub(crate) fn new_table(table: &Table) -> NewTable {
    NewTable {
        status: status(table.status()),
        listed: table.listed(),
        seats: seats(table),
        options: table.options().clone(),
        secret: table
            .secret()
            .map(|secret| hex::decode(secret.to_hex()).expect("hexadecimal was just written")),
        events: table.log().iter().map(event).collect(),
        due_at: due_at(table, table.updated_at()),
        turn: turn(table),
        summary: Some(summary(table)),
        rated: table.rated(),
        players: players(table),
        ..NewTable::new(
            key(table.id()),
            table.kind().name(),
            table.created_at().millis(),
        )
    }
}

/// New events of a table that was at version `before`.
pub(crate) fn append(table: &Table, before: u64, entries: &[Entry]) -> Append {
    let seated = |entry: &Entry| {
        use parlor_table::Event::{Flagged, Joined, Left, Resigned, Started};
        matches!(
            entry.event,
            Joined { .. } | Left { .. } | Started | Resigned { .. } | Flagged { .. }
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
        settle: settlement(table, entries),
        ..Append::new(key(table.id()), entries.iter().map(event).collect())
    }
}

/// Says in a table's row, which said otherwise, when the table must be looked at again.
pub(super) fn reminder(table: &Table) -> Append {
    let update = RowUpdate {
        due_at: Some(due_at(table, now())),
        ..RowUpdate::default()
    };
    Append {
        expected: table.version(),
        update,
        ..Append::new(key(table.id()), Vec::new())
    }
}

/// When the table must be looked at again by whoever has it not in memory: when time brings something by itself, or when
/// the bot that was asked at `asked` must have moved.
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

/// What the seat on turn is called.
fn turn(table: &Table) -> Option<String> {
    table.on_turn().map(|seat| table.position().seat_name(seat))
}

/// How the game came out: `draw`, or what the seat is called that won.
fn result(table: &Table) -> Option<String> {
    match table.ending()?.outcome? {
        OutcomeView::Won { seat, .. } => Some(table.position().seat_name(Seat::new(seat).ok()?)),
        OutcomeView::Draw => Some("draw".to_owned()),
        OutcomeView::TeamWon => Some("won".to_owned()),
        OutcomeView::TeamLost => Some("lost".to_owned()),
    }
}

/// The accounts that sit here.
fn players(table: &Table) -> Vec<(i64, Role)> {
    table
        .players()
        .iter()
        .filter_map(account)
        .map(|user| (user, Role::Seated))
        .collect()
}

fn event(entry: &Entry) -> Event {
    let body = serde_json::to_value(&entry.event).expect("an event is plain data");
    Event {
        version: entry.version,
        at: entry.at.millis(),
        body,
    }
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
    let seat = |SeatView {
                    label,
                    kind,
                    name,
                    member,
                    ..
                }: SeatView| json!({ "label": label, "kind": kind, "name": name, "member": member });
    table.seat_views().into_iter().map(seat).collect()
}

/// How the game stands, as lists show it.
fn summary(table: &Table) -> Value {
    json!({
        "turn": TurnView::from(table.position().turn()),
        "plies": table.plies(),
        "clock": table.clock(),
        "luck_by_hand": table.luck_by_hand(),
        "text": table.position().text(),
        "last_move": table.last_move(),
        "ending": table.ending(),
        "next": table.next(),
    })
}
