//! `parlor analyze` on positions and games.

use serde_json::Value;

use crate::{folder, run, run_with};

/// The opening with 31 to play, for money.
const OPENING: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
/// White, with checkers on its 5 and 2 points, bears off with 19 of 36 rolls; otherwise Black wins.
const LAST_ROLL: &str = "XGID=--A--A------------------a-:0:0:1:00:0:0:0:0:10";

fn text(args: &[&str]) -> String {
    let ran = run(&[&["analyze", "backgammon"], args].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    ran.out
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&text(&[args, &["--json"]].concat())).expect("one JSON document")
}

/// Returns the plays of a position, best first.
fn plays(report: &Value) -> Vec<&str> {
    let ranked = report["decision"]["ranked"].as_array().expect("a decision");
    ranked
        .iter()
        .filter_map(|one| one["text"].as_str())
        .collect()
}

/// Returns the number with a title from pairs of titles and numbers.
fn number(pairs: &Value, title: &str) -> f64 {
    let pairs = pairs.as_array().into_iter().flatten();
    pairs
        .filter(|pair| pair[0] == title)
        .find_map(|pair| pair[1].as_f64())
        .expect("a number with this title")
}

/// Plays a match of two random bots and returns the file of its record.
fn record(place: &str) -> String {
    let path = folder(place).join("match.json");
    let name = path.to_str().expect("a plain path").to_owned();
    let players = [
        "--players",
        "random,random",
        "--seed",
        "2",
        "--plain",
        "--record",
        &name,
    ];
    let ran = run_with(
        &[
            &["play", "backgammon", "--length", "3", "--cube", "on"][..],
            &players,
        ]
        .concat(),
        b"",
    );
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    name
}

/// Exports a record to another format and returns the file.
fn exported(record: &str, format: &str) -> String {
    let file = record.replace("json", format);
    let ran = run(&["export", record, "--format", format, "--output", &file]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    file
}

#[test]
fn a_three_and_a_one_make_the_five_point_however_the_position_is_written() {
    let bare = OPENING.strip_prefix("XGID=").expect("a prefix");
    let own = "game+cube -b----E-C---eE---c-e----B- 1 w:31 0-0";
    let all = [
        &[OPENING][..],
        &[bare],
        &[own],
        &["4HPwATDgc/ABMA:cIkFAAAAAAAE"],
        &["4HPwATDgc/ABMA", "--dice", "31"],
    ];
    for what in all {
        assert_eq!(
            plays(&json(&[what, &["--plies", "1"]].concat()))[0],
            "8/5 6/5",
            "{what:?}"
        );
    }
    let text = text(&[OPENING, "--moves", "3"]);
    assert!(
        text.contains("White plays 3 1")
            && text.contains(OPENING)
            && text.contains("White to play 31"),
        "{text}"
    );
    assert!(
        text.contains("  1  2-ply  8/5 6/5 ") && text.contains("13 more"),
        "{text}"
    );
    assert!(!text.contains('\u{1b}'), "colors are for terminals");
}

#[test]
fn a_position_comes_through_a_pipe_in_every_form() {
    let state = r#"{"board": [-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2], "bar": {"white": 0, "black": 0},
        "home": {"white": 0, "black": 0}, "dice": [3, 1], "activePlayer": "white"}"#;
    let fibs = "board:a:b:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1";
    let pasted = format!("What would you do?\n\n{OPENING}\n\nThanks!\n");
    for text in [state, fibs, &pasted, OPENING] {
        let ran = run_with(
            &["analyze", "backgammon", "-", "--plies", "0", "--json"],
            text.as_bytes(),
        );
        let report: Value =
            serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{text}: {}", ran.err));
        assert_eq!(plays(&report)[0], "8/5 6/5", "{text}");
    }
}

#[test]
fn the_cube_of_a_last_roll_is_judged_exactly() {
    // 19 of 36 rolls win: equity 2/36 with a centered cube, twice that after a double, which Black
    // should take.
    let report = json(&[LAST_ROLL]);
    let decision = &report["decision"];
    assert_eq!(
        (&decision["topic"], &decision["verdict"]),
        (&"cube".into(), &"Double, take".into())
    );
    for (title, worth) in [
        ("no double", 2.0 / 36.0),
        ("double, take", 4.0 / 36.0),
        ("double, drop", 1.0),
    ] {
        let found = number(&decision["details"], title);
        assert!((found - worth).abs() < 1e-5, "{title}: {found}");
    }
    assert!(text(&[LAST_ROLL]).contains("Best: Double, take"));
    let answer = text(&[&LAST_ROLL.replace(":00:", ":D:")]);
    assert!(
        answer.contains("Black to answer the double") && answer.contains("Best: Take"),
        "{answer}"
    );
    assert!(
        answer.contains("take             -0.111") && answer.contains("drop             -1.000"),
        "{answer}"
    );
    assert!(
        !text(&[LAST_ROLL, "--cubeless"]).contains("Double"),
        "without the cube there is nothing to decide"
    );
}

#[test]
fn a_rollout_reports_its_error_and_does_not_depend_on_the_number_of_threads() {
    let rolled = |threads| {
        json(&[
            OPENING,
            "--rollout",
            "100",
            "--truncate",
            "3",
            "--moves",
            "2",
            "--threads",
            threads,
        ])
    };
    let report = rolled("1");
    assert_eq!(report, rolled("3"));
    assert_eq!(
        (&report["rollout"]["games"], &report["rollout"]["truncate"]),
        (&100.into(), &3.into())
    );
    let ranked = report["decision"]["ranked"].as_array().expect("a decision");
    assert!(ranked.iter().all(|one| {
        one["error"]
            .as_f64()
            .is_some_and(|error| error > 0.0 && error < 0.05)
    }));
    assert_eq!((ranked.len(), plays(&report)[0]), (2, "8/5 6/5"));
    let seeded = json(&[
        OPENING,
        "--rollout",
        "100",
        "--truncate",
        "3",
        "--moves",
        "2",
        "--seed",
        "2",
    ]);
    assert_ne!(seeded["decision"], report["decision"], "other dice");
}

#[test]
fn a_match_is_judged_game_by_game_in_every_format() {
    let record = record("analyze");
    let report = json(&[&record, "--plies", "0", "--moves", "2"]);
    assert_eq!(
        (&report["kind"], &report["length"]),
        (&"games".into(), &3.into())
    );
    let games = report["games"].as_array().expect("games");
    assert!(games.len() > 1, "the match should have several games");
    let stored: Value =
        serde_json::from_slice(&std::fs::read(&record).expect("the record")).expect("JSON");
    let steps: usize = games
        .iter()
        .filter_map(|game| game["steps"].as_array())
        .map(Vec::len)
        .sum();
    assert_eq!(
        Some(steps),
        stored["log"].as_array().map(Vec::len),
        "every step is judged"
    );
    for seat in 0..2 {
        let of_games = |field: &str| -> f64 {
            games
                .iter()
                .filter_map(|game| game["seats"][seat][field].as_f64())
                .sum()
        };
        for field in ["loss", "luck", "cost"] {
            let all = report["seats"][seat][field].as_f64().expect("a sum");
            assert!(
                (of_games(field) - all).abs() < 1e-9,
                "{field} of all games is the sum"
            );
        }
        assert!(
            number(&report["seats"][seat]["rates"], "error rate") > 30.0,
            "such players know nothing"
        );
    }
    for format in ["mat", "sgf"] {
        let file = exported(&record, format);
        let other = json(&[&file, "--plies", "0", "--moves", "2"]);
        assert_eq!(other["games"], report["games"], "{format}");
        assert_eq!(other["seats"], report["seats"], "{format}");
    }
    let second = json(&[&record, "--plies", "0", "--moves", "2", "--game", "2"]);
    assert_eq!(
        second["games"].as_array().map(Vec::as_slice),
        Some(&games[1..2])
    );
}

#[test]
fn results_are_summed_over_a_session_and_belong_to_a_match_as_a_whole() {
    let session = "; [Jacoby \"On\"]\n 0 point match\n\n Game 1\n ann : 0    bob : 0\n  1) 31: 8/5 6/5   Doubles => 2\n  2)  Drops\n      \
        Wins 1 point\n\n Game 2\n ann : 0    bob : 1\n  1) 31: 8/5 6/5   Doubles => 2\n  2)  Drops\n      Wins 1 point\n\n \
        Game 3\n ann : 0    bob : 2\n  1) 31: 8/5 6/5    44:\n";
    let args =
        |more: &[&'static str]| [&["analyze", "backgammon", "-", "--plies", "0"], more].concat();
    let all = run_with(&args(&[]), session.as_bytes());
    assert!(
        all.out
            .starts_with("Session of 3 games: ann (White) and bob (Black)"),
        "{}{}",
        all.out,
        all.err
    );
    assert!(
        all.out.contains("  1. bob  44  (not played)"),
        "{}",
        all.out
    );
    let two = session.split(" Game 3").next().expect("two games");
    let report: Value =
        serde_json::from_str(&run_with(&args(&["--json"]), two.as_bytes()).out).expect("JSON");
    let result = |seats: &Value| [0, 1].map(|seat| seats[seat]["result"].as_f64());
    assert_eq!(
        result(&report["games"][0]["seats"]),
        [Some(-1.0), Some(1.0)]
    );
    assert_eq!(result(&report["seats"]), [Some(-2.0), Some(2.0)]);

    let record = record("analyze-settled");
    let report = json(&[&record, "--plies", "0"]);
    let won = result(&report["seats"]);
    assert!(
        won == [Some(1.0), Some(0.0)] || won == [Some(0.0), Some(1.0)],
        "{won:?}"
    );
    let games = report["games"].as_array().expect("games");
    assert!(
        games
            .iter()
            .all(|game| result(&game["seats"]) == [None, None]),
        "no game alone decides the match"
    );
}

#[test]
fn games_are_listed_move_by_move_or_by_errors_alone() {
    let file = exported(&record("analyze-text"), "mat");
    let all = text(&[&file, "--plies", "0"]);
    assert!(
        all.starts_with("Match to 3: ") && all.contains("\nGame 1, 0-0\n  1. "),
        "{all}"
    );
    for part in [
        "??",
        "better: ",
        "error rate",
        "Snowie error rate",
        "PR",
        "luck",
        "All games",
        "luck-adjusted result",
    ] {
        assert!(all.contains(part), "{part} is missing: {all}");
    }
    let blunders = text(&[&file, "--plies", "0", "--only", "blunders"]);
    let marked = |mark: &str| {
        blunders
            .lines()
            .filter(|line| line.contains(". ") && line.contains(&format!(" {mark:2} ")))
            .count()
    };
    assert!(
        marked("??") > 5 && marked("?!") == 0 && blunders.len() < all.len(),
        "{blunders}"
    );
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let record = record("analyze-threads");
    let by = |threads| text(&[&record, "--plies", "1", "--game", "1", "--threads", threads]);
    assert_eq!(by("1"), by("4"));
}

#[test]
fn input_that_cannot_be_analyzed_is_refused_in_one_line() {
    let record = record("analyze-wrong");
    let mat = exported(&record, "mat");
    let sgf = exported(&record, "sgf");
    let place = folder("analyze-wrong-files");
    let write = |name: &str, text: &str| {
        let path = place.join(name);
        std::fs::write(&path, text).expect("a folder of the test");
        path.to_str().expect("a plain path").to_owned()
    };
    let bad_mat = "; [Site \"here\"]\n\n 3 point match\n\n Game 1\n a : 0    b : 0\n  1) 31: 8/5 6/5   42: 8/4 6/5\n";
    let bad_mat = write("bad.mat", bad_mat);
    let bad_sgf = "(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford]\n;W[31hefe]\n;B[42qust]\n)";
    let bad_sgf = write("bad.sgf", bad_sgf);
    let mut json: Value =
        serde_json::from_slice(&std::fs::read(&record).expect("the record")).expect("JSON");
    let step = json["log"]
        .as_array()
        .expect("a log")
        .iter()
        .position(|step| step.get("move").is_some());
    json["log"][step.expect("a move")]["move"] = "24/1".into();
    let bad_record = write("bad.json", &json.to_string());
    let other_game = write(
        "other.json",
        &json.to_string().replace("\"backgammon\"", "\"mnk\""),
    );
    for (args, reason) in [
        (
            &["mnk"][..],
            "mnk has no analysis; these games have one: backgammon",
        ),
        (&["chess"], "backgammon"),
        (&["backgammon"], "missing input"),
        (
            &["backgammon", "nowhere.mat"],
            "\"nowhere.mat\" is neither a file nor a position",
        ),
        (&["backgammon", "XGID=-b----E-C"], "an XGID has 10 fields"),
        (&["backgammon", "4HPwATDgc/ABMB"], "Position ID"),
        (&["backgammon", OPENING, "--plies", "4"], "--plies"),
        (&["backgammon", OPENING, "--dice", "31"], "already has dice"),
        (
            &["backgammon", "4HPwATDgc/ABMA", "--dice", "37"],
            "--dice: \"37\" is not a roll",
        ),
        (
            &["backgammon", OPENING, "--game", "1"],
            "--game applies to games",
        ),
        (&["backgammon", OPENING, "--seed", "1"], "--rollout"),
        (&["backgammon", &mat, "--game", "99"], "there is no game 99"),
        (
            &["backgammon", &sgf, "--dice", "31"],
            "--dice applies to positions",
        ),
        (&["backgammon", &bad_mat], "bad.mat: game 1, move 1: line 7"),
        (&["backgammon", &bad_sgf], "bad.sgf: game 1, move 1: line 3"),
        (
            &["backgammon", &bad_record],
            "bad.json: game 1, move 1: step",
        ),
        (
            &["backgammon", &other_game],
            "mnk has no analysis; these games have one: backgammon",
        ),
        (&["backgammon", "-"], "standard input: the file is empty"),
    ] {
        run(&[&["analyze"], args].concat()).is_refused_with(reason);
    }
}
