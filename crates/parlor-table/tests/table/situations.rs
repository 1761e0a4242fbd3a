//! Events tell whose turn it is and what the clocks show.

use parlor_table::{Command, Issuer, LogEntry, Table};
use serde_json::{Value, json};

use super::{ann, ann_and_bob, apply_at, bob, pig, timed, total};

fn after(entry: &LogEntry) -> Value {
    entry.public()["after"].clone()
}

#[test]
fn a_move_tells_who_is_on_turn_and_the_clocks() {
    let mut table = timed(parlor_games::mnk::KIND, total(60_000, 2_000));
    let started = table.log().last().expect("a started game");
    assert_eq!(
        after(started)["clock"],
        json!({ "left_ms": [60_000, 60_000] })
    );
    let ready = apply_at(&mut table, 1_000, &ann(), Command::Ready);
    let running = json!({ "left_ms": [60_000, 60_000], "running": 0 });
    assert_eq!(after(&ready[0])["clock"], running);
    let moved = apply_at(&mut table, 11_000, &ann(), Command::play("1,1"));
    assert_eq!(
        after(&moved[0]),
        json!({
            "turn": { "kind": "move", "seat": 1 },
            "clock": { "left_ms": [52_000, 60_000], "running": 1 },
        })
    );
}

#[test]
fn a_gift_of_time_tells_what_the_clocks_show_by_then() {
    let mut table = timed(parlor_games::mnk::KIND, total(60_000, 0));
    apply_at(&mut table, 0, &ann(), Command::Ready);
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    let given = apply_at(
        &mut table,
        7_000,
        &ann(),
        Command::GiveTime { seconds: Some(15) },
    );
    let clocks = json!({ "left_ms": [60_000, 68_000], "running": 1 });
    assert_eq!(after(&given[0])["clock"], clocks);
}

#[test]
fn the_last_move_tells_the_outcome_and_that_no_clock_runs() {
    let mut table = timed(parlor_games::mnk::KIND, total(60_000, 0));
    apply_at(&mut table, 0, &ann(), Command::Ready);
    for (n, text) in ["0,0", "1,0", "0,1", "1,1"].into_iter().enumerate() {
        apply_at(&mut table, 0, &[ann(), bob()][n % 2], Command::play(text));
    }
    let entries = apply_at(&mut table, 5_000, &ann(), Command::play("0,2"));
    assert_eq!(after(&entries[0])["turn"]["kind"], "over");
    assert_eq!(
        after(&entries[0])["clock"],
        json!({ "left_ms": [55_000, 60_000] })
    );
}

#[test]
fn luck_and_moves_taken_back_tell_the_turn_that_the_table_then_has() {
    let mut table = ann_and_bob();
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    apply_at(&mut table, 0, &ann(), Command::OfferTakeback);
    let taken = apply_at(&mut table, 0, &bob(), Command::AcceptTakeback);
    assert_eq!(
        after(&taken[0]),
        json!({ "turn": { "kind": "move", "seat": 0 } })
    );

    let mut table = pig(100);
    apply_at(&mut table, 0, &bob(), Command::join("Bob"));
    for _ in 0..20 {
        let seat = table.on_turn().expect("nobody has 100 points yet");
        let by = &[ann(), bob()][seat.index()];
        let entries = apply_at(&mut table, 0, by, Command::play("roll"));
        let last = entries.last().expect("at least the move");
        assert_eq!(after(&entries[0])["turn"], json!({ "kind": "chance" }));
        assert_eq!(after(last)["turn"], json!(table.view().turn));
    }
}

#[test]
fn offers_do_not_tell_the_turn() {
    let mut table = ann_and_bob();
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    let offered = apply_at(&mut table, 0, &ann(), Command::OfferDraw);
    assert_eq!(after(&offered[0]), Value::Null);
}

#[test]
fn a_log_from_before_events_told_the_turn_gives_the_same_table() {
    let mut table = timed(parlor_games::mnk::KIND, total(60_000, 1_000));
    for (n, text) in ["0,0", "1,0", "0,1"].into_iter().enumerate() {
        let by: &Issuer = &[ann(), bob()][n % 2];
        apply_at(&mut table, 1_000, by, Command::play(text));
    }
    let old: Vec<LogEntry> = table
        .log()
        .iter()
        .map(|entry| {
            let mut json = serde_json::to_value(entry).expect("plain data");
            json.as_object_mut().expect("an object").remove("after");
            serde_json::from_value(json).expect("an entry of before")
        })
        .collect();
    assert!(old.iter().all(|entry| entry.after.is_none()));
    let again = Table::replay(old, None).expect("its own log");
    assert_eq!(
        serde_json::to_value((again.view(), again.record())).expect("plain data"),
        serde_json::to_value((table.view(), table.record())).expect("plain data"),
    );
}
