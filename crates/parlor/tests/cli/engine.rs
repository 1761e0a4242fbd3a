//! Sessions with the engine.

use crate::run_with;

/// Returns the engine's answers to some lines.
fn answers_to(lines: &[&str]) -> Vec<String> {
    let ran = run_with(&["engine", "mnk"], (lines.join("\n") + "\n").as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    ran.out.lines().map(str::to_owned).collect()
}

#[test]
fn the_greeting_lists_the_options_of_the_game() {
    let answers = answers_to(&["ugi", "isready"]);
    assert!(answers[0].starts_with("id name Parlor"));
    assert!(
        answers.contains(&"option name rows type spin default 3 min 1 max 26".to_owned()),
        "{answers:?}"
    );
    assert!(
        answers
            .iter()
            .any(|line| line.starts_with("option name level "))
    );
    assert_eq!(answers[answers.len() - 2..], ["ugiok", "readyok"]);
}

#[test]
fn a_bot_finds_the_winning_move_and_prints_it_after_its_info() {
    let answers = answers_to(&[
        "position startpos moves 0,0 1,0 0,1 1,1",
        "go nodes 2000",
        "quit",
    ]);
    assert_eq!(
        answers.last().map(String::as_str),
        Some("bestmove 0,2"),
        "{answers:?}"
    );
    assert!(
        answers[answers.len() - 2].starts_with("info depth "),
        "{answers:?}"
    );
}

#[test]
fn lines_are_queued_during_a_search() {
    let answers = answers_to(&[
        "go nodes 50 level 2",
        "position startpos moves 1,1",
        "legal",
        "query p1turn",
    ]);
    let at = |head: &str| {
        answers
            .iter()
            .position(|line| line.starts_with(head))
            .expect(head)
    };
    assert!(at("bestmove") < at("legal"), "{answers:?}");
    assert_eq!(answers.last().map(String::as_str), Some("response false"));
}

#[test]
fn queued_lines_are_executed_before_quit() {
    let answers = answers_to(&[
        "go nodes 500",
        "query gameover",
        "perft 2",
        "go infinite",
        "query result",
        "quit",
    ]);
    let heads: Vec<_> = answers
        .iter()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(
        heads,
        [
            "info", "bestmove", "response", "perft", "info", "bestmove", "response"
        ],
        "{answers:?}"
    );
}

#[test]
fn an_endless_search_is_ended_by_stop_quit_and_the_end_of_the_input() {
    let position = "position 6x6x5 XO ....../....../....../....../....../......";
    for (rest, last) in [
        (&["isready", "stop"][..], "bestmove "),
        (&["quit"], "bestmove "),
        (&["legal", "quit"], "legal "),
        (&[], "bestmove "),
    ] {
        let answers = answers_to(&[&[position, "go infinite bot mcts"], rest].concat());
        assert!(
            answers.last().is_some_and(|line| line.starts_with(last)),
            "{answers:?}"
        );
        assert!(
            answers.iter().any(|line| line.starts_with("bestmove ")),
            "{answers:?}"
        );
    }
}

#[test]
fn wrong_lines_are_answered_with_an_error_and_change_nothing() {
    let wrong = [
        "sing a song",
        "position",
        "position startpos moves 1,1 1,1",
        "position 3x3x3 XO XXX/OOO/...",
        "position startpos moves 5,5",
        "go fast",
        "go nodes many",
        "go level 9",
        "perft",
        "perft -1",
        "query weather",
        "setoption rows 4",
        "setoption name height value 4",
        "setoption name bot value stockfish",
    ];
    let mut lines = vec!["position startpos moves 2,2"];
    lines.extend(wrong);
    lines.push("show");
    let answers = answers_to(&lines);
    let errors = answers
        .iter()
        .filter(|line| line.starts_with("error "))
        .count();
    assert_eq!(errors, wrong.len(), "{answers:#?}");
    assert_eq!(
        answers.last().map(String::as_str),
        Some("3x3x3 XO .../.../..X")
    );
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    let ran = run_with(&["engine", "mnk"], b"\xff\xfe\nisready\n");
    assert_eq!(ran.out, "error the line is not UTF-8\nreadyok\n");
}

#[test]
fn options_take_effect_once_they_are_consistent() {
    let answers = answers_to(&[
        "setoption name k value 4",
        "setoption name rows value 4",
        "setoption name columns value 4",
        "perft 2",
        "setoption name k",
        "show",
    ]);
    assert!(
        answers[0].starts_with("info string"),
        "four in a row do not fit on 3x3: {answers:?}"
    );
    assert!(answers.contains(&"perft 2 240".to_owned()), "{answers:?}");
    assert!(
        answers
            .last()
            .is_some_and(|text| text.starts_with("4x4x4 ")),
        "{answers:?}"
    );
}

#[test]
fn the_end_of_a_game_can_be_asked_for() {
    let won = answers_to(&[
        "position 3x3x3 XO XXX/OO./...",
        "query gameover",
        "query result",
        "legal",
        "go nodes 1",
    ]);
    assert_eq!(
        won,
        ["response true", "response p1win", "legal", "bestmove none"]
    );
    let open = answers_to(&["query gameover", "query result", "query p1turn", "perft 3"]);
    assert_eq!(
        open,
        [
            "response false",
            "response none",
            "response true",
            "perft 3 504"
        ]
    );
}

#[test]
fn luck_is_part_of_the_moves() {
    let lines = b"position startpos moves roll\nlegal\ngo nodes 10\nposition startpos moves roll 5 hold roll\nposition startpos moves roll 7\nquery p1turn\n";
    let ran = run_with(&["engine", "pig"], lines);
    let answers: Vec<&str> = ran.out.lines().collect();
    assert_eq!(answers[..2], ["chance 1 2 3 4 5 6", "bestmove none"]);
    assert!(answers[2].starts_with("error 7: "), "{answers:?}");
    assert_eq!(answers[3], "response false");
}
