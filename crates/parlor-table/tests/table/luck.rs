//! Luck that anyone can verify.

use parlor_core::Outcome;
use parlor_games::OutcomeView;
use parlor_table::verify::{VerificationReport, verify};
use parlor_table::{
    Command, EndReason, Ending, Record, RecordStep, Secret, Table, TableEvent, TableId, TableStatus,
};

use super::{NOW, ann, bob, id, pig, play};

fn bytes_0_to_31() -> Secret {
    Secret::new(std::array::from_fn(|i| i as u8))
}

/// The expected draws come from another implementation: Python's hmac and hashlib, following the
/// description in `parlor_table::luck`.
#[test]
fn draws_match_another_implementation() {
    let secret = bytes_0_to_31();
    let table: TableId = "000003nqk8n".parse().expect("an id");
    assert_eq!(
        secret.commitment(),
        "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    );
    let dice: Vec<usize> = (0..20)
        .filter_map(|n| secret.draw(table, &["", "Grüße"], n, &[1; 6]))
        .collect();
    assert_eq!(dice, DICE);
    let weighted: Vec<usize> = (0..20)
        .filter_map(|n| secret.draw(table, &["", ""], n, &[1, 2, 1]))
        .collect();
    assert_eq!(weighted, WEIGHTED);
}

const DICE: [usize; 20] = [1, 5, 2, 3, 5, 0, 1, 3, 4, 3, 3, 4, 1, 0, 0, 1, 0, 5, 4, 3];
const WEIGHTED: [usize; 20] = [1, 2, 0, 2, 2, 1, 2, 2, 0, 1, 1, 2, 2, 1, 1, 1, 1, 0, 1, 2];

#[test]
fn draws_follow_the_weights_within_five_sigma() {
    let secret = bytes_0_to_31();
    let weights = [1, 0, 2, 3];
    let mut seen = [0u32; 4];
    (0..60_000)
        .filter_map(|n| secret.draw(id(1), &[""], n, &weights))
        .for_each(|index| seen[index] += 1);
    for (count, weight) in seen.iter().zip(weights) {
        let p = f64::from(weight) / 6.0;
        let sigma = (60_000.0 * p * (1.0 - p)).sqrt();
        assert!(
            (f64::from(*count) - 60_000.0 * p).abs() <= 5.0 * sigma,
            "{seen:?}"
        );
    }
}

#[test]
fn a_draw_depends_on_everything_that_was_fixed_before_it() {
    let rolls = |secret: &Secret, table, texts: &[&str]| -> Vec<_> {
        (0..30)
            .map(|n| secret.draw(table, texts, n, &[1; 6]))
            .collect()
    };
    let base = rolls(&bytes_0_to_31(), id(1), &["", "ab"]);
    assert_ne!(base, rolls(&Secret::new([1; 32]), id(1), &["", "ab"]));
    assert_ne!(base, rolls(&bytes_0_to_31(), id(2), &["", "ab"]));
    assert_ne!(base, rolls(&bytes_0_to_31(), id(1), &["a", "b"]));
}

#[test]
fn a_secret_is_not_printed_with_what_holds_it() {
    assert_eq!(format!("{:?}", bytes_0_to_31()), "Secret(..)");
}

#[test]
fn no_weights_give_no_draw() {
    assert_eq!(bytes_0_to_31().draw(id(1), &[""], 0, &[]), None);
    assert_eq!(bytes_0_to_31().draw(id(1), &[""], 0, &[0, 0]), None);
}

/// Ann and Bob roll until 12 points are in the pot, then hold, to the end.
fn finished() -> Table {
    let mut table = pig(60);
    table
        .apply(
            NOW,
            &bob(),
            Command::Join {
                seat: None,
                name: "Bob".into(),
                owner: None,
                invite: None,
                luck_text: Some("mine".into()),
            },
        )
        .expect("a seat is open");
    while table.status() == TableStatus::Playing {
        let by = if table.on_turn() == Some(parlor_core::Seat::FIRST) {
            ann()
        } else {
            bob()
        };
        let pot = table.view().position["pot"].as_u64().expect("a number");
        play(&mut table, &by, if pot < 12 { "roll" } else { "hold" });
        assert_eq!(
            table.view().luck.expect("Pig has luck").secret.is_some(),
            table.status() == TableStatus::Over
        );
    }
    table
}

#[test]
fn the_commitment_comes_first_and_the_secret_last() {
    let table = finished();
    let TableEvent::Created { commitment, .. } = &table.log()[0].event else {
        panic!("creation comes first")
    };
    assert_eq!(
        commitment.as_deref(),
        Some(Secret::new([9; 32]).commitment().as_str())
    );
    assert!(
        matches!(&table.log()[table.log().len() - 1].event, TableEvent::Revealed { secret } if *secret == Secret::new([9; 32]))
    );
    let earlier = serde_json::to_string(&table.log()[..table.log().len() - 1]).expect("plain data");
    assert!(!earlier.contains(&Secret::new([9; 32]).to_hex()));
}

#[test]
fn a_finished_record_verifies() {
    let record = finished().record();
    let report = verify(&record);
    assert!(report.is_valid() && report.luck_checked, "{report:?}");
    assert_eq!(
        report.draws,
        record
            .log
            .iter()
            .filter(|step| matches!(step, RecordStep::Chance { .. }))
            .count()
    );
    assert!(report.draws > 10 && report.moves > report.draws);
}

#[test]
fn a_record_survives_json() {
    let record = finished().record();
    let text = serde_json::to_string(&record).expect("plain data");
    assert_eq!(
        serde_json::from_str::<Record>(&text).expect("its own text"),
        record
    );
}

#[test]
fn an_unfinished_game_is_replayed_but_its_luck_is_still_secret() {
    let mut table = pig(60);
    table
        .apply(NOW, &bob(), Command::join("Bob"))
        .expect("a seat is open");
    play(&mut table, &ann(), "roll");
    let report = verify(&table.record());
    assert!(report.is_valid() && !report.luck_checked);
    assert_eq!((report.moves, report.draws), (1, 1));
}

fn tampered(change: impl FnOnce(&mut Record)) -> VerificationReport {
    let mut record = finished().record();
    change(&mut record);
    verify(&record)
}

fn first_rule(report: &VerificationReport) -> (&'static str, Option<usize>) {
    let finding = report
        .problems
        .first()
        .unwrap_or_else(|| panic!("nothing was found"));
    (finding.rule, finding.step)
}

#[test]
fn one_changed_die_is_located() {
    let step = 5;
    let report = tampered(|record| {
        let RecordStep::Chance { chance, .. } = &mut record.log[step] else {
            panic!("step {step} is a roll")
        };
        *chance = if chance == "4" {
            "5".into()
        } else {
            "4".into()
        };
    });
    assert_eq!(first_rule(&report), ("luck", Some(step)));
}

#[test]
fn a_changed_secret_text_move_order_or_ending_is_detected() {
    let other = Secret::new([1; 32]).to_hex();
    assert_eq!(
        first_rule(&tampered(
            |r| r.luck.as_mut().expect("luck").secret = Some(other)
        ))
        .0,
        "commitment"
    );
    assert_eq!(
        first_rule(&tampered(
            |r| r.luck.as_mut().expect("luck").secret = Some("xyz".into())
        ))
        .0,
        "secret"
    );
    assert_eq!(
        first_rule(&tampered(|r| r.luck.as_mut().expect("luck").secret = None)).0,
        "secret"
    );
    assert_eq!(
        first_rule(&tampered(
            |r| r.luck.as_mut().expect("luck").texts[1] = "yours".into()
        ))
        .0,
        "luck"
    );
    assert_eq!(
        first_rule(&tampered(|r| r.table = id(1).to_string())).0,
        "luck"
    );
    assert_eq!(
        first_rule(&tampered(|r| r.log.swap(0, 1))),
        ("chance", Some(0))
    );
    assert_eq!(first_rule(&tampered(|r| drop(r.log.pop()))).0, "position");
    assert_eq!(first_rule(&tampered(|r| r.ending = None)).0, "ending");
    assert_eq!(
        first_rule(&tampered(
            |r| r.ending.as_mut().expect("over").how = EndReason::Abort
        ))
        .0,
        "ending"
    );
    assert_eq!(
        first_rule(&tampered(
            |r| r.ending.as_mut().expect("over").outcome = Some(OutcomeView::Draw)
        ))
        .0,
        "ending"
    );
}

#[test]
fn a_record_that_ends_too_early_is_found_out() {
    let mut table = pig(60);
    table
        .apply(NOW, &bob(), Command::join("Bob"))
        .expect("a seat is open");
    play(&mut table, &ann(), "roll");
    let mut record = table.record();
    record.ending = Some(Ending {
        how: EndReason::Rules,
        outcome: Some(OutcomeView::Draw),
    });
    let rules = verify(&record).problems.into_iter().map(|p| p.rule);
    assert_eq!(rules.collect::<Vec<_>>(), ["secret", "ending"]);
}

#[test]
fn an_ending_that_no_resignation_and_no_clock_brings_about_is_found_out() {
    let mut table = pig(60);
    table
        .apply(NOW, &bob(), Command::join("Bob"))
        .expect("a seat is open");
    play(&mut table, &ann(), "roll");
    let on_turn = table.on_turn().expect("the game goes on");
    table
        .apply(NOW, &bob(), Command::Resign)
        .expect("the game goes on");
    let record = table.record();
    assert!(verify(&record).is_valid());
    let rules_of = |how, outcome| {
        let mut other = record.clone();
        other.ending = Some(Ending { how, outcome });
        let problems = verify(&other).problems.into_iter();
        problems.map(|problem| problem.rule).collect::<Vec<_>>()
    };
    let won = |seat| Some(OutcomeView::from(Outcome::won(seat)));
    let other = on_turn.next(2);
    for (how, outcome) in [
        (EndReason::Resignation, won(on_turn)),
        (EndReason::Resignation, won(other)),
        (EndReason::Time, won(other)),
    ] {
        assert!(rules_of(how, outcome).is_empty(), "{how:?} {outcome:?}");
    }
    let nobody = OutcomeView::Won { seat: 2, points: 1 };
    for (how, outcome) in [
        (EndReason::Time, won(on_turn)),
        (EndReason::Time, Some(OutcomeView::Draw)),
        (EndReason::Resignation, None),
        (EndReason::Resignation, Some(OutcomeView::TeamLost)),
        (EndReason::Resignation, Some(nobody)),
    ] {
        assert_eq!(rules_of(how, outcome), ["ending"], "{how:?} {outcome:?}");
    }
}

#[test]
fn draws_are_numbered_in_order() {
    let report = tampered(|record| {
        let draws = record.log.iter_mut().filter_map(|step| match step {
            RecordStep::Chance { n, .. } => Some(n),
            RecordStep::Move { .. } => None,
        });
        *draws.last().expect("dice were rolled") += 1;
    });
    assert_eq!(first_rule(&report).0, "order");
}

#[test]
fn a_record_of_another_format_or_game_is_refused() {
    assert_eq!(
        first_rule(&tampered(|r| r.format = "pgn".into())).0,
        "format"
    );
    assert_eq!(first_rule(&tampered(|r| r.game = "chess".into())).0, "game");
    assert_eq!(
        first_rule(&tampered(|r| r.options = serde_json::json!({"target": -1}))).0,
        "options"
    );
    assert_eq!(
        first_rule(&tampered(|r| r.table = "nowhere".into())).0,
        "table"
    );
    assert_eq!(first_rule(&tampered(|r| r.players.clear())).0, "players");
}
