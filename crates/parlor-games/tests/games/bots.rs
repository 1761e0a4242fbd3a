//! Type-erased bots.

use std::time::Duration;

use parlor_bots::{Budget, Nodes};
use parlor_games::GameKind;
use parlor_games::bots::{self, Deadline};
use serde_json::Value;

use super::after;

#[test]
fn every_listed_bot_of_every_game_plays_a_legal_move() {
    for kind in GameKind::all() {
        for preset in kind.presets() {
            let mut position = kind.start(&preset.options).expect("a preset starts");
            while let Some((chance, _)) = position.chances().into_iter().next() {
                position
                    .resolve(&chance)
                    .expect("a chance that is listed can come up");
            }
            for info in bots::list(&position) {
                let mut bot =
                    bots::bot(&position, &info.spec, 1).unwrap_or_else(|error| panic!("{error}"));
                let thought = bot
                    .think(&position, &mut Nodes(30))
                    .expect("a seat is to move");
                assert!(
                    position.legal().iter().any(|m| m.text == thought.text),
                    "{} plays {}",
                    info.spec,
                    thought.text
                );
            }
        }
    }
}

#[test]
fn bots_of_a_level_have_the_same_name_in_every_game() {
    for kind in GameKind::all() {
        let position = kind.start(&Value::Null).expect("defaults are options");
        for info in bots::list(&position) {
            assert_eq!(info.name.is_some(), info.level.is_some(), "{info:?}");
            let level = info.level.map(|level| format!("Level {level}, "));
            let title = info.title.to_owned();
            assert!(title.starts_with(&level.unwrap_or_default()), "{info:?}");
        }
        let wren = bots::find(&position, "level:3").expect("a listed bot");
        assert_eq!(wren.label(), "Level 3, Wren");
        let style = wren.title.trim_start_matches("Level 3, ");
        assert_eq!(wren.introduction(), format!("Level 3, Wren ({style})"));
    }
    let classic = after(&[]);
    let random = bots::find(&classic, "random").expect("a listed bot");
    assert_eq!(random.introduction(), "Random moves");
    assert_eq!(bots::find(&classic, "level:6"), None);
}

#[test]
fn an_unknown_bot_is_refused_with_those_there_are() {
    let position = parlor_games::mnk::KIND
        .start(&Value::Null)
        .expect("defaults are options");
    for spec in ["level:6", "level:0", "deepblue", "", "mcts:nodes=x"] {
        let error = bots::check(&position, spec)
            .expect_err("no such bot")
            .to_string();
        assert!(error.contains("level:1"), "{error}");
    }
    assert_eq!(bots::check(&position, &bots::weakest(&position)), Ok(()));
}

#[test]
fn a_bot_does_not_think_about_another_game_or_a_finished_one() {
    let pig = parlor_games::pig::KIND
        .start(&Value::Null)
        .expect("defaults are options");
    let classic = after(&[]);
    let mut bot = bots::bot(&classic, "level:1", 1).expect("a listed bot");
    assert_eq!(bot.think(&pig, &mut Nodes(10)), None);
    let won = after(&["0,0", "1,1", "0,1", "1,0", "0,2"]);
    assert_eq!(bot.think(&won, &mut Nodes(10)), None);
}

#[test]
fn the_strongest_bot_takes_a_win() {
    let position = after(&["0,0", "1,1", "0,1", "1,0"]);
    let mut bot = bots::bot(&position, "level:5", 3).expect("a listed bot");
    let thought = bot
        .think(&position, &mut Nodes(2_000))
        .expect("X is to move");
    assert_eq!(thought.text, "0,2");
}

#[test]
fn a_deadline_that_has_passed_ends_thinking_at_once_and_a_far_one_does_not() {
    assert!(Deadline::after(Duration::ZERO).spent(1));
    assert!(!Deadline::after(Duration::from_secs(3600)).spent(1));
}
