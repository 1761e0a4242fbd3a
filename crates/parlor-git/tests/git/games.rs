//! Whole games.

use std::collections::BTreeSet;

use jsonschema::Validator;
use parlor_games::GameKind;
use parlor_games::repository::schemas;
use serde_json::{Value, json};

use crate::house::{Clone, House, git};
use parlor_git::paths::Slug;

fn schema(kind: GameKind, n: usize) -> Validator {
    let schema: Value = serde_json::from_str(&schemas(kind)[n].text).unwrap();
    jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap()
}

/// Plays a table to its end, each player from their own clone, and validates every state against
/// the schema.
fn play_to_the_end(
    slug: &Slug,
    clones: &[(&str, &Clone)],
    kind: GameKind,
    referee: impl Fn(),
) -> Value {
    let valid = schema(kind, 0);
    for n in 0.. {
        assert!(n < 700, "the game ends");
        let looker = clones[0].1;
        looker.pull();
        let state: Value = looker.folder(slug).read("state.json").unwrap();
        assert!(
            valid.is_valid(&state),
            "{:?}",
            valid
                .iter_errors(&state)
                .map(|error| error.to_string())
                .collect::<Vec<_>>()
        );
        if state["status"] == "completed" {
            return state;
        }
        let word = state["activePlayer"].as_str().unwrap();
        let name = state["players"][word].as_str().unwrap();
        let legal = looker.legal(slug);
        let text = &legal[(n * 7 + legal.len() / 2) % legal.len()];
        clones
            .iter()
            .find(|(other, _)| *other == name)
            .unwrap()
            .1
            .play(slug, text)
            .unwrap();
        referee();
    }
    unreachable!()
}

#[test]
fn a_match_of_backgammon_is_played_between_two_clones() {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table(
        "match",
        parlor_games::backgammon::KIND,
        json!({ "length": 2, "cube": "off" }),
        &["alice", "bob"],
    );
    let (alice, bob) = (house.clone_of("alice"), house.clone_of("bob"));
    let first = house.state(&slug);
    assert_eq!(
        (&first["turn"], &first["lastMove"]),
        (&json!(1), &Value::Null)
    );
    let told = first["messages"][0]["text"].as_str().unwrap();
    assert!(
        told == "Game started. White to move." || told == "Game started. Black to move.",
        "{told}"
    );
    let commitment =
        house.folder(&slug).read::<Value>("table.json").unwrap()["luck"]["commitment"].clone();
    let last = play_to_the_end(
        &slug,
        &[("alice", &alice), ("bob", &bob)],
        parlor_games::backgammon::KIND,
        || {
            house.referee();
        },
    );
    assert!(last["winner"] == "white" || last["winner"] == "black");
    let table: Value = house.folder(&slug).read("table.json").unwrap();
    assert_eq!(table["luck"]["commitment"], commitment);
    assert_eq!(table["luck"]["secret"].as_str().map(str::len), Some(64));
    let checked = house.verify(&slug);
    assert_eq!(checked.problems, []);
    assert!(checked.report.unwrap().luck_checked && checked.files > 30);
    let overview = git(
        house.branch.repository.path(),
        &["show", "main:tables/README.md"],
    );
    let winner = last["winner"].as_str().unwrap();
    assert!(
        overview.contains(&format!(
            "Backgammon, alice (white), bob (black): {winner} has won."
        )),
        "{overview}"
    );
    assert!(overview.contains("![The board](match/board.svg)"));
    let moves = schema(parlor_games::backgammon::KIND, 1);
    for (_, name, bytes) in house.folder(&slug).moves().unwrap() {
        assert!(
            moves.is_valid(&serde_json::from_slice(bytes).unwrap()),
            "{name}"
        );
    }
}

#[test]
fn ultimate_is_played_with_a_job_that_has_only_a_fresh_clone() {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table(
        "nine",
        parlor_games::ultimate::KIND,
        json!({}),
        &["bob", "alice"],
    );
    let (alice, bob) = (house.clone_of("alice"), house.clone_of("bob"));
    let last = play_to_the_end(
        &slug,
        &[("alice", &alice), ("bob", &bob)],
        parlor_games::ultimate::KIND,
        || {
            assert!(house.referee_by_job().commit.is_some());
        },
    );
    assert_eq!(last["activePlayer"], Value::Null);
    assert_eq!(house.verify(&slug).problems, []);
}

#[test]
fn bots_play_differently_at_each_table() {
    let house = House::open(&["alice"]);
    let games: BTreeSet<String> = (0..4)
        .map(|n| {
            let slug = house.table(
                &format!("bots-{n}"),
                parlor_games::mnk::KIND,
                json!({ "rows": 5, "columns": 5, "k": 4 }),
                &["bot:level:1", "bot:level:1"],
            );
            house.referee();
            let checked = house.verify(&slug);
            assert_eq!(checked.problems, []);
            let record = house.folder(&slug).files["record.json"].clone();
            let record: Value = serde_json::from_slice(&record).unwrap();
            record["log"]
                .as_array()
                .unwrap()
                .iter()
                .map(|step| step["move"].to_string())
                .collect()
        })
        .collect();
    assert!(games.len() > 1, "{games:?}");
}

#[test]
fn pandemic_is_played_by_two_and_a_bot() {
    let house = House::open(&["alice", "bob"]);
    let options = json!({ "players": 3, "epidemics": 6 });
    let slug = house.table(
        "world",
        parlor_games::pandemic::KIND,
        options,
        &["alice", "bot:level:1", "bob"],
    );
    let (alice, bob) = (house.clone_of("alice"), house.clone_of("bob"));
    play_to_the_end(
        &slug,
        &[("alice", &alice), ("bob", &bob)],
        parlor_games::pandemic::KIND,
        || {
            house.referee();
        },
    );
    let checked = house.verify(&slug);
    assert_eq!(checked.problems, []);
    assert!(checked.report.unwrap().luck_checked);
}

#[test]
fn a_double_is_taken_and_a_game_is_resigned() {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table(
        "cube",
        parlor_games::backgammon::KIND,
        json!({ "length": 3, "cube": "on" }),
        &["alice", "bob"],
    );
    let (alice, bob) = (house.clone_of("alice"), house.clone_of("bob"));
    let on_turn = |state: &Value| {
        if state["activePlayer"] == "white" {
            &alice
        } else {
            &bob
        }
    };
    let play = |text: &str| {
        let state = house.state(&slug);
        on_turn(&state).play(&slug, text).unwrap();
        house.referee();
        let state = house.state(&slug);
        assert!(
            schema(parlor_games::backgammon::KIND, 0).is_valid(&state),
            "{state}"
        );
        state
    };
    alice.pull();
    let first = alice.legal(&slug)[0].clone();
    play(&first);
    let state = play("double");
    assert_eq!(
        state["dice"], state["diceUsed"],
        "no dice lie there to be played"
    );
    let state = play("take");
    assert!(
        state["messages"]
            .as_array()
            .unwrap()
            .iter()
            .any(|said| said["text"].as_str().unwrap().ends_with("takes."))
    );
    let state = play("resign");
    assert_eq!(state["status"], "completed");
    assert_eq!(house.verify(&slug).problems, []);
}
