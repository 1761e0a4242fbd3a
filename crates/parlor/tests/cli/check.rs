//! `parlor check` on valid and invalid files.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::{folder, run, run_with};

/// Returns the path of a backgammon state used by the tests of the game.
fn state(path: &str) -> String {
    let states = Path::new(env!("CARGO_MANIFEST_DIR")).join("../parlor-games/tests/games/states");
    states.join(path).to_str().expect("a plain path").to_owned()
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path: PathBuf = folder.join(name);
    std::fs::write(&path, bytes).expect("a folder of the test");
    path.to_str().expect("a plain path").to_owned()
}

fn lines(out: &str) -> Vec<Value> {
    out.lines()
        .map(|line| serde_json::from_str(line).expect("every line is JSON"))
        .collect()
}

#[test]
fn every_file_is_reported_with_all_its_problems() {
    let (good, bad) = (
        state("valid/start.json"),
        state("invalid/several-rules.json"),
    );
    let ran = run(&["check", &good, &bad]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    let reports: Vec<&str> = ran.out.lines().collect();
    assert_eq!(reports[0], format!("{good}: valid (state of backgammon)"));
    assert_eq!(reports[1], format!("{bad}: invalid"));
    assert_eq!(reports.len(), 9, "{}", ran.out);
    assert!(
        ran.out.contains(
            "  checkers: black has 14 checkers on the board, the bar and off; there are 15\n"
        ),
        "{}",
        ran.out
    );
    assert_eq!(run(&["check", &good]).code, Some(0));
}

#[test]
fn json_reports_each_file_in_one_line() {
    let (good, bad) = (state("valid/start.json"), state("invalid/white-16.json"));
    let ran = run(&["check", "--json", &good, &bad]);
    let message = "white has 16 checkers on the board, the bar and off; there are 15";
    let expected = [
        json!({"file": good, "valid": true, "problems": []}),
        json!({"file": bad, "valid": false, "problems": [{"rule": "checkers", "message": message}]}),
    ];
    assert_eq!(
        (ran.code, lines(&ran.out).as_slice()),
        (Some(1), expected.as_slice())
    );
    assert!(
        ran.out.starts_with("{\"file\":") && ran.out.contains("\"valid\":true,\"problems\":[]"),
        "{}",
        ran.out
    );
}

#[test]
fn the_printed_examples_are_valid_from_every_start_with_a_note_if_unreachable() {
    for start in ["standard", "printed", "printed-up"] {
        let ran = run(&[
            "check",
            "--start",
            start,
            "--json",
            &state("valid/printed-initial.json"),
            &state("valid/printed-midgame.json"),
        ]);
        let reports = lines(&ran.out);
        assert!(
            ran.code == Some(0) && reports.iter().all(|line| line["valid"] == true),
            "{}",
            ran.out
        );
        assert_eq!(
            reports[0].get("notes").is_none(),
            start != "standard",
            "{}",
            ran.out
        );
        assert_eq!(reports[1]["notes"][0]["rule"], "unreachable");
    }
    let ran = run(&["check", &state("valid/printed-midgame.json")]);
    assert!(
        ran.out
            .contains("  note: unreachable: no play leads here: black has played at most 20 dice"),
        "{}",
        ran.out
    );
    run(&["check", "--start", "upwards", "state.json"]).is_refused_with("printed-up");
}

#[test]
fn records_are_verified() {
    let folder = folder("check-records");
    let name = folder
        .join("game.json")
        .to_str()
        .expect("a plain path")
        .to_owned();
    run_with(
        &[
            "play",
            "pig",
            "--option",
            "target=20",
            "--seed",
            "3",
            "--record",
            &name,
        ],
        "roll\nhold\n".repeat(400).as_bytes(),
    );
    let ran = run(&["check", &name]);
    assert_eq!(
        (ran.code, ran.out),
        (Some(0), format!("{name}: valid (record)\n"))
    );
    let mut json: Value =
        serde_json::from_slice(&std::fs::read(&name).expect("the record")).expect("JSON");
    json["log"][0]["seat"] = 1.into();
    let ran = run(&[
        "check",
        "--json",
        &write(&folder, "changed.json", json.to_string().as_bytes()),
    ]);
    assert_eq!(
        (ran.code, &lines(&ran.out)[0]["problems"][0]["rule"]),
        (Some(1), &json!("move"))
    );
    let ran = run(&[
        "check",
        "--json",
        &write(&folder, "other.json", br#"{"format": "parlor-record/9"}"#),
    ]);
    assert_eq!(
        (ran.code, &lines(&ran.out)[0]["problems"][0]["rule"]),
        (Some(1), &json!("form"))
    );
}

#[test]
fn move_files_are_recognized_by_their_names_and_fields() {
    let folder = folder("check-moves");
    let file = json!({
        "player": "black", "moves": [{"from": 16, "to": 19, "die": 3}, {"from": 18, "to": 19, "die": 1}], "timestamp": "2026-03-01T12:01:00Z",
        "expectedState": "0123456789abcdef", "diceRoll": [3, 1], "comment": null, "commitSha": null,
    });
    let ran = run(&[
        "check",
        "--json",
        &write(&folder, "draft.json", file.to_string().as_bytes()),
    ]);
    let reports = lines(&ran.out);
    assert_eq!(
        (ran.code, &reports[0]["valid"]),
        (Some(0), &json!(true)),
        "{}",
        ran.out
    );
    let note = reports[0]["notes"][0]["message"].as_str().expect("a note");
    let from = note.find("0001-black-").expect("the right name is said");
    let right = &note[from..from + "0001-black-012345.json".len()];
    assert_eq!(
        run(&["check", &write(&folder, right, file.to_string().as_bytes())]).code,
        Some(0)
    );
    let ran = run(&[
        "check",
        &write(
            &folder,
            "0001-white-012345.json",
            file.to_string().as_bytes(),
        ),
    ]);
    assert!(
        ran.code == Some(1)
            && ran.out.contains("  name-player: ")
            && ran.out.contains("  name-hash: "),
        "{}",
        ran.out
    );
}

#[test]
fn junk_is_invalid_with_a_reason() {
    let folder = folder("check-junk");
    let many = vec![b'['; 100_000];
    let long = [b"{\"turn\": 1".as_slice(), &vec![b' '; 1 << 20], b"}"].concat();
    let cases = [
        ("empty.json", b"".as_slice(), "json: this is not JSON: EOF"),
        (
            "junk.json",
            &[0, 159, 146, 150, 255],
            "json: this is not JSON",
        ),
        (
            "deep.json",
            &many,
            "json: this is not JSON: recursion limit exceeded",
        ),
        (
            "long.json",
            &long,
            "size: the file has more than 1048576 bytes",
        ),
        ("list.json", b"[1, 2]", "kind: the format is unknown"),
        (
            "other.json",
            b"{\"name\": \"x\"}",
            "kind: the format is unknown",
        ),
        ("state.json", b"{}", "schema: updatedAt is missing"),
    ];
    for (name, bytes, reason) in cases {
        let ran = run(&["check", &write(&folder, name, bytes)]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{name}");
        assert!(ran.out.contains(reason), "{name}: {}", ran.out);
    }
}

#[test]
fn an_unreadable_file_is_refused_and_the_others_are_still_checked() {
    let folder = folder("check-unreadable");
    let good = state("valid/start.json");
    let ran = run(&[
        "check",
        "--json",
        folder.to_str().expect("a plain path"),
        &good,
        "/nowhere/at/all.json",
    ]);
    assert_eq!(ran.code, Some(2));
    let reports = lines(&ran.out);
    let valid: Vec<&Value> = reports.iter().map(|line| &line["valid"]).collect();
    assert_eq!(valid, [false, true, false]);
    assert_eq!(reports[0]["problems"][0]["rule"], "read");
    run(&["check", "/nowhere/at/all.json"]).is_refused_with("/nowhere/at/all.json");
    run(&["check"]).is_refused_with("required");
}

#[test]
fn a_file_can_come_from_standard_input() {
    let bytes = std::fs::read(state("valid/start.json")).expect("a state");
    let ran = run_with(&["check", "-"], &bytes);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "-: valid (state of backgammon)\n")
    );
    assert_eq!(run_with(&["check", "-"], b"no").code, Some(1));
}
