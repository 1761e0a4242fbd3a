//! `parlor perft` and `parlor bench`.

use serde_json::Value;

use crate::run;

fn perft(args: &[&str]) -> u64 {
    let ran = run(&[&["perft", "mnk"], args].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    ran.last().parse().expect("the last line is a number alone")
}

#[test]
fn the_tree_of_tic_tac_toe_has_its_255168_games() {
    let paths: Vec<u64> = (0..=9)
        .map(|depth| perft(&["--depth", &depth.to_string()]))
        .collect();
    assert_eq!(
        paths,
        [
            1, 9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872
        ]
    );
    assert_eq!(perft(&["--depth", "10"]), 0, "no game has ten moves");
    // An unfinished path has one child per empty cell, so the other paths of that length are finished
    // games.
    let finished = |depth: usize| match paths.get(depth + 1) {
        Some(longer) => paths[depth] - longer / (9 - depth as u64),
        None => paths[depth],
    };
    assert_eq!((0..=9).map(finished).sum::<u64>(), 255_168);
}

#[test]
fn counts_start_from_moves_positions_and_options() {
    assert_eq!(perft(&["--depth", "2", "--moves", "1,1 0,0"]), 42);
    assert_eq!(
        perft(&["--depth", "1", "--position", "3x3x3 XO XX./OO./..."]),
        5
    );
    assert_eq!(
        perft(&["--depth", "3", "--rows", "4", "--columns", "4", "-k", "4"]),
        16 * 15 * 14
    );
    assert_eq!(
        perft(&["--depth", "2", "-o", "rows=5", "-o", "columns=5"]),
        600
    );
}

#[test]
fn a_divided_count_adds_up() {
    let ran = run(&["perft", "mnk", "--depth", "4", "--divide"]);
    let (parts, total): (Vec<&str>, Vec<&str>) =
        ran.out.lines().partition(|line| line.contains(": "));
    let leaves = parts.iter().map(|line| {
        line.split_once(": ")
            .expect("a part")
            .1
            .parse::<u64>()
            .expect("a number")
    });
    assert_eq!(
        (parts.len(), leaves.sum::<u64>(), total),
        (9, 3024, vec!["3024"])
    );
    let json: Value =
        serde_json::from_str(&run(&["perft", "mnk", "-d", "2", "--divide", "--json"]).out)
            .expect("JSON");
    assert_eq!(
        (json["nodes"].as_u64(), json["divide"]["1,1"].as_u64()),
        (Some(72), Some(8))
    );
}

#[test]
fn a_benchmark_reports_positive_figures() {
    let ran = run(&["bench", "mnk", "--seconds", "0.01", "--json"]);
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    for figure in [
        "playouts_per_second",
        "perft_nodes_per_second",
        "mcts_simulations_per_second",
    ] {
        assert!(
            json[figure].as_f64().is_some_and(|rate| rate > 0.0),
            "{figure}: {json}"
        );
    }
    assert_eq!(
        json.get("evaluations_per_second"),
        None,
        "this game has no net"
    );
    let ran = run(&["bench", "backgammon", "--seconds", "0.01", "--json"]);
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert!(
        json["evaluations_per_second"]
            .as_f64()
            .is_some_and(|rate| rate > 0.0),
        "{json}"
    );
    run(&["bench", "mnk", "--seconds", "0"]).is_refused_with("seconds");
}

#[test]
fn bots_play_against_each_other_and_begin_equally_often() {
    let args = ["bench", "mnk", "--bots", "perfect,random", "--games", "20"];
    let ran = run(&[&args[..], &["--nodes", "1000", "--json"]].concat());
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    let figure = |value: &Value| value.as_u64().expect("a number");
    let [perfect, random] = [0, 1].map(|bot| figure(&json["bots"][bot]["won"]));
    assert_eq!(perfect + figure(&json["drawn"]), 20, "{json}");
    assert_eq!(random, 0, "perfect play does not lose");
    assert!((100..=180).contains(&figure(&json["moves"])), "{json}");
    // The loser of the first-move advantage also moves first.
    let ran = run(&[
        "bench",
        "mnk",
        "-k",
        "1",
        "--bots",
        "random,random",
        "--games",
        "6",
    ]);
    assert!(
        ran.out.starts_with("random              won 3, 3 points\n"),
        "{}",
        ran.out
    );
    let ran = run(&["bench", "mnk", "--bots", "nobody,random"]);
    ran.is_refused_with("nobody");
    run(&["bench", "mnk", "--games", "3"]).is_refused_with("--bots");
    run(&["bench", "mnk", "--bots", "random,random", "--moves", "1,1"]).is_refused_with("--moves");
}

#[test]
fn bots_of_a_team_win_or_lose_together() {
    let ran = run(&[
        "bench",
        "pandemic",
        "--bots",
        "random,random,random",
        "--games",
        "3",
        "--json",
    ]);
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["lost_together"], 3, "{json}");
    assert_eq!(json["options"]["players"], 3, "{json}");
}
