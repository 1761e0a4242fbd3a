//! `parlor verify` on valid and tampered records.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;

use serde_json::Value;

use crate::{folder, run, run_with};

/// Plays the dice game and returns the file of its record and the record.
fn record(place: &str) -> (String, Value) {
    let path = folder(place).join("game.json");
    let name = path.to_str().expect("a plain path").to_owned();
    let moves = "roll\nhold\n".repeat(400);
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
        moves.as_bytes(),
    );
    let json = serde_json::from_slice(&std::fs::read(&path).expect("the record")).expect("JSON");
    (name, json)
}

fn write(path: &Path, json: &Value) -> String {
    std::fs::write(path, json.to_string()).expect("a folder of the test");
    path.to_str().expect("a plain path").to_owned()
}

/// Changes a record and returns the output of its verification.
fn output_after(place: &str, change: impl Fn(&mut Value)) -> String {
    let (name, mut json) = record(place);
    change(&mut json);
    let ran = run(&["verify", &write(Path::new(&name), &json)]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    ran.out
}

#[test]
fn a_changed_roll_move_secret_or_result_is_detected() {
    let first_roll = |json: &mut Value| {
        let steps = json["log"].as_array_mut().expect("a log");
        let step = steps
            .iter_mut()
            .find(|step| step.get("chance").is_some())
            .expect("a roll");
        let other = if step["chance"] == "6" { "5" } else { "6" };
        step["chance"] = other.into();
    };
    assert!(output_after("roll", first_roll).contains("luck: the record says"));
    assert!(
        output_after("move", |json| json["log"][0]["move"] = "hold".into())
            .contains("does not hold")
    );
    assert!(
        output_after("seat", |json| json["log"][0]["seat"] = 1.into()).contains("Not your turn")
    );
    assert!(
        output_after("secret", |json| json["luck"]["secret"] =
            "00".repeat(32).into())
        .contains("commitment")
    );
    assert!(
        output_after("result", |json| json["ending"]["outcome"] =
            serde_json::json!({"kind": "draw"}))
        .contains("ending")
    );
    assert!(output_after("form", |json| json["more"] = 1.into()).contains("not a record"));
}

#[test]
fn every_record_is_reported_also_as_json() {
    let (good, mut json) = record("several");
    json["position"] = "elsewhere".into();
    let bad = write(&Path::new(&good).with_file_name("bad.json"), &json);
    let ran = run(&["verify", "--json", &good, &bad]);
    assert_eq!(ran.code, Some(1));
    let holds: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["holds"].clone())
        .collect();
    assert_eq!(holds, [true, false]);
    assert_eq!(
        run_with(&["verify", "-"], &std::fs::read(&good).expect("the record")).code,
        Some(0)
    );
}

#[test]
fn an_unreadable_record_is_refused() {
    run(&["verify", "/nowhere/at/all.json"]).is_refused_with("/nowhere/at/all.json");
    run(&["verify", "http://127.0.0.1:1/x"]).is_refused_with("refused");
    run(&["verify", "https://127.0.0.1:1/x"]).is_refused_with("plain http");
    run(&["verify"]).is_refused_with("required");
}

#[test]
fn a_record_is_fetched_from_a_server() {
    let (name, _) = record("fetched");
    let body = std::fs::read(name).expect("the record");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!(
        "http://{}/record",
        listener.local_addr().expect("an address")
    );
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a client");
        let request = BufReader::new(stream.try_clone().expect("a socket"));
        let lines = request
            .lines()
            .map_while(Result::ok)
            .take_while(|line| !line.is_empty());
        assert!(lines.count() > 0);
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        stream
            .write_all(&[head.as_bytes(), &body].concat())
            .expect("the client listens");
    });
    let ran = run(&["verify", &url]);
    server.join().expect("the server answered");
    assert!(
        ran.code == Some(0) && ran.out.contains("holds"),
        "{} {}",
        ran.out,
        ran.err
    );
}
