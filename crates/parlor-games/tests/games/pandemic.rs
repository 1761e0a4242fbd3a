//! The view of Pandemic: its numbers, and the information that it must not reveal.

use std::collections::BTreeMap;

use parlor_core::{Seat, Turn};
use parlor_games::AnyPosition;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

/// Returns a game with these options before its setup.
pub(crate) fn start(options: Value) -> AnyPosition {
    parlor_games::pandemic::KIND
        .start(&options)
        .unwrap_or_else(|error| panic!("{options}: {error}"))
}

/// Plays texts: chances if luck is next, else moves of any seat.
pub(crate) fn play(position: &mut AnyPosition, texts: &[&str]) {
    for text in texts {
        match position.turn() {
            Turn::Chance => position
                .resolve(text)
                .unwrap_or_else(|error| panic!("{text}: {error}")),
            turn => {
                let seat = position
                    .seat_of(text)
                    .or(turn.seat())
                    .unwrap_or(Seat::FIRST);
                position
                    .play(text, seat)
                    .unwrap_or_else(|error| panic!("{text}: {error}"));
            }
        }
    }
}

/// Returns a two-player game with the Medic and the Scientist after a fixed setup; the Scientist
/// begins.
pub(crate) fn set_up(options: Value) -> AnyPosition {
    let mut options = options;
    options["roles"] = json!(["Medic", "Scientist"]);
    let mut position = start(options);
    play(
        &mut position,
        &["infect:Paris", "infect:Cairo", "infect:Tokyo"],
    );
    play(
        &mut position,
        &["infect:London", "infect:Lima", "infect:Delhi"],
    );
    play(
        &mut position,
        &["infect:Essen", "infect:Osaka", "infect:Miami"],
    );
    play(
        &mut position,
        &["deal:Atlanta", "deal:Airlift", "deal:Chicago", "deal:Lagos"],
    );
    play(
        &mut position,
        &["deal:Jakarta", "deal:Forecast", "deal:Seoul", "deal:Lima"],
    );
    position
}

/// Plays at random until the game is over, calling `each` before every step.
fn random_game(
    mut position: AnyPosition,
    seed: u64,
    mut each: impl FnMut(&AnyPosition),
) -> AnyPosition {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut below = |most: usize| (rng.next_u64() % most as u64) as usize;
    for _ in 0..10_000 {
        each(&position);
        match position.turn() {
            Turn::Over(_) => return position,
            Turn::Chance => {
                let chances = position.chances();
                let (text, _) = &chances[below(chances.len())];
                position.resolve(text).expect("a possible chance");
            }
            Turn::Move(_) => {
                let legal = position.legal();
                // Without this preference, turns would rarely end.
                let draw = legal.iter().find(|m| m.text == "draw" && below(3) == 0);
                let m = draw.unwrap_or(&legal[below(legal.len())]).clone();
                position.play(&m.text, m.seat).expect("a legal move");
            }
        }
    }
    panic!("the game does not end");
}

#[test]
fn a_view_names_what_the_first_board_of_the_house_named() {
    let view = set_up(json!({})).view(None);
    assert_eq!(
        view["infection"]["Paris"],
        json!({"COLOUR_BLUE": 3}),
        "no zeros"
    );
    assert_eq!(
        view["infection"].as_object().expect("an object").len(),
        9,
        "nor cities without cubes"
    );
    assert_eq!(
        (&view["infection_rate"], &view["rate"]),
        (&json!(0), &json!(2)),
        "a place on the track, and what is there"
    );
    assert_eq!(view["research_centres"], json!(["Atlanta"]));
    assert_eq!(
        (&view["cured"], &view["quiet_night"], &view["outbreaks"]),
        (&json!([]), &json!(false), &json!(0))
    );
    assert_eq!(
        view["players"][0]["hand"],
        json!(["Atlanta", "Chicago", "Lagos"])
    );
    assert_eq!(view["players"][0]["single_use"], json!(["Airlift"]));
    assert_eq!(
        (&view["active"], &view["phase"], &view["actions"]),
        (&json!(1), &json!("actions"), &json!(4))
    );
    assert_eq!(view["supply"]["COLOUR_BLUE"], json!(24 - 3 - 2 - 1));
}

#[test]
fn the_rate_is_read_from_its_place_on_the_track() {
    let mut highest = 0;
    for seed in 0..6 {
        random_game(
            start(json!({"epidemics": 12, "players": 4})),
            seed,
            |position| {
                let view = position.view(None);
                let epidemics = view["epidemics"].as_u64().expect("a number");
                highest = highest.max(epidemics);
                let place = epidemics.min(6);
                assert_eq!(
                    (&view["infection_rate"], &view["rate"]),
                    (&json!(place), &json!([2, 2, 2, 3, 3, 4, 4][place as usize]))
                );
            },
        );
    }
    assert!(highest >= 3, "{highest} epidemics are few");
}

#[test]
fn the_risks_of_all_cities_add_up_to_the_cards_that_are_turned() {
    let (mut sums, mut with_epidemic) = (0, 0);
    for seed in 0..40 {
        random_game(start(json!({"epidemics": 6})), seed, |position| {
            let view = position.view(None);
            let chances = |field: &str| -> Vec<f64> {
                let chances = view[field].as_object().expect("an object").values();
                chances
                    .map(|chance| chance.as_f64().expect("a number"))
                    .collect()
            };
            let (infection, outbreak) = (chances("risk"), chances("outbreak_risk"));
            for chance in infection.iter().chain(&outbreak) {
                assert!(
                    (0.0..=1.0 + 1e-9).contains(chance) && *chance > 0.0,
                    "{chance}"
                );
            }
            let cards = view["rate"].as_f64().expect("a number");
            let sum: f64 = infection.iter().sum();
            if view["phase"] != "actions" {
                return;
            }
            // An epidemic turns a card more.
            let epidemic = view["player_deck"]["epidemic_chance"]
                .as_f64()
                .expect("a number");
            if epidemic > 0.0 {
                assert!(sum <= cards + 2.0, "{sum} for {cards}");
                with_epidemic += usize::from(sum > cards);
            } else {
                assert!(sum <= cards + 1e-9, "{sum} for {cards}");
                // Fewer are turned where the game may end before.
                sums += usize::from(sum > cards - 0.1);
            }
        });
    }
    assert!(sums > 0 && with_epidemic > 0, "{sums} {with_epidemic}");
}

/// Returns the probability that two draws contain an epidemic, by enumerating all pairs of cards.
fn counted(position: &AnyPosition) -> f64 {
    let weight = |position: &AnyPosition| {
        position
            .chances()
            .iter()
            .map(|(_, weight)| f64::from(*weight))
            .sum::<f64>()
    };
    let all = weight(position);
    let mut epidemic = 0.0;
    for (text, first) in position.chances() {
        let here = f64::from(first) / all;
        if text == "draw:Epidemic" {
            epidemic += here;
            continue;
        }
        let mut next = position.clone();
        next.resolve(&text).expect("a possible chance");
        if next.view(None)["phase"] == "draw" {
            let other = next
                .chances()
                .iter()
                .find(|(text, _)| text == "draw:Epidemic")
                .map_or(0, |(_, weight)| *weight);
            epidemic += here * f64::from(other) / weight(&next);
        }
    }
    epidemic
}

#[test]
fn the_chance_of_an_epidemic_is_that_of_all_possible_draws() {
    let mut seen = 0;
    for (seed, epidemics) in [(1, 4), (2, 5), (3, 6), (4, 0)] {
        random_game(
            start(json!({"epidemics": epidemics, "players": 3, "events": []})),
            seed,
            |position| {
                let view = position.view(None);
                if view["phase"] == "draw" {
                    let told = view["player_deck"]["epidemic_chance"]
                        .as_f64()
                        .expect("a number");
                    assert!(
                        (told - counted(position)).abs() < 1e-9,
                        "{told} at {}",
                        position.text()
                    );
                    seen += 1;
                }
            },
        );
    }
    assert!(seen > 40, "{seen} draws are few");
}

#[test]
fn a_view_shows_no_order_that_nobody_has_seen() {
    let mut position = set_up(json!({}));
    let view = position.view(None);
    let names = |value: &Value| {
        value
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let layers: Vec<Vec<String>> = view["infection_deck"]["layers"]
        .as_array()
        .expect("a list")
        .iter()
        .map(names)
        .collect();
    let mut sorted = layers.clone();
    sorted.iter_mut().for_each(|layer| {
        layer.sort_by_key(|name| all_cities().iter().position(|city| city == name))
    });
    assert_eq!(
        (layers.len(), layers[0].len(), &layers),
        (1, 39, &sorted),
        "one layer in the order of the map"
    );
    assert_eq!(names(&view["infection_discard"]).len(), 9);
    let unseen: u64 = view["player_deck"]["unseen"]
        .as_object()
        .expect("an object")
        .values()
        .filter_map(Value::as_u64)
        .sum();
    assert_eq!(
        (unseen, names(&view["player_deck"]["unseen_events"]).len()),
        (48 - 6, 3),
        "of the player deck only counts"
    );
    // Two games with different orders of cards but the same public knowledge have the same view.
    let swapped = {
        let mut other = start(position.options());
        play(
            &mut other,
            &["infect:Tokyo", "infect:Paris", "infect:Cairo"],
        );
        play(
            &mut other,
            &["infect:Delhi", "infect:London", "infect:Lima"],
        );
        play(
            &mut other,
            &["infect:Miami", "infect:Essen", "infect:Osaka"],
        );
        play(
            &mut other,
            &["deal:Lagos", "deal:Airlift", "deal:Atlanta", "deal:Chicago"],
        );
        play(
            &mut other,
            &["deal:Lima", "deal:Forecast", "deal:Seoul", "deal:Jakarta"],
        );
        other
    };
    assert_eq!(swapped.view(None), view);
    play(
        &mut position,
        &[
            "forecast",
            "look:Madrid",
            "look:Milan",
            "look:Mumbai",
            "look:Moscow",
            "look:Manila",
            "look:Bangkok",
        ],
    );
    let view = position.view(None);
    assert_eq!(view["forecast"]["seen"].as_array().map(Vec::len), Some(6));
    play(
        &mut position,
        &[
            "next:Milan",
            "next:Madrid",
            "next:Moscow",
            "next:Mumbai",
            "next:Manila",
        ],
    );
    let layers = &position.view(None)["infection_deck"]["layers"];
    assert_eq!(
        (layers[0].clone(), layers[5].clone()),
        (json!(["Milan"]), json!(["Bangkok"])),
        "what was seen is known"
    );
    assert_eq!(layers[6].as_array().map(Vec::len), Some(33));
}

fn all_cities() -> Vec<String> {
    parlor_pandemic::City::all()
        .map(|city| city.name().to_owned())
        .collect()
}

#[test]
fn every_position_of_a_game_reads_back_from_its_view_and_from_its_text_alone() {
    for (seed, players) in [(11, 2), (12, 3), (13, 4)] {
        random_game(
            start(json!({"players": players, "epidemics": 5})),
            seed,
            |position| {
                let view = position.view(None);
                for json in [view.clone(), json!({"position": view["position"]})] {
                    let read = parlor_games::pandemic::KIND
                        .position_from_json(&json)
                        .unwrap_or_else(|error| panic!("{error}"));
                    assert_eq!(
                        (read.text(), read.view(None)),
                        (position.text(), view.clone())
                    );
                    assert_eq!(
                        (read.turn(), read.legal(), read.chances()),
                        (position.turn(), position.legal(), position.chances())
                    );
                }
            },
        );
    }
}

#[test]
fn json_that_is_no_position_is_refused_with_the_reason() {
    for (json, reason) in [
        (json!({}), "position: expected the line of text"),
        (json!([]), "position: expected the line of text"),
        (
            json!({"position": 7}),
            "position: expected the line of text",
        ),
        (json!({"position": "two players"}), "position"),
        (json!({"position": "x".repeat(10_000)}), "position"),
    ] {
        let error = parlor_games::pandemic::KIND
            .position_from_json(&json)
            .expect_err("no position")
            .to_string();
        assert!(error.contains(reason) && error.len() < 500, "{error}");
    }
    let mut view = set_up(json!({})).view(None);
    view["players"][0]["city"] = json!("Springfield");
    let error = parlor_games::pandemic::KIND
        .svg(&view)
        .expect_err("no city")
        .to_string();
    assert!(error.contains("Springfield"), "{error}");
}

#[test]
fn all_cubes_are_on_the_board_or_beside_it_and_all_cards_somewhere() {
    let end = random_game(
        start(json!({"players": 4, "epidemics": 4})),
        5,
        |position| {
            let view = position.view(None);
            let mut cubes: BTreeMap<&str, u64> = BTreeMap::new();
            for (color, count) in view["infection"]
                .as_object()
                .expect("cities")
                .values()
                .flat_map(|city| city.as_object().expect("colors"))
            {
                *cubes.entry(color).or_default() += count.as_u64().expect("a number");
            }
            for (color, left) in view["supply"].as_object().expect("colors") {
                assert_eq!(
                    cubes.get(color.as_str()).unwrap_or(&0) + left.as_u64().expect("a number"),
                    24,
                    "{color}"
                );
            }
            let length = |value: &Value| value.as_array().map_or(0, Vec::len);
            let deck = &view["infection_deck"];
            let forecast = length(&view["forecast"]["seen"]) + length(&view["forecast"]["placed"]);
            let known =
                length(&view["infection_discard"]) + length(&view["infection_removed"]) + forecast;
            assert_eq!(known as u64 + deck["left"].as_u64().expect("a number"), 48);
        },
    );
    assert!(end.view(None)["ending"]["kind"].is_string());
}

#[test]
fn the_bar_of_actions_has_each_legal_action_once_and_a_reason_for_the_others() {
    let mut missing = BTreeMap::new();
    for seed in 0..60 {
        let first = start(json!({ "players": 2 + seed % 3 }));
        random_game(first, seed, |position| {
            let legal = position.legal();
            let kinds = position.action_kinds();
            let has_actions = legal.iter().any(|legal| legal.text.starts_with("drive"));
            assert_eq!(kinds.is_empty(), !has_actions, "{}", position.text());
            for legal in &legal {
                let count = kinds
                    .iter()
                    .filter(|kind| kind.contains(&legal.text))
                    .count();
                let expected = usize::from(has_actions && legal.text != "draw");
                assert_eq!(count, expected, "{}", legal.text);
            }
            for kind in kinds {
                if !legal.iter().any(|legal| kind.contains(&legal.text)) {
                    assert!(
                        kind.refused.ends_with('.'),
                        "{}: {}",
                        kind.label,
                        kind.refused
                    );
                    *missing.entry(kind.label).or_insert(0) += 1;
                }
            }
        });
    }
    // Each kind but driving was impossible at some time.
    assert_eq!(missing.len(), 11, "{missing:?}");
}

#[test]
fn an_action_that_is_not_possible_says_what_is_missing() {
    let position = set_up(json!({ "players": 2 }));
    let refused = |label: &str| {
        let kinds = position.action_kinds();
        let kind = kinds.into_iter().find(|kind| kind.label == label);
        kind.unwrap_or_else(|| panic!("no {label}")).refused
    };
    assert_eq!(refused("Shuttle"), "There is no other research station.");
    assert_eq!(
        refused("Build"),
        "There is a research station in Atlanta already."
    );
    assert_eq!(refused("Treat"), "There are no cubes in Atlanta.");
    assert_eq!(refused("Cure"), "A cure takes 4 cards: you hold 2 red.");
    let mut roles = position.action_kinds().into_iter();
    assert!(roles.all(|kind| !["Join", "Expert flight", "Fetch"].contains(&kind.label)));
}
