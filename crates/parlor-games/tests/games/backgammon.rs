//! Backgammon through the generic interface: options, plays in parts, moves without a place on the
//! board, wording.

use parlor_core::Seat;
use parlor_games::{AnyPosition, Click, Story};
use serde_json::json;

fn at(text: &str) -> AnyPosition {
    parlor_games::backgammon::KIND
        .position(text)
        .unwrap_or_else(|reason| panic!("{reason}"))
}

fn said(position: &AnyPosition) -> Vec<(String, String)> {
    let buttons = position
        .clicks()
        .into_iter()
        .filter(|click| click.path.is_empty());
    buttons.map(|click| (click.text, click.label)).collect()
}

const START: &str = "-b----E-C---eE---c-e----B-";

#[test]
fn options_take_their_defaults_and_refuse_what_cannot_be() {
    let start = parlor_games::backgammon::KIND
        .start(&json!({"length": 5, "cube": "on"}))
        .expect("a match");
    assert_eq!(
        start.options(),
        json!({"length": 5, "cube": "on", "crawford": "on", "jacoby": "off", "beavers": "off", "start": "standard"})
    );
    let wrong = json!({"length": 65, "cube": true, "start": "upside-down", "doubling": "on"});
    let error = parlor_games::backgammon::KIND
        .start(&wrong)
        .expect_err("four things are wrong");
    let fields: Vec<&str> = error
        .problems
        .iter()
        .map(|problem| problem.field.as_str())
        .collect();
    assert_eq!(fields, ["doubling", "length", "cube", "start"]);
}

#[test]
fn what_does_not_apply_is_switched_off() {
    let jacoby = json!({"length": 3, "cube": "on", "jacoby": "on"});
    let start = parlor_games::backgammon::KIND
        .start(&jacoby)
        .expect("a match");
    assert_eq!(
        start.options()["jacoby"],
        "off",
        "a match knows no Jacoby rule"
    );
    let one = parlor_games::backgammon::KIND
        .start(&json!({"length": 1, "cube": "on"}))
        .expect("a match");
    assert_eq!(
        one.options()["cube"],
        "off",
        "a match to one point has no cube"
    );
}

#[test]
fn a_play_is_made_in_parts_and_known_when_it_is_whole() {
    let position = at(&format!("game {START} 1 w:31 0-0"));
    let first: Vec<Click> = position.clicks();
    assert!(
        first
            .iter()
            .all(|click| click.partial && click.path.len() == 2)
    );
    let six = first
        .iter()
        .find(|click| click.text == "8/5")
        .expect("the three can begin on 8");
    assert_eq!(
        (six.path.join(" "), six.label.as_str()),
        ("point-7 point-4".to_owned(), "8 to 5")
    );
    let draft = position.draft("8/5").expect("it can come first");
    assert_eq!(
        (draft.steps.as_str(), draft.whole.as_deref()),
        ("8/5", None)
    );
    assert_eq!(
        (&draft.view["diceUsed"], &draft.view["board"][4]),
        (&json!([3]), &json!(1))
    );
    let on: Vec<&str> = draft
        .clicks
        .iter()
        .map(|click| click.text.as_str())
        .collect();
    assert!(
        on.contains(&"8/5,6/5") && !on.iter().any(|text| text.ends_with("13/10")),
        "{on:?}"
    );
    let whole = position.draft("8/5,6/5").expect("it can follow");
    assert_eq!(
        (whole.whole.as_deref(), whole.clicks.len()),
        (Some("8/5,6/5"), 0)
    );
    for wrong in ["8/4", "8/5,8/5", "8/5,6/5,6/5", "nonsense", "8/5,", "13/12"] {
        let found = position.draft(wrong);
        assert!(
            found.is_none() || wrong == "8/5,",
            "{wrong} makes {found:?}"
        );
    }
}

#[test]
fn a_checker_can_go_all_its_way_with_one_click() {
    let position = at(&format!("game {START} 1 w:21 0-0"));
    let far: Vec<String> = position
        .clicks()
        .into_iter()
        .map(|click| click.text)
        .collect();
    assert!(far.contains(&"13/11,11/10".to_owned()), "{far:?}");
    let black = at(&format!("game {START} 1 b:21 0-0"));
    let click = black
        .clicks()
        .into_iter()
        .find(|click| click.text == "13/11")
        .expect("black can do the same");
    assert_eq!(
        click.path,
        ["point-11", "point-13"],
        "black's points count the other way"
    );
}

#[test]
fn rolls_and_doubles_are_said() {
    let cube = |what: &str, rules: &str| said(&at(&format!("{rules} {START} {what} 0-0")));
    let pair = |text: &str, label: &str| (text.to_owned(), label.to_owned());
    assert_eq!(
        cube("1 w:cube", "game+cube"),
        [pair("roll", "Roll the dice"), pair("double", "Double to 2")]
    );
    assert_eq!(
        cube("2b b:doubled", "game+cube+beavers"),
        [
            pair("take", "Take at 4"),
            pair("drop", "Drop and lose 2"),
            pair("beaver", "Beaver: double to 8 and keep the cube")
        ]
    );
    assert_eq!(
        cube("1 w:beavered", "game+cube+beavers"),
        [pair("take", "Take at 4"), pair("drop", "Drop and lose 2")]
    );
    assert_eq!(cube("1 w:31", "game"), []);
}

#[test]
fn a_game_can_be_given_up_in_three_ways_but_none_is_listed() {
    let position = at(&format!("match5+cube {START} 2w w:31 0-0"));
    let labels: Vec<String> = position
        .concessions()
        .into_iter()
        .map(|click| click.label)
        .collect();
    assert_eq!(
        labels,
        [
            "Resign a single game, 2 points",
            "Resign a gammon, 4 points",
            "Resign a backgammon, 6 points"
        ]
    );
    assert!(
        position
            .legal()
            .iter()
            .all(|legal| !legal.text.starts_with("resign"))
    );
    let mut after = position.clone();
    after.play("resign:2", Seat::FIRST).expect("on one's turn");
    let answers: Vec<String> = said(&after).into_iter().map(|(_, label)| label).collect();
    assert_eq!(
        answers,
        ["Accept the resignation: win a gammon", "Refuse and play on"]
    );
    assert!(after.concessions().is_empty());
}

#[test]
fn a_terminal_asks_for_what_is_to_be_said_and_offers_every_move() {
    let position = at(&format!("match3+cube {START} 1 w:cube 1-0"));
    assert_eq!(position.prompt("Ann"), "Ann, enter roll or double:");
    let labels: Vec<String> = position
        .choices()
        .into_iter()
        .map(|click| click.label)
        .collect();
    assert_eq!(labels, ["Roll the dice", "Double to 2"]);
    let moving = at(&format!("game {START} 1 w:31 0-0"));
    let screen = moving.screen(None);
    assert_eq!(screen.spots.len(), 16);
    assert!(
        moving
            .choices()
            .iter()
            .zip(&screen.spots)
            .all(|(choice, spot)| choice.path == [spot.id.as_str()])
    );
    assert_eq!(moving.answer("6/5 8/5"), Ok("8/5,6/5".to_owned()));
    let unread = moving.answer("eight five").expect_err("no play");
    assert!(
        unread.to_string().starts_with("Invalid input: "),
        "{unread}"
    );
}

#[test]
fn a_step_that_cannot_be_is_named_when_a_game_is_passed_on() {
    let story = |steps: &[&str]| Story {
        options: json!({}),
        names: vec!["Ann".to_owned(), "Bob".to_owned()],
        steps: steps.iter().map(|step| (*step).to_owned()).collect(),
    };
    let kind = parlor_games::backgammon::KIND;
    let error = kind
        .export("mat", &story(&["3-1", "8/5,8/5"]))
        .expect_err("no three is left");
    assert!(
        error.to_string().starts_with("step 2, 8/5,8/5: "),
        "{error}"
    );
    let error = kind
        .export("pgn", &story(&[]))
        .expect_err("there is no such format");
    assert_eq!(
        error.to_string(),
        "backgammon is not written as \"pgn\"; there are mat and sgf"
    );
    let text = kind
        .export("sgf", &story(&["3-1", "8/5,6/5", "64"]))
        .expect("a game");
    let back = kind.import("sgf", &text).expect("its own text");
    assert_eq!(back[0].steps, ["3-1", "8/5,6/5", "64"]);
}
