//! Infection steps and outbreaks.

use parlor_core::Position;
use parlor_pandemic::{Color, Game, PandemicEnding, Stage};

use crate::help::{after, cities, city, cubes, layers, play, seat, table};

const PAIR: &str = "roles=Researcher,Scientist at=Sgo,Sgo";

/// Turns one infection card, the last of its step.
fn infected(words: &str, card: &str) -> Game {
    let layer = if words.contains("infection=") {
        ""
    } else {
        "infection=*/LonCaiLimHoK"
    };
    after(
        &format!("{PAIR} stage=turning:1 {layer} {words}"),
        &format!("infect:{card}"),
    )
}

#[test]
fn the_infection_rate_sets_the_number_of_cards() {
    for (epidemics, rate) in [
        (0, 2),
        (1, 2),
        (2, 2),
        (3, 3),
        (4, 3),
        (5, 4),
        (6, 4),
        (7, 4),
        (12, 4),
    ] {
        let game = table(&format!("2p12e events=none {PAIR} epidemics={epidemics}"));
        assert_eq!(game.rate(), rate, "after {epidemics} epidemics");
        assert_eq!(i32::from(game.rate_index()), epidemics.min(6));
    }
}

#[test]
fn each_infection_card_brings_one_cube_of_its_color_and_goes_to_the_discards() {
    let game = infected("cubes=Lon:b2k1", "London");
    assert_eq!(
        (
            cubes(&game, "London", Color::Blue),
            cubes(&game, "London", Color::Black)
        ),
        (3, 1)
    );
    assert_eq!(game.infection().discard(), cities("Lon"));
    assert_eq!(game.outbreaks(), 0);
    assert_eq!((game.stage(), game.active()), (Stage::Actions, seat(1)));
}

#[test]
fn one_card_can_fill_a_city_and_the_next_cause_an_outbreak() {
    let mut game = table(&format!(
        "{PAIR} stage=infect cubes=Lon:b3,NYk:b2 infection=*/LonNYk"
    ));
    play(&mut game, "infect:New-York");
    assert_eq!(
        (cubes(&game, "New York", Color::Blue), game.outbreaks()),
        (3, 0)
    );
    play(&mut game, "infect:London");
    assert_eq!(game.outbreaks(), 2, "London and then New York");
}

#[test]
fn the_fourth_cube_of_a_color_is_an_outbreak_instead() {
    let game = infected("cubes=Lon:b3", "London");
    assert_eq!(game.outbreaks(), 1);
    assert_eq!(cubes(&game, "London", Color::Blue), 3);
    for near in city("London").neighbors() {
        assert_eq!(game.cubes().count(near, Color::Blue), 1, "{near}");
    }
    assert_eq!(game.cubes().on_board(Color::Blue), 3 + 4);
}

#[test]
fn cubes_of_other_colors_do_not_make_an_outbreak() {
    let game = infected("cubes=Lon:b2y3k3r3", "London");
    assert_eq!(
        (game.outbreaks(), cubes(&game, "London", Color::Blue)),
        (0, 3)
    );
}

#[test]
fn an_outbreak_brings_its_own_color_to_cities_of_any() {
    let game = infected("cubes=Cai:k3", "Cairo");
    assert_eq!(cubes(&game, "Khartoum", Color::Black), 1, "a yellow city");
    assert_eq!(cubes(&game, "Khartoum", Color::Yellow), 0);
}

#[test]
fn no_city_has_two_outbreaks_for_one_card() {
    let game = infected("cubes=Lon:b3,Par:b3,Ess:b3", "London");
    assert_eq!(game.outbreaks(), 3, "a triangle");
    assert_eq!(
        ["London", "Paris", "Essen"].map(|name| cubes(&game, name, Color::Blue)),
        [3, 3, 3]
    );
    assert_eq!(
        cubes(&game, "Milan", Color::Blue),
        2,
        "from Essen and Paris"
    );
    assert_eq!(
        cubes(&game, "Madrid", Color::Blue),
        2,
        "from London and Paris"
    );
    assert_eq!(cubes(&game, "New York", Color::Blue), 1);
}

#[test]
fn a_city_can_fill_up_and_have_an_outbreak_within_one_chain() {
    let game = infected("cubes=Lon:b3,Par:b3,Mad:b2", "London");
    assert_eq!(
        game.outbreaks(),
        3,
        "Madrid gets its third from London and breaks out by Paris"
    );
}

#[test]
fn a_city_can_have_another_outbreak_with_the_next_card() {
    let mut game = table(&format!(
        "{PAIR} stage=infect cubes=Lon:b3,NYk:b3 infection=*/LonNYk"
    ));
    play(&mut game, "infect:London");
    assert_eq!(game.outbreaks(), 2);
    play(&mut game, "infect:New-York");
    assert_eq!(
        game.outbreaks(),
        5,
        "New York, London once more, and Madrid that both had filled"
    );
}

#[test]
fn an_eradicated_disease_brings_no_cubes() {
    let game = infected("cured=b", "London");
    assert!(game.is_eradicated(Color::Blue));
    assert_eq!(
        (
            cubes(&game, "London", Color::Blue),
            game.infection().discard()
        ),
        (0, cities("Lon"))
    );
}

#[test]
fn a_cured_disease_goes_on_spreading() {
    let game = infected("cured=b cubes=Lon:b3", "London");
    assert_eq!(
        (game.outbreaks(), cubes(&game, "Paris", Color::Blue)),
        (1, 1)
    );
}

#[test]
fn the_eighth_outbreak_ends_the_game_inside_a_chain() {
    let game = infected("outbreaks=6 cubes=Lon:b3,Par:b3,Ess:b3,Mad:b3", "London");
    assert_eq!(
        (game.ending(), game.outbreaks()),
        (Some(PandemicEnding::Outbreaks), 8)
    );
    let placed: u8 = Color::ALL
        .iter()
        .map(|color| game.cubes().on_board(*color))
        .sum();
    assert!(placed < 12 + 9, "the rest of the chain did not happen");
    assert!(game.legal_moves().is_empty());
}

/// Returns `count` blue cubes far from all cities used by the tests.
fn far(count: usize) -> String {
    let places = ["Lim", "Bog", "Bue", "Sao", "Joh", "Kin", "Osa", "Tok"];
    let full = places
        .iter()
        .take(count / 3)
        .map(|code| format!("{code}:b3"));
    let rest = (!count.is_multiple_of(3)).then(|| format!("{}:b{}", places[7], count % 3));
    full.chain(rest).collect::<Vec<_>>().join(",")
}

#[test]
fn the_last_cube_may_be_used() {
    let game = infected(&format!("cubes={}", far(23)), "London");
    assert_eq!((game.ending(), game.cubes().supply(Color::Blue)), (None, 0));
}

#[test]
fn running_out_of_cubes_ends_the_game() {
    let game = infected(&format!("cubes={}", far(24)), "London");
    assert_eq!(game.ending(), Some(PandemicEnding::Cubes(Color::Blue)));
}

#[test]
fn running_out_of_cubes_in_an_outbreak_ends_the_game_and_counts_the_outbreak() {
    let game = infected(&format!("cubes={},Lon:b3", far(18)), "London");
    assert_eq!(
        (game.ending(), game.outbreaks()),
        (Some(PandemicEnding::Cubes(Color::Blue)), 1),
        "three for four cities"
    );
    assert_eq!(
        game.cubes().supply(Color::Blue),
        0,
        "the three are placed before the fourth is missed"
    );
    let game = infected(&format!("cubes={},Lon:b3", far(17)), "London");
    assert_eq!((game.ending(), game.cubes().supply(Color::Blue)), (None, 0));
}

#[test]
fn an_empty_supply_is_harmless_until_a_cube_is_needed() {
    let game = infected("cured=r", "Hong-Kong");
    assert_eq!(game.ending(), None, "eradicated");
    let game = after(
        &format!(
            "roles=Researcher,Quarantine-Specialist at=Sgo,Lon stage=turning:1 infection=*/Lon cubes={}",
            far(24)
        ),
        "infect:London",
    );
    assert_eq!(
        (game.ending(), cubes(&game, "London", Color::Blue)),
        (None, 0),
        "protected"
    );
}

#[test]
fn cards_of_a_layer_are_equally_likely_and_the_next_layer_waits() {
    let game = table(&format!("{PAIR} stage=turning:2 infection=*/Cai/LonPar"));
    let first: Vec<String> = crate::help::chances(&game);
    assert_eq!(first, ["infect:London 1", "infect:Paris 1"]);
    let mut game = game;
    play(
        &mut game,
        "infect:London infect:Paris draw draw:Essen draw:Milan",
    );
    assert_eq!(crate::help::chances(&game), ["infect:Cairo 1"]);
    assert_eq!(layers(&game).len(), 2);
}

#[test]
fn an_empty_infection_deck_is_rebuilt_from_the_discards() {
    let all: String = parlor_pandemic::City::all()
        .skip(1)
        .map(parlor_pandemic::City::code)
        .collect();
    let mut game = table(&format!(
        "2p0e {PAIR} stage=infect infection=Atl infected={all}"
    ));
    play(&mut game, "infect:Atlanta");
    assert_eq!(
        game.chances().len(),
        48,
        "only without epidemics does it come to that"
    );
    assert!(game.infection().discard().is_empty());
}
