//! Properties that hold for every game.

use parlor_games::{GameKind, OptionsError};
use serde_json::{Value, json};

#[test]
fn every_game_is_found_by_its_name_and_no_other() {
    for kind in GameKind::all() {
        assert_eq!(GameKind::from_name(kind.name()), Ok(*kind));
        assert_eq!(kind.to_string(), kind.name());
    }
    let error = GameKind::from_name("chess")
        .expect_err("no game of the house")
        .to_string();
    assert!(error.contains("chess") && error.contains("mnk"), "{error}");
}

#[test]
fn every_preset_starts_and_fits_the_published_schema() {
    for kind in GameKind::all() {
        let schema = jsonschema::validator_for(&kind.options_schema()).expect("a JSON Schema");
        let presets = kind.presets();
        assert!(!presets.is_empty(), "{kind} has no preset");
        for preset in presets {
            let position = kind
                .start(&preset.options)
                .unwrap_or_else(|error| panic!("{}: {error}", preset.title));
            let options = position.options();
            assert!(schema.is_valid(&options), "{options}");
            let again = kind
                .start(&options)
                .expect("complete options start the same game");
            assert_eq!((again.options(), again.text()), (options, position.text()));
            assert_eq!(position.kind(), *kind);
        }
    }
}

#[test]
fn no_options_at_all_start_the_usual_game() {
    for kind in GameKind::all() {
        let usual = kind.start(&Value::Null).expect("defaults are options");
        assert_eq!(
            kind.start(&json!({})).expect("defaults are options").text(),
            usual.text()
        );
        assert!(!kind.presets()[0].title.is_empty());
    }
}

#[test]
fn every_position_reads_back_from_its_text_and_its_view() {
    for kind in GameKind::all() {
        let mut position = kind.start(&Value::Null).expect("defaults are options");
        for _ in 0..4 {
            assert_eq!(
                kind.position(&position.text())
                    .expect("its own text")
                    .text(),
                position.text()
            );
            if let Ok(read) = kind.position_from_json(&position.view(None)) {
                assert_eq!(read.text(), position.text());
            }
            match position.legal().first() {
                Some(m) => drop(position.play(&m.text, m.seat).expect("a legal move")),
                None => {
                    let chance = position.chances()[0].0.clone();
                    position.resolve(&chance).expect("a possible chance");
                }
            }
        }
    }
}

#[test]
fn every_click_path_is_in_the_picture_and_every_legal_move_has_one() {
    for kind in GameKind::all() {
        for preset in kind.presets() {
            let position = kind.start(&preset.options).expect("a preset starts");
            let picture = position.svg(None);
            let clicks = position.clicks();
            let texts: Vec<_> = clicks.iter().map(|click| click.text.clone()).collect();
            let legal: Vec<_> = position.legal().into_iter().map(|m| m.text).collect();
            assert_eq!(texts, legal);
            for id in clicks.iter().flat_map(|click| &click.path) {
                assert_eq!(
                    picture.matches(&format!("id=\"{id}\"")).count(),
                    1,
                    "{id} in {kind}"
                );
            }
        }
    }
}

#[test]
fn a_view_of_another_game_is_no_picture() {
    let error: OptionsError = parlor_games::mnk::KIND
        .svg(&json!({"game": "mnk"}))
        .expect_err("half a view");
    assert!(!error.problems.is_empty());
}

#[test]
fn every_game_has_two_boards_and_a_style_sheet_for_the_second() {
    use parlor_games::svg::PICTURE_STYLE;
    for kind in GameKind::all() {
        let [first, second] = kind.board_styles();
        assert_ne!((first.name, first.title), (second.name, second.title));
        let selector = format!("[data-board={}]", second.name);
        assert!(
            kind.style().contains(&selector) || PICTURE_STYLE.contains(&selector),
            "{kind}"
        );
    }
}

#[test]
fn moves_in_advance_include_whatever_the_opponent_may_leave() {
    for kind in GameKind::all() {
        let mut position = kind.start(&Value::Null).expect("defaults are options");
        if position.premoves().is_empty() {
            continue;
        }
        for n in 0.. {
            let moves = position.legal();
            if moves.is_empty() {
                break;
            }
            let ahead = position.premoves();
            for reply in &moves {
                let mut next = position.clone();
                next.play(&reply.text, reply.seat).expect("a legal move");
                for click in next.clicks() {
                    assert!(
                        ahead.contains(&click),
                        "{kind}: {} after {}",
                        click.text,
                        reply.text
                    );
                }
            }
            let chosen = &moves[n * 7 % moves.len()];
            position
                .play(&chosen.text, chosen.seat)
                .expect("a legal move");
        }
    }
}
