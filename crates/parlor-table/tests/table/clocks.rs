//! Clocks: running, charging, and running out.

use parlor_core::{Outcome, Seat};
use parlor_table::{
    Claim, Command, EndReason, Ending, Issuer, Lag, NewTable, Player, Refusal, Secret, Table,
    TableEvent, TableStatus, TimeControl,
};
use proptest::prelude::*;
use proptest::test_runner::Config;
use serde_json::{Value, json};

use super::{
    NOW, Request, ann, apply_at, at, bob, cleo, human, id, left, refused_at, timed, total,
    without_allowance,
};

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

fn blitz() -> Table {
    timed(parlor_games::mnk::KIND, total(60_000, 2_000))
}

fn correspondence() -> Table {
    timed(
        parlor_games::mnk::KIND,
        TimeControl::correspondence(3).expect("three days"),
    )
}

fn running(table: &Table) -> Option<u8> {
    table.clock_view().expect("a table with clocks").running
}

fn tick(table: &mut Table, ms: i64) -> Option<Ending> {
    apply_at(table, ms, &Issuer::Driver, Command::Tick);
    table.ending()
}

fn lost_on_time(winner: Seat) -> Option<Ending> {
    Some(Ending {
        how: EndReason::Time,
        outcome: Some(Outcome::won(winner).into()),
    })
}

const CALLED_OFF: Option<Ending> = Some(Ending {
    how: EndReason::Abort,
    outcome: None,
});

#[test]
fn while_nobody_could_play_the_clock_stood_still() {
    let pause = |from, until| Command::Pause {
        from: at(from),
        until: at(until),
    };
    let mut table = blitz();
    let driver = Issuer::Driver;
    assert_eq!(
        apply_at(&mut table, 9_000, &driver, pause(1_000, 9_000)),
        []
    );
    apply_at(&mut table, 10_000, &ann(), Command::play("1,1"));
    assert_eq!(
        refused_at(&mut table, 60_000, &bob(), pause(20_000, 60_000)),
        Refusal::NotSeated
    );
    let paused = |table: &mut Table, now, from, until| {
        let events = apply_at(table, now, &driver, pause(from, until));
        let paused = events.into_iter().map(|entry| match entry.event {
            TableEvent::Paused { from, until } => (from, until),
            other => panic!("{other:?}"),
        });
        paused.collect::<Vec<_>>()
    };
    assert_eq!(
        paused(&mut table, 60_000, 20_000, 60_000),
        [(at(20_000), at(60_000))]
    );
    assert_eq!(table.due_at(), Some(at(110_000)));
    assert_eq!(paused(&mut table, 60_000, 20_000, 60_000), [], "once");
    assert_eq!(
        paused(&mut table, 62_000, 60_000, 60_249),
        [],
        "less than a quarter of a second is not worth an event"
    );
    assert_eq!(
        paused(&mut table.clone(), 62_000, 60_000, 60_250),
        [(at(60_000), at(60_250))]
    );
    assert_eq!(
        paused(&mut table, 65_000, 50_000, 99_000),
        [(at(60_000), at(65_000))],
        "neither what was given back nor the future"
    );
    assert_eq!(table.due_at(), Some(at(115_000)));
    let mut lost = table.clone();
    assert_eq!(paused(&mut lost, 300_000, 115_000, 300_000), [], "too late");
    assert_eq!(tick(&mut lost, 300_000), lost_on_time(Seat::FIRST));
    // A pause that began before the turn counts from the turn on, and no version is stale by it.
    let played = Command::Move {
        text: "0,0".to_owned(),
        id: None,
        version: Some(3),
        lag: Lag::ZERO,
    };
    apply_at(&mut table, 70_000, &bob(), played);
    // A minute, less the minute since the turn, with 45 s given back and the increment.
    assert_eq!(left(&table)[1], 45_000 + 2_000);
    assert_eq!(
        paused(&mut table, 80_000, 66_000, 75_000),
        [(at(70_000), at(75_000))]
    );
    let again = Table::replay(table.log().to_vec(), None).expect("the log is whole");
    assert_eq!(again.due_at(), table.due_at());
}

#[test]
fn no_clock_runs_before_the_first_move_which_costs_nothing() {
    let mut table = blitz();
    assert_eq!(running(&table), None);
    apply_at(&mut table, 30_000, &ann(), Command::play("1,1"));
    assert_eq!(
        (left(&table), running(&table)),
        (vec![60_000, 60_000], Some(1))
    );
}

#[test]
fn the_clock_starts_when_the_first_player_is_ready() {
    let mut table = blitz();
    apply_at(&mut table, 1_000, &bob(), Command::Ready);
    assert_eq!(running(&table), None, "it is not Bob who begins");
    apply_at(&mut table, 2_000, &ann(), Command::Ready);
    assert_eq!(running(&table), Some(0));
    apply_at(&mut table, 12_000, &ann(), Command::play("1,1"));
    assert_eq!(
        left(&table),
        [52_000, 60_000],
        "ten seconds used, two given for the move"
    );
    let seats = table.seat_views();
    assert!(seats[0].ready && seats[1].ready);
}

#[test]
fn being_ready_twice_changes_nothing() {
    let mut table = blitz();
    apply_at(&mut table, 1_000, &ann(), Command::Ready);
    assert_eq!(apply_at(&mut table, 5_000, &ann(), Command::Ready), []);
    apply_at(&mut table, 11_000, &ann(), Command::play("1,1"));
    assert_eq!(left(&table)[0], 52_000);
    assert_eq!(
        refused_at(&mut table, 12_000, &cleo(), Command::Ready),
        Refusal::NotSeated
    );
}

#[test]
fn a_game_that_nobody_begins_is_aborted_after_a_minute() {
    let mut table = blitz();
    apply_at(&mut table, 1_000, &bob(), Command::Ready);
    assert_eq!(
        (table.due_at(), tick(&mut table, MINUTE - 1)),
        (Some(at(MINUTE)), None)
    );
    assert_eq!(tick(&mut table, MINUTE), CALLED_OFF);
    assert_eq!(table.status(), TableStatus::Aborted);
}

#[test]
fn a_game_against_bots_alone_waits_for_its_first_move_without_end() {
    let new = NewTable {
        clock: Some(total(60_000, 0)),
        ..NewTable::new(
            id(7),
            parlor_games::mnk::KIND,
            json!({}),
            vec![human("Ann", &ann()), Player::bot("random")],
        )
    };
    let mut table = Table::create(NOW, new).expect("a table");
    assert_eq!(
        (table.due_at(), tick(&mut table, 100 * MINUTE)),
        (None, None)
    );
    assert_eq!(table.status(), TableStatus::Playing);
}

#[test]
fn a_table_that_nobody_joins_is_aborted_after_an_hour() {
    let new = NewTable {
        clock: Some(total(60_000, 0)),
        ..NewTable::new(
            id(7),
            parlor_games::mnk::KIND,
            json!({}),
            vec![human("Ann", &ann()), Player::Open],
        )
    };
    let mut table = Table::create(NOW, new).expect("an open table");
    assert_eq!(
        (table.due_at(), tick(&mut table, 60 * MINUTE - 1)),
        (Some(at(60 * MINUTE)), None)
    );
    assert_eq!(tick(&mut table, 60 * MINUTE), CALLED_OFF);
}

#[test]
fn a_table_without_clocks_that_nobody_joins_is_aborted_after_fourteen_days() {
    let players = vec![human("Ann", &ann()), Player::Open];
    let new = NewTable::new(id(7), parlor_games::mnk::KIND, json!({}), players);
    let mut table = Table::create(NOW, new).expect("an open table");
    assert_eq!(
        (table.due_at(), tick(&mut table, 14 * DAY - 1)),
        (Some(at(14 * DAY)), None)
    );
    assert_eq!(table.clock_view(), None);
    assert_eq!(tick(&mut table, 14 * DAY), CALLED_OFF);
    assert_eq!(table.due_at(), None);
}

#[test]
fn a_game_without_clocks_waits_for_ever() {
    let mut table = super::ann_and_bob();
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    assert_eq!((table.due_at(), table.clock_view()), (None, None));
    assert_eq!(tick(&mut table, 1_000 * DAY), None);
}

#[test]
fn only_the_driver_reports_timeouts() {
    let mut table = blitz();
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    for by in [ann(), bob(), Issuer::Bot(Seat::FIRST)] {
        assert_eq!(
            refused_at(&mut table, 100_000, &by, Command::Tick),
            Refusal::NotSeated
        );
    }
}

#[test]
fn a_late_tick_ends_the_game_once_as_a_punctual_one_does() {
    let mut table = blitz();
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    assert_eq!(tick(&mut table, 30 * DAY), lost_on_time(Seat::FIRST));
    assert_eq!(
        apply_at(&mut table, 31 * DAY, &Issuer::Driver, Command::Tick),
        []
    );
    assert_eq!(left(&table), [60_000, 0]);
}

#[test]
fn after_zero_only_the_timeout_is_accepted() {
    let mut table = blitz();
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    let commands = [
        Command::Resign,
        Command::OfferDraw,
        Command::OfferTakeback,
        Command::GiveTime { seconds: None },
        Command::Claim(Claim::Win),
    ];
    for command in commands {
        assert_eq!(
            refused_at(&mut table, 60_000, &ann(), command),
            Refusal::TimeExceeded
        );
    }
    assert_eq!(
        refused_at(&mut table, 60_000, &bob(), Command::play("0,0")),
        Refusal::TimeExceeded
    );
}

#[test]
fn a_repeated_move_is_answered_even_after_zero() {
    let mut table = blitz();
    let id = parlor_table::MoveId::new("m1").ok();
    let first = Command::Move {
        text: "1,1".into(),
        id,
        version: None,
        lag: Lag::ZERO,
    };
    apply_at(&mut table, 0, &ann(), first.clone());
    assert_eq!(
        apply_at(&mut table, 70_000, &ann(), first),
        [],
        "it was in time when it was played"
    );
}

#[test]
fn each_correspondence_move_has_its_days() {
    let mut table = correspondence();
    apply_at(&mut table, 2 * DAY, &ann(), Command::play("1,1"));
    apply_at(&mut table, 4 * DAY, &bob(), Command::play("0,0"));
    assert_eq!(
        (table.due_at(), running(&table)),
        (Some(at(7 * DAY)), Some(0))
    );
    apply_at(&mut table, 5 * DAY, &ann(), Command::play("2,2"));
    assert_eq!(
        (table.due_at(), running(&table)),
        (Some(at(8 * DAY)), Some(1)),
        "Bob has used two days before"
    );
    apply_at(&mut table, 6 * DAY, &bob(), Command::play("0,1"));
    assert_eq!(table.due_at(), Some(at(9 * DAY)));
    assert_eq!(
        (tick(&mut table, 9 * DAY - 1), tick(&mut table, 9 * DAY)),
        (None, lost_on_time(Seat::SECOND))
    );
}

#[test]
fn correspondence_games_have_days_to_begin_and_to_fill() {
    assert_eq!(correspondence().due_at(), Some(at(3 * DAY)));
    let clock = TimeControl::correspondence(1).ok();
    let players = vec![human("Ann", &ann()), Player::Open];
    let new = NewTable {
        clock,
        ..NewTable::new(id(7), parlor_games::mnk::KIND, json!({}), players)
    };
    assert_eq!(
        Table::create(NOW, new).expect("an open table").due_at(),
        Some(at(14 * DAY))
    );
}

#[test]
fn given_time_counts_from_now_on() {
    let mut table = blitz();
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    apply_at(
        &mut table,
        10_000,
        &ann(),
        Command::GiveTime { seconds: None },
    );
    assert_eq!(
        (left(&table), table.due_at()),
        (vec![60_000, 75_000], Some(at(75_000)))
    );
    apply_at(&mut table, 70_000, &bob(), Command::play("0,0"));
    assert_eq!(left(&table), [60_000, 7_000]);
}

#[test]
fn a_takeback_takes_the_increments_back() {
    let mut table = blitz();
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    apply_at(&mut table, 10_000, &bob(), Command::play("0,0"));
    apply_at(&mut table, 20_000, &ann(), Command::play("0,1"));
    assert_eq!(left(&table), [52_000, 52_000]);
    apply_at(&mut table, 21_000, &ann(), Command::OfferTakeback);
    apply_at(&mut table, 25_000, &bob(), Command::AcceptTakeback);
    assert_eq!(
        (left(&table), running(&table)),
        (vec![50_000, 47_000], Some(0))
    );
    let mut log = table.log().to_vec();
    if let TableEvent::Created {
        increments_return, ..
    } = &mut log[0].event
    {
        assert!(std::mem::replace(increments_return, false));
    }
    let earlier = Table::replay(log, None).expect("a table of an earlier release");
    assert_eq!(left(&earlier), [52_000, 47_000]);
    // With the reply that is taken back, two of them.
    apply_at(&mut table, 26_000, &ann(), Command::play("2,2"));
    apply_at(&mut table, 27_000, &bob(), Command::OfferTakeback);
    apply_at(&mut table, 28_000, &ann(), Command::AcceptTakeback);
    assert_eq!(left(&table), [49_000, 43_000]);
}

#[test]
fn nobody_loses_on_time_by_a_takeback() {
    let mut table = timed(parlor_games::mnk::KIND, total(2_000, 10_000));
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    apply_at(&mut table, 1_500, &bob(), Command::play("0,0"));
    apply_at(&mut table, 2_000, &ann(), Command::play("0,1"));
    assert_eq!(left(&table), [11_500, 10_500]);
    apply_at(&mut table, 11_700, &bob(), Command::OfferTakeback);
    apply_at(&mut table, 12_000, &ann(), Command::AcceptTakeback);
    assert_eq!(left(&table), [1_500, 500]);
}

#[test]
fn in_a_game_of_three_a_bot_replaces_a_player_without_time() {
    let players = vec![
        human("Ann", &ann()),
        human("Bob", &bob()),
        human("Cleo", &cleo()),
    ];
    let options = json!({"rows": 6, "columns": 6, "k": 4, "seats": 3});
    let new = NewTable {
        clock: Some(total(60_000, 0)),
        ..NewTable::new(id(7), parlor_games::mnk::KIND, options, players)
    };
    let mut table = Table::create(NOW, new).expect("a table of three");
    apply_at(&mut table, 0, &ann(), Command::play("0,0"));
    assert_eq!(tick(&mut table, 60_000), None);
    assert_eq!(
        table.bot_to_move().map(|(seat, _)| seat),
        Some(Seat::SECOND)
    );
    assert_eq!(
        (left(&table), table.due_at()),
        (vec![60_000, 60_000, 60_000], Some(at(120_000))),
        "with a new clock"
    );
    apply_at(
        &mut table,
        60_001,
        &Issuer::Bot(Seat::SECOND),
        Command::play("1,1"),
    );
    assert_eq!(tick(&mut table, 120_001), None);
    apply_at(
        &mut table,
        120_002,
        &Issuer::Bot(Seat::new(2).expect("a seat")),
        Command::play("2,2"),
    );
    let ending = tick(&mut table, 180_002);
    assert_eq!(
        ending,
        Some(Ending {
            how: EndReason::Time,
            outcome: None
        }),
        "nobody is left to play"
    );
}

/// Returns a table for backgammon whose opening roll is over.
fn at_backgammon(clock: TimeControl, options: Value) -> Table {
    let players = vec![human("Ann", &ann()), human("Bob", &bob())];
    let new = NewTable {
        clock: Some(clock),
        secret: Some(Secret::new([5; 32])),
        ..NewTable::new(id(9), parlor_games::backgammon::KIND, options, players)
    };
    Table::create(NOW, new).expect("a table for backgammon")
}

/// Lets the seat on turn roll, or else make its first legal play, and returns the seat.
fn roll_or_play(table: &mut Table, ms: i64) -> Seat {
    let seat = table.on_turn().expect("luck never waits here");
    let by = if seat == Seat::FIRST { ann() } else { bob() };
    let moves = table.position().legal();
    let roll = moves.iter().find(|m| m.text == "roll");
    let text = roll.unwrap_or(&moves[0]).text.clone();
    apply_at(table, ms, &by, Command::play(text));
    seat
}

#[test]
fn a_clock_runs_for_whoever_luck_has_decided_for() {
    let mut table = at_backgammon(total(60_000, 0), json!({}));
    assert_eq!(running(&table), None, "the opening roll costs no time");
    for ms in [0, 1_000, 3_000] {
        roll_or_play(&mut table, ms);
        let next = table.on_turn().expect("luck never waits here");
        assert_eq!(running(&table), Some(next.number()));
    }
    assert_eq!(left(&table).iter().sum::<i64>(), 120_000 - 3_000);
}

#[test]
fn a_time_control_in_words() {
    let words = |initial, increment| total(initial, increment).to_string();
    assert_eq!(words(180_000, 2_000), "3 min + 2 s");
    assert_eq!(words(90_000, 0), "90 s");
    assert_eq!(words(1_500, 250), "1.500 s + 0.250 s");
    assert_eq!(
        correspondence().clock_view().expect("clocks").words,
        "3 days per move"
    );
}

fn delay(initial: u64, delay: u64) -> TimeControl {
    TimeControl::delay(initial, delay).expect("a delay")
}

fn bronstein(initial: u64, delay: u64) -> TimeControl {
    TimeControl::bronstein(initial, delay).expect("a delay")
}

#[test]
fn with_a_delay_only_time_beyond_it_counts() {
    for (control, flag) in [
        (delay(60_000, 8_000), 89_000),
        (bronstein(60_000, 8_000), 81_000),
    ] {
        let mut table = timed(parlor_games::mnk::KIND, control);
        apply_at(&mut table, 0, &ann(), Command::play("1,1"));
        apply_at(&mut table, 5_000, &bob(), Command::play("0,0"));
        assert_eq!(left(&table), [60_000, 60_000], "{control}");
        apply_at(&mut table, 25_000, &ann(), Command::play("0,1"));
        assert_eq!(left(&table), [48_000, 60_000], "{control}");
        apply_at(&mut table, 33_000, &bob(), Command::play("2,1"));
        assert_eq!(left(&table), [48_000, 60_000], "{control}");
        assert_eq!(table.due_at(), Some(at(flag)), "{control}");
        assert_eq!(tick(&mut table, flag - 1), None, "{control}");
        assert_eq!(tick(&mut table, flag), lost_on_time(Seat::SECOND));
        assert_eq!(left(&table)[0], 0, "{control}");
    }
}

#[test]
fn a_view_and_the_log_tell_how_long_the_clock_stands_still() {
    let mut table = timed(parlor_games::mnk::KIND, delay(60_000, 8_000));
    let standing = |table: &Table| table.clock_view().expect("clocks").delay_ms;
    assert_eq!(standing(&table), 0, "no clock runs");
    let moved = apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    assert_eq!(standing(&table), 8_000);
    let json = serde_json::to_value(&moved[0]).expect("plain data");
    assert_eq!(json["after"]["clock"]["delay_ms"], 8_000);
    let mut table = timed(parlor_games::mnk::KIND, bronstein(60_000, 8_000));
    let moved = apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    assert_eq!(standing(&table), 0, "the clock runs, and time is returned");
    let json = serde_json::to_value(&moved[0]).expect("plain data");
    assert_eq!(json["after"]["clock"].get("delay_ms"), None);
}

#[test]
fn a_pause_takes_nothing_of_the_delay() {
    for control in [delay(60_000, 8_000), bronstein(60_000, 8_000)] {
        let mut table = timed(parlor_games::mnk::KIND, control);
        apply_at(&mut table, 0, &ann(), Command::play("1,1"));
        let due = table.due_at().expect("a running clock").millis();
        for (from, until) in [(2_000, 12_000), (15_000, 16_000), (30_000, 40_000)] {
            let pause = Command::Pause {
                from: at(from),
                until: at(until),
            };
            apply_at(&mut table, until, &Issuer::Driver, pause);
        }
        let now = table.due_at().expect("a running clock").millis();
        assert_eq!(now - due, 21_000, "{control}");
        // Of 41 seconds the clocks stood still for 21, and the delay covers eight.
        apply_at(&mut table, 41_000, &bob(), Command::play("0,0"));
        assert_eq!(left(&table)[1], 48_000, "{control}");
    }
}

#[test]
fn a_turn_of_a_roll_and_a_play_has_one_delay() {
    let mut table = at_backgammon(delay(60_000, 8_000), json!({"cube": "on"}));
    let mut go_on = |ms| {
        let seat = roll_or_play(&mut table, ms);
        (seat, left(&table)[seat.index()])
    };
    let (first, _) = go_on(0);
    let (second, rolled) = go_on(5_000);
    assert_eq!((second, rolled), (first.next(2), 60_000));
    assert_eq!(go_on(11_000), (second, 57_000), "eleven seconds but eight");
    assert_eq!(go_on(19_000), (first, 60_000), "the next turn has its own");
}

#[test]
fn a_time_control_in_brief_reads_back() {
    for (text, control) in [
        ("300+3", total(300_000, 3_000)),
        ("90.5+0", total(90_500, 0)),
        ("120d8", delay(120_000, 8_000)),
        ("120b8", bronstein(120_000, 8_000)),
        ("1d0.125", delay(1_000, 125)),
        ("3d", TimeControl::correspondence(3).expect("three days")),
    ] {
        assert_eq!(text.parse::<TimeControl>(), Ok(control));
        assert_eq!(control.code(), text);
    }
    assert_eq!("60".parse::<TimeControl>(), Ok(total(60_000, 0)));
    for text in [
        "",
        "+",
        "d",
        "b",
        "60+",
        "60d0",
        "60b0",
        "0+5",
        "d8",
        "31d",
        "-1+0",
        "60+601",
        "60+1e2",
        "60c5",
        "6 0",
        "1.0001+0",
        "99999999999999999999+0",
        "60d8b2",
    ] {
        assert!(text.parse::<TimeControl>().is_err(), "{text:?}");
    }
    assert_eq!(delay(120_000, 8_000).to_string(), "2 min + 8 s delay");
    assert_eq!(
        bronstein(90_000, 500).to_string(),
        "90 s + 0.500 s Bronstein"
    );
}

#[test]
fn nodes_that_know_less_of_clocks_are_waited_for() {
    for (control, format) in [
        (total(60_000, 0), 0),
        (total(60_000, 5_000), Table::INCREMENTS_RETURN_SINCE),
        (delay(60_000, 5_000), TimeControl::DELAY_SINCE),
        (bronstein(60_000, 5_000), TimeControl::DELAY_SINCE),
    ] {
        let table = without_allowance(control);
        assert_eq!(table.event_format(), format, "{control}");
        let table = timed(parlor_games::mnk::KIND, control);
        assert_eq!(table.event_format(), Table::LAG_SINCE, "{control}");
        assert!(table.event_format() <= parlor_table::EVENT_FORMAT);
    }
    assert_eq!(correspondence().event_format(), 0);
}

#[test]
fn time_controls_are_bounded_in_code_and_in_json() {
    assert!(
        TimeControl::total(1_000, 0).is_ok() && TimeControl::total(86_400_000, 600_000).is_ok()
    );
    assert!(TimeControl::total(999, 0).is_err() && TimeControl::total(86_400_001, 0).is_err());
    assert!(TimeControl::total(1_000, 600_001).is_err());
    assert!(TimeControl::correspondence(0).is_err() && TimeControl::correspondence(31).is_err());
    let read = |json| serde_json::from_value::<TimeControl>(json);
    assert_eq!(
        read(json!({"kind": "total", "initial_ms": 60_000})).ok(),
        TimeControl::total(60_000, 0).ok()
    );
    assert!(read(json!({"kind": "total", "initial_ms": 5})).is_err());
    for kind in ["delay", "bronstein"] {
        let timed = |delay: u64| json!({"kind": kind, "initial_ms": 60_000, "delay_ms": delay});
        let control = read(timed(8_000)).expect("a delay");
        assert_eq!(serde_json::to_value(control).ok(), Some(timed(8_000)));
        assert!(read(timed(0)).is_err() && read(timed(600_001)).is_err());
        assert!(read(json!({"kind": kind, "initial_ms": 60_000})).is_err());
    }
    assert!(read(json!({"kind": "correspondence", "days": 3, "hours": 1})).is_err());
}

/// Arbitrary commands by two people, strangers, bots and the driver, with the milliseconds before
/// each.
pub(super) fn any_timed_command() -> impl Strategy<Value = (Issuer, Request, i64)> {
    let by = prop::sample::select(vec![
        ann(),
        bob(),
        ann(),
        bob(),
        cleo(),
        Issuer::Driver,
        Issuer::Bot(Seat::FIRST),
    ]);
    let play = (0..3u8, 0..3u8).prop_map(|(row, column)| Command::play(format!("{row},{column}")));
    let give = prop::option::of(0..5_000u32).prop_map(|seconds| Command::GiveTime { seconds });
    let claim = (
        prop::sample::select(vec![Claim::Win, Claim::Draw]),
        prop::option::of(0..100_000i64),
    )
        .prop_map(|(claim, since)| Request::claim(claim, since));
    let plain = prop::sample::select(vec![
        Command::Ready,
        Command::OfferDraw,
        Command::AcceptDraw,
        Command::DeclineDraw,
        Command::OfferTakeback,
        Command::AcceptTakeback,
        Command::DeclineTakeback,
        Command::Abort,
        Command::Tick,
        Command::Tick,
        Command::Rematch { next: id(99) },
    ]);
    let command = prop_oneof![8 => play, 1 => give, 8 => plain, 1 => Just(Command::Resign)];
    let request = prop_oneof![18 => command.prop_map(Request::from), 1 => claim];
    let pause = prop_oneof![6 => 0..3_000i64, 1 => 0..100_000i64, 1 => -5_000..0i64];
    (by, request, pause)
}

pub(super) fn control() -> impl Strategy<Value = TimeControl> {
    let total =
        (1_000..90_000u64, 0..3_000u64).prop_map(|(initial, increment)| total(initial, increment));
    let delays =
        (1_000..90_000u64, 1..3_000u64, any::<bool>()).prop_map(|(initial, each, simple)| {
            if simple {
                delay(initial, each)
            } else {
                bronstein(initial, each)
            }
        });
    prop_oneof![4 => total, 4 => delays, 1 => (1..30u64).prop_map(|days| TimeControl::correspondence(days).expect("within bounds"))]
}

/// A drawn game of three in a row.
const DRAWN: [&str; 9] = [
    "1,1", "0,0", "0,1", "2,1", "1,0", "1,2", "2,0", "0,2", "2,2",
];

proptest! {
    #![proptest_config(Config::with_cases(400))]

    #[test]
    fn both_delays_leave_the_same_time_after_each_turn(thought in prop::collection::vec(0..20_000i64, 8), each in 1..10_000u64) {
        let mut tables = [delay(600_000, each), bronstein(600_000, each)]
            .map(|control| timed(parlor_games::mnk::KIND, control));
        let mut ms = 0;
        let mut spent = [0, 0];
        for (n, text) in DRAWN.iter().take(8).enumerate() {
            // The first move costs nothing.
            let used = if n == 0 { 0 } else { thought[n] };
            ms += used;
            spent[n % 2] += (used - i64::try_from(each).expect("below ten seconds")).max(0);
            let by = if n % 2 == 0 { ann() } else { bob() };
            for table in &mut tables {
                apply_at(table, ms, &by, Command::play(*text));
                prop_assert_eq!(left(table), spent.map(|spent| 600_000 - spent).to_vec());
            }
        }
    }

    #[test]
    fn any_log_replays_with_its_clocks_and_none_is_below_zero(
        control in control(), asked in prop::collection::vec(any_timed_command(), 0..80),
    ) {
        let mut table = timed(parlor_games::mnk::KIND, control);
        let mut ms = 0;
        for (by, request, pause) in asked {
            ms += pause;
            let before = (table.log().len(), left(&table));
            match request.apply(&mut table, ms, &by) {
                Ok(events) => prop_assert_eq!(&table.log()[before.0..], &events[..]),
                Err(_) => prop_assert_eq!((table.log().len(), left(&table)), before),
            }
            prop_assert!(left(&table).iter().all(|left| *left >= 0), "{:?}", left(&table));
            let over = !matches!(table.status(), TableStatus::Open | TableStatus::Playing);
            prop_assert_eq!((table.ending().is_some(), table.due_at().is_none()), (over, over));
            prop_assert!(!over || running(&table).is_none());
        }
        let json = |table: &Table| serde_json::to_value((table.view(), table.record(), table.due_at())).expect("plain data");
        let log = table.log().iter().map(|entry| serde_json::to_string(entry).expect("plain data"));
        let log = log.map(|text| serde_json::from_str(&text).expect("what was written can be read"));
        prop_assert_eq!(json(&Table::replay(log, None).expect("its own log")), json(&table));
        let ends = table.log().iter().filter(|entry| matches!(entry.event, TableEvent::Ended { .. })).count();
        prop_assert_eq!(ends, usize::from(table.ending().is_some()));
    }
}
