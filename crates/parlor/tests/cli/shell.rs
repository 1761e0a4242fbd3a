//! Help, completions, manual pages, invalid calls, closed pipes.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::{folder, parlor, run};

const COMMANDS: [&str; 13] = [
    "serve",
    "play",
    "engine",
    "legal",
    "perft",
    "analyze",
    "advise",
    "verify",
    "bench",
    "train",
    "admin",
    "completions",
    "man",
];

#[test]
fn every_command_has_help_with_an_example() {
    let top = run(&["--help"]);
    for command in COMMANDS {
        assert!(
            top.out.contains(&format!("\n  {command} ")),
            "{command} is not listed"
        );
        let command: &[&str] = if command == "admin" {
            &["admin", "backup"]
        } else {
            &[command]
        };
        let help = run(&[command, &["--help"]].concat());
        assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
        assert!(
            help.out.contains("Example")
                && help.out.contains(&format!("parlor {}", command.join(" "))),
            "{}",
            help.out
        );
    }
}

#[test]
fn invalid_calls_are_refused_in_one_line() {
    run(&[]).is_refused_with("command");
    run(&["dance"]).is_refused_with("dance");
    run(&["play"]).is_refused_with("GAME");
    run(&["play", "chess"]).is_refused_with("mnk");
    run(&["perft", "mnk", "--rwos", "3"]).is_refused_with("--rows");
    run(&["perft", "mnk", "--depth", "-1"]).is_refused_with("-1");
    run(&["perft", "mnk", "--depth", "lots"]).is_refused_with("lots");
}

#[test]
fn completions_and_manual_pages_are_written() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]);
        assert!(
            script.code == Some(0)
                && script.out.contains("perft")
                && script.out.contains("columns"),
            "{shell}"
        );
    }
    assert!(run(&["man"]).out.contains(".SH SYNOPSIS"));
    let place = folder("man");
    assert_eq!(
        run(&["man", place.to_str().expect("a plain path")]).code,
        Some(0)
    );
    for page in ["parlor.1", "parlor-play.1", "parlor-admin-backup.1"] {
        assert!(
            std::fs::metadata(place.join(page)).is_ok_and(|page| page.len() > 200),
            "{page}"
        );
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut command = parlor(&["legal", "mnk", "--jsonl"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut input = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || {
        // Until the program stops reading.
        while std::io::Write::write_all(&mut input, b"{}\n").is_ok() {}
    });
    let mut line = String::new();
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    output.read_line(&mut line).expect("an answer");
    drop(output);
    let ended = child.wait_with_output().expect("it ends");
    writer.join().expect("the writer ends");
    assert_eq!(
        (ended.status.code(), ended.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}
