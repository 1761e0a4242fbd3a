//! Move files: reading, rejection, writing, and names derived from the content.

use parlor_backgammon::StartLayout;
use parlor_backgammon::{BLACK, CheckerStep, Game, Move, Play, Rules, WHITE};
use parlor_core::{Notation, Position, Seat};
use parlor_formats::state_json::{FileStep, MoveDocument};
use parlor_games::backgammon::state::{
    MOVE_FILE, MOVE_SCHEMA, check_move, hash, read_move, stamp, write_move,
};
use parlor_games::files::digest;
use proptest::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde_json::{Value, json};

/// Returns white's play of 3-1 at the start: 8/5 6/5.
fn opening() -> Value {
    json!({
        "player": "white",
        "moves": [{"from": 7, "to": 4, "die": 3}, {"from": 5, "to": 4, "die": 1}],
        "timestamp": "2026-03-01T12:01:00Z",
        "expectedState": "0123456789abcdef",
        "diceRoll": [3, 1],
        "comment": "Hello, é \"you\" / \u{1f600}",
        "commitSha": null,
    })
}

fn changed(change: impl Fn(&mut Value)) -> Value {
    let mut value = opening();
    change(&mut value);
    value
}

/// Returns the rules that a file with this name violates.
fn broken(name: &str, value: &Value, start: StartLayout) -> String {
    let checked = super::check_file(name, value.to_string().as_bytes(), start);
    assert_eq!(checked.kind, Some(MOVE_FILE));
    let mut rules: Vec<&str> = checked
        .problems
        .iter()
        .map(|finding| finding.rule)
        .collect();
    rules.sort_unstable();
    rules.join(" ")
}

#[test]
fn a_move_file_is_named_by_its_content() {
    let file = read_move(&opening(), StartLayout::Standard).expect("a move");
    // Python: hashlib.sha256(json.dumps(move, sort_keys=True, separators=(",", ":"),
    // ensure_ascii=False).encode()).hexdigest()[:6]
    assert_eq!(hash(&file), "9a1a39");
    assert_eq!(
        broken("0001-white-9a1a39.json", &opening(), StartLayout::Standard),
        ""
    );
    assert_eq!(
        broken("0001-white-9a1a30.json", &opening(), StartLayout::Standard),
        "name-hash"
    );
    assert_eq!(
        broken("0001-black-9a1a39.json", &opening(), StartLayout::Standard),
        "name-player"
    );
    assert_eq!(
        broken("0000-white-9a1a39.json", &opening(), StartLayout::Standard),
        "name"
    );
    assert_eq!(
        broken("0001-white-9a1a3.json", &opening(), StartLayout::Standard),
        "name"
    );
    assert_eq!(
        broken("0001-white-9A1A39.json", &opening(), StartLayout::Standard),
        "name"
    );
    let unnamed = super::check_file(
        "draft.json",
        opening().to_string().as_bytes(),
        StartLayout::Standard,
    );
    assert!(
        unnamed.is_valid() && unnamed.notes[0].message.contains("0001-white-9a1a39.json"),
        "{unnamed:?}"
    );
}

#[test]
fn how_a_file_is_laid_out_does_not_change_its_name() {
    let file = read_move(&opening(), StartLayout::Standard).expect("a move");
    let text = write_move(&file);
    assert!(
        text.starts_with(
            "{\n  \"player\": \"white\",\n  \"moves\": [\n    {\n      \"from\": 7,\n"
        ),
        "{text}"
    );
    let loose = text.replace("\": 3", "\":   3.0").replace('\n', "\r\n");
    let again = read_move(
        &serde_json::from_str(&loose).expect("JSON"),
        StartLayout::Standard,
    )
    .expect("a move");
    assert_eq!((hash(&again), &again), (hash(&file), &file));
}

#[test]
fn move_files_that_hold_not_say_everything_at_once() {
    let step = |from: i8, to: i8, die: u8| json!({"from": from, "to": to, "die": die});
    let moves = |steps: Vec<Value>| changed(|value| value["moves"] = json!(steps));
    let set = |name: &'static str, to: Value| changed(move |value| value[name] = to.clone());
    let cases = [
        (set("player", json!("red")), "schema"),
        (set("moves", json!([])), "schema"),
        (moves(vec![step(7, 4, 3); 5]), "dice-used schema"),
        (moves(vec![step(-2, 4, 3)]), "schema"),
        (moves(vec![step(24, 21, 3)]), "schema"),
        (moves(vec![step(4, -1, 3)]), "schema"),
        (moves(vec![step(0, 25, 1)]), "schema"),
        (moves(vec![step(7, 4, 0)]), "schema"),
        (moves(vec![step(7, 5, 3)]), "moves"),
        (moves(vec![step(4, 7, 3)]), "moves"),
        (moves(vec![step(5, 5, 1)]), "moves"),
        (moves(vec![step(-1, 24, 1)]), "moves"),
        (moves(vec![step(-1, 20, 3)]), "moves"),
        (moves(vec![step(3, 24, 3)]), "moves"),
        (moves(vec![step(7, 4, 3), step(6, 3, 3)]), "dice-used"),
        (moves(vec![step(7, 2, 5)]), "dice-used"),
        (set("timestamp", json!("2026-03-01")), "timestamp"),
        (set("timestamp", json!(5)), "schema"),
        (set("expectedState", json!("0123456789ABCDEF")), "schema"),
        (set("expectedState", json!("0123456789abcde")), "schema"),
        (set("diceRoll", json!([3, 1, 1])), "dice"),
        (set("diceRoll", json!([1, 1, 1, 3])), "dice"),
        (set("diceRoll", json!([3])), "schema"),
        (set("diceRoll", json!([])), "schema"),
        (set("diceRoll", Value::Null), "schema"),
        (set("comment", json!("x".repeat(281))), "schema"),
        (set("comment", json!(5)), "schema"),
        (set("commitSha", json!("a".repeat(40))), "schema"),
        (set("more", json!(1)), "schema"),
        (
            changed(|value| drop(value.as_object_mut().expect("an object").remove("comment"))),
            "schema",
        ),
        (
            changed(|value| {
                value["moves"] = json!([step(7, 6, 3), step(6, 4, 2)]);
                value["timestamp"] = "noon".into();
                value["comment"] = json!(["hello"]);
            }),
            "dice-used moves schema timestamp",
        ),
    ];
    for (value, expected) in cases {
        assert_eq!(
            broken("", &value, StartLayout::Standard),
            expected,
            "{value}"
        );
    }
    assert_eq!(
        broken(
            "",
            &set("comment", json!("é".repeat(280))),
            StartLayout::Standard
        ),
        ""
    );
}

#[test]
fn the_start_says_which_way_a_color_goes() {
    let entering = |player: &str, to: i8| {
        changed(|value| {
            value["player"] = player.into();
            value["moves"] = json!([{"from": -1, "to": to, "die": 3}]);
        })
    };
    assert_eq!(
        broken("", &entering("white", 21), StartLayout::Standard),
        ""
    );
    assert_eq!(broken("", &entering("black", 2), StartLayout::Standard), "");
    assert_eq!(
        broken("", &entering("white", 21), StartLayout::PrintedUp),
        "moves"
    );
    assert_eq!(
        broken("", &entering("white", 2), StartLayout::PrintedUp),
        ""
    );
    let off = changed(|value| {
        value["moves"] = json!([{"from": 0, "to": 24, "die": 3}, {"from": 0, "to": 24, "die": 1}])
    });
    assert_eq!(broken("", &off, StartLayout::Printed), "");
    assert_eq!(broken("", &off, StartLayout::PrintedUp), "moves moves");
}

#[test]
fn the_steps_of_a_file_are_in_the_players_own_numbers() {
    let file = read_move(&opening(), StartLayout::Standard).expect("a move");
    assert_eq!(
        file.steps(StartLayout::Standard),
        Some(vec![
            CheckerStep { from: 8, to: 5 },
            CheckerStep { from: 6, to: 5 }
        ])
    );
    let mut game = Game::new(Rules::GAME);
    game.resolve(&game.parse_chance("3-1").expect("a roll"));
    let play = file.play(StartLayout::Standard).expect("a play");
    assert_eq!(game.check(&Move::Play(play)), Ok(()));
}

#[test]
fn the_digest_is_of_the_exact_bytes() {
    assert_eq!(digest(b""), "e3b0c44298fc1c14");
    assert_ne!(digest(b"{}"), digest(b"{}\n"));
}

fn file_of(game: &Game, play: &Play, seat: Seat, start: StartLayout) -> MoveDocument {
    let dice = game.dice().expect("dice lie").faces();
    MoveDocument {
        player: seat,
        moves: FileStep::for_play(&game.board(), &dice, play, start, seat).expect("a legal play"),
        timestamp: stamp("2026-03-01T12:01:00Z"),
        expected_state: digest(b"some state"),
        dice_roll: dice,
        comment: None,
    }
}

#[test]
fn every_play_of_every_game_becomes_a_file_and_comes_back() {
    let schema: Value = serde_json::from_str(MOVE_SCHEMA).expect("JSON");
    assert!(jsonschema::meta::is_valid(&schema));
    let schema = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("a JSON Schema");
    for start in StartLayout::ALL {
        for seed in 0..25 {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut game = Game::new(Rules {
                start,
                ..Rules::GAME
            });
            let (mut scratch, mut chances) = (Vec::new(), Vec::new());
            while !game.turn().is_over() {
                if let Some(chance) = game.random_chance(&mut rng, &mut chances) {
                    game.resolve(&chance);
                    continue;
                }
                let m = game
                    .random_move(&mut rng, &mut scratch)
                    .expect("a pass is a move");
                if let Move::Play(play) = m
                    && !play.is_pass()
                {
                    let file = file_of(&game, &play, game.on_roll(), start);
                    let value: Value = serde_json::from_str(&write_move(&file)).expect("JSON");
                    assert!(schema.is_valid(&value), "{value}");
                    let name = format!(
                        "0001-{}-{}.json",
                        if file.player == WHITE {
                            "white"
                        } else {
                            "black"
                        },
                        hash(&file)
                    );
                    let checked = check_move(&name, &value, start);
                    assert!(
                        checked.is_valid() && checked.notes.is_empty(),
                        "{checked:?} {value}"
                    );
                    let read = read_move(&value, start).expect("it holds");
                    assert_eq!(read, file);
                    assert_eq!(read.play(start), Some(play));
                }
                game.play(&m);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn our_reading_agrees_with_the_schema_on_changed_moves(
        field in prop::sample::select(vec!["player", "moves", "timestamp", "expectedState", "diceRoll", "comment", "commitSha", "x"]),
        inner in prop::option::of(prop::sample::select(vec!["from", "to", "die", "x"])),
        put in prop_oneof![
            Just(Value::Null), (-3i64..28).prop_map(Value::from), (-3i8..28).prop_map(|n| Value::from(f64::from(n) / 2.0)),
            "[0-9a-g]{14,18}".prop_map(Value::from), "é{278,283}".prop_map(Value::from), Just(json!("white")), Just(json!({})),
            prop::collection::vec(0i64..8, 0..6).prop_map(Value::from),
        ],
    ) {
        thread_local!(static SCHEMA: jsonschema::Validator =
            jsonschema::validator_for(&serde_json::from_str(MOVE_SCHEMA).expect("JSON")).expect("a JSON Schema"));
        let value = changed(|value| match (field, inner) {
            ("moves", Some(inner)) => value["moves"][1][inner] = put.clone(),
            _ => value[field] = put.clone(),
        });
        let ours = check_move("", &value, StartLayout::Standard);
        let sound = ours.problems.iter().all(|finding| finding.rule != "schema");
        prop_assert_eq!(sound, SCHEMA.with(|schema| schema.is_valid(&value)), "{}: {:?}", value, ours);
    }
}

#[test]
fn a_color_is_a_seat() {
    let black = read_move(
        &changed(|value| {
            value["player"] = "black".into();
            value["moves"] = json!([{"from": 16, "to": 19, "die": 3}]);
        }),
        StartLayout::Standard,
    );
    assert_eq!(black.expect("a move").player, BLACK);
}
