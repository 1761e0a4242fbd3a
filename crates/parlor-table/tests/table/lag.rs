//! Allowance of clocks for the delay of the network.

use parlor_core::Seat;
use parlor_games::GameKind;
use parlor_table::verify::verify;
use parlor_table::{
    Command, EndReason, Issuer, Lag, LagView, MoveLag, NewTable, Player, Record, RecordStep,
    Refusal, Table, TableEvent, TimeControl,
};
use proptest::prelude::*;
use proptest::test_runner::Config;
use serde_json::json;

use super::clocks::{any_timed_command, control};
use super::{
    NOW, ann, apply_at, at, bob, human, id, left, refused_at, timed, total, without_allowance,
};

const MNK: GameKind = parlor_games::mnk::KIND;
/// Time that each move adds to the quota of a game of one minute, in milliseconds.
const GAIN: i64 = 390;

fn lag_of(ms: u32) -> Lag {
    Lag::from_millis(ms.into()).expect("less than a minute")
}

/// A move after a round trip of this many milliseconds.
fn delayed(text: &str, ms: u32) -> Command {
    Command::Move {
        text: text.to_owned(),
        id: None,
        version: None,
        lag: lag_of(ms),
    }
}

fn lags(table: &Table) -> Vec<LagView> {
    table.clock_view().expect("a table with clocks").lag
}

fn view(measured_ms: u32, allowed_ms: u32, quota_ms: i64) -> LagView {
    LagView {
        measured_ms,
        allowed_ms,
        quota_ms,
    }
}

/// Delays in a table's log, in order.
fn logged(table: &Table) -> Vec<Option<MoveLag>> {
    let moved = table.log().iter().filter_map(|entry| match &entry.event {
        TableEvent::Moved { lag, .. } => Some(*lag),
        _ => None,
    });
    moved.collect()
}

#[test]
fn a_delay_is_taken_off_the_time_of_the_move_as_far_as_the_quota_goes() {
    let mut table = timed(MNK, total(60_000, 0));
    let start = view(0, 0, 3 * GAIN);
    assert_eq!(lags(&table), [start, start]);
    apply_at(&mut table, 5_000, &ann(), delayed("1,1", 200));
    assert_eq!(
        (left(&table), lags(&table)[0]),
        (vec![60_000, 60_000], view(200, 0, 4 * GAIN)),
        "the first move costs nothing"
    );
    apply_at(&mut table, 15_000, &bob(), delayed("0,0", 200));
    assert_eq!(left(&table), [60_000, 50_200]);
    assert_eq!(lags(&table)[1], view(200, 200, 4 * GAIN - 200));
    apply_at(&mut table, 25_000, &ann(), delayed("0,1", 60_000));
    assert_eq!(left(&table)[0], 50_000 + 4 * GAIN, "more is told");
    assert_eq!(lags(&table)[0], view(60_000, 1_560, GAIN));
    apply_at(&mut table, 25_050, &bob(), delayed("2,1", 200));
    assert_eq!(left(&table)[1], 50_200, "more than the turn took");
    assert_eq!(lags(&table)[1].allowed_ms, 50);
    let measured = logged(&table).into_iter().flatten();
    let allowed = measured.map(MoveLag::allowed_ms).collect::<Vec<_>>();
    assert_eq!(allowed, [0, 200, 1_560, 50]);
    let again = Table::replay(table.log().to_vec(), None).expect("its own log");
    assert_eq!((left(&again), lags(&again)), (left(&table), lags(&table)));
}

#[test]
fn while_a_clock_stands_nothing_needs_to_be_allowed() {
    let delay = TimeControl::delay(60_000, 5_000).expect("a delay");
    let mut table = timed(MNK, delay);
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    apply_at(&mut table, 4_000, &bob(), delayed("0,0", 300));
    assert_eq!(lags(&table)[1].allowed_ms, 0);
    apply_at(&mut table, 9_100, &ann(), delayed("0,1", 300));
    assert_eq!((left(&table)[0], lags(&table)[0].allowed_ms), (60_000, 100));
}

#[test]
fn a_move_made_in_time_is_waited_for() {
    let mut table = timed(MNK, total(1_000, 0));
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    assert_eq!(table.due_at(), Some(at(1_000)), "nothing was measured yet");
    apply_at(&mut table, 500, &bob(), delayed("0,0", 100));
    assert_eq!((left(&table)[1], table.due_at()), (600, Some(at(1_500))));
    apply_at(&mut table, 700, &ann(), Command::play("0,1"));
    assert_eq!(table.due_at(), Some(at(1_400)), "100 ms after zero");
    apply_at(&mut table, 1_399, &Issuer::Driver, Command::Tick);
    assert_eq!(table.ending(), None);
    for (ms, told) in [(1_350, 50), (1_350, 0), (1_400, 200)] {
        let late = refused_at(&mut table.clone(), ms, &bob(), delayed("2,1", told));
        assert_eq!(late, Refusal::TimeExceeded, "{ms} {told}");
    }
    let resigned = refused_at(&mut table.clone(), 1_350, &bob(), Command::Resign);
    assert_eq!(resigned, Refusal::TimeExceeded);
    let mut lost = table.clone();
    apply_at(&mut lost, 1_400, &Issuer::Driver, Command::Tick);
    assert_eq!(
        lost.ending().map(|ending| ending.how),
        Some(EndReason::Time)
    );
    apply_at(&mut table, 1_399, &bob(), delayed("2,1", 100));
    assert_eq!(left(&table)[1], 1, "it was made a millisecond before zero");
}

#[test]
fn a_takeback_restores_what_was_allowed() {
    let mut table = timed(MNK, total(60_000, 2_000));
    let mut plain = table.clone();
    for table in [&mut table, &mut plain] {
        apply_at(table, 0, &ann(), Command::play("1,1"));
    }
    let before = lags(&table);
    apply_at(&mut table, 10_000, &bob(), delayed("0,0", 300));
    apply_at(&mut plain, 10_000, &bob(), Command::play("0,0"));
    assert_eq!(left(&table)[1], left(&plain)[1] + 300);
    for table in [&mut table, &mut plain] {
        apply_at(table, 20_000, &bob(), Command::OfferTakeback);
        apply_at(table, 21_000, &ann(), Command::AcceptTakeback);
    }
    assert_eq!((left(&table), lags(&table)), (left(&plain), before));
    apply_at(&mut table, 22_000, &bob(), delayed("0,0", 300));
    assert!(verify(&table.record()).is_valid());
}

#[test]
fn days_bots_and_earlier_tables_are_allowed_nothing() {
    let days = TimeControl::correspondence(3).expect("three days");
    let against_bot = NewTable {
        clock: Some(total(60_000, 0)),
        ..NewTable::new(
            id(7),
            MNK,
            json!({}),
            vec![human("Ann", &ann()), Player::bot("random")],
        )
    };
    let mut table = Table::create(NOW, against_bot).expect("a table");
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    apply_at(
        &mut table,
        9_000,
        &Issuer::Bot(Seat::SECOND),
        delayed("0,0", 300),
    );
    assert_eq!(left(&table)[1], 51_000);
    assert!(logged(&table).iter().all(Option::is_none));
    for mut table in [timed(MNK, days), without_allowance(total(60_000, 0))] {
        assert!(!table.allows_lag() && lags(&table).is_empty());
        apply_at(&mut table, 0, &ann(), delayed("1,1", 300));
        apply_at(&mut table, 9_000, &bob(), delayed("0,0", 300));
        assert_eq!(logged(&table), [None, None]);
        let json = serde_json::to_string(&(table.log(), table.record(), table.view()));
        assert!(!json.expect("plain data").contains("lag"));
    }
}

#[test]
fn a_record_with_more_than_the_quota_is_not_valid() {
    let mut table = timed(MNK, total(60_000, 0));
    let moves = [
        ("1,1", 0),
        ("0,0", 10_000),
        ("0,1", 20_000),
        ("2,1", 30_000),
    ];
    for ((text, ms), by) in moves.into_iter().zip([ann(), bob()].iter().cycle()) {
        apply_at(&mut table, ms, by, delayed(text, 60_000));
    }
    let record = table.record();
    assert_eq!(record.clock, Some(total(60_000, 0)));
    assert!(verify(&record).is_valid());
    let text = serde_json::to_string(&record).expect("plain data");
    assert_eq!(
        serde_json::from_str::<Record>(&text).ok(),
        Some(record.clone())
    );
    let rules = |record: &Record| {
        let problems = verify(record).problems.into_iter();
        problems
            .map(|found| (found.step, found.rule))
            .collect::<Vec<_>>()
    };
    let allow = |index: usize, ms: u32| {
        let mut record = record.clone();
        if let RecordStep::Move { lag, .. } = &mut record.log[index] {
            *lag = MoveLag::new(lag_of(60_000), ms).ok();
        }
        record
    };
    assert_eq!(rules(&allow(1, 1_171)), [(Some(1), "lag")]);
    assert_eq!(rules(&allow(1, 0)), [], "less could have been");
    assert_eq!(rules(&allow(3, 391)), [(Some(3), "lag")]);
    let unclocked = Record {
        clock: None,
        ..record.clone()
    };
    assert_eq!(rules(&unclocked), [(Some(0), "lag")]);
    let mut quick = allow(1, 1_170);
    if let RecordStep::Move { at: played, .. } = &mut quick.log[1] {
        *played = at(1_000);
    }
    assert_eq!(rules(&quick), [(Some(1), "lag")], "more than the turn took");
    let mut bots = record.clone();
    bots.players[1].kind = "bot".to_owned();
    assert_eq!(rules(&bots), [(Some(1), "lag")]);
    bots.players[1].owner = Some("Cleo".to_owned());
    assert_eq!(rules(&bots), []);
}

#[test]
fn delays_are_bounded() {
    assert_eq!(Lag::from_text("250"), Ok(lag_of(250)));
    for text in ["", "-1", "1.5", "60001", "99999999999999999999", "ms"] {
        assert!(Lag::from_text(text).is_err(), "{text:?}");
    }
    let read = |measured: u32, allowed: u32| {
        let json = json!({ "measured_ms": measured, "allowed_ms": allowed });
        serde_json::from_value::<MoveLag>(json).is_ok()
    };
    assert!(read(200, 200) && !read(200, 201) && !read(60_001, 0));
}

proptest! {
    #![proptest_config(Config::with_cases(300))]

    #[test]
    fn without_a_delay_clocks_are_as_they_were(
        control in control(), asked in prop::collection::vec(any_timed_command(), 0..60),
    ) {
        let mut tables = [timed(MNK, control), without_allowance(control)];
        let mut ms = 0;
        for (by, request, pause) in asked {
            ms += pause;
            let [new, old] = tables.each_mut().map(|table| request.clone().apply(table, ms, &by));
            prop_assert_eq!(new, old);
            prop_assert_eq!(left(&tables[0]), left(&tables[1]));
            prop_assert_eq!(tables[0].due_at(), tables[1].due_at());
        }
        prop_assert_eq!(tables[0].record(), tables[1].record());
    }

    #[test]
    fn no_more_is_allowed_than_the_quota_whatever_is_told(
        seconds in 1..90u64, increment in 0..3_000u64,
        asked in prop::collection::vec((any_timed_command(), 0..=Lag::MAX_MS), 0..80),
    ) {
        let mut table = timed(MNK, total(1_000 * seconds, increment));
        let gain = lags(&table)[0].quota_ms / 3;
        let (mut ms, mut moves, mut allowed) = (0, [0, 0], [0, 0]);
        for ((by, mut request, pause), told) in asked {
            ms += pause;
            if let Command::Move { lag, .. } = &mut request.command {
                *lag = lag_of(told);
            }
            let before = lags(&table);
            for entry in request.apply(&mut table, ms, &by).unwrap_or_default() {
                let TableEvent::Moved { seat, lag, .. } = entry.event else { continue };
                let spent = lag.map_or(0, |lag| i64::from(lag.allowed_ms()));
                prop_assert!(spent <= i64::from(told) && spent <= before[seat.index()].quota_ms);
                moves[seat.index()] += 1;
                allowed[seat.index()] += spent;
            }
            prop_assert!(lags(&table).iter().all(|lag| (gain..=7 * gain).contains(&lag.quota_ms)));
            prop_assert!(left(&table).iter().all(|left| *left >= 0));
        }
        let standing = table.record();
        let problems = verify(&standing).problems;
        prop_assert!(problems.iter().all(|problem| problem.rule != "lag"), "{:?}", problems);
        let taken_back = table.log().iter().any(|entry| matches!(entry.event, TableEvent::TakenBack { .. }));
        for (moves, allowed) in moves.into_iter().zip(allowed) {
            prop_assert!(taken_back || allowed <= (moves + 2) * gain);
        }
        let again = Table::replay(table.log().to_vec(), None).expect("its own log");
        prop_assert_eq!((left(&again), lags(&again)), (left(&table), lags(&table)));
        prop_assert_eq!(again.record(), standing);
    }
}
