//! Backgammon at a table: automatic passes, dice by hand, and verification of the dice.

use parlor_core::{Seat, Turn};
use parlor_table::verify::verify;
use parlor_table::{
    Command, NewTable, Player, RecordStep, Refusal, Secret, Table, TableEvent, TableStatus,
    TimeControl,
};
use serde_json::json;

use super::{NOW, ann, bob, cleo, human, id, play};

fn new_backgammon(options: serde_json::Value) -> NewTable {
    let players = vec![human("Ann", &ann()), human("Bob", &bob())];
    NewTable {
        secret: Some(Secret::new([5; 32])),
        ..NewTable::new(id(9), parlor_games::backgammon::KIND, options, players)
    }
}

fn table(options: serde_json::Value) -> Table {
    Table::create(NOW, new_backgammon(options)).expect("a table for backgammon")
}

/// Plays the first legal move until the game is over.
fn to_the_end(table: &mut Table) {
    while table.status() == TableStatus::Playing {
        let seat = table.on_turn().expect("luck never waits here");
        let by = if seat == Seat::FIRST { ann() } else { bob() };
        let first = table.position().legal().remove(0);
        play(table, &by, &first.text);
    }
}

#[test]
fn the_opening_is_rolled_once_both_players_have_joined() {
    let table = table(json!({}));
    let TableEvent::Chance { n: 0, chance } = &table.log()[2].event else {
        panic!("luck comes first: {:?}", table.log())
    };
    let (white, black) = chance.split_once('-').expect("one die each");
    assert_ne!(white, black);
    assert_eq!(
        table.position().turn(),
        Turn::Move(if white > black {
            Seat::FIRST
        } else {
            Seat::SECOND
        })
    );
}

#[test]
fn a_pass_is_played_automatically_and_logged() {
    let mut passes = 0;
    for n in 0..40 {
        let secret = Some(Secret::new([n; 32]));
        let mut table = Table::create(
            NOW,
            NewTable {
                secret,
                ..new_backgammon(json!({}))
            },
        )
        .expect("a table");
        to_the_end(&mut table);
        let pairs = table.log().windows(2);
        for pair in pairs {
            let TableEvent::Moved { text, seat, .. } = &pair[1].event else {
                continue;
            };
            if text == "pass" {
                passes += 1;
                assert!(
                    matches!(pair[0].event, TableEvent::Chance { .. }),
                    "a pass follows a roll at once"
                );
                assert_eq!(pair[0].at, pair[1].at);
                assert!(seat.number() < 2);
            }
        }
        let report = verify(&table.record());
        assert!(report.is_valid() && report.luck_checked, "{report:?}");
    }
    assert!(passes > 5, "only {passes} passes in 40 games");
}

#[test]
fn a_pass_cannot_be_chosen() {
    let mut table = table(json!({}));
    let by = if table.on_turn() == Some(Seat::FIRST) {
        ann()
    } else {
        bob()
    };
    let refused = table
        .apply(NOW, &by, Command::play("pass"))
        .expect_err("something can be played");
    assert_eq!(
        refused.to_string(),
        "You have a legal move, so you can't pass"
    );
}

#[test]
fn one_changed_die_of_a_match_is_located() {
    let mut table = table(json!({"length": 3, "cube": "on"}));
    to_the_end(&mut table);
    let mut record = table.record();
    assert!(verify(&record).is_valid());
    let step = record
        .log
        .iter()
        .rposition(|step| matches!(step, RecordStep::Chance { .. }))
        .expect("dice were rolled");
    let RecordStep::Chance { chance, .. } = &mut record.log[step] else {
        unreachable!("it was one")
    };
    *chance = if chance == "65" {
        "64".into()
    } else {
        "65".into()
    };
    let report = verify(&record);
    assert_eq!(
        (report.problems[0].rule, report.problems[0].step),
        ("luck", Some(step)),
        "{report:?}"
    );
}

fn by_hand() -> Table {
    Table::create(
        NOW,
        NewTable {
            luck_by_hand: true,
            ..new_backgammon(json!({}))
        },
    )
    .expect("a table with dice of one's own")
}

fn roll(chance: &str) -> Command {
    Command::Luck {
        chance: chance.to_owned(),
        version: None,
    }
}

#[test]
fn dice_by_hand_are_entered_by_seated_players_only() {
    let mut table = by_hand();
    assert_eq!(
        (table.position().turn(), table.luck_by_hand()),
        (Turn::Chance, true)
    );
    assert_eq!(
        table.apply(NOW, &ann(), Command::play("8/5,6/5")),
        Err(Refusal::NotYourTurn)
    );
    assert_eq!(
        table.apply(NOW, &cleo(), roll("3-1")),
        Err(Refusal::NotSeated)
    );
    let equal = table
        .apply(NOW, &ann(), roll("3-3"))
        .expect_err("equal dice open no game");
    assert_eq!(
        equal.to_string(),
        "3-3 is not a possible chance in this position"
    );
    assert!(
        table.apply(NOW, &ann(), roll("31")).is_err(),
        "each throws one die first"
    );
    table
        .apply(NOW, &bob(), roll("3-1"))
        .expect("both may type");
    assert_eq!(
        table.apply(NOW, &ann(), roll("31")),
        Err(Refusal::NoChanceDue)
    );
    play(&mut table, &ann(), "8/5 6/5");
    table.apply(NOW, &ann(), roll("46")).expect("a roll");
    assert!(
        matches!(&table.log()[table.log().len() - 1].event, TableEvent::Chance { n: 1, chance } if chance == "64")
    );
    let stale = Command::Luck {
        chance: "31".to_owned(),
        version: Some(1),
    };
    play(&mut table, &bob(), "24/14");
    assert!(matches!(
        table.apply(NOW, &ann(), stale),
        Err(Refusal::Stale { .. })
    ));
}

#[test]
fn a_record_with_dice_by_hand_says_so_and_is_replayed_without_proof() {
    let mut table = by_hand();
    table.apply(NOW, &ann(), roll("3-1")).expect("a roll");
    play(&mut table, &ann(), "8/5 6/5");
    let record = table.record();
    let json = serde_json::to_value(&record).expect("plain data");
    assert_eq!(
        (&json["luck"]["by_hand"], json["luck"].get("commitment")),
        (&json!(true), None)
    );
    let report = verify(&record);
    assert!(report.is_valid() && !report.luck_checked, "{report:?}");
    let again = Table::replay(table.log().to_vec(), None).expect("its own log");
    assert_eq!(again.position().text(), table.position().text());
    let view = table.view().luck.expect("luck of one's own");
    assert!(view.by_hand && view.commitment.is_none());
}

#[test]
fn dice_by_hand_need_a_game_with_luck_without_clocks_and_ratings() {
    let clock = TimeControl::total(60_000, 0).ok();
    assert_eq!(
        Table::create(
            NOW,
            NewTable {
                luck_by_hand: true,
                clock,
                ..new_backgammon(json!({}))
            }
        )
        .err(),
        Some(Refusal::LuckByHandNotAllowed)
    );
    let players = vec![human("Ann", &ann()), Player::Open];
    let mnk = NewTable {
        luck_by_hand: true,
        ..NewTable::new(id(1), parlor_games::mnk::KIND, json!({}), players)
    };
    assert_eq!(
        Table::create(NOW, mnk).err(),
        Some(Refusal::LuckByHandNotAllowed)
    );
    let mut drawn = table(json!({}));
    assert_eq!(
        drawn.apply(NOW, &ann(), roll("31")),
        Err(Refusal::DrawnByServer)
    );
}
