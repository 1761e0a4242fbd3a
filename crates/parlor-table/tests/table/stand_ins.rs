//! People who leave a team: the bots that stand in for them, and their return.

use parlor_core::Seat;
use parlor_games::OutcomeView;
use parlor_table::verify::verify;
use parlor_table::{
    Claim, Command, EVENT_FORMAT, EndReason, Ending, HandoverReason, Issuer, LogEntry, Player,
    Record, Refusal, Table, TableEvent, TableStatus, TimeControl, Timestamp, UserId,
};
use serde_json::json;

use super::team::{dispatcher_and_medic, new_pandemic, pair, table_where, timed};
use super::{
    NOW, Request, ann, apply_at, bob, cleo, human, id, left, play, refused, refused_at,
    three_players, total,
};

const BOB: Seat = Seat::SECOND;
const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

fn trio() -> Table {
    let players = vec![
        human("Ann", &ann()),
        human("Bob", &bob()),
        human("Cleo", &cleo()),
    ];
    let options = json!({"players": 3, "events": []});
    table_where(&options, &players, |table| {
        table.on_turn() == Some(Seat::FIRST)
    })
}

fn do_now(table: &mut Table, by: &Issuer, command: Command) -> Vec<LogEntry> {
    apply_at(table, 0, by, command)
}

fn choose(seat: Seat, spec: &str) -> Command {
    let spec = spec.to_owned();
    Command::ChooseStandIn { seat, spec }
}

/// Returns each change of a player: number of steps before it, seat, reason, name and bot.
fn handovers(table: &Table) -> Vec<(usize, u8, HandoverReason, String, Option<String>)> {
    let changes = table.record().handovers.into_iter();
    changes
        .map(|one| (one.step, one.seat, one.why, one.name, one.bot))
        .collect()
}

/// Returns the problems of a table's record, and checks that its log leads to the same table.
fn problems(table: &Table) -> Vec<String> {
    let again = Table::replay(table.log().to_vec(), None).expect("the log of a table");
    assert_eq!(again.record(), table.record());
    assert_eq!(left_to(&again), left_to(table));
    problems_of(&table.record())
}

/// Returns for whom the bots play, by seat.
fn left_to(table: &Table) -> Vec<Option<String>> {
    let seats = table.seat_views().into_iter();
    seats.map(|seat| seat.stands_in_for).collect()
}

fn problems_of(record: &Record) -> Vec<String> {
    let problems = verify(record).problems.into_iter();
    problems.map(|problem| problem.message).collect()
}

#[test]
fn the_log_the_seat_and_the_record_keep_the_name_of_a_partner_who_leaves() {
    let mut table = dispatcher_and_medic();
    let steps = table.steps().len();
    let entries = do_now(&mut table, &bob(), Command::Resign);
    let resigned = TableEvent::Resigned {
        seat: BOB,
        replaced_by: Some("level:3".to_owned()),
        name: Some("Bob".to_owned()),
    };
    assert!(
        matches!(&entries[..], [entry] if entry.event == resigned),
        "{entries:?}"
    );
    assert_eq!(entries[0].public()["name"], "Bob");
    let seat = &table.seat_views()[1];
    assert_eq!(
        (
            seat.kind,
            seat.name.as_deref(),
            seat.stands_in_for.as_deref()
        ),
        ("bot", Some("level:3"), Some("Bob"))
    );
    let change = (
        steps,
        1,
        HandoverReason::Resigned,
        "Bob".to_owned(),
        Some("level:3".to_owned()),
    );
    assert_eq!(handovers(&table), [change]);
    let record = table.record();
    assert_eq!(record.players[1].stands_in_for.as_deref(), Some("Bob"));
    assert_eq!(problems(&table), [] as [String; 0]);
}

#[test]
fn only_those_who_remain_choose_the_bot_and_the_game_goes_on_meanwhile() {
    let mut table = trio();
    let nobody = refused(&mut table, &ann(), choose(BOB, "level:5"));
    assert_eq!(nobody, Refusal::NoStandIn, "Bob is here");
    do_now(&mut table, &bob(), Command::Resign);
    let seen = table.version();
    for by in [ann(), cleo()] {
        let spec = if by == ann() { "level:5" } else { "level:1" };
        let entries = do_now(&mut table, &by, choose(BOB, spec));
        let chosen = TableEvent::StandInChosen {
            seat: BOB,
            by: if by == ann() {
                Seat::FIRST
            } else {
                Seat::new(2).expect("a third seat")
            },
            spec: spec.to_owned(),
        };
        assert!(
            matches!(&entries[..], [entry] if entry.event == chosen),
            "{entries:?}"
        );
        assert_eq!(table.players()[1], Player::bot(spec));
    }
    assert_eq!(
        do_now(&mut table, &ann(), choose(BOB, "level:1")),
        [],
        "it plays already"
    );
    assert_eq!(left_to(&table), [None, Some("Bob".to_owned()), None]);

    assert_eq!(
        refused(&mut table, &bob(), choose(BOB, "level:2")),
        Refusal::NotSeated
    );
    let bot = Issuer::Bot(BOB);
    assert_eq!(
        refused(&mut table, &bot, choose(BOB, "level:2")),
        Refusal::NotSeated
    );
    let here = refused(&mut table, &ann(), choose(Seat::FIRST, "level:2"));
    assert_eq!(here, Refusal::NoStandIn);
    let beyond = Seat::new(3).expect("a fourth seat");
    let beyond = refused(&mut table, &ann(), choose(beyond, "level:2"));
    assert_eq!(beyond, Refusal::NoSuchSeat(2));
    let unknown = refused(&mut table, &ann(), choose(BOB, "level:9"));
    assert!(matches!(unknown, Refusal::UnknownBot(_)), "{unknown:?}");

    // The choice is no reason to think again.
    let drive = table.position().legal().remove(0).text;
    let command = Command::Move {
        text: drive,
        id: None,
        version: Some(seen),
    };
    do_now(&mut table, &ann(), command);
    assert_eq!(problems(&table), [] as [String; 0]);
}

#[test]
fn undoing_a_move_moves_the_changes_of_players_with_it() {
    let mut table = dispatcher_and_medic();
    play(&mut table, &ann(), "drive:Miami");
    let steps = table.steps().len();
    do_now(&mut table, &bob(), Command::Resign);
    do_now(&mut table, &ann(), Command::OfferTakeback);
    assert_eq!(handovers(&table)[0].0, steps - 1);
    assert_eq!(problems(&table), [] as [String; 0]);
}

#[test]
fn records_and_logs_from_before_the_names_were_kept_are_read() {
    let mut table = dispatcher_and_medic();
    do_now(&mut table, &bob(), Command::Resign);
    let mut record = serde_json::to_value(table.record()).expect("plain data");
    assert!(record["handovers"].is_array());
    record
        .as_object_mut()
        .expect("a record")
        .remove("handovers");
    for player in record["players"].as_array_mut().expect("players") {
        player
            .as_object_mut()
            .expect("a player")
            .remove("stands_in_for");
    }
    let earlier: Record = serde_json::from_value(record).expect("a record");
    assert_eq!(problems_of(&earlier), [] as [String; 0]);

    let mut log: Vec<_> = table.log().iter().map(serde_json::to_value).collect();
    let last = log
        .last_mut()
        .expect("an event")
        .as_mut()
        .expect("plain data");
    last.as_object_mut().expect("an event").remove("name");
    let log = log.into_iter().map(|entry| {
        let entry = entry.expect("plain data");
        serde_json::from_value::<LogEntry>(entry).expect("an event")
    });
    let again = Table::replay(log, None).expect("the log of a table");
    assert_eq!(left_to(&again), [None, Some("Bob".to_owned())]);
}
