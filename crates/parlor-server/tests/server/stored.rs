//! Tables written directly to the store: with old events, or with members who have no tokens.

use parlor_games::GameKind;
use parlor_store::{NewStoredTable, PlayerRole, RowStatus, Store, StoredEvent, User};
use parlor_table::{
    self as table, Command, Issuer, Player, SeatKey, Table, TableId, TimeControl, Timestamp, UserId,
};
use serde_json::json;

/// Tokens of the two guests at such a table.
pub const TOKENS: [&str; 2] = [
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
];

pub fn now() -> i64 {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

pub fn guests() -> Vec<Player> {
    TOKENS
        .iter()
        .zip(["Ann", "Bob"])
        .map(|(token, name)| Player::human(name, SeatKey::from_token(token)).unwrap())
        .collect()
}

pub fn members(users: [i64; 2]) -> Vec<Player> {
    users
        .iter()
        .map(|user| Player::member(&name(*user), UserId::new(*user as u64).unwrap()).unwrap())
        .collect()
}

fn name(user: i64) -> String {
    format!("member-{user}")
}

/// Creates accounts with ids from 1 on.
pub async fn accounts(store: &Store, count: i64) {
    for user in 1..=count {
        store
            .create_user(User::new(user, name(user), 0))
            .await
            .unwrap();
    }
}

/// Creates a table for these players at a given time, in milliseconds since the Unix epoch. It is
/// rated if they are members.
pub fn table_at(
    at: i64,
    game: GameKind,
    clock: Option<TimeControl>,
    players: Vec<Player>,
) -> Table {
    let rated = players.iter().all(|player| player.user().is_some());
    let random =
        std::sync::atomic::AtomicU64::fetch_add(&COUNT, 1, std::sync::atomic::Ordering::Relaxed);
    let id = TableId::new(1_000_000 + random).unwrap();
    let new = table::NewTable {
        clock,
        rated,
        ..table::NewTable::new(id, game, json!({}), players)
    };
    Table::create(Timestamp::from_millis(at), new).unwrap()
}

static COUNT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

/// Plays moves in turn, all with the same timestamp.
pub fn play_at(table: &mut Table, at: i64, moves: &[&str]) {
    for text in moves {
        let player = &table.players()[table.on_turn().unwrap().index()];
        let by = match player {
            Player::Human {
                user: Some(user), ..
            } => Issuer::Member(*user),
            Player::Human { key, .. } => Issuer::Key(*key),
            Player::Open | Player::Bot { .. } => panic!("nobody sits there"),
        };
        table
            .apply(Timestamp::from_millis(at), &by, Command::play(*text))
            .unwrap();
    }
}

/// Returns the row and events of a table.
pub fn row(table: &Table) -> NewStoredTable {
    let event = |entry: &table::LogEntry| {
        let body = serde_json::to_value(&entry.event).unwrap();
        StoredEvent {
            version: entry.version,
            at: entry.at.millis(),
            body,
        }
    };
    let accounts = table
        .players()
        .iter()
        .filter_map(Player::user)
        .map(|user| (user.number() as i64, PlayerRole::Seated));
    NewStoredTable {
        status: table.status().name().parse::<RowStatus>().unwrap(),
        events: table.log().iter().map(event).collect(),
        due_at: table.due_at().map(Timestamp::millis),
        rated: table.is_rated(),
        players: accounts.collect(),
        ..NewStoredTable::new(
            table.id().number() as i64,
            table.kind().name(),
            table.created_at().millis(),
        )
    }
}

/// Writes a table into a database that a server may be using.
pub async fn write(database: &str, new: NewStoredTable) {
    let store = Store::open(database).await.unwrap();
    store.create(new).await.unwrap();
    store.close().await;
}
