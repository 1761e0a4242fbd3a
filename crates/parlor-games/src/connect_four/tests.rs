//! Connect Four at the table: options, views, pictures, terminal and bots.

use parlor_bots::Nodes;
use parlor_core::{Seat, Turn};
use serde_json::{Value, json};

use super::KIND;
use crate::AnyPosition;
use crate::bots;
use crate::console::Accent;

fn start(options: Value) -> AnyPosition {
    KIND.start(&options)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the standard board after these moves.
fn after(moves: &str) -> AnyPosition {
    let text = format!("7x6x4 {moves}");
    KIND.position(&text)
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn options_are_completed() {
    let complete = |options| start(options).options();
    assert_eq!(
        complete(Value::Null),
        json!({"columns": 7, "rows": 6, "k": 4})
    );
    assert_eq!(
        complete(json!({"rows": 9})),
        json!({"columns": 7, "rows": 9, "k": 4})
    );
    assert_eq!(
        complete(json!({"columns": 12, "rows": 12, "k": 12})),
        json!({"columns": 12, "rows": 12, "k": 12})
    );
}

#[test]
fn bad_options_name_the_field_and_what_would_be_right() {
    for (options, field, part) in [
        (json!({"columns": 3}), "columns", "from 4 to 12"),
        (json!({"rows": 13}), "rows", "from 4 to 12"),
        (json!({"rows": "6"}), "rows", "a string"),
        (json!({"k": 2}), "k", "from 3 to 7"),
        (json!({"columns": 5, "rows": 5, "k": 6}), "k", "from 3 to 5"),
        (json!({"seats": 3}), "seats", "columns, rows, k"),
        (json!([7, 6]), "", "a list"),
    ] {
        let error = KIND
            .start(&options)
            .err()
            .unwrap_or_else(|| panic!("{options} is accepted"));
        assert_eq!(error.problems[0].field, field, "{options}");
        assert!(
            error.problems[0].message.contains(part),
            "{options}: {error}"
        );
    }
    let all = json!({"columns": 3, "rows": 99, "k": 1});
    assert_eq!(KIND.start(&all).expect_err("all wrong").problems.len(), 3);
}

#[test]
fn a_view_shows_board_turn_last_disc_and_line() {
    let view = after("4453").view(Some("3"));
    let row = |n: usize| view["board"][n].clone();
    assert_eq!(
        row(5),
        json!([null, null, "yellow", "red", "red", null, null])
    );
    assert_eq!(
        row(4),
        json!([null, null, null, "yellow", null, null, null])
    );
    assert_eq!(row(0), json!([null, null, null, null, null, null, null]));
    assert_eq!(
        (&view["mover"], &view["last"], &view["line"]),
        (&json!("red"), &json!([5, 2]), &json!([]))
    );
    assert_eq!(view["turn"], json!({"kind": "move", "seat": 0}));
    let won = after("1213141").view(Some("1"));
    assert_eq!(won["line"], json!([[2, 0], [3, 0], [4, 0], [5, 0]]));
    assert_eq!(
        (&won["last"], &won["mover"]),
        (&json!([2, 0]), &Value::Null)
    );
    assert_eq!(
        won["turn"],
        json!({"kind": "over", "outcome": {"kind": "won", "seat": 0, "points": 1}})
    );
}

#[test]
fn a_position_is_read_from_a_board_alone() {
    let empty = json!([null, null, null, null]);
    let board = |bottom: Value| json!({"board": [empty, empty, empty, bottom]});
    let read = |json: &Value| {
        KIND.position_from_json(json)
            .map(|position| position.text())
    };
    assert_eq!(
        read(&board(json!(["red", "yellow", "red", null]))).as_deref(),
        Ok("4x4x4 ..../..../..../RYR.")
    );
    let floating = json!({"board": [empty, empty, ["red", null, null, null], empty]});
    for bad in [
        board(json!(["yellow", null, null, null])),
        board(json!(["blue", null, null, null])),
        board(json!(["red", null, null])),
        floating,
        json!({"board": [[], [], [], []]}),
        json!({"board": "red"}),
        json!({}),
        json!(null),
    ] {
        assert!(read(&bad).is_err(), "{bad}");
    }
}

#[test]
fn a_view_that_does_not_fit_together_is_no_picture() {
    let view = after("44").view(None);
    assert!(KIND.svg(&view).is_ok());
    for (field, value) in [
        ("rows", json!(7)),
        ("columns", json!(200)),
        ("k", json!(0)),
        ("board", json!([])),
        ("last", json!("4")),
    ] {
        let mut broken = view.clone();
        broken[field] = value;
        assert!(KIND.svg(&broken).is_err(), "{field}");
    }
}

#[test]
fn a_column_is_clicked_as_a_whole_and_says_what_it_holds() {
    let position = after("44344");
    let click = position
        .clicks()
        .into_iter()
        .nth(3)
        .expect("a column that is not full");
    assert_eq!(
        (click.text.as_str(), click.path),
        ("4", vec!["column-4".to_owned()])
    );
    assert_eq!(click.label, "column 4");
    assert_eq!(position.label("4"), "column 4");
    let picture = position.svg(Some("4"));
    let document = roxmltree::Document::parse(&picture).expect("well-formed XML");
    let named = |id: &str| {
        let element = document
            .descendants()
            .find(|node| node.attribute("id") == Some(id));
        element
            .and_then(|node| node.attribute("aria-label"))
            .map(str::to_owned)
    };
    assert_eq!(named("column-1").as_deref(), Some("column 1, empty"));
    assert_eq!(
        named("column-4").as_deref(),
        Some("column 4, from the bottom red, yellow, yellow, red")
    );
    let full = after("444444").svg(None);
    assert!(full.contains("column 4, full: red, yellow, red, yellow, red, yellow"));
    assert_eq!(after("444444").clicks().len(), 6);
}

#[test]
fn every_disc_keeps_its_id_and_its_color() {
    let (before, after) = (after("443").svg(None), after("4435").svg(None));
    for id in ["disc-4-1", "disc-4-2", "disc-3-1"] {
        let piece = |picture: &str| {
            let at = picture.find(&format!("id=\"{id}\"")).expect("a disc");
            let end = picture[at..].find("</g>").expect("the end of the disc");
            picture[at..at + end].to_owned()
        };
        assert_eq!(piece(&before), piece(&after));
    }
    assert!(!before.contains("disc-5-1") && after.contains("disc-5-1"));
}

#[test]
fn the_picture_of_the_largest_board_has_all_its_slots() {
    let mut position = start(json!({"columns": 12, "rows": 12, "k": 12}));
    for column in ["1", "12", "12"] {
        let seat = position.turn().seat().expect("the game goes on");
        position.play(column, seat).expect("a column with room");
    }
    let picture = position.svg(Some("12"));
    let document = roxmltree::Document::parse(&picture).expect("well-formed XML");
    let ids: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect();
    assert_eq!(
        ids.iter().filter(|id| id.starts_with("column-")).count(),
        12
    );
    assert!(ids.contains(&"disc-12-2") && !ids.contains(&"disc-12-3"));
}

#[test]
fn the_terminal_shows_the_board_with_the_numbers_of_its_columns() {
    let board = KIND.position("4x4x4 121").expect("a game");
    assert_eq!(
        board.terminal(Some("1")),
        "| .  .  .  . |\n| .  .  .  . |\n| R  .  .  . |\n| R  Y  .  . |\n  1  2  3  4\n"
    );
    assert_eq!(board.prompt("Ann"), "Ann, choose a column [1-4]:");
    assert_eq!(board.answer(" 3 ").as_deref(), Ok("3"));
    assert_eq!(board.answer("9").as_deref(), Ok("9"), "left to the rules");
    let unread = board.answer("left").map_err(|unread| unread.to_string());
    assert_eq!(unread, Err("Please enter a column from 1 to 4.".to_owned()));
}

#[test]
fn any_slot_of_a_column_chooses_it_on_a_screen() {
    let position = after("444444");
    let screen = position.screen(Some("4"));
    let width = screen
        .lines
        .iter()
        .map(|line| line.chars().count())
        .max()
        .unwrap_or_default();
    for spot in &screen.spots {
        assert!(usize::from(spot.x) + 3 <= width && usize::from(spot.y) < screen.lines.len());
    }
    let choices = position.choices();
    assert_eq!(choices.len(), 6 * 6);
    for choice in choices {
        let spot = screen.spots.iter().find(|spot| spot.id == choice.path[0]);
        let spot = spot.unwrap_or_else(|| panic!("{choice:?}"));
        assert_eq!((spot.x / 4 + 1).to_string(), choice.text);
    }
    let last: Vec<_> = screen
        .spots
        .iter()
        .filter(|spot| spot.accent == Accent::Last)
        .collect();
    assert_eq!(
        (last.len(), last[0].text.as_str(), last[0].seat),
        (1, " Y ", Some(1))
    );
    let won = after("1212121").screen(None);
    assert_eq!(
        won.spots
            .iter()
            .filter(|spot| spot.accent == Accent::Won)
            .count(),
        4
    );
}

#[test]
fn a_win_is_told_with_the_color() {
    let won = after("1212121");
    let names = ["Ann".to_owned(), "Bob".to_owned()];
    let outcome = won.turn().outcome().expect("red has a line").into();
    assert_eq!(won.result(outcome, &names), "Player Red Ann wins!");
    assert_eq!(won.seat_name(Seat::SECOND), "Yellow");
    assert_eq!(crate::repository::seat_words(&won), ["red", "yellow"]);
}

/// Plays a game between two bots and returns the payoff of the first.
fn play(position: AnyPosition, specs: [&str; 2], seed: u64) -> i32 {
    let mut game = position;
    let mut bots = specs.map(|spec| bots::bot(&game, spec, seed).expect("a listed bot"));
    loop {
        match game.turn() {
            Turn::Over(outcome) => return outcome.payoff(Seat::FIRST, 2),
            Turn::Move(seat) => {
                let thought = bots[seat.index()].think(&game, &mut Nodes(2_000));
                let thought = thought.expect("the game goes on");
                game.play(&thought.text, seat)
                    .expect("bots play legal moves");
            }
            Turn::Chance => unreachable!("there is no luck in this game"),
        }
    }
}

/// Returns wins minus losses of the first bot in `games` games, half of them in each seat.
fn balance(options: &Value, stronger: &str, weaker: &str, games: u64) -> i32 {
    (0..games)
        .map(|seed| {
            let game = || start(options.clone());
            if seed.is_multiple_of(2) {
                play(game(), [stronger, weaker], seed)
            } else {
                -play(game(), [weaker, stronger], seed)
            }
        })
        .sum()
}

/// The games are the same in every run: bots use fixed seeds and budgets in nodes.
#[test]
fn every_level_beats_the_one_below() {
    let standard = Value::Null;
    let large = json!({"columns": 9, "rows": 7});
    let pairs = [
        ("level:1", "random"),
        ("level:2", "level:1"),
        ("level:3", "level:2"),
        ("level:4", "level:3"),
        ("level:5", "level:4"),
    ];
    for (stronger, weaker) in pairs {
        let games = 60;
        let won = balance(&standard, stronger, weaker, games);
        assert!(
            won >= games as i32 / 5,
            "{stronger} against {weaker}: {won} of {games}"
        );
    }
    for (stronger, weaker) in &pairs[1..] {
        let games = 24;
        let won = balance(&large, stronger, weaker, games);
        assert!(
            won >= 4,
            "{stronger} against {weaker} on a large board: {won} of {games}"
        );
    }
}

#[test]
fn level_five_wins_the_standard_game_as_first_player() {
    let levels = [
        "random", "level:1", "level:2", "level:3", "level:4", "level:5",
    ];
    for (seed, opponent) in levels.iter().cycle().take(36).enumerate() {
        let mut game = start(Value::Null);
        let mut bots = ["level:5", opponent]
            .map(|spec| bots::bot(&game, spec, seed as u64).expect("a listed bot"));
        while let Turn::Move(seat) = game.turn() {
            let thought = bots[seat.index()].think(&game, &mut Nodes(100_000));
            let thought = thought.expect("the game goes on");
            if seat == Seat::FIRST {
                assert_eq!(
                    (thought.value, thought.exact),
                    (Some(1.0), true),
                    "{}",
                    game.text()
                );
            }
            game.play(&thought.text, seat)
                .expect("bots play legal moves");
        }
        let outcome = game.turn().outcome().expect("the game is over");
        assert_eq!(outcome.winner(), Some(Seat::FIRST), "against {opponent}");
    }
}

#[test]
fn a_bot_plays_the_same_again_after_forgetting() {
    for spec in [
        "level:2",
        "level:4",
        "level:5",
        "alphabeta:nodes=500",
        "mcts:nodes=200",
    ] {
        let game = after("4453");
        let think = || {
            let mut bot = bots::bot(&game, spec, 7).expect("a listed bot");
            bot.think(&game, &mut Nodes(1_000))
        };
        assert_eq!(think(), think(), "{spec}");
        assert_eq!(
            bots::bot(&game, spec, 7).expect("a listed bot").name(),
            spec
        );
    }
    let error = bots::check(&after(""), "perfect").expect_err("not offered");
    assert!(error.to_string().contains("level:5"), "{error}");
}

#[test]
fn perft_and_playouts_run_on_the_bitboards() {
    let position = start(Value::Null);
    assert_eq!(position.perft(6), 117_649);
    let games = position.playouts(200, 1);
    assert!(games.games == 200 && games.plies > 200 * 7 && games.plies <= 200 * 42);
}
