//! The commands with ultimate tic-tac-toe.

use serde_json::{Value, json};

use crate::{folder, run, run_with};

const EMPTY: [[&str; 9]; 9] = [[""; 9]; 9];

/// Returns the engine's answers to some lines.
fn answers_to(args: &[&str], lines: &[&str]) -> Vec<String> {
    let ran = run_with(
        &[&["engine", "ultimate"], args].concat(),
        (lines.join("\n") + "\n").as_bytes(),
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    ran.out.lines().map(str::to_owned).collect()
}

#[test]
fn the_engine_reads_and_prints_moves_of_two_digits() {
    let answers = answers_to(
        &[],
        &[
            "position startpos moves 40 04",
            "legal",
            "go movetime 50 level 1",
            "quit",
        ],
    );
    assert_eq!(answers[0], "legal 41 42 43 44 45 46 47 48");
    let best = answers
        .last()
        .and_then(|line| line.strip_prefix("bestmove 4"))
        .expect("a move in board 4");
    assert!(best.len() == 1 && "12345678".contains(best), "{answers:?}");
}

#[test]
fn the_engine_lists_the_choices_of_an_option() {
    let answers = answers_to(
        &[],
        &[
            "ugi",
            "setoption name won_boards value open",
            "show",
            "setoption name won_boards value ajar",
        ],
    );
    let option = "option name won_boards type combo default closed var closed var open";
    assert!(answers.iter().any(|line| line == option), "{answers:?}");
    assert!(
        answers.iter().any(|line| line.starts_with("open ")),
        "{answers:?}"
    );
    assert!(
        answers
            .last()
            .is_some_and(|line| line.contains("closed or open")),
        "{answers:?}"
    );
}

#[test]
fn a_move_elsewhere_is_refused_with_the_reason() {
    let answers = answers_to(
        &[],
        &[
            "position startpos moves 40 11",
            "position startpos moves 40 99",
        ],
    );
    assert_eq!(answers[0], "error 11: Must play in the indicated board");
    assert!(answers[1].starts_with("error 99: "), "{answers:?}");
}

#[test]
fn perft_has_the_known_counts() {
    assert_eq!(run(&["perft", "ultimate", "--depth", "4"]).out, "55080\n");
    assert_eq!(
        run(&["perft", "ultimate", "--depth", "3", "--won-boards", "open"]).out,
        "6336\n"
    );
    let divided = run(&["perft", "ultimate", "--depth", "2", "--divide"]).out;
    // A mark in the square of its own board leaves one square fewer.
    assert!(
        divided.starts_with("00: 8\n01: 9\n") && divided.ends_with("87: 9\n88: 8\n720\n"),
        "{divided}"
    );
}

#[test]
fn options_are_flags_and_wrong_words_are_refused() {
    for args in [
        &["--won-boards", "ajar"][..],
        &["--option", "won_boards=ajar"],
    ] {
        run(&[&["perft", "ultimate", "--depth", "1"], args].concat()).is_refused_with("won_boards");
    }
    assert!(
        run(&["perft", "--help"])
            .out
            .contains("--won-boards <WON_BOARDS>")
    );
}

#[test]
fn every_move_of_a_line_comes_with_the_position_after_it() {
    let mut boards = json!(EMPTY);
    boards[4][0] = "X".into();
    let input = format!("{}\n{{}}\n", json!({"boards": boards, "target": 0}));
    let ran = run_with(&["legal", "ultimate", "--jsonl"], input.as_bytes());
    let answers: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let moves = answers[0]["moves"].as_array().expect("a list");
    assert_eq!(moves.len(), 9);
    assert_eq!(
        (&moves[4]["move"], &moves[4]["target"], &moves[4]["mover"]),
        (&json!("04"), &json!(4), &json!("X"))
    );
    assert_eq!(moves[4]["boards"][0][4], "O");
    assert!(
        answers[1]["error"]
            .as_str()
            .is_some_and(|error| error.contains("boards")),
        "{}",
        answers[1]
    );
}

#[test]
fn a_game_of_bots_is_recorded_and_verified() {
    let record = folder("ultimate").join("game.json");
    let record = record.to_str().expect("a plain path");
    let ran = run(&[
        "play",
        "ultimate",
        "--players",
        "level:1,random",
        "--seed",
        "3",
        "--record",
        record,
    ]);
    assert!(
        ran.out.contains("Player X (level:1) plays ") && ran.code == Some(0),
        "{} {}",
        ran.out,
        ran.err
    );
    assert_eq!(run(&["verify", record]).code, Some(0));
}

#[test]
fn a_person_enters_squares_and_is_prompted_for_the_board() {
    let ran = run_with(&["play", "ultimate"], b"40\n4\n77\nq\n");
    assert!(
        ran.out.contains("Player O, enter your move in board 0 "),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("Player X, enter your move in board 4 "),
        "one digit is a square there: {}",
        ran.out
    );
    assert!(ran.out.contains("Invalid move. Try again."), "{}", ran.out);
}
