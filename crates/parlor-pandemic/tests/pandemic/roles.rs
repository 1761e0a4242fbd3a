//! The seven roles and their limits.

use parlor_core::Position;
use parlor_pandemic::{Card, Cities, City, Color, EventCard, Game, Illegal, PandemicEnding, Role};

use crate::help::{after, cities, city, count, cubes, lists, play, refused, seat, table};

const PLANNER: &str = "roles=Contingency-Planner,Scientist";
const DISPATCHER: &str = "3p4e roles=Dispatcher,Scientist,Medic";
const EXPERT: &str = "roles=Operations-Expert,Scientist";

#[test]
fn the_planner_fetches_an_event_with_an_action_and_plays_it_once_more() {
    let mut game = table(&format!("{PLANNER} discard=Airlift+Forecast"));
    play(&mut game, "fetch:Airlift");
    assert_eq!(
        (game.stored(), game.actions()),
        (Some(EventCard::Airlift), 3)
    );
    assert!(!game.discard().has(EventCard::Airlift));
    assert_eq!(
        refused(&game, "fetch:Forecast"),
        Illegal::AlreadyStored(EventCard::Airlift)
    );
    play(&mut game, "airlift:Scientist:Cairo");
    assert_eq!((game.stored(), game.pawn(seat(1))), (None, city("Cairo")));
    assert!(
        game.removed_events().has(EventCard::Airlift) && !game.discard().has(EventCard::Airlift)
    );
    assert_eq!(
        refused(&game, "fetch:Airlift"),
        Illegal::EventNotDiscarded(EventCard::Airlift)
    );
    play(&mut game, "fetch:Forecast");
}

#[test]
fn the_planner_can_fetch_an_event_discarded_unplayed() {
    let mut game = table(&format!(
        "{PLANNER} active=1 hands=/LonParMilMadNYkEss+Forecast"
    ));
    play(
        &mut game,
        "draw draw:Cairo draw:Delhi discard:Forecast discard:Delhi infect:Lima infect:Osaka fetch:Forecast",
    );
    assert_eq!(game.stored(), Some(EventCard::Forecast));
}

#[test]
fn the_stored_event_is_not_in_the_hand() {
    let game = table(&format!(
        "{PLANNER} hands=LonParMilMadNYkEssWas/ stored=Airlift"
    ));
    assert!(!game.is_over_limit(seat(0)));
    assert_eq!(game.hand(seat(0)).len(), 7);
    assert_eq!(game.holder(EventCard::Airlift), Some(seat(0)));
}

#[test]
fn only_the_planner_plays_the_stored_event() {
    let game = table(&format!("{PLANNER} active=1 stored=Airlift"));
    let airlift =
        parlor_core::Notation::parse_move(&game, "airlift:Scientist:Cairo").expect("a move");
    assert_eq!(
        game.mover(&airlift),
        Some(seat(0)),
        "in the other's turn as well"
    );
    assert_eq!(
        refused(
            &table(&format!("{EXPERT} discard=Airlift")),
            "fetch:Airlift"
        ),
        Illegal::OnlyRole(Role::ContingencyPlanner)
    );
}

#[test]
fn the_dispatcher_moves_any_pawn_to_another() {
    let game = table(&format!("{DISPATCHER} at=Atl,Lon,Cai"));
    for m in [
        "join:Dispatcher:London",
        "join:Dispatcher:Cairo",
        "join:Scientist:Cairo",
        "join:Medic:Atlanta",
    ] {
        assert!(lists(&game, m), "{m}");
    }
    assert_eq!(
        refused(&game, "join:Scientist:Paris"),
        Illegal::NobodyThere(city("Paris"))
    );
    assert_eq!(
        refused(&game, "join:Scientist:London"),
        Illegal::SameCity(city("London"))
    );
    assert_eq!(count(&game, "join:"), 6);
}

#[test]
fn the_dispatcher_moves_others_as_if_they_were_the_own_pawn_with_the_own_cards() {
    let words = format!("{DISPATCHER} at=Osa,Lon,Cai hands=LonSyd/CaiTok/Del stations=AtlCaiLim");
    let game = table(&words);
    for m in [
        "drive:Scientist:Paris",
        "fly:Scientist:Sydney",
        "charter:Scientist:Tokyo",
        "shuttle:Medic:Lima",
    ] {
        assert!(lists(&game, m), "{m}");
    }
    assert_eq!(
        refused(&game, "fly:Scientist:Tokyo"),
        Illegal::NoCard(Card::City(city("Tokyo"))),
        "the scientist's card"
    );
    assert_eq!(
        refused(&game, "charter:Medic:Lima"),
        Illegal::NoCard(Card::City(city("Cairo"))),
        "the scientist's card"
    );
    assert_eq!(
        refused(&game, "charter:Lima"),
        Illegal::NoCard(Card::City(city("Osaka")))
    );
    let game = after(&words, "charter:Scientist:Tokyo");
    assert_eq!(game.pawn(seat(1)), city("Tokyo"));
    assert!(
        game.discard().has(city("London")),
        "the card of where the moved pawn was"
    );
}

#[test]
fn the_dispatcher_does_nothing_else_for_others() {
    let words =
        "3p4e roles=Dispatcher,Operations-Expert,Medic at=Osa,Atl,Cai hands=Lon/Par/ cubes=Cai:k2";
    let game = table(words);
    assert_eq!(count(&game, "expert:"), 0);
    assert_eq!(count(&game, "treat:"), 0, "no cube is in Osaka");
    assert_eq!(count(&game, "build"), 0);
    assert_eq!(
        refused(&game, "expert:Lima:London"),
        Illegal::OnlyRole(Role::OperationsExpert)
    );
}

#[test]
fn the_medic_removes_all_cubes_of_a_color() {
    let game = after("roles=Medic,Scientist cubes=Atl:b3y2", "treat:blue");
    assert_eq!(
        (
            cubes(&game, "Atl", Color::Blue),
            cubes(&game, "Atl", Color::Yellow),
            game.actions()
        ),
        (0, 2, 3)
    );
}

#[test]
fn the_medic_takes_cured_cubes_along_without_an_action() {
    let words = "roles=Medic,Scientist cubes=Was:b3k2y1,Mia:b1 cured=bk";
    let mut game = table(words);
    play(&mut game, "drive:Washington");
    assert_eq!(
        (
            cubes(&game, "Was", Color::Blue),
            cubes(&game, "Was", Color::Black)
        ),
        (0, 0)
    );
    assert_eq!(cubes(&game, "Was", Color::Yellow), 1, "not cured");
    assert!(game.is_eradicated(Color::Black) && !game.is_eradicated(Color::Blue));
    play(&mut game, "drive:Miami");
    assert!(game.is_eradicated(Color::Blue));
}

#[test]
fn the_medic_takes_cured_cubes_when_moved_by_others() {
    let game = after(
        &format!("{DISPATCHER} at=Atl,Lon,Cai cubes=Lon:b2 cured=b"),
        "join:Medic:London",
    );
    assert_eq!(cubes(&game, "Lon", Color::Blue), 0);
    let game = after(
        "roles=Scientist,Medic hands=Airlift/ cubes=Lon:b2 cured=b",
        "airlift:Medic:London",
    );
    assert_eq!(cubes(&game, "Lon", Color::Blue), 0);
}

#[test]
fn another_players_cure_removes_cubes_in_the_medics_city() {
    let words = "roles=Scientist,Medic at=Atl,Lon hands=ParMilEssNYk/ cubes=Lon:b3";
    let game = after(words, "cure:blue");
    assert_eq!(cubes(&game, "Lon", Color::Blue), 0);
    assert!(game.is_eradicated(Color::Blue));
}

#[test]
fn cured_diseases_neither_appear_nor_break_out_in_the_medics_city() {
    let medic = "roles=Medic,Scientist at=Par,Sgo stage=turning:1";
    let game = after(
        &format!("{medic} infection=*/Par cured=b cubes=Mil:b1"),
        "infect:Paris",
    );
    assert_eq!(cubes(&game, "Paris", Color::Blue), 0);
    let game = after(
        &format!("{medic} infection=*/Lon cured=b cubes=Lon:b3"),
        "infect:London",
    );
    assert_eq!(
        (
            cubes(&game, "Paris", Color::Blue),
            cubes(&game, "Madrid", Color::Blue)
        ),
        (0, 1),
        "within an outbreak"
    );
    let words = "roles=Medic,Scientist at=Lon,Sgo cured=b cubes=Mil:b1";
    let game = after(words, "draw draw:Epidemic draw:Essen bottom:London");
    assert_eq!(
        (cubes(&game, "London", Color::Blue), game.outbreaks()),
        (0, 0),
        "nor by an epidemic"
    );
}

#[test]
fn the_medic_does_not_keep_uncured_cubes_away() {
    let medic = "roles=Medic,Scientist at=Par,Sgo stage=turning:1 infection=*/Par";
    assert_eq!(
        cubes(&after(medic, "infect:Paris"), "Paris", Color::Blue),
        1
    );
    assert_eq!(
        after(&format!("{medic} cubes=Par:b3"), "infect:Paris").outbreaks(),
        1
    );
}

#[test]
fn the_expert_builds_without_a_card_and_keeps_it() {
    let game = after(&format!("{EXPERT} at=Lon,Atl hands=Lon/"), "build");
    assert!(game.stations().has(city("London")) && game.hand(seat(0)).has(city("London")));
    let game = table(&format!("{EXPERT} active=1 at=Lon,Lon"));
    assert_eq!(
        refused(&game, "build"),
        Illegal::NoCard(Card::City(city("London"))),
        "only the expert"
    );
}

#[test]
fn the_expert_flies_once_a_turn_from_a_station_with_any_city_card() {
    let mut game = table(&format!("{EXPERT} hands=LonPar+Airlift/ stations=AtlSyd"));
    assert_eq!(count(&game, "expert:"), 2 * 47, "not with an event");
    play(&mut game, "expert:Sydney:London");
    assert_eq!((game.pawn(seat(0)), game.flown()), (city("Sydney"), true));
    assert!(game.discard().has(city("London")));
    assert_eq!(refused(&game, "expert:Cairo:Paris"), Illegal::Flown);
    play(
        &mut game,
        "shuttle:Atlanta draw draw:Essen draw:Milan infect infect:Lima infect infect:Cairo",
    );
    assert!(!game.flown());
    play(
        &mut game,
        "draw draw:Madrid draw:New-York infect infect:Mumbai infect infect:Osaka expert:Cairo:Paris",
    );
    assert_eq!(game.pawn(seat(0)), city("Cairo"));
}

#[test]
fn the_expert_does_not_fly_from_elsewhere_or_without_the_card() {
    let game = table(&format!("{EXPERT} at=Lon,Atl hands=Par/"));
    assert_eq!(
        refused(&game, "expert:Cairo:Paris"),
        Illegal::NoStation(city("London"))
    );
    let game = table(&format!("{EXPERT} hands=Par/Lon"));
    assert_eq!(
        refused(&game, "expert:Cairo:London"),
        Illegal::NoCard(Card::City(city("London")))
    );
    assert_eq!(
        refused(&game, "expert:Atlanta:Paris"),
        Illegal::SameCity(City::ATLANTA)
    );
}

/// Turns one infection card with the Quarantine Specialist in Paris.
fn guarded(words: &str, card: &str) -> Game {
    let start = "roles=Quarantine-Specialist,Scientist at=Par,Sgo stage=turning:1";
    after(
        &format!("{start} infection=*/{} {words}", city(card).code()),
        &format!("infect:{card}"),
    )
}

#[test]
fn the_specialist_keeps_all_cubes_from_her_city_and_all_around() {
    for name in ["Paris", "London", "Madrid", "Essen", "Milan", "Algiers"] {
        let game = guarded("cubes=Par:b3,Lon:b3,Mad:b3,Ess:b3,Mil:b3,Alg:k3", name);
        assert_eq!(
            (game.outbreaks(), cubes(&game, name, city(name).color())),
            (0, 3),
            "{name}"
        );
    }
    assert_eq!(
        cubes(&guarded("", "Cairo"), "Cairo", Color::Black),
        1,
        "two connections away"
    );
}

#[test]
fn the_specialist_protects_every_city_of_a_chain() {
    let game = guarded("cubes=Ist:k3,Alg:k3,Cai:k2", "Istanbul");
    assert_eq!(game.outbreaks(), 1, "no chain through Algiers");
    assert_eq!(cubes(&game, "Algiers", Color::Black), 3);
    assert_eq!(
        cubes(&game, "Milan", Color::Black),
        0,
        "no cube of another color either"
    );
    assert_eq!(cubes(&game, "Cairo", Color::Black), 3);
}

#[test]
fn a_protected_city_uses_no_cube_of_the_supply() {
    let board = "Lim:k3,Bog:k3,Bue:k3,Sao:k3,Joh:k3,Kin:k2";
    let game = guarded(&format!("cubes={board},Ist:k3"), "Istanbul");
    assert_eq!(
        game.cubes().supply(Color::Black),
        0,
        "Algiers and Milan take none of the four that were left"
    );
    assert_eq!((game.ending(), game.outbreaks()), (None, 1));
    let elsewhere =
        "roles=Quarantine-Specialist,Scientist at=Osa,Sgo stage=turning:1 infection=*/Ist";
    let game = after(
        &format!("{elsewhere} cubes={board},Ist:k3"),
        "infect:Istanbul",
    );
    assert_eq!(game.ending(), Some(PandemicEnding::Cubes(Color::Black)));
}

#[test]
fn the_specialist_protects_where_she_goes_not_where_she_was() {
    let game = after(
        "roles=Quarantine-Specialist,Scientist at=Par,Sgo infection=*/Lon/Alg",
        "drive:Algiers draw draw:Essen draw:Milan infect:Algiers infect:London",
    );
    assert_eq!(
        (
            cubes(&game, "Algiers", Color::Black),
            cubes(&game, "London", Color::Blue)
        ),
        (0, 1)
    );
}

#[test]
fn protected_cities_depend_on_the_color() {
    let game = table("roles=Medic,Quarantine-Specialist at=Par,Sgo cured=b");
    assert_eq!(game.protected(Color::Blue), cities("ParSgoLim"));
    assert_eq!(game.protected(Color::Red), cities("SgoLim"));
    assert_eq!(
        table("roles=Medic,Scientist").protected(Color::Blue),
        Cities::NONE
    );
}

#[test]
fn the_scientist_needs_four_cards() {
    let words = "roles=Scientist,Medic hands=LonParMilEssNYk/Cai";
    let game = table(words);
    assert_eq!(game.cards_for_cure(seat(0)), 4);
    assert_eq!(count(&game, "cure:blue"), 5, "four of five");
    let five = Illegal::CureCards {
        needed: 4,
        given: 5,
    };
    assert_eq!(refused(&game, "cure:blue"), five);
    let game = after(words, "cure:blue:Lon,Par,Mil,Ess");
    assert!(game.is_cured(Color::Blue) && game.hand(seat(0)).has(city("NYk")));
    assert_eq!(game.cards_for_cure(seat(1)), 5);
}
