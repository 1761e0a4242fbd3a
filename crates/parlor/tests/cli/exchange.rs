//! `parlor import` and `parlor export`.

use serde_json::Value;

use crate::{folder, run, run_with};

/// Plays a match of two bots and returns the file of its record and the record.
fn record(place: &str) -> (String, Value) {
    let path = folder(place).join("match.json");
    let name = path.to_str().expect("a plain path").to_owned();
    let players = [
        "--players",
        "random,random",
        "--seed",
        "5",
        "--plain",
        "--record",
        &name,
    ];
    let game = ["play", "backgammon", "--length", "3", "--cube", "on"];
    let ran = run_with(&[&game[..], &players].concat(), b"");
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let json = serde_json::from_slice(&std::fs::read(&path).expect("the record")).expect("JSON");
    (name, json)
}

/// Returns the moves and chances of a record as texts.
fn steps(record: &Value) -> Vec<&str> {
    let log = record["log"].as_array().into_iter().flatten();
    log.filter_map(|step| step.get("move").or(step.get("chance"))?.as_str())
        .collect()
}

#[test]
fn a_match_survives_export_and_import_as_mat_and_sgf() {
    let (name, before) = record("exchange");
    for format in ["mat", "sgf"] {
        let file = name.replace("json", format);
        let ran = run(&["export", &name, "--format", format, "--output", &file]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let ran = run(&["import", &file]);
        assert_eq!(ran.code, Some(0), "{format}: {}", ran.err);
        let after: Value = serde_json::from_str(&ran.out).expect("a record");
        assert_eq!(steps(&after), steps(&before), "{format}");
        assert_eq!(
            (&after["options"], &after["ending"]),
            (&before["options"], &before["ending"]),
            "{format}"
        );
        assert_eq!(
            after["luck"]["by_hand"], true,
            "its luck was not drawn here"
        );
        let back = name.replace("json", &format!("{format}.json"));
        std::fs::write(&back, &ran.out).expect("a folder of the test");
        let ran = run(&["verify", &back]);
        assert_eq!(ran.code, Some(0), "{}", ran.out);
    }
}

#[test]
fn every_game_is_exported_as_text_picture_and_record() {
    let (name, before) = record("exchange-common");
    let ran = run(&["export", &name]);
    assert_eq!(
        serde_json::from_str::<Value>(&ran.out).expect("JSON"),
        before
    );
    let ran = run(&["export", &name, "--format", "txt", "--step", "2"]);
    assert!(
        ran.out.contains("   1. White rolls ") && ran.out.contains("+---+"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("   3. "), "{}", ran.out);
    let ran = run(&["export", &name, "--format", "svg", "--step", "0"]);
    assert!(ran.out.starts_with("<svg ") && ran.out.trim_end().ends_with("</svg>"));
}

#[test]
fn impossible_exports_and_imports_are_refused_in_one_line() {
    let (name, _) = record("exchange-wrong");
    for (arguments, reason) in [
        (
            &["export", &name, "--format", "pgn"][..],
            "it has json, txt, svg, mat, sgf",
        ),
        (
            &["export", &name, "--format", "svg", "--step", "100000"],
            "there is no step 100000",
        ),
        (&["export", "nowhere.json"], "nowhere.json: "),
        (
            &["import", &name],
            "no game has a format \"json\"; known formats: mat, sgf",
        ),
        (&["import", &name, "--format", "mat"], "match.json: line 1"),
        (
            &["import", "-", "--format", "mat", "--game", "mnk"],
            "mnk is not written as \"mat\"; there are none",
        ),
    ] {
        run(arguments).is_refused_with(reason);
    }
}
