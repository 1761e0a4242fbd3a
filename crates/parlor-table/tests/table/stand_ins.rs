//! People who leave a team: the bots that stand in for them, and their return.

use parlor_core::Seat;
use parlor_games::OutcomeView;
use parlor_table::verify::verify;
use parlor_table::{
    Claim, Command, EVENT_FORMAT, EndReason, Ending, HandoverReason, Issuer, Lag, LogEntry, Player,
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
        lag: Lag::ZERO,
    };
    do_now(&mut table, &ann(), command);
    assert_eq!(problems(&table), [] as [String; 0]);
}

#[test]
fn whoever_left_takes_the_seat_back_and_plays_on() {
    let mut table = dispatcher_and_medic();
    do_now(&mut table, &bob(), Command::Resign);
    play(&mut table, &ann(), "drive:Miami");
    let steps = table.steps().len();
    for stranger in [cleo(), Issuer::Bot(BOB), Issuer::Driver] {
        let reason = refused(&mut table, &stranger, Command::Return);
        assert_eq!(reason, Refusal::NotSeated, "{stranger:?}");
    }
    assert_eq!(
        refused(&mut table, &ann(), Command::Return),
        Refusal::NotGone
    );

    let seen = table.version();
    let entries = do_now(&mut table, &bob(), Command::Return);
    let returned = TableEvent::Returned {
        seat: BOB,
        name: "Bob".to_owned(),
    };
    assert!(
        matches!(&entries[..], [entry] if entry.event == returned),
        "{entries:?}"
    );
    assert!(entries[0].after.is_some());
    assert_eq!(table.players()[1], human("Bob", &bob()));
    assert_eq!(left_to(&table), [None, None]);
    assert_eq!(
        refused(&mut table, &bob(), Command::Return),
        Refusal::NotGone
    );
    let late = refused(&mut table, &ann(), choose(BOB, "level:5"));
    assert_eq!(late, Refusal::NoStandIn);

    // Ann need not look again before she moves, and Bob answers her question himself.
    let command = Command::Move {
        text: "drive:Medic:Miami".to_owned(),
        id: None,
        version: Some(seen),
        lag: Lag::ZERO,
    };
    do_now(&mut table, &ann(), command);
    assert_eq!(table.on_turn(), Some(BOB));
    let bot = refused(&mut table, &Issuer::Bot(BOB), Command::play("agree"));
    assert_eq!(bot, Refusal::NotSeated, "its person is back");
    play(&mut table, &bob(), "agree");
    let changes: Vec<_> = handovers(&table)
        .into_iter()
        .map(|(step, _, why, _, bot)| (step, why, bot))
        .collect();
    let changed = [
        (
            steps - 1,
            HandoverReason::Resigned,
            Some("level:3".to_owned()),
        ),
        (steps, HandoverReason::Returned, None),
    ];
    assert_eq!(changes, changed);
    assert_eq!(problems(&table), [] as [String; 0]);
}

#[test]
fn several_may_leave_and_each_takes_only_the_own_seat_back() {
    let mut table = trio();
    do_now(&mut table, &bob(), Command::Resign);
    do_now(&mut table, &cleo(), Command::Resign);
    let names = [None, Some("Bob".to_owned()), Some("Cleo".to_owned())];
    assert_eq!(left_to(&table), names);
    do_now(&mut table, &cleo(), Command::Return);
    // One who leaves while another is back does not end the game.
    do_now(&mut table, &ann(), Command::Resign);
    assert_eq!(table.status(), TableStatus::Playing);
    do_now(&mut table, &bob(), Command::Return);
    assert_eq!(left_to(&table), [Some("Ann".to_owned()), None, None]);
    do_now(&mut table, &bob(), Command::Resign);
    do_now(&mut table, &bob(), Command::Return);
    assert_eq!(problems(&table), [] as [String; 0]);
    assert_eq!(handovers(&table).len(), 7);
}

#[test]
fn one_person_takes_all_own_seats_back() {
    let players = vec![
        human("Ann", &ann()),
        human("Bob", &bob()),
        human("Ann", &ann()),
    ];
    let mut table = table_where(&json!({"players": 3, "events": []}), &players, |_| true);
    do_now(&mut table, &ann(), Command::Resign);
    let entries = do_now(&mut table, &ann(), Command::Return);
    assert_eq!(entries.len(), 2);
    assert_eq!(table.players(), players);
    assert_eq!(problems(&table), [] as [String; 0]);
}

#[test]
fn a_partner_who_was_claimed_to_be_gone_comes_back_too() {
    let mut table = dispatcher_and_medic();
    let away = Request::claim(Claim::StandIn, Some(0));
    let entries = apply_at(&mut table, 5 * MINUTE, &bob(), away);
    let named = |entry: &LogEntry| entry.public()["name"].clone();
    assert_eq!(
        entries.iter().map(named).collect::<Vec<_>>(),
        [json!(null), json!("Ann")]
    );
    let why: Vec<_> = handovers(&table).into_iter().map(|one| one.2).collect();
    assert_eq!(why, [HandoverReason::Away]);
    apply_at(&mut table, 6 * MINUTE, &ann(), Command::Return);
    apply_at(&mut table, 6 * MINUTE, &ann(), Command::play("drive:Miami"));
    assert_eq!(problems(&table), [] as [String; 0]);
}

#[test]
fn nobody_returns_after_the_game_and_the_last_to_leave_ends_it() {
    let mut table = dispatcher_and_medic();
    do_now(&mut table, &bob(), Command::Resign);
    do_now(&mut table, &ann(), Command::Resign);
    let ending = table.ending().expect("nobody is left");
    assert_eq!(ending.outcome, Some(OutcomeView::TeamLost));
    assert_eq!(refused(&mut table, &bob(), Command::Return), Refusal::Over);
    let late = refused(&mut table, &ann(), choose(BOB, "level:1"));
    assert_eq!(late, Refusal::Over);
    assert_eq!(
        table.record().players[1].stands_in_for.as_deref(),
        Some("Bob")
    );
    assert_eq!(problems(&table), [] as [String; 0]);
}

#[test]
fn members_return_by_their_accounts_and_guests_by_their_tokens() {
    let user = UserId::new(7).expect("a small number");
    let member = Player::member("Bob", user).expect("a name");
    let players = vec![human("Ann", &ann()), member.clone()];
    let mut table = Table::create(NOW, new_pandemic(1, json!({}), players)).expect("a table");
    do_now(&mut table, &Issuer::Member(user), Command::Resign);
    let other = Issuer::Member(UserId::new(8).expect("a small number"));
    assert_eq!(
        refused(&mut table, &other, Command::Return),
        Refusal::NotSeated
    );
    assert_eq!(
        refused(&mut table, &bob(), Command::Return),
        Refusal::NotSeated
    );
    do_now(&mut table, &Issuer::Member(user), Command::Return);
    assert_eq!(table.players()[1], member);
}

#[test]
fn opponents_keep_the_name_but_cannot_return() {
    let mut table = three_players();
    do_now(&mut table, &bob(), Command::Resign);
    assert_eq!(left_to(&table), [None, Some("Bob".to_owned()), None]);
    assert_eq!(table.players()[1], Player::bot("level:1"));
    assert_eq!(
        refused(&mut table, &bob(), Command::Return),
        Refusal::NoReturn
    );
    let chosen = refused(&mut table, &ann(), choose(BOB, "level:5"));
    assert_eq!(chosen, Refusal::NoStandIn);
    assert_eq!(problems(&table), [] as [String; 0]);
}

#[test]
fn leaving_and_coming_back_gains_no_time() {
    let mut table = timed(total(60_000, 0), pair());
    apply_at(&mut table, 0, &ann(), Command::Ready);
    apply_at(&mut table, 50_000, &ann(), Command::Resign);
    assert_eq!(
        left(&table),
        [60_000, 60_000],
        "the bot has time of its own"
    );
    apply_at(&mut table, 55_000, &ann(), Command::Return);
    assert_eq!(left(&table), [10_000, 60_000]);
    let out = refused_at(&mut table, 65_000, &ann(), Command::play("drive:Miami"));
    assert_eq!(out, Refusal::TimeExceeded);
    apply_at(&mut table, 65_000, &Issuer::Driver, Command::Tick);
    assert_eq!(left_to(&table), [Some("Ann".to_owned()), None]);
    let spent = refused_at(&mut table, 66_000, &ann(), Command::Return);
    assert_eq!(spent, Refusal::NoTimeToReturn);
    let why: Vec<_> = handovers(&table).into_iter().map(|one| one.2).collect();
    let all = [
        HandoverReason::Resigned,
        HandoverReason::Returned,
        HandoverReason::Time,
    ];
    assert_eq!(why, all);
    assert_eq!(problems(&table), [] as [String; 0]);
}

#[test]
fn the_increments_of_the_bot_are_not_taken_from_the_person_who_undoes_its_move() {
    let mut table = timed(total(60_000, 5_000), pair());
    apply_at(&mut table, 0, &ann(), Command::Ready);
    apply_at(&mut table, 58_000, &ann(), Command::play("drive:Miami"));
    assert_eq!(left(&table)[0], 7_000);
    apply_at(&mut table, 63_000, &ann(), Command::Resign);
    let bot = Issuer::Bot(Seat::FIRST);
    apply_at(&mut table, 63_000, &bot, Command::play("drive:Atlanta"));
    apply_at(&mut table, 63_000, &ann(), Command::Return);
    assert_eq!(left(&table)[0], 2_000);
    apply_at(&mut table, 63_000, &ann(), Command::OfferTakeback);
    assert_eq!(left(&table)[0], 2_000, "that of the bot");
    apply_at(&mut table, 63_000, &ann(), Command::play("drive:Atlanta"));
    assert_eq!(left(&table)[0], 7_000);
    apply_at(&mut table, 63_000, &ann(), Command::OfferTakeback);
    assert_eq!(left(&table)[0], 2_000, "Ann's own");
}

#[test]
fn a_bot_that_runs_out_of_time_still_stands_in_for_the_same_person() {
    let mut table = timed(total(60_000, 0), pair());
    apply_at(&mut table, 0, &ann(), Command::Ready);
    apply_at(&mut table, 1_000, &ann(), Command::Resign);
    apply_at(&mut table, 61_000, &Issuer::Driver, Command::Tick);
    assert_eq!(left_to(&table), [Some("Ann".to_owned()), None]);
    apply_at(&mut table, 62_000, &ann(), Command::Return);
    assert_eq!(left(&table), [59_000, 60_000]);
    assert_eq!(problems(&table), [] as [String; 0]);
}

#[test]
fn in_a_correspondence_game_whoever_missed_a_move_returns_for_the_next() {
    let days = TimeControl::correspondence(2).expect("a time control");
    let mut table = timed(days, pair());
    apply_at(&mut table, 0, &ann(), Command::Ready);
    apply_at(&mut table, DAY, &ann(), Command::Resign);
    apply_at(&mut table, DAY, &ann(), Command::Return);
    assert_eq!(left(&table)[0], DAY, "not two days again");
    apply_at(&mut table, 2 * DAY, &Issuer::Driver, Command::Tick);
    let early = refused_at(&mut table, 2 * DAY, &ann(), Command::Return);
    assert_eq!(early, Refusal::NoTimeToReturn);
    let bot = Issuer::Bot(Seat::FIRST);
    apply_at(&mut table, 2 * DAY, &bot, Command::play("drive:Miami"));
    let before = left(&table);
    apply_at(&mut table, 2 * DAY, &ann(), Command::Return);
    assert_eq!(left(&table), before);
    apply_at(&mut table, 2 * DAY, &ann(), Command::play("drive:Atlanta"));
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

#[test]
fn a_record_whose_changes_of_players_do_not_follow_is_not_valid() {
    let mut table = dispatcher_and_medic();
    do_now(&mut table, &bob(), Command::Resign);
    do_now(&mut table, &ann(), choose(BOB, "level:5"));
    let record = table.record();
    assert_eq!(problems_of(&record), [] as [String; 0]);
    let is_bad = |change: fn(&mut Record)| {
        let mut other = record.clone();
        change(&mut other);
        assert_ne!(
            problems_of(&other),
            [] as [String; 0],
            "{:?}",
            other.handovers
        );
    };
    is_bad(|record| record.handovers[0].seat = 2);
    is_bad(|record| record.handovers[0].step = 1_000);
    is_bad(|record| record.handovers[1].step = 0);
    is_bad(|record| record.handovers[0].bot = None);
    is_bad(|record| record.handovers[1].name = "Cleo".to_owned());
    is_bad(|record| record.handovers[1].why = HandoverReason::Returned);
    is_bad(|record| drop(record.handovers.remove(0)));
    is_bad(|record| drop(record.handovers.pop()));
    is_bad(|record| record.players[1].stands_in_for = None);
    is_bad(|record| record.players[0].stands_in_for = Some("Bob".to_owned()));
    is_bad(|record| {
        record.handovers[1].bot = Some("level:9".to_owned());
        record.players[1].name = Some("level:9".to_owned());
    });
    is_bad(|record| record.handovers[0].bot = Some("nobody".to_owned()));
    is_bad(|record| record.handovers[1].at = Timestamp::from_millis(NOW.millis() - 1));
    is_bad(|record| record.handovers[0].at = Timestamp::from_millis(NOW.millis() + 1));
    // A move after the changes, and before them in time.
    apply_at(&mut table, 5, &ann(), Command::play("drive:Miami"));
    let mut record = table.record();
    assert_eq!(problems_of(&record), [] as [String; 0]);
    for handover in &mut record.handovers {
        handover.at = Timestamp::from_millis(NOW.millis() + 6);
    }
    assert_ne!(problems_of(&record), [] as [String; 0]);
}

#[test]
fn a_team_that_won_by_leaving_is_not_believed() {
    let mut table = dispatcher_and_medic();
    do_now(&mut table, &bob(), Command::Resign);
    do_now(&mut table, &ann(), Command::Resign);
    let record = table.record();
    assert_eq!(problems_of(&record), [] as [String; 0]);
    let won = OutcomeView::Won { seat: 0, points: 1 };
    for how in [EndReason::Resignation, EndReason::Time] {
        for outcome in [OutcomeView::TeamWon, OutcomeView::Draw, won] {
            let mut other = record.clone();
            let outcome = Some(outcome);
            other.ending = Some(Ending { how, outcome });
            let problems = problems_of(&other);
            assert_eq!(
                problems,
                ["the game cannot end so by resignation or on time"]
            );
        }
    }
}

#[test]
fn no_log_has_a_stand_in_or_a_return_where_nobody_left() {
    let table = dispatcher_and_medic();
    let events = [
        TableEvent::Returned {
            seat: BOB,
            name: "Bob".to_owned(),
        },
        TableEvent::StandInChosen {
            seat: BOB,
            by: Seat::FIRST,
            spec: "level:1".to_owned(),
        },
    ];
    for event in events {
        let mut log = table.log().to_vec();
        log.push(LogEntry {
            version: table.version() + 1,
            at: NOW,
            event,
            after: None,
        });
        let bad = Table::replay(log, None).expect_err("Bob is here");
        assert_eq!(bad.reason, "nobody has left the seat");
    }
}

#[test]
fn what_earlier_processes_cannot_read_says_since_when() {
    for command in [Command::Return, choose(BOB, "level:1")] {
        assert_eq!(command.event_format(), Command::RETURN_SINCE);
        assert!(command.event_format() <= EVENT_FORMAT);
    }
    assert_eq!(
        Command::Resign.event_format(),
        0,
        "a field more does no harm"
    );
}

#[test]
fn a_rematch_keeps_the_bot_of_those_who_did_not_return() {
    let mut table = trio();
    do_now(&mut table, &bob(), Command::Resign);
    do_now(&mut table, &cleo(), Command::Resign);
    do_now(&mut table, &cleo(), Command::Return);
    let secret = Some(parlor_table::Secret::new([1; 32]));
    let next = table.rematch(NOW, id(12), secret).expect("a table");
    assert_eq!(next.players(), table.players());
    assert_eq!(left_to(&next), [None, None, None]);
}

#[test]
fn nobody_runs_out_of_time_where_there_are_no_clocks() {
    let mut table = timed(total(60_000, 0), pair());
    assert_eq!(table.record().clock, None, "nobody has left");
    apply_at(&mut table, 0, &ann(), Command::play("drive:Miami"));
    apply_at(&mut table, 60_000, &Issuer::Driver, Command::Tick);
    assert_eq!(problems(&table), [] as [String; 0]);
    let mut record = table.record();
    assert_eq!(record.clock, Some(total(60_000, 0)));
    let not_believed = "seat 0 is handed over because of time, but the table has no clocks";
    record.clock = None;
    assert_eq!(problems_of(&record), [not_believed]);

    let mut untimed = dispatcher_and_medic();
    do_now(&mut untimed, &ann(), Command::Resign);
    let mut record = untimed.record();
    record.handovers[0].why = HandoverReason::Time;
    assert_eq!(problems_of(&record), [not_believed]);

    let mut log = table.log().to_vec();
    let TableEvent::Created { clock, .. } = &mut log[0].event else {
        panic!("a table is created first");
    };
    *clock = None;
    let error = Table::replay(log, None).expect_err("no such log");
    assert!(error.reason.contains("runs out of time"), "{error}");
}
