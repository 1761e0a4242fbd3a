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

fn do_now(table: &mut Table, by: &Issuer, command: Command) -> Vec<LogEntry> {
    apply_at(table, 0, by, command)
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
