//! Tic-tac-toe as a table game: options, views, JSON positions, terminal.

use parlor_core::{Seat, Turn};
use parlor_games::PlayError;
use serde_json::{Value, json};

use super::{after, start};

fn problem(options: Value) -> (String, String) {
    let error = parlor_games::mnk::KIND
        .start(&options)
        .err()
        .unwrap_or_else(|| panic!("{options} was accepted"));
    let first = error.problems[0].clone();
    (first.field, first.message)
}

#[test]
fn options_are_completed() {
    assert_eq!(
        start(json!({"rows": 4, "columns": 6})).options(),
        json!({"rows": 4, "columns": 6, "k": 4, "seats": 2, "symbols": "XO"})
    );
    assert_eq!(
        start(json!({"symbols": ["#", "é", "7"]})).options()["seats"],
        3
    );
    assert_eq!(start(json!({"seats": 4})).options()["symbols"], "XOAB");
}

#[test]
fn bad_options_name_the_field_and_what_would_be_right() {
    let cases = [
        (json!({"rows": 0}), "rows", "from 1 to 26"),
        (json!({"columns": 1e30}), "columns", "from 1 to 26"),
        (json!({"rows": -3}), "rows", "-3"),
        (json!({"rows": "3"}), "rows", "a string"),
        (json!({"rows": true}), "rows", "a boolean"),
        (json!({"k": 4}), "k", "from 1 to 3"),
        (json!({"seats": 1}), "seats", "from 2 to 8"),
        (json!({"seats": 9}), "seats", "from 2 to 8"),
        (json!({"symbols": "XX"}), "symbols", "'X'"),
        (json!({"symbols": "X"}), "symbols", "seats"),
        (json!({"symbols": "X."}), "symbols", "'.'"),
        (json!({"symbols": "X "}), "symbols", "' '"),
        (json!({"symbols": ["XX", "O"]}), "symbols", "one character"),
        (json!({"symbols": 7}), "symbols", "a number"),
        (json!({"symbols": "XOABCDEFG"}), "symbols", "seats"),
        (json!({"symbols": "XOA", "seats": 2}), "symbols", "2 seats"),
        (json!({"row": 3}), "row", "rows, columns, k, seats, symbols"),
        (json!([3, 3]), "", "a list"),
    ];
    for (options, field, part) in cases {
        let (named, message) = problem(options.clone());
        assert_eq!(named, field, "{options}");
        assert!(message.contains(part), "{options}: {message}");
    }
}

#[test]
fn all_problems_are_told_at_once() {
    let error = parlor_games::mnk::KIND
        .start(&json!({"rows": 0, "columns": 99, "seats": 1, "colour": "red"}))
        .expect_err("all wrong");
    let fields: Vec<_> = error
        .problems
        .iter()
        .map(|problem| problem.field.as_str())
        .collect();
    assert_eq!(fields, ["colour", "rows", "columns", "seats"]);
}

#[test]
fn options_are_asked_for_in_a_sensible_order() {
    let schema = parlor_games::mnk::KIND.options_schema();
    let names: Vec<_> = parlor_games::in_order(&schema)
        .into_iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["rows", "columns", "k", "seats", "symbols"]);
}

#[test]
fn a_view_shows_board_turn_last_move_and_line() {
    let position = after(&["0,0", "1,1", "0,1"]);
    let view = position.view(Some("0,1"));
    assert_eq!(
        view["board"],
        json!([["X", "X", null], [null, "O", null], [null, null, null]])
    );
    assert_eq!(
        (&view["mover"], &view["last"], &view["line"]),
        (&json!("O"), &json!([0, 1]), &json!([]))
    );
    assert_eq!(view["turn"], json!({"kind": "move", "seat": 1}));
    let won = after(&["0,0", "1,1", "0,1", "1,0", "0,2"]).view(None);
    assert_eq!(won["line"], json!([[0, 0], [0, 1], [0, 2]]));
    assert_eq!(
        won["turn"],
        json!({"kind": "over", "outcome": {"kind": "won", "seat": 0, "points": 1}})
    );
    assert_eq!((&won["mover"], &won["last"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_position_is_read_from_a_board_alone() {
    let read = |json: Value| {
        parlor_games::mnk::KIND
            .position_from_json(&json)
            .map(|position| position.text())
    };
    assert_eq!(
        read(json!({"board": [["X", null, ""], [".", "O", null], ["X", null, null]]})).as_deref(),
        Ok("3x3x3 XO X../.O./X..")
    );
    assert_eq!(
        read(json!({"board": [["X", "O", null, null]], "k": 3})).as_deref(),
        Ok("1x4x3 XO XO..")
    );
    for bad in [
        json!({}),
        json!({"board": []}),
        json!({"board": [[]]}),
        json!({"board": [["X"], ["O", null]]}),
        json!({"board": [["XX", null]]}),
        json!({"board": [[1]]}),
        json!({"board": [["O", null, null], [null, null, null], [null, null, null]]}),
        json!({"board": [["X", "X", "X"], ["O", "O", "O"], [null, null, null]]}),
        json!(null),
    ] {
        assert!(read(bad.clone()).is_err(), "{bad}");
    }
}

#[test]
fn the_terminal_shows_the_board_of_the_console_game() {
    assert_eq!(
        after(&["1,2", "0,1"]).terminal(None),
        ". | O | .\n--+---+--\n. | . | X\n--+---+--\n. | . | .\n"
    );
    assert_eq!(
        start(json!({"rows": 2, "columns": 5})).terminal(None),
        ". | . | . | . | .\n--+---+---+---+--\n. | . | . | . | .\n"
    );
    assert_eq!(
        start(json!({"rows": 2, "columns": 1})).terminal(None),
        ".\n-\n.\n"
    );
}

#[test]
fn a_finished_game_is_named_before_anything_else() {
    let mut won = after(&["0,0", "1,1", "0,1", "1,0", "0,2"]);
    let refused = |error: Result<String, PlayError>| error.map_err(|error| error.to_string());
    for seat in [Seat::FIRST, Seat::SECOND] {
        assert_eq!(
            refused(won.play("0,0", seat)),
            Err("Game is already finished".to_owned())
        );
        assert_eq!(
            refused(won.play("9,9", seat)),
            Err("Game is already finished".to_owned())
        );
    }
    assert!(matches!(won.turn(), Turn::Over(_)));
}

#[test]
fn the_news_of_a_finished_game_is_what_ended_it() {
    assert_eq!(after(&["0,0"]).news(), None);
    let won = after(&["0,0", "1,1", "0,1", "1,0", "0,2"]);
    assert_eq!(won.news().as_deref(), Some("Three in a row."));
    let full = after(&[
        "0,0", "0,1", "0,2", "1,1", "1,0", "1,2", "2,1", "2,0", "2,2",
    ]);
    assert_eq!(full.news().as_deref(), Some("The board is full."));
}

#[test]
fn odd_symbols_are_escaped_in_the_picture() {
    let mut position = start(json!({"symbols": "<&\"", "rows": 3, "columns": 3}));
    for (text, seat) in ["0,0", "0,1", "0,2"].iter().zip(Seat::all(3)) {
        position.play(text, seat).expect("an empty cell");
    }
    let picture = position.svg(Some("0,2"));
    assert!(
        !picture.contains("<<")
            && !picture.contains("&\"")
            && picture.contains("&lt;")
            && picture.contains("&amp;")
    );
}
