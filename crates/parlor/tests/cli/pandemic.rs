//! The commands with Pandemic.

use serde_json::{Value, json};

use crate::{folder, run, run_with};

/// Fixed setup draws, as texts.
const SETUP_DRAWS: &str = "infect:Paris infect:Cairo infect:Tokyo infect:London infect:Lima infect:Delhi infect:Essen infect:Osaka infect:Miami \
                      deal:Atlanta deal:Airlift deal:Chicago deal:Lagos deal:Jakarta deal:Forecast deal:Seoul deal:Lima";
const ROLES: [&str; 4] = ["--roles", "Medic,Scientist", "--consent", "implied"];

/// Returns the engine's answers to some lines.
fn answers_to(lines: &[&str]) -> Vec<String> {
    let ran = run_with(
        &[&["engine", "pandemic"], &ROLES[..]].concat(),
        (lines.join("\n") + "\n").as_bytes(),
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    ran.out.lines().map(str::to_owned).collect()
}

#[test]
fn the_engine_prints_list_options_and_accepts_moves_of_any_seat() {
    let place = format!("position startpos moves {SETUP_DRAWS}");
    let answers = answers_to(&[
        "ugi",
        &place,
        "perft 1",
        "legal",
        &format!("{place} airlift:Scientist:Tokyo"),
        "show",
        "go nodes 1 level 1",
    ]);
    let has = |text: &str| answers.iter().any(|line| line.contains(text));
    assert!(has(
        "option name events type string default Airlift,Forecast,Government Grant,One Quiet Night,Resilient Population"
    ));
    assert!(
        has("option name players type spin default 2 min 2 max 4"),
        "{answers:?}"
    );
    let count = |head: &str| {
        answers
            .iter()
            .find_map(|line| line.strip_prefix(head))
            .expect(head)
            .to_owned()
    };
    assert_eq!(
        count("perft 1 "),
        count("legal ").split(' ').count().to_string()
    );
    assert!(
        has("2 Scientist in Tokyo"),
        "the Medic's event was played in the turn of the Scientist: {answers:?}"
    );
    assert!(
        answers
            .last()
            .is_some_and(|line| line.starts_with("bestmove ")),
        "{answers:?}"
    );
    let answers = answers_to(&[
        "setoption name events value Airlift,Holiday",
        "setoption name events value Airlift",
        "isready",
    ]);
    assert!(
        answers[0].contains("\"Holiday\" is no event"),
        "{answers:?}"
    );
    assert_eq!(answers[1..], ["readyok"]);
}

#[test]
fn positions_are_read_from_views_and_texts_and_only_bad_lines_fail() {
    let json = run(&[
        &["legal", "pandemic", "--json", "--moves", SETUP_DRAWS],
        &ROLES[..],
    ]
    .concat());
    let answer: Value = serde_json::from_str(&json.out).expect("JSON");
    let first = &answer["moves"][0];
    assert_eq!(first["move"], "drive:Chicago");
    assert_eq!(first["players"][1]["city"], "Chicago");
    let lines = [
        first
            .as_object()
            .map(|view| json!(view))
            .expect("a view")
            .to_string(),
        json!({"position": first["position"]}).to_string(),
        "nonsense".to_owned(),
        json!({"position": "2p4e"}).to_string(),
        json!({"players": []}).to_string(),
        json!({"position": first["position"]}).to_string(),
    ];
    let ran = run_with(
        &["legal", "pandemic", "--jsonl"],
        lines.join("\n").as_bytes(),
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let answers: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let is_error: Vec<bool> = answers
        .iter()
        .map(|answer| answer["error"].is_string())
        .collect();
    assert_eq!(is_error, [false, false, true, true, true, false]);
    assert_eq!((&answers[0], &answers[1]), (&answers[1], &answers[5]));
}

#[test]
fn perft_counts_from_the_setup_and_from_a_turn() {
    assert_eq!(run(&["perft", "pandemic", "--depth", "0"]).last(), "1");
    let turn = run(&[
        &["perft", "pandemic", "--depth", "1", "--moves", SETUP_DRAWS],
        &ROLES[..],
    ]
    .concat());
    let listed = run(&[&["legal", "pandemic", "--moves", SETUP_DRAWS], &ROLES[..]].concat());
    assert_eq!(turn.last(), listed.out.lines().count().to_string());
}

#[test]
fn a_game_of_bots_is_recorded_verified_and_narrated() {
    let path = folder("pandemic").join("game.json");
    let name = path.to_str().expect("a plain path");
    let bots = [
        "--players",
        "random,random,random",
        "--seed",
        "5",
        "--plain",
        "--record",
        name,
    ];
    let ran = run(&[&["play", "pandemic", "--epidemics", "6"], &bots[..]].concat());
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("Luck: infection") || ran.out.contains("gets a"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("The team loses."), "{}", ran.out);
    let record: Value =
        serde_json::from_slice(&std::fs::read(&path).expect("the record")).expect("JSON");
    assert_eq!(
        (
            &record["options"]["players"],
            &record["options"]["epidemics"]
        ),
        (&json!(3), &json!(6))
    );
    let ran = run(&["verify", name]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let log = run(&["export", name, "--format", "log"]);
    assert!(
        log.out
            .starts_with("Pandemic for 3 players with 6 epidemics")
            && log.out.contains("\nTurn 1, random ("),
        "{}",
        log.out
    );
    let txt = run(&["export", name, "--format", "txt"]);
    assert!(
        txt.out.contains(" begins with 3 ") && txt.out.contains("outbreaks "),
        "{}",
        txt.out
    );
    let svg = run(&["export", name, "--format", "svg", "--step", "30"]);
    assert!(svg.out.starts_with("<svg "), "{}", svg.err);
    let file = name.replace("json", "log");
    std::fs::write(&file, &log.out).expect("a folder of the test");
    run(&["import", &file]).is_refused_with("pandemic is written as \"log\", but not read from it");
}

#[test]
fn a_person_plays_by_words_and_learns_about_mistakes() {
    let lines = "?\nfly nowhere\ndraw:now\npass\nquit\n";
    let ran = run_with(
        &[
            "play",
            "pandemic",
            "--plain",
            "--seed",
            "4",
            "-o",
            "players=3",
        ],
        lines.as_bytes(),
    );
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    for part in [
        "(such as drive Paris, treat blue or draw; ? lists all):",
        "  drive ",
        "Invalid input: ",
        "Luck: ",
        "You left the game.",
    ] {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
    run(&["play", "pandemic", "-o", "players=5", "--plain"])
        .is_refused_with("a whole number from 2 to 4");
    run(&["play", "pandemic", "--roles", "Doctor", "--plain"])
        .is_refused_with("\"Doctor\" is no role");
    run(&[
        "play",
        "pandemic",
        "--players",
        "human,human,human,human,human",
        "--plain",
    ])
    .is_refused_with("2 players");
}

#[test]
fn a_person_asks_the_adviser_unless_the_table_has_none() {
    let play = |more: &[&str], lines: &str| {
        let args = ["play", "pandemic", "--plain", "--seed", "4"];
        run_with(&[&args[..], more].concat(), lines.as_bytes())
    };
    let ran = play(&[], " Advice\nquit\n");
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    for part in [
        "Type `advice` for the best turns.",
        "Your team wins ",
        "The best turns:",
        "\n1. ",
        "\n2. ",
    ] {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
    let begins = |line: &str| line.strip_prefix("   begins with ").map(str::to_owned);
    let first = ran.out.lines().find_map(begins).expect("a first move");
    let ran = play(&[], &format!("{first}\nadvice\nquit\n"));
    assert!(!ran.out.contains("Invalid"), "{first}: {}", ran.out);

    let ran = play(&["--no-advice"], "advice\nquit\n");
    assert!(
        ran.out.contains("There is no adviser at this table."),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("Type `advice`"), "{}", ran.out);
    let opponents = run_with(&["play", "mnk", "--plain"], b"advice\nquit\n");
    assert!(
        opponents.out.contains("Invalid input."),
        "{}",
        opponents.out
    );
}

#[test]
fn a_game_of_a_team_is_analyzed_turn_by_turn() {
    let path = folder("pandemic-analysis").join("game.json");
    let name = path.to_str().expect("a plain path");
    let bots = ["--players", "random,random", "--epidemics", "6"];
    let rest = ["--seed", "5", "--plain", "--record", name];
    let played = run(&[&["play", "pandemic"][..], &bots, &rest].concat());
    assert_eq!(played.code, Some(0), "{}{}", played.out, played.err);
    let mut record: Value =
        serde_json::from_slice(&std::fs::read(&path).expect("the record")).expect("JSON");
    let analyzed = |file: &str, more: &[&str]| {
        let args = ["analyze", "pandemic", file, "--plies", "0"];
        let ran = run(&[&args[..], more].concat());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{more:?}");
        ran.out
    };
    let text = analyzed(name, &[]);
    for part in [
        "random (",
        "\nThe team's chance to win, turn by turn, by 96 rollouts of 6 turns\n",
        "\n  1. random (",
        "\nThe team loses.\n",
        "\nLost by decisions ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(analyzed(name, &["--threads", "3"]), text);

    let json: Value = serde_json::from_str(&analyzed(name, &["--json"])).expect("JSON");
    let list = |field: &str| json[field].as_array().expect(field);
    let log = record["log"].as_array().expect("a log").len();
    assert_eq!(list("steps").len(), log, "every step is judged");
    let turns = list("turns");
    assert!(turns.len() >= 2, "{turns:?}");
    assert!(
        turns
            .windows(2)
            .all(|pair| pair[0]["seat"] != pair[1]["seat"]
                && pair[0]["step"].as_u64() < pair[1]["step"].as_u64())
    );
    let chances = turns.iter().filter_map(|turn| turn["chance"].as_f64());
    assert!(chances.clone().count() >= 2, "{turns:?}");
    assert!(chances.clone().all(|chance| (0.0..=1.0).contains(&chance)));
    for (turn, line) in turns.iter().zip(text.lines().skip(2)) {
        let chance = turn["chance"].as_f64().map(|chance| 100.0 * chance);
        let shown = chance.map_or("no choice".to_owned(), |chance| format!("{chance:.1}%"));
        assert!(line.contains(&shown), "{turn}: {line}");
    }
    let changes = list("turning_points").iter().map(|point| {
        let change = point["change"].as_f64().expect("a number");
        assert!(text.contains(&format!("  turn {}, ", point["turn"])));
        change.abs()
    });
    assert!(changes.is_sorted_by(|one, next| one >= next));

    record["ending"] = Value::Null;
    record["log"].as_array_mut().expect("a log").truncate(30);
    let running = path.with_file_name("running.json");
    let running = running.to_str().expect("a plain path");
    std::fs::write(running, record.to_string()).expect("a folder of the test");
    assert!(analyzed(running, &[]).contains("\nThe game is not over.\n"));
    record["log"][29] = json!({ "seat": 0, "move": "dance", "at": 0 });
    std::fs::write(running, record.to_string()).expect("a folder of the test");
    for (args, reason) in [
        (&["pandemic", running][..], "step 30, dance: "),
        (
            &["pandemic", name, "--game", "1"],
            "--game does not apply to games of a team",
        ),
        (
            &["backgammon", name],
            "this is a game of pandemic: use `parlor analyze pandemic`",
        ),
        (&["pandemic"], "missing input: a file with a record"),
    ] {
        run(&[&["analyze"], args].concat()).is_refused_with(reason);
    }
}
