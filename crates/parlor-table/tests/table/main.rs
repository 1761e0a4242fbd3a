//! Tests of tables: permissions, clocks, offers, replay and verifiable luck.

mod asking;
mod backgammon;
mod clocks;
mod fair_start;
mod lag;
mod luck;
mod offers;
mod queries;
mod replay;
mod runner;
mod situations;
mod stand_ins;
mod team;
mod turn;
mod ultimate;
mod verbs;

use parlor_games::GameKind;
use parlor_table::{
    Claim, Command, Issuer, LogEntry, NewTable, Player, Refusal, SeatKey, Secret, Table, TableId,
    TimeControl, Timestamp,
};
use serde_json::{Value, json};

const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

fn ann() -> Issuer {
    Issuer::Key(SeatKey::from_token("Ann's token"))
}

fn bob() -> Issuer {
    Issuer::Key(SeatKey::from_token("Bob's token"))
}

fn cleo() -> Issuer {
    Issuer::Key(SeatKey::from_token("Cleo's token"))
}

fn human(name: &str, by: &Issuer) -> Player {
    let Issuer::Key(key) = by else {
        panic!("a person has a key")
    };
    Player::human(name, *key).expect("a good name")
}

fn id(number: u64) -> TableId {
    TableId::new(number).expect("a small number")
}

fn new_table(options: Value, players: Vec<Player>) -> NewTable {
    NewTable::new(id(7), parlor_games::mnk::KIND, options, players)
}

/// A started game on the classic board with Ann as X and Bob as O.
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
        ..NewTable::new(
            id(8),
            parlor_games::pig::KIND,
            json!({ "target": target }),
            players,
        )
    };
    Table::create(NOW, new).expect("a table for Pig")
}

/// Plays a move that must be accepted, and have an effect, in a game that comes to an end.
fn play(table: &mut Table, by: &Issuer, text: &str) -> Vec<LogEntry> {
    let events = table
        .apply(NOW, by, Command::play(text))
        .unwrap_or_else(|reason| panic!("{text}: {reason}"));
    assert!(!events.is_empty(), "{text} is played");
    assert!(table.log().len() < 5_000, "the game never ends");
    events
}

/// Returns the time `ms` milliseconds after the start.
fn at(ms: i64) -> Timestamp {
    Timestamp::from_millis(NOW.millis() + ms)
}

/// A started game with clocks, Ann as X and Bob as O.
fn timed(game: GameKind, control: TimeControl) -> Table {
    let players = vec![human("Ann", &ann()), human("Bob", &bob())];
    let new = NewTable {
        clock: Some(control),
        ..NewTable::new(id(7), game, json!({}), players)
    };
    Table::create(NOW, new).expect("a table with clocks")
}

/// The same at a table whose clocks do not allow for the delay of the network.
fn without_allowance(control: TimeControl) -> Table {
    let players = vec![human("Ann", &ann()), human("Bob", &bob())];
    let new = NewTable {
        clock: Some(control),
        lag_allowance: false,
        ..new_table(json!({}), players)
    };
    Table::create(NOW, new).expect("a table with clocks")
}

fn total(initial_ms: u64, increment_ms: u64) -> TimeControl {
    TimeControl::total(initial_ms, increment_ms).expect("a time control")
}

/// Command, with what only the driver knows.
#[derive(Clone, Debug)]
struct Request {
    command: Command,
    absent_since: Option<Timestamp>,
}

impl From<Command> for Request {
    fn from(command: Command) -> Request {
        Request {
            command,
            absent_since: None,
        }
    }
}

impl Request {
    fn claim(claim: Claim, absent_since: Option<i64>) -> Request {
        Request {
            command: Command::Claim(claim),
            absent_since: absent_since.map(at),
        }
    }

    fn apply(self, table: &mut Table, ms: i64, by: &Issuer) -> Result<Vec<LogEntry>, Refusal> {
        table.apply_with_absence(at(ms), by, self.command, self.absent_since)
    }
}

/// Applies a command that must be accepted, `ms` milliseconds after the start.
#[track_caller]
fn apply_at(table: &mut Table, ms: i64, by: &Issuer, request: impl Into<Request>) -> Vec<LogEntry> {
    let request = request.into();
    let applied = request.clone().apply(table, ms, by);
    applied.unwrap_or_else(|reason| panic!("{request:?}: {reason}"))
}

/// Applies a command that must be refused, `ms` milliseconds after the start, and checks that
/// nothing changed.
#[track_caller]
fn refused_at(table: &mut Table, ms: i64, by: &Issuer, request: impl Into<Request>) -> Refusal {
    let request = request.into();
    let before = (
        table.log().to_vec(),
        serde_json::to_value(table.view()).ok(),
    );
    let applied = request.clone().apply(table, ms, by);
    let reason = applied.expect_err(&format!("{request:?} is refused"));
    assert_eq!(
        (
            table.log().to_vec(),
            serde_json::to_value(table.view()).ok()
        ),
        before
    );
    reason
}

/// Milliseconds left for each seat, as of the last change.
fn left(table: &Table) -> Vec<i64> {
    table.clock_view().expect("a table with clocks").left_ms
}

/// Plays moves for Ann and Bob in turn.
fn play_all(table: &mut Table, moves: &[&str]) {
    for (text, by) in moves.iter().zip([ann(), bob()].iter().cycle()) {
        play(table, by, text);
    }
}

/// Applies a command that must be refused and checks that nothing changed.
fn refused(table: &mut Table, by: &Issuer, command: Command) -> Refusal {
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
