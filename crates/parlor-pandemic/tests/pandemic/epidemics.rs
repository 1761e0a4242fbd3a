//! Epidemics: increase, infect, intensify; two at once; hands in the meantime.

use parlor_core::{Position, Turn};
use parlor_pandemic::{Card, Cities, City, Color, EventCard, Illegal, PandemicEnding, Stage};

use crate::help::{after, chances, cities, cubes, layers, play, refused, seat, table};

const PAIR: &str = "roles=Researcher,Scientist at=Sgo,Sgo";

/// Draws an epidemic first and Essen second.
fn epidemic(words: &str, bottom: &str) -> parlor_pandemic::Game {
    after(
        &format!("{PAIR} {words}"),
        &format!("draw draw:Epidemic draw:Essen bottom:{bottom}"),
    )
}

#[test]
fn an_epidemic_raises_the_rate_infects_from_the_bottom_and_intensifies() {
    let game = epidemic("infection=*/CaiLim infected=OsaTok", "London");
    assert_eq!(
        (game.epidemics(), cubes(&game, "London", Color::Blue)),
        (1, 3)
    );
    let [top, old, rest] = layers(&game)[..] else {
        panic!("three layers")
    };
    assert_eq!((top, old), (cities("LonOsaTok"), cities("CaiLim")));
    assert_eq!(rest, Cities::ALL.minus(top).minus(old));
    assert!(game.infection().discard().is_empty());
    assert_eq!(
        chances(&game),
        ["infect:London 1", "infect:Osaka 1", "infect:Tokyo 1"]
    );
}

#[test]
fn the_bottom_card_comes_from_the_lowest_layer_only() {
    let mut game = table(&format!("{PAIR} infection=OsaTok/*"));
    play(&mut game, "draw draw:Epidemic draw:Essen");
    assert_eq!(chances(&game), ["bottom:Osaka 1", "bottom:Tokyo 1"]);
    let none: Vec<parlor_pandemic::Move> = game.legal_moves();
    assert!(
        none.is_empty(),
        "nothing is possible between drawing and resolving a card"
    );
}

#[test]
fn a_city_with_cubes_is_filled_up_and_has_one_outbreak() {
    for before in 1..=3 {
        let game = epidemic(&format!("cubes=Lon:b{before}"), "London");
        assert_eq!(
            (game.outbreaks(), cubes(&game, "London", Color::Blue)),
            (1, 3),
            "{before} cubes before"
        );
        assert_eq!(cubes(&game, "Paris", Color::Blue), 1);
        assert_eq!(game.cubes().on_board(Color::Blue), 3 + 4);
    }
}

#[test]
fn cubes_of_another_color_do_not_count_for_an_epidemic() {
    let game = epidemic("cubes=Lon:k3", "London");
    assert_eq!(
        (game.outbreaks(), cubes(&game, "London", Color::Blue)),
        (0, 3)
    );
}

#[test]
fn an_eradicated_disease_gets_no_epidemic_cubes_but_the_rest_happens() {
    let game = epidemic("cured=b infected=Osa", "London");
    assert_eq!(
        (game.cubes().on_board(Color::Blue), game.epidemics()),
        (0, 1)
    );
    assert_eq!(layers(&game)[0], cities("LonOsa"));
}

#[test]
fn a_protected_city_gets_no_epidemic_cubes_but_the_rest_happens() {
    let words = "roles=Researcher,Quarantine-Specialist at=Sgo,Par cubes=Lon:b2 infected=Osa";
    let game = after(words, "draw draw:Epidemic draw:Essen bottom:London");
    assert_eq!(
        (
            cubes(&game, "London", Color::Blue),
            game.outbreaks(),
            game.epidemics()
        ),
        (2, 0, 1)
    );
    assert_eq!(layers(&game)[0], cities("LonOsa"));
}

#[test]
fn an_epidemic_that_runs_out_of_cubes_ends_the_game() {
    let board = "cubes=Lim:b3,Bog:b3,Bue:b3,Sao:b3,Joh:b3,Kin:b3,Osa:b3,Tok:b1";
    let game = epidemic(board, "London");
    assert_eq!(
        (game.ending(), game.cubes().supply(Color::Blue)),
        (Some(PandemicEnding::Cubes(Color::Blue)), 0)
    );
    assert_eq!(
        cubes(&game, "London", Color::Blue),
        2,
        "the two that were left"
    );
    let one_less = "cubes=Lim:b3,Bog:b3,Bue:b3,Sao:b3,Joh:b3,Kin:b3,Osa:b3";
    assert_eq!(epidemic(one_less, "London").ending(), None);
}

#[test]
fn an_outbreak_of_an_epidemic_may_be_the_eighth() {
    let mut game = table(&format!("{PAIR} cubes=Lon:b1 outbreaks=7"));
    play(&mut game, "draw draw:Epidemic draw:Essen bottom:London");
    assert_eq!(
        (game.ending(), game.outbreaks()),
        (Some(PandemicEnding::Outbreaks), 8)
    );
}

#[test]
fn both_cards_are_drawn_before_an_epidemic_is_resolved() {
    let mut game = table(PAIR);
    play(&mut game, "draw draw:Epidemic");
    assert_eq!((game.stage(), game.epidemics()), (Stage::Draw(1), 0));
    play(&mut game, "draw:Essen");
    assert_eq!((game.stage(), game.epidemics()), (Stage::Epidemic, 1));
    assert_eq!(
        game.hand(seat(0)).len(),
        1,
        "an epidemic is not replaced by another card"
    );
}

/// Draws two epidemics at once: one pile ends and the next begins with its epidemic.
fn two(words: &str) -> parlor_pandemic::Game {
    let mut game = table(&format!("{PAIR} {words}"));
    // The first pile has thirteen cards: after six draws only its epidemic is left.
    let mut setup = game.setup();
    let spare = game.deck().unseen().cities().into_iter().take(12);
    setup.discard = spare.fold(setup.discard, |discard, city| discard.with(city));
    game = setup.validate().expect("a deck of 37");
    play(&mut game, "draw draw:Epidemic draw:Epidemic");
    game
}

#[test]
fn two_epidemics_are_resolved_one_after_the_other() {
    let mut game = two("infected=OsaTok");
    assert_eq!(game.epidemics(), 1);
    play(&mut game, "bottom:London");
    assert_eq!(
        (game.stage(), game.epidemics()),
        (Stage::Epidemic, 2),
        "nobody holds an event, so nobody is asked"
    );
    assert_eq!(layers(&game)[0], cities("LonOsaTok"));
    play(&mut game, "bottom:Cairo");
    assert_eq!(layers(&game)[..2], [cities("Cai"), cities("LonOsaTok")]);
    assert_eq!(
        chances(&game),
        ["infect:Cairo 1"],
        "the second city is drawn first"
    );
    assert_eq!(
        (cubes(&game, "Cairo", Color::Black), game.outbreaks()),
        (3, 0)
    );
    play(&mut game, "infect:Cairo");
    assert_eq!(game.outbreaks(), 1);
}

#[test]
fn events_are_played_between_two_epidemics() {
    let mut game = two("hands=Airlift+One-Quiet-Night+Forecast+Government-Grant/ infected=OsaTok");
    assert!(
        game.legal_moves().is_empty(),
        "not between drawing and resolving"
    );
    play(&mut game, "bottom:London");
    assert_eq!(
        (game.stage(), game.turn()),
        (Stage::NextEpidemic, Turn::Move(seat(0)))
    );
    assert_eq!(
        refused(&game, "infect"),
        Illegal::NotNow("the second epidemic has to be resolved")
    );
    play(&mut game, "airlift:Scientist:Cairo grant:Osaka quiet-night");
    assert_eq!(
        (game.pawn(seat(1)), game.stage()),
        (
            City::from_name("Cairo").expect("a city"),
            Stage::NextEpidemic
        )
    );
    play(&mut game, "forecast look:London look:Osaka look:Tokyo");
    assert_eq!(game.turn(), Turn::Chance, "three more from below");
}

#[test]
fn the_hand_limit_applies_after_the_last_epidemic() {
    let mut game = table(&format!("{PAIR} hands=LonParMilMadNYkMon+Forecast/"));
    play(&mut game, "draw draw:Essen draw:Epidemic bottom:Cairo");
    assert_eq!(
        (game.hand(seat(0)).len(), game.stage()),
        (8, Stage::Infect(false))
    );
    assert_eq!(refused(&game, "infect"), Illegal::LimitFirst(1));
    assert!(
        game.infection().discard().is_empty(),
        "intensified before the discard"
    );
    play(&mut game, "discard:Essen");
    assert!(
        game.discard()
            .has(City::from_name("Essen").expect("a city"))
    );
}

#[test]
fn a_hand_of_nine_discards_two_or_plays_events_instead() {
    let words = format!("{PAIR} hands=LonParMilMadNYk+Forecast+Airlift/");
    let mut game = table(&words);
    play(&mut game, "draw draw:Essen draw:Chicago");
    assert_eq!(refused(&game, "infect"), Illegal::LimitFirst(2));
    play(&mut game, "airlift:Scientist:Cairo");
    assert_eq!(refused(&game, "infect"), Illegal::LimitFirst(1));
    play(&mut game, "discard:Forecast infect:Lima infect:Cairo");
    assert_eq!((game.active(), game.hand(seat(0)).len()), (seat(1), 7));
    assert!(game.discard().has(EventCard::Forecast));
    assert_eq!(refused(&game, "discard:London"), Illegal::NoLimit);
}

#[test]
fn only_cards_of_the_full_hand_are_discarded() {
    let mut game = table(&format!("{PAIR} hands=LonParMilMadNYkMonWas/Cai"));
    play(&mut game, "draw draw:Essen draw:Chicago");
    assert_eq!(
        refused(&game, "discard:Cairo"),
        Illegal::NoCard(Card::City(City::from_name("Cairo").expect("a city")))
    );
    assert_eq!(game.legal_moves().len(), 9);
}

#[test]
fn an_event_drawn_with_an_epidemic_can_answer_it() {
    let mut game = table(PAIR);
    play(
        &mut game,
        "draw draw:Resilient-Population draw:Epidemic bottom:London",
    );
    assert_eq!(game.stage(), Stage::Intensify);
    play(&mut game, "resilient:London");
    assert_eq!(game.infection().removed(), cities("Lon"));
    assert!(
        !layers(&game)
            .iter()
            .any(|layer| layer.has(City::from_name("London").expect("a city")))
    );
}

#[test]
fn reshuffled_cards_lie_on_top_of_a_forecast() {
    let mut game = table(&format!(
        "{PAIR} hands=Forecast/ infection=*/LonParMilEssMadNYk infected=OsaTok"
    ));
    play(
        &mut game,
        "forecast look:London look:Paris look:Milan look:Essen look:Madrid look:New-York",
    );
    play(
        &mut game,
        "next:Madrid next:London next:Paris next:Milan next:Essen",
    );
    let expected: Vec<Cities> = ["Mad", "Lon", "Par", "Mil", "Ess", "NYk"]
        .into_iter()
        .map(cities)
        .collect();
    assert_eq!(layers(&game)[..6], expected);
    play(&mut game, "draw draw:Epidemic draw:Chicago bottom:Lima");
    assert_eq!(layers(&game)[0], cities("LimOsaTok"));
    assert_eq!(layers(&game)[1..7], expected);
    play(
        &mut game,
        "infect:Lima infect:Osaka draw draw:Moscow draw:Cairo infect:Tokyo",
    );
    assert_eq!(chances(&game), ["infect:Madrid 1"]);
}
