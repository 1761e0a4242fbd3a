//! `state.json`: reading, rejection with reasons, and writing.
//!
//! `states/valid.tsv` lists each file, its start layout and the notes it gets; `states/invalid.tsv`
//! lists each file and all rules it violates, one word per fault.

use std::collections::BTreeSet;
use std::path::PathBuf;

use parlor_backgammon::StartLayout;
use parlor_backgammon::{Chance, Game, Roll, Rules};
use parlor_core::{Position, Turn};
use parlor_formats::state_json::{LastMoveEntry, MoveFileName, StateDocument, StateExtras};
use parlor_games::backgammon::state::{SCHEMA, check, read, stamp, write};
use parlor_games::files::{Document, Finding};
use proptest::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

fn bytes(folder: &str, name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/games/states")
        .join(folder)
        .join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the lines of a list of files, after checking that it contains every file of the folder.
fn listed(folder: &str) -> Vec<Vec<String>> {
    let list = String::from_utf8(bytes("", &format!("{folder}.tsv"))).expect("a list");
    let lines: Vec<Vec<String>> = list
        .lines()
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect();
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/games/states")
        .join(folder);
    let files = std::fs::read_dir(path)
        .expect("a folder")
        .map(|entry| entry.expect("a file").file_name());
    let files: BTreeSet<String> = files
        .map(|name| name.into_string().expect("a plain name"))
        .collect();
    assert_eq!(
        lines
            .iter()
            .map(|line| format!("{}.json", line[0]))
            .collect::<BTreeSet<_>>(),
        files
    );
    lines
}

fn rules(findings: &[Finding]) -> String {
    let mut rules: Vec<&str> = findings.iter().map(|finding| finding.rule).collect();
    rules.sort_unstable();
    rules.join(" ")
}

/// Returns the schema, with validation of timestamps.
fn schema() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("a JSON Schema")
}

/// Returns true if the reader finds no violation of the schema.
fn keeps_schema(value: &Value) -> bool {
    let checked = check(value, StartLayout::Standard);
    let structural = |finding: &&Finding| {
        finding.rule == "schema" || finding.message.contains("is not a time such as")
    };
    !checked.problems.iter().any(|finding| structural(&finding))
}

fn state(name: &str) -> Value {
    serde_json::from_slice(&bytes("valid", &format!("{name}.json"))).expect("a valid file is JSON")
}

#[test]
fn valid_states_are_accepted_with_their_notes() {
    for line in listed("valid") {
        let [name, start, notes] = &line[..] else {
            panic!("{line:?}")
        };
        let start = StartLayout::from_name(start).expect("a start");
        let checked = super::check_file(
            "state.json",
            &bytes("valid", &format!("{name}.json")),
            start,
        );
        assert_eq!(checked.problems, [], "{name}");
        assert_eq!(
            rules(&checked.notes),
            notes.trim_matches('-'),
            "{name}: {:?}",
            checked.notes
        );
    }
}

#[test]
fn invalid_states_are_refused_with_all_their_reasons() {
    let lines = listed("invalid");
    assert!(lines.len() >= 60);
    for line in lines {
        let [name, expected] = &line[..] else {
            panic!("{line:?}")
        };
        let checked = super::check_file(
            "state.json",
            &bytes("invalid", &format!("{name}.json")),
            StartLayout::Standard,
        );
        assert_eq!(
            &rules(&checked.problems),
            expected,
            "{name}: {:#?}",
            checked.problems
        );
        assert!(
            checked
                .problems
                .iter()
                .all(|finding| !finding.message.contains('\n')),
            "{name}"
        );
    }
}

#[test]
fn our_reading_agrees_with_the_schema_on_every_file() {
    let schema = schema();
    for folder in ["valid", "invalid"] {
        for line in listed(folder) {
            let Ok(value) =
                serde_json::from_slice::<Value>(&bytes(folder, &format!("{}.json", line[0])))
            else {
                continue;
            };
            assert_eq!(
                keeps_schema(&value),
                schema.is_valid(&value),
                "{}: {:?}",
                line[0],
                check(&value, StartLayout::Standard)
            );
        }
    }
}

#[test]
fn the_schema_is_the_published_one() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    assert_eq!(
        schema["$id"],
        "https://gitgammon.github.io/schemas/state.json"
    );
    assert!(jsonschema::meta::is_valid(&schema));
    assert_eq!(
        schema["required"],
        json!(parlor_games::backgammon::state::FIELDS)
    );
}

#[test]
fn the_printed_state_of_a_middle_game_is_told_to_be_unreachable_and_accepted() {
    let checked = super::check_file(
        "state.json",
        &bytes("valid", "printed-midgame.json"),
        StartLayout::PrintedUp,
    );
    assert!(checked.is_valid());
    let note = &checked.notes[0].message;
    assert_eq!(
        note,
        "no play leads here: black has played at most 20 dice before turn 12, and would need at least 38"
    );
}

/// Plays a random game and returns every state that a referee would write.
fn states(start: StartLayout, seed: u64) -> Vec<(StateDocument, Game)> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = Game::new(Rules {
        start,
        ..Rules::GAME
    });
    let (mut turn, mut last, mut dice) = (1, None::<LastMoveEntry>, Vec::new());
    let (mut all, mut scratch, mut chances) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        match game.turn() {
            Turn::Chance => {
                let chance = game
                    .random_chance(&mut rng, &mut chances)
                    .expect("luck decides");
                dice = match chance {
                    Chance::Opening { white, black } => Roll::new(white, black).faces(),
                    Chance::Roll(roll) => roll.faces(),
                };
                game.resolve(&chance);
            }
            Turn::Move(seat) => {
                let stuck = game.forced_move().is_some();
                if !stuck {
                    all.push((state_of(&game, turn, &dice, last.clone()), game.clone()));
                    let sequence = last.as_ref().map_or(1, |last| last.sequence + 1);
                    let file = MoveFileName {
                        sequence: sequence as u16,
                        player: seat,
                        hash: "0a1b2c".to_owned(),
                    };
                    last = Some(LastMoveEntry {
                        sequence,
                        player: seat,
                        file,
                    });
                }
                let m = game
                    .random_move(&mut rng, &mut scratch)
                    .expect("a pass is a move");
                game.play(&m);
                turn += 1;
            }
            Turn::Over(_) => {
                all.push((state_of(&game, turn, &dice, last), game));
                return all;
            }
        }
    }
}

fn state_of(
    game: &Game,
    turn: u64,
    dice: &[parlor_backgammon::Die],
    last_move: Option<LastMoveEntry>,
) -> StateDocument {
    let beside = StateExtras {
        turn,
        dice: dice.to_vec(),
        used: Vec::new(),
        last_move,
        players: ["alice".to_owned(), "bob".to_owned()],
        messages: Vec::new(),
        updated_at: stamp("2026-03-01T12:00:00Z"),
    };
    StateDocument::from_game(game, beside).expect("dice lie")
}

#[test]
fn every_state_of_every_game_holds_without_a_note_and_comes_back() {
    let schema = schema();
    for start in StartLayout::ALL {
        for seed in 0..40 {
            for (state, game) in states(start, seed) {
                let text = write(&state);
                let value: Value = serde_json::from_str(&text).expect("what is written is JSON");
                let checked = super::check_file("state.json", text.as_bytes(), start);
                assert!(
                    checked.is_valid() && checked.notes.is_empty(),
                    "{text}{checked:#?}"
                );
                assert!(schema.is_valid(&value), "{text}");
                assert_eq!(read(&value, start).as_ref(), Ok(&state));
                assert_eq!(state.to_game(start), Ok(game.clone()), "{text}");
                let mut position = value.clone();
                position["start"] = start.name().into();
                let found = parlor_games::backgammon::KIND
                    .position_from_json(&position)
                    .expect("a state shows a position");
                assert_eq!(found.text(), parlor_core::Notation::text(&game));
            }
        }
    }
}

#[test]
fn a_state_is_written_field_by_field_in_the_order_of_the_schema() {
    let checked = read(&state("after-one-move"), StartLayout::Standard).expect("a valid file");
    let text = write(&checked);
    let begin = "{\n  \"turn\": 2,\n  \"activePlayer\": \"black\",\n  \"dice\": [\n    4,\n    2\n  ],\n  \"diceUsed\": [],\n";
    assert!(
        text.starts_with(begin)
            && text.ends_with("  \"updatedAt\": \"2026-03-01T12:04:10.250Z\"\n}\n"),
        "{text}"
    );
    let places: Vec<_> = parlor_games::backgammon::state::FIELDS
        .map(|name| text.find(&format!("\n  \"{name}\": ")))
        .into();
    assert!(
        places.iter().all(Option::is_some) && places.is_sorted(),
        "{text}"
    );
}

#[test]
fn positions_are_read_with_or_without_what_else_a_state_says() {
    let position = |json: &Value| {
        parlor_games::backgammon::KIND
            .position_from_json(json)
            .map(|position| position.text())
    };
    let whole = state("after-one-move");
    let bare: Value = ["board", "bar", "home", "dice", "activePlayer"]
        .iter()
        .map(|name| (*name, whole[*name].clone()))
        .collect();
    assert_eq!(position(&bare), position(&whole));
    assert_eq!(
        position(&whole).expect("a position"),
        "game -b---BD-B---eE---c-e----B- 1 b:42 0-0"
    );
    assert_eq!(
        position(&state("one-die-used")).expect("a position"),
        "game -b---BD-B---eE---c-e----B- 1 b:4 0-0"
    );
    let twos = |name: &str| position(&state(name)).expect("a position");
    assert!(
        twos("doubles-two-dice").ends_with("b:2222 0-0")
            && twos("doubles-two-dice-partly-used").ends_with("b:2 0-0")
    );
    let over = parlor_games::backgammon::KIND
        .position_from_json(&state("completed"))
        .expect("a position");
    assert!(over.legal().is_empty() && over.turn().is_over());
    let printed = json!({"board": state("printed-initial")["board"], "bar": {"white": 0, "black": 0}, "home": {"white": 0, "black": 0},
        "dice": [3, 1], "activePlayer": "white", "start": "printed-up"});
    assert_eq!(
        position(&printed).expect("a position"),
        "game+printed-up -b----E-C---eE---c-e----B- 1 w:31 0-0"
    );
}

/// Mutation of a state.
type Change<'a> = &'a dyn Fn(&mut Value);

#[test]
fn positions_that_are_none_say_why() {
    let whole = state("after-one-move");
    let said = |change: Change<'_>| {
        let mut json = whole.clone();
        change(&mut json);
        parlor_games::backgammon::KIND
            .position_from_json(&json)
            .map_err(|error| error.to_string())
            .map(|position| position.text())
    };
    let drop = |name: &'static str| {
        move |json: &mut Value| drop(json.as_object_mut().expect("an object").remove(name))
    };
    let set = |name: &'static str, value: Value| move |json: &mut Value| json[name] = value.clone();
    let cases: [(&str, Change<'_>); 10] = [
        (
            "dice: is missing: what can be played depends on the roll",
            &drop("dice"),
        ),
        (
            "dice: is missing: what can be played depends on the roll",
            &set("dice", json!([])),
        ),
        ("activePlayer: is missing", &drop("activePlayer")),
        ("board: is missing", &drop("board")),
        ("there are 3 dice", &set("dice", json!([1, 2, 3]))),
        (
            "a 5 was used 1 times, but was rolled 0 times",
            &set("diceUsed", json!([5])),
        ),
        (
            "diceUsed: all dice are used",
            &set("diceUsed", json!([4, 2])),
        ),
        (
            "white has 16 checkers",
            &set("bar", json!({"white": 1, "black": 0})),
        ),
        (
            "start: expected standard or printed or printed-up, got \"upwards\"",
            &set("start", json!("upwards")),
        ),
        ("expected an object", &|json| *json = json!([1])),
    ];
    for (reason, change) in cases {
        let error = said(change).expect_err(reason);
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn views_are_read_as_the_games_that_they_show() {
    let all = [
        json!({}),
        json!({"length": 3, "cube": "on"}),
        json!({"length": 2, "cube": "on", "crawford": "off", "start": "printed-up"}),
        json!({"cube": "on", "jacoby": "on", "beavers": "on", "start": "printed"}),
    ];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    for options in all.iter().cycle().take(80) {
        let mut position = parlor_games::backgammon::KIND
            .start(options)
            .expect("options");
        for _ in 0..2000 {
            let view = position.view(None);
            let read = parlor_games::backgammon::KIND
                .position_from_json(&view)
                .unwrap_or_else(|error| panic!("{error}: {view}"));
            assert_eq!((read.view(None), read.turn()), (view, position.turn()));
            let mut texts: Vec<String> = position
                .legal()
                .into_iter()
                .map(|legal| legal.text)
                .collect();
            assert_eq!(
                read.legal()
                    .into_iter()
                    .map(|legal| legal.text)
                    .collect::<Vec<_>>(),
                texts
            );
            let below = |n: usize, rng: &mut Xoshiro256PlusPlus| rng.next_u64() as usize % n;
            match position.turn() {
                Turn::Over(_) => break,
                Turn::Chance => {
                    let chances = position.chances();
                    position
                        .resolve(&chances[below(chances.len(), &mut rng)].0)
                        .expect("a possible chance");
                }
                Turn::Move(seat) => {
                    let text = texts.swap_remove(below(texts.len(), &mut rng));
                    position.play(&text, seat).expect("a legal move");
                }
            }
        }
    }
}

thread_local!(static WITH_TIMES: jsonschema::Validator = schema());

/// Generates a value to replace another.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-20i64..20).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-20i32..20).prop_map(|n| Value::from(f64::from(n))),
        "[ -~]{0,12}".prop_map(Value::from),
        "\\PC{0,6}".prop_map(Value::from),
        prop::sample::select(vec!["white", "black", "playing", "completed", "info", "", "0001-white-abcdef.json"]).prop_map(Value::from),
        "20[0-9]{2}-[01][0-9]-[0-3][0-9][Tt ][0-2][0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,10})?([Zz]|[+-][0-2][0-9]:[0-6][0-9])".prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        let key = prop::sample::select(vec!["white", "black", "sequence", "file", "x"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key, inner, 0..4).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

/// Replaces, adds or removes a value at the path given by the numbers.
fn mutate(value: &mut Value, way: &[usize], put: &Option<Value>) {
    match (value, way) {
        (Value::Array(items), [n, rest @ ..]) if !items.is_empty() => {
            let n = n % items.len();
            match (rest, put) {
                ([], None) => drop(items.remove(n)),
                ([], Some(put)) if n == 0 => items.push(put.clone()),
                _ => mutate(&mut items[n], rest, put),
            }
        }
        (Value::Object(fields), [n, rest @ ..]) if !fields.is_empty() => {
            let name = fields
                .keys()
                .nth(n % fields.len())
                .expect("a field")
                .clone();
            match (rest, put) {
                ([], None) => drop(fields.remove(&name)),
                _ => mutate(&mut fields[&name], rest, put),
            }
        }
        (value, _) => *value = put.clone().unwrap_or(Value::Null),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn our_reading_agrees_with_the_schema_on_changed_states(
        file in 0..1000usize,
        changes in prop::collection::vec((prop::collection::vec(0..40usize, 1..4), prop::option::of(any_value())), 1..3),
    ) {
        let lines = listed("valid");
        let mut value = state(&lines[file % lines.len()][0]);
        for (way, put) in &changes {
            mutate(&mut value, way, put);
        }
        let valid = WITH_TIMES.with(|schema| schema.is_valid(&value));
        prop_assert_eq!(keeps_schema(&value), valid, "{}: {:?}", value, check(&value, StartLayout::Standard));
        // A state that follows all rules is a game, unless its dice are used up.
        let _ = parlor_games::backgammon::KIND.position_from_json(&value);
        if let Ok(state) = read(&value, StartLayout::Standard) {
            let all_used = check(&value, StartLayout::Standard).notes.iter().any(|note| note.rule == "dice-used");
            prop_assert_eq!(state.to_game(StartLayout::Standard).is_ok(), !all_used);
            let again: Value = serde_json::from_str(&write(&state)).expect("JSON");
            prop_assert_eq!(read(&again, StartLayout::Standard).map(|again| write(&again)), Ok(write(&state)));
        }
    }

    #[test]
    fn a_time_is_one_when_the_schema_takes_it_for_one(
        text in "(19|20)[0-9]{2}-[01][0-9]-[0-3][0-9][Tt _][0-2][0-9]:[0-6][0-9]:[0-5][0-9](\\.[0-9]{0,11})?([Zz]|[+-][0-2][0-9]:?[0-6][0-9])[ 0]?",
        (place, put) in (0..30usize, "[0-9A-Za-z :_é]"), changed in any::<bool>(),
    ) {
        // The characters from * to / are excluded, since the parser takes some of them for digits.
        let mut text = text;
        if changed && place < text.len() {
            text.replace_range(place..=place, &put);
        }
        let mut value = state("start");
        value["updatedAt"] = text.as_str().into();
        value["messages"] = json!([]);
        prop_assert_eq!(stamp(&text).nanos.is_some(), WITH_TIMES.with(|schema| schema.is_valid(&value)), "{:?}", text);
    }

    #[test]
    fn no_bytes_bring_the_check_down(
        cut in 0..900usize, put in prop::collection::vec(any::<u8>(), 0..8), gone in 0..4usize, name in "[ -~]{0,20}",
    ) {
        let mut text = bytes("valid", "printed-midgame.json");
        let from = cut.min(text.len());
        let to = (from + gone).min(text.len());
        text.splice(from..to, put);
        for name in ["state.json", "0001-white-abcdef.json", name.as_str()] {
            let checked = super::check_file(name, &text, StartLayout::Standard);
            prop_assert_eq!(Document::read(&text).is_err(), checked.problems.iter().any(|f| f.message.starts_with("this is not JSON")));
        }
    }
}
