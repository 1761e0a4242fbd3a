//! What may be done at a table, by whom and when; and that luck can be verified.

mod backgammon;
mod clocks;
mod luck;
mod offers;
mod replay;
mod team;
mod ultimate;
mod verbs;

use parlor_games::GameKind;
use parlor_table::{
    By, Command, Entry, Key, NewTable, Player, Refused, Secret, Table, TableId, TimeControl,
    Timestamp,
};
use serde_json::{Value, json};

const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

fn ann() -> By {
    By::Key(Key::of("Ann's token"))
}

fn bob() -> By {
    By::Key(Key::of("Bob's token"))
}

fn cleo() -> By {
    By::Key(Key::of("Cleo's token"))
}

fn human(name: &str, by: &By) -> Player {
    let By::Key(key) = by else {
        panic!("a person has a key")
    };
    Player::human(name, *key).expect("a good name")
}

fn id(number: u64) -> TableId {
    TableId::new(number).expect("a small number")
}

fn new_table(options: Value, players: Vec<Player>) -> NewTable {
    NewTable::new(id(7), GameKind::Mnk, options, players)
}

/// Ann is X and Bob is O on the classic board, and the game is on.
fn ann_and_bob() -> Table {
    let players = vec![human("Ann", &ann()), human("Bob", &bob())];
    Table::create(NOW, new_table(json!({}), players)).expect("a classic table")
}

fn three_players() -> Table {
    let players = vec![
        human("Ann", &ann()),
        human("Bob", &bob()),
        human("Cleo", &cleo()),
    ];
    Table::create(
        NOW,
        new_table(
            json!({"rows": 6, "columns": 6, "k": 4, "seats": 3}),
            players,
        ),
    )
    .expect("a table of three")
}

fn pig(target: u8) -> Table {
    let players = vec![human("Ann", &ann()), Player::Open];
    let secret = Some(Secret::new([9; 32]));
    let new = NewTable {
        secret,
        ..NewTable::new(id(8), GameKind::Pig, json!({ "target": target }), players)
    };
    Table::create(NOW, new).expect("a table for Pig")
}

fn play(table: &mut Table, by: &By, text: &str) -> Vec<Entry> {
    table
        .apply(NOW, by, Command::play(text))
        .unwrap_or_else(|reason| panic!("{text}: {reason}"))
}

/// So many milliseconds after the start.
fn at(ms: i64) -> Timestamp {
    Timestamp::from_millis(NOW.millis() + ms)
}

/// Ann is X and Bob is O with so much time, and the game is on.
fn timed(game: GameKind, control: TimeControl) -> Table {
    let players = vec![human("Ann", &ann()), human("Bob", &bob())];
    let new = NewTable {
        clock: Some(control),
        ..NewTable::new(id(7), game, json!({}), players)
    };
    Table::create(NOW, new).expect("a table with clocks")
}

fn total(initial_ms: u64, increment_ms: u64) -> TimeControl {
    TimeControl::total(initial_ms, increment_ms).expect("a time control")
}

/// Does at some time what must be allowed then.
#[track_caller]
fn done(table: &mut Table, ms: i64, by: &By, command: Command) -> Vec<Entry> {
    table
        .apply(at(ms), by, command.clone())
        .unwrap_or_else(|reason| panic!("{command:?}: {reason}"))
}

/// Asks at some time for something that must be refused then, and sees that it changed nothing.
#[track_caller]
fn refused_at(table: &mut Table, ms: i64, by: &By, command: Command) -> Refused {
    let before = (
        table.log().to_vec(),
        serde_json::to_value(table.view()).ok(),
    );
    let reason = table
        .apply(at(ms), by, command.clone())
        .err()
        .unwrap_or_else(|| panic!("{command:?} was not refused"));
    assert_eq!(
        (
            table.log().to_vec(),
            serde_json::to_value(table.view()).ok()
        ),
        before
    );
    reason
}

/// What the seats have left, in milliseconds, as of the last change.
fn left(table: &Table) -> Vec<i64> {
    table.clock_view().expect("a table with clocks").left_ms
}

/// Plays moves for Ann and Bob in turn.
fn play_all(table: &mut Table, moves: &[&str]) {
    for (text, by) in moves.iter().zip([ann(), bob()].iter().cycle()) {
        play(table, by, text);
    }
}

/// Asks for something that must be refused, and sees that it changed nothing.
fn refused(table: &mut Table, by: &By, command: Command) -> Refused {
    let before = (
        table.log().to_vec(),
        table.position().text(),
        serde_json::to_value(table.view()).ok(),
    );
    let reason = table
        .apply(NOW, by, command.clone())
        .err()
        .unwrap_or_else(|| panic!("{command:?} was not refused"));
    assert_eq!(
        (
            table.log().to_vec(),
            table.position().text(),
            serde_json::to_value(table.view()).ok()
        ),
        before
    );
    reason
}
