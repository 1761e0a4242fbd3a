//! `parlor legal` on given positions.

use serde_json::{Value, json};

use crate::{run, run_with};

fn answers(input: &[u8]) -> Vec<Value> {
    let ran = run_with(&["legal", "mnk", "--jsonl"], input);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    ran.out
        .lines()
        .map(|line| serde_json::from_str(line).expect("every answer is JSON"))
        .collect()
}

#[test]
fn every_move_comes_with_the_position_after_it() {
    let input = json!({"board": [["X", "O", "X"], ["O", "O", "X"], [null, "X", null]]});
    let [answer] = answers(format!("{input}\n").as_bytes())
        .try_into()
        .expect("one line for one line");
    let moves = answer["moves"].as_array().expect("a list");
    assert_eq!(moves.len(), 2);
    assert_eq!(moves[0]["move"], "2,0");
    assert_eq!(
        moves[0]["board"],
        json!([["X", "O", "X"], ["O", "O", "X"], ["O", "X", null]])
    );
    assert_eq!(moves[1]["move"], "2,2");
    assert_eq!(moves[1]["turn"], json!({"kind": "move", "seat": 0}));
}

#[test]
fn a_finished_game_has_no_moves() {
    let input = json!({"board": [["X", "X", "X"], ["O", "O", null], [null, null, null]]});
    assert_eq!(
        answers(input.to_string().as_bytes()),
        [json!({"moves": []})]
    );
}

#[test]
fn every_bad_line_is_answered_with_an_error() {
    let good = json!({"board": [[null, null], [null, null]]}).to_string();
    let deep = "[".repeat(100_000);
    let mut input = Vec::new();
    for line in [
        "",
        "nonsense",
        "[]",
        "{}",
        r#"{"board":3}"#,
        r#"{"board":[["X"],["X","O"]]}"#,
        r#"{"board":[["XO"]]}"#,
        &deep,
    ] {
        input.extend_from_slice(line.as_bytes());
        input.push(b'\n');
    }
    input.extend_from_slice(b"\xff\xfe\n");
    input.extend_from_slice("9".repeat(2 << 20).as_bytes());
    input.extend_from_slice(format!("\n{good}").as_bytes());
    let answers = answers(&input);
    assert_eq!(answers.len(), 11);
    assert!(
        answers[..10]
            .iter()
            .all(|answer| answer["error"].is_string()),
        "{answers:?}"
    );
    assert_eq!(answers[10]["moves"].as_array().map(Vec::len), Some(4));
}

#[test]
fn the_moves_of_one_position_are_printed_as_text() {
    let ran = run(&["legal", "mnk", "--position", "3x3x3 XO XOX/OXO/OX."]);
    assert_eq!((ran.out.as_str(), ran.code), ("2,2\n", Some(0)));
    run(&["legal", "mnk", "--position", "3x3x3 XO XXX/XXX/XXX"]).is_refused_with("position");
    run(&["legal", "mnk", "--moves", "1,1 1,1"]).is_refused_with("1,1: ");
    run(&["legal", "mnk", "--rows", "4", "--jsonl"]).is_refused_with("--jsonl");
    run(&[
        "legal",
        "mnk",
        "--rows",
        "4",
        "--position",
        "3x3x3 XO .../.../...",
    ])
    .is_refused_with("--position");
}
