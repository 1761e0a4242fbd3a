//! Tables that are written past the house: with events of long ago, or with members whose tokens nobody has.

use parlor_games::GameKind;
use parlor_store::{Event, NewTable, Role, Status, Store, User};
use parlor_table::{
    self as table, By, Command, Key, Player, Table, TableId, TimeControl, Timestamp, UserId,
};
use serde_json::json;

/// The tokens of the two guests at such a table.
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
        .map(|(token, name)| Player::human(name, Key::of(token)).unwrap())
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

/// Makes accounts with the numbers from 1 on.
pub async fn accounts(store: &Store, count: i64) {
    for user in 1..=count {
        store
            .create_user(User::new(user, name(user), 0))
            .await
            .unwrap();
    }
}

/// A table for such players that was made at a time, in milliseconds since 1970. It is rated when members play.
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

/// Plays moves in turn, all at the same time.
pub fn play_at(table: &mut Table, at: i64, moves: &[&str]) {
    for text in moves {
        let player = &table.players()[table.on_turn().unwrap().index()];
        let by = match player {
            Player::Human {
                user: Some(user), ..
            } => By::Member(*user),
            Player::Human { key, .. } => By::Key(*key),
            Player::Open | Player::Bot { .. } => panic!("nobody sits there"),
        };
        table
            .apply(Timestamp::from_millis(at), &by, Command::play(*text))
            .unwrap();
    }
}

/// The row and events of a table.
pub fn row(table: &Table) -> NewTable {
    let event = |entry: &table::Entry| {
        let body = serde_json::to_value(&entry.event).unwrap();
        Event {
            version: entry.version,
            at: entry.at.millis(),
            body,
        }
    };
    let accounts = table
        .players()
        .iter()
        .filter_map(Player::user)
        .map(|user| (user.number() as i64, Role::Seated));
    NewTable {
        status: table.status().name().parse::<Status>().unwrap(),
        events: table.log().iter().map(event).collect(),
        due_at: table.due_at().map(Timestamp::millis),
        rated: table.rated(),
        players: accounts.collect(),
        ..NewTable::new(
            table.id().number() as i64,
            table.kind().name(),
            table.created_at().millis(),
        )
    }
}

/// Writes a table into a database that a house may have open.
pub async fn write(database: &str, new: NewTable) {
    let store = Store::open(database).await.unwrap();
    store.create(new).await.unwrap();
    store.close().await;
}
