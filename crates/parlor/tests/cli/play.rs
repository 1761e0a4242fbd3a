//! `parlor play` line by line.

use crate::{folder, run, run_with};

const PROMPT: &str = "enter your move (row [0-2] and column [0-2]):";

#[test]
fn a_game_reads_like_the_printed_one() {
    let ran = run_with(&["play", "mnk", "--plain"], b"1 2\n0 1\n0 2\n2 1\n2 2\n");
    let expected = "\
. | . | .
--+---+--
. | . | .
--+---+--
. | . | .

Player X, enter your move (row [0-2] and column [0-2]):
. | . | .
--+---+--
. | . | X
--+---+--
. | . | .

Player O, enter your move (row [0-2] and column [0-2]):
. | O | .
--+---+--
. | . | X
--+---+--
. | . | .

Player X, enter your move (row [0-2] and column [0-2]):
. | O | X
--+---+--
. | . | X
--+---+--
. | . | .

Player O, enter your move (row [0-2] and column [0-2]):
. | O | X
--+---+--
. | . | X
--+---+--
. | O | .

Player X, enter your move (row [0-2] and column [0-2]):
. | O | X
--+---+--
. | . | X
--+---+--
. | O | X

Player X Player X wins!
";
    assert_eq!(ran.out, expected);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

#[test]
fn rows_columns_and_both_diagonals_win() {
    for (moves, winner) in [
        ("0 0\n1 0\n0 1\n1 1\n0 2\n", "Player X Ann wins!"),
        ("0 0\n0 1\n0 2\n1 1\n2 2\n2 1\n", "Player O Bob wins!"),
        ("0 0\n0 1\n1 1\n0 2\n2 2\n", "Player X Ann wins!"),
        ("0 0\n0 2\n0 1\n1 1\n2 2\n2 0\n", "Player O Bob wins!"),
    ] {
        let ran = run_with(
            &["play", "mnk", "--players", "human:Ann,human:Bob"],
            moves.as_bytes(),
        );
        assert_eq!((ran.last(), ran.code), (winner, Some(0)), "{moves:?}");
    }
}

#[test]
fn a_full_board_is_a_draw_and_the_end() {
    let ran = run_with(
        &["play", "mnk"],
        b"0 0\n1 1\n2 2\n0 1\n2 1\n2 0\n0 2\n1 2\n1 0\n0 0\n",
    );
    assert_eq!(ran.last(), "It's a draw!");
    assert_eq!(
        ran.out.matches(PROMPT).count(),
        9,
        "no prompt after the end"
    );
}

#[test]
fn wrong_input_is_answered_and_asked_for_again() {
    let ran = run_with(
        &["play", "mnk"],
        b"\nhello\n1\n1 2 3\n1.5 1\n3 0\n-1 0\n99999999999999999999 0\n1 1\n1 1\nquit\n",
    );
    assert_eq!(
        ran.out
            .matches("Invalid input. Please enter row and column as numbers.\n")
            .count(),
        5
    );
    assert_eq!(ran.out.matches("Invalid move. Try again.\n").count(), 4);
    assert_eq!(
        ran.out.matches("X").count() - ran.out.matches("Player X").count(),
        1,
        "one move was played"
    );
}

#[test]
fn bytes_that_are_not_utf8_are_invalid_input() {
    let ran = run_with(&["play", "mnk"], b"\xff\xfe 1\n1 1\nq\n");
    assert!(
        ran.out.contains("Invalid input.") && ran.out.contains("Player O, "),
        "{}",
        ran.out
    );
}

#[test]
fn a_quit_word_and_the_end_of_the_input_end_a_game_cleanly() {
    for input in ["quit\n", "q\n", "exit\n", " QUIT \n", "", "1 1\n", "1 1"] {
        let ran = run_with(&["play", "mnk"], input.as_bytes());
        assert_eq!(
            (ran.code, ran.last(), ran.err.as_str()),
            (Some(0), "You left the game.", ""),
            "{input:?}"
        );
    }
}

#[test]
fn three_players_take_turns_on_a_larger_board() {
    let args = [
        "play",
        "mnk",
        "--rows",
        "6",
        "--columns",
        "6",
        "-k",
        "4",
        "--symbols",
        "XO#",
        "--players",
    ];
    let players = "human:Ann,human:Bob,human:Cy";
    let moves = "0 0\n1 0\n5 0\n0 1\n1 1\n4 1\n0 2\n1 2\n3 2\n5 5\n4 5\n2 3\n";
    let ran = run_with(&[args.as_slice(), &[players]].concat(), moves.as_bytes());
    assert!(
        ran.out
            .contains("Cy, enter your move (row [0-5] and column [0-5]):"),
        "{}",
        ran.out
    );
    assert_eq!(ran.last(), "Player # Cy wins!");
    assert!(ran.out.contains(&format!("--+{}--", "---+".repeat(4))));
}

#[test]
fn naming_three_players_is_enough_for_a_game_of_three() {
    let ran = run(&[
        "play",
        "mnk",
        "--rows",
        "6",
        "--columns",
        "6",
        "-k",
        "4",
        "--players",
        "human,human,random",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn bots_moves_are_printed_and_their_game_can_be_verified() {
    let record = folder("bots").join("game.json");
    let record = record.to_str().expect("a plain path");
    let ran = run(&[
        "play",
        "mnk",
        "--players",
        "level:1,random",
        "--seed",
        "5",
        "--record",
        record,
    ]);
    assert!(
        ran.out.contains("Player X (level:1) plays ")
            && ran.out.contains("Player O (random) plays "),
        "{}",
        ran.out
    );
    assert_eq!(run(&["verify", record]).code, Some(0));
    run(&["play", "mnk", "--record", record]).is_refused_with("exists");
}

#[test]
fn luck_is_committed_to_first_and_can_be_verified_at_the_end() {
    let record = folder("luck").join("game.json");
    let record = record.to_str().expect("a plain path");
    let moves = "roll\nhold\n".repeat(400);
    let args = [
        "play",
        "pig",
        "--option",
        "target=20",
        "--seed",
        "7",
        "--record",
        record,
    ];
    let ran = run_with(&args, moves.as_bytes());
    let first = ran.out.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("Luck is fixed for this game. SHA-256 of its secret: "),
        "{first}"
    );
    assert!(
        ran.out.contains("Luck: ") && ran.out.contains("Secret of the luck: "),
        "{}",
        ran.out
    );
    let verified = run(&["verify", record]);
    assert!(
        verified.out.contains("of luck derived again") && verified.code == Some(0),
        "{}",
        verified.out
    );
    assert_eq!(
        run_with(&args[..6], moves.as_bytes()).out,
        ran.out
            .rsplit_once("Record saved")
            .expect("the last line")
            .0
    );
}

#[test]
fn wrong_players_options_and_files_are_refused_in_one_line() {
    run(&["play", "mnk", "--players", "human,nobody"]).is_refused_with("nobody");
    run(&["play", "mnk", "--seats", "2", "--players", "human"]).is_refused_with("2 players");
    run(&["play", "mnk", "--players", "human"]).is_refused_with("2 players");
    run(&["play", "mnk", "--rows", "1000"]).is_refused_with("rows");
    run(&["play", "mnk", "-k", "9"]).is_refused_with("k");
    run(&["play", "mnk", "--symbols", "XX"]).is_refused_with("symbols");
    run(&["play", "mnk", "--option", "rows"]).is_refused_with("KEY=VALUE");
    run(&["play", "mnk", "--option", "bananas=3"]).is_refused_with("bananas");
    run(&["play", "mnk", "--record", "/nowhere/at/all.json"])
        .is_refused_with("/nowhere/at/all.json");
    run(&["play", "mnk", "--players", "human:,human"]).is_refused_with("name");
}
