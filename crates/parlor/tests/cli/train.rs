//! `parlor train` from scratch, for a few hundred games.

use std::fs;
use std::path::{Path, PathBuf};

use parlor_backgammon::Rules;
use parlor_core::{Notation, Position};

use crate::external::{ListeningBot, after, line};
use crate::{Ran, folder, run};

/// Trains small nets in a new folder.
fn train(name: &str, games: &str, more: &[&str]) -> (Ran, PathBuf) {
    let place = folder(name);
    (resume(&place, games, more), place)
}

fn resume(place: &Path, games: &str, more: &[&str]) -> Ran {
    let place = place.to_str().expect("a plain path");
    run(&[
        &[
            "train",
            "backgammon",
            place,
            "--size",
            "small",
            "--seed",
            "5",
            "--games",
            games,
        ],
        more,
    ]
    .concat())
}

fn net(place: &Path, games: u64) -> Vec<u8> {
    fs::read(place.join(format!("net-{games}"))).expect("a net is written when the training ends")
}

#[test]
fn the_same_seed_makes_the_same_nets_on_any_number_of_threads_and_with_a_pause() {
    let (one, alone) = train("train-one", "1024", &["--threads", "1"]);
    assert_eq!(one.code, Some(0), "{}", one.err);
    let (two, together) = train("train-two", "1024", &["--threads", "3"]);
    assert!(
        two.out.contains("1024 games, ") && two.out.contains("thousandths of a point per decision"),
        "{}",
        two.out
    );
    assert_eq!(net(&alone, 1_024), net(&together, 1_024));
    // Stop after the first round, then continue with the same command.
    let (first, paused) = train("train-paused", "1024", &["--minutes", "0"]);
    assert!(first.out.starts_with("512 games, "), "{}", first.out);
    resume(&paused, "1024", &[]);
    assert_eq!(net(&paused, 1_024), net(&alone, 1_024));
    let curve = fs::read_to_string(paused.join("curve.tsv")).expect("a curve");
    let games: Vec<&str> = curve
        .lines()
        .filter_map(|line| line.split('\t').next())
        .collect();
    assert_eq!(games, ["512", "1024"]);
}

#[test]
fn nets_can_be_refined_and_used() {
    let (_, place) = train("train-from", "512", &[]);
    let from = place.join("net-512");
    let from = from.to_str().expect("a plain path");
    let (refined, other) = train("train-refined", "512", &["--from", from, "--refine"]);
    assert!(
        refined.out.contains("rate 1.0e-5"),
        "{} {}",
        refined.out,
        refined.err
    );
    assert_ne!(net(&other, 512), net(&place, 512));
    let refined = other.join("net-512");
    let refined = refined.to_str().expect("a plain path");
    let bot = ListeningBot::start(&["--plies", "0", "--net", refined]);
    let start = after(Rules::GAME, &["3-1"]);
    let answer = &bot.answers(&[line(&start)])[0];
    let play = start.parse_move(&answer.replace(' ', ",")).expect("a play");
    assert_eq!(start.check(&play), Ok(()), "{answer}");
}

#[test]
fn files_without_a_training_are_refused() {
    let place = folder("train-wrong");
    fs::write(place.join("checkpoint"), "words").expect("a folder of the test");
    resume(&place, "512", &[]).is_refused_with("not a checkpoint");
    let words = place.join("checkpoint");
    let words = words.to_str().expect("a plain path");
    train("train-from-words", "512", &["--from", words])
        .0
        .is_refused_with("not a file of nets");
    train("train-unrefined", "512", &["--refine"])
        .0
        .is_refused_with("--from");
    train("train-nothing", "0", &[]).0.is_refused_with("0");
    run(&["train", "mnk", "somewhere"]).is_refused_with("backgammon");
    run(&["external", "backgammon", "--plies", "0", "--net", words])
        .is_refused_with("not a file of nets");
}
