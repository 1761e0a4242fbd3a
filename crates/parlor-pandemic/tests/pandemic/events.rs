//! The five events and the moments at which they can be played.

use parlor_core::{Notation, Position, Turn};
use parlor_pandemic::{Cards, City, Color, EventCard, Game, Illegal, Interrupt, Stage};

use crate::help::{
    after, cities, city, count, cubes, layers, lists, play, read, refused, seat, table,
};

const PAIR: &str = "roles=Medic,Scientist at=Sgo,Sgo";

fn mover(game: &Game, m: &str) -> u8 {
    game.mover(&game.parse_move(m).expect("a move"))
        .expect("a seat")
        .number()
}

#[test]
fn an_airlift_takes_any_pawn_to_any_city_without_an_action() {
    let words = format!("{PAIR} hands=Airlift/");
    assert_eq!(count(&table(&words), "airlift:"), 2 * 47);
    let game = after(&words, "airlift:Scientist:Tokyo");
    assert_eq!((game.pawn(seat(1)), game.actions()), (city("Tokyo"), 4));
    assert!(game.discard().has(EventCard::Airlift) && game.hand(seat(0)).is_empty());
}

#[test]
fn events_are_played_by_their_holder_in_any_turn() {
    let game = table(&format!(
        "{PAIR} hands=/Airlift+Forecast+Government-Grant+One-Quiet-Night infected=Lon"
    ));
    for m in [
        "airlift:Medic:Tokyo",
        "forecast",
        "grant:Tokyo",
        "quiet-night",
    ] {
        assert_eq!(mover(&game, m), 1, "{m}");
        assert!(lists(&game, m), "{m}");
    }
    assert_eq!(mover(&game, "drive:Lima"), 0);
}

#[test]
fn events_without_a_holder_are_refused() {
    let game = table(&format!("{PAIR} discard=Airlift"));
    for (m, event) in [
        ("airlift:Medic:Tokyo", EventCard::Airlift),
        ("forecast", EventCard::Forecast),
        ("grant:Tokyo", EventCard::GovernmentGrant),
        ("quiet-night", EventCard::OneQuietNight),
        ("resilient:London", EventCard::ResilientPopulation),
    ] {
        assert_eq!(refused(&game, m), Illegal::NotHeld(event), "{m}");
    }
}

#[test]
fn events_can_be_played_after_all_actions() {
    let game = table(&format!("{PAIR} stage=actions:0 hands=Government-Grant/"));
    assert!(lists(&game, "grant:Tokyo") && lists(&game, "draw"));
}

#[test]
fn a_forecast_shows_six_cards_and_the_holder_orders_them() {
    let mut game = table(&format!("{PAIR} hands=/Forecast infection=*/LonPar/Cai"));
    play(&mut game, "forecast");
    assert_eq!(
        crate::help::chances(&game),
        ["look:Cairo 1"],
        "layer by layer"
    );
    play(&mut game, "look:Cairo look:London look:Paris");
    assert_eq!(game.chances().len(), 45);
    play(&mut game, "look:Osaka look:Lima look:Delhi");
    assert_eq!(game.turn(), Turn::Move(seat(1)), "who played it");
    assert_eq!(refused(&game, "drive:Lima"), Illegal::ForecastFirst);
    assert_eq!(
        refused(&game, "next:Madrid"),
        Illegal::NotLookedAt(city("Madrid"))
    );
    play(&mut game, "next:Osaka");
    assert_eq!(
        refused(&game, "next:Osaka"),
        Illegal::NotLookedAt(city("Osaka"))
    );
    play(&mut game, "next:Cairo next:Delhi next:Lima next:London");
    let order = ["Osa", "Cai", "Del", "Lim", "Lon", "Par"].map(cities);
    assert_eq!(layers(&game)[..6], order, "the last needs no word");
    assert_eq!((game.turn(), game.interrupt()), (Turn::Move(seat(0)), None));
    play(
        &mut game,
        "draw draw:Essen draw:Milan infect:Osaka infect:Cairo",
    );
}

#[test]
fn a_forecast_puts_the_cards_back_in_the_chosen_order() {
    let mut game = table(&format!("{PAIR} hands=Forecast/"));
    play(
        &mut game,
        "forecast look:Cairo look:London look:Paris look:Osaka look:Lima look:Delhi",
    );
    assert_eq!(game.infection().len(), 42);
    play(
        &mut game,
        "next:Cairo next:London next:Paris next:Osaka next:Lima",
    );
    assert_eq!(game.infection().len(), 48);
}

#[test]
fn a_forecast_of_a_short_deck_shows_all_of_it() {
    let discards: String = City::all().skip(3).map(City::code).collect();
    let mut game = table(&format!("{PAIR} hands=Forecast/ infected={discards}"));
    play(&mut game, "forecast look:Atlanta look:Essen look:Chicago");
    assert!(matches!(game.interrupt(), Some(Interrupt::Order { .. })));
    play(&mut game, "next:Essen next:Atlanta");
    assert_eq!(layers(&game), [cities("Ess"), cities("Atl"), cities("Chi")]);
    let one: String = City::all().skip(1).map(City::code).collect();
    let game = after(
        &format!("{PAIR} hands=Forecast/ infected={one}"),
        "forecast look:Atlanta",
    );
    assert_eq!(
        (game.interrupt(), layers(&game).len()),
        (None, 1),
        "one card has one order"
    );
    let all: String = City::all().map(City::code).collect();
    let game = table(&format!(
        "{PAIR} hands=Forecast/ infection=none infected={all}"
    ));
    assert_eq!(refused(&game, "forecast"), Illegal::NothingToSee);
}

#[test]
fn a_grant_builds_anywhere_without_a_card() {
    let game = after(&format!("{PAIR} hands=Government-Grant/"), "grant:Tokyo");
    assert!(game.stations().has(city("Tokyo")));
    assert_eq!((game.actions(), game.pawn(seat(0))), (4, city("Santiago")));
    let game = table(&format!("{PAIR} hands=Government-Grant/"));
    assert_eq!(
        refused(&game, "grant:Atlanta"),
        Illegal::StationThere(City::ATLANTA)
    );
    assert_eq!(refused(&game, "grant:Tokyo:Atlanta"), Illegal::StationsLeft);
}

#[test]
fn a_grant_with_six_stations_moves_one() {
    let words = format!("{PAIR} hands=Government-Grant/ stations=AtlCaiDelLimOsaSyd");
    let game = table(&words);
    assert_eq!(refused(&game, "grant:Tokyo"), Illegal::NameAStation);
    assert_eq!(
        refused(&game, "grant:Tokyo:London"),
        Illegal::NoStation(city("London"))
    );
    assert_eq!(count(&game, "grant:"), 42 * 6);
    let game = after(&words, "grant:Tokyo:Atlanta");
    assert!(game.stations().has(city("Tokyo")) && !game.stations().has(City::ATLANTA));
}

#[test]
fn a_quiet_night_skips_the_next_infection_step() {
    let mut game = after(
        &format!("{PAIR} hands=One-Quiet-Night/"),
        "quiet-night draw draw:Essen draw:Milan",
    );
    assert_eq!((game.active(), game.quiet_night()), (seat(1), false));
    assert_eq!(game.infection().len(), 48);
    play(&mut game, "draw draw:Madrid draw:Cairo infect:Lima");
    assert_eq!(game.infection().len(), 47, "only one step");
}

#[test]
fn a_quiet_night_may_be_played_before_the_first_infection_card() {
    let mut game = after(
        &format!("{PAIR} hands=/One-Quiet-Night"),
        "draw draw:Essen draw:Milan",
    );
    assert_eq!(
        (game.stage(), game.turn()),
        (Stage::Infect(false), Turn::Move(seat(0)))
    );
    play(&mut game, "quiet-night");
    assert_eq!((game.active(), game.infection().len()), (seat(1), 48));
}

#[test]
fn a_quiet_night_in_a_running_step_counts_for_the_next() {
    let mut game = after(
        &format!("{PAIR} hands=/One-Quiet-Night"),
        "draw draw:Essen draw:Milan infect infect:Lima",
    );
    assert_eq!(game.stage(), Stage::Infect(true));
    play(&mut game, "quiet-night");
    assert_eq!(
        (game.turn(), game.infections_left()),
        (Turn::Chance, 1),
        "the running step goes on"
    );
    play(&mut game, "infect:Cairo");
    assert!(game.quiet_night());
    play(&mut game, "draw draw:Madrid draw:Paris");
    assert_eq!(
        (game.active(), game.infection().len(), game.quiet_night()),
        (seat(0), 46, false)
    );
}

#[test]
fn a_second_quiet_night_is_refused_while_one_is_coming() {
    let game = table("roles=Contingency-Planner,Scientist stored=One-Quiet-Night quiet");
    assert_eq!(refused(&game, "quiet-night"), Illegal::AlreadyQuiet);
}

#[test]
fn resilient_population_removes_a_discarded_infection_card_for_good() {
    let words = format!("{PAIR} hands=Resilient-Population/ infected=LonPar");
    let game = after(&words, "resilient:London");
    assert_eq!(
        (game.infection().removed(), game.infection().discard()),
        (cities("Lon"), cities("Par"))
    );
    assert_eq!(
        refused(&table(&words), "resilient:Cairo"),
        Illegal::NotDiscarded(city("Cairo"))
    );
    assert!(!lists(&table(&words), "resilient:London") || count(&table(&words), "resilient:") == 2);
}

#[test]
fn without_discards_resilient_population_waits() {
    let game = table(&format!("{PAIR} hands=Resilient-Population/"));
    assert_eq!(count(&game, "resilient:"), 0);
}

#[test]
fn only_resilient_population_is_played_between_infecting_and_intensifying() {
    let hands = "hands=Airlift+Forecast+Government-Grant/One-Quiet-Night+Resilient-Population";
    let mut game = table(&format!("{PAIR} {hands} infected=Osa"));
    play(&mut game, "draw draw:Epidemic draw:Essen bottom:London");
    assert_eq!(
        (game.stage(), game.turn()),
        (Stage::Intensify, Turn::Move(seat(0)))
    );
    for (m, event) in [
        ("airlift:Medic:Tokyo", EventCard::Airlift),
        ("forecast", EventCard::Forecast),
        ("grant:Tokyo", EventCard::GovernmentGrant),
        ("quiet-night", EventCard::OneQuietNight),
    ] {
        assert_eq!(refused(&game, m), Illegal::EventNow(event), "{m}");
    }
    assert_eq!(
        refused(&game, "infect"),
        Illegal::NotNow("the epidemic has to be intensified")
    );
    assert_eq!(game.legal_moves().len(), 1 + 2);
    play(&mut game, "resilient:Osaka");
    assert_eq!(
        (game.stage(), layers(&game)[0]),
        (Stage::Infect(false), cities("Lon"))
    );
}

#[test]
fn letting_an_epidemic_intensify_keeps_resilient_population() {
    let mut game = table(&format!("{PAIR} hands=/Resilient-Population infected=Osa"));
    play(
        &mut game,
        "draw draw:Epidemic draw:Essen bottom:London intensify",
    );
    assert_eq!(
        (
            layers(&game)[0],
            game.holder(EventCard::ResilientPopulation)
        ),
        (cities("LonOsa"), Some(seat(1)))
    );
}

#[test]
fn events_are_played_between_two_infection_cards() {
    let mut game = table(&format!(
        "{PAIR} stage=infect infection=*/LonPar hands=/Airlift+Resilient-Population"
    ));
    play(&mut game, "infect infect:London");
    assert_eq!(
        (game.stage(), game.turn()),
        (Stage::Infect(true), Turn::Move(seat(0)))
    );
    play(
        &mut game,
        "resilient:London airlift:Medic:Tokyo infect:Paris",
    );
    assert_eq!(
        (game.active(), game.pawn(seat(0))),
        (seat(1), city("Tokyo"))
    );
}

#[test]
fn without_events_infection_cards_are_turned_without_stops() {
    let mut game = table(&format!("{PAIR} stage=infect hands=/Airlift"));
    play(&mut game, "infect infect:London airlift:Medic:Tokyo");
    assert_eq!(
        (game.turn(), game.stage()),
        (Turn::Chance, Stage::Infecting)
    );
}

#[test]
fn the_rest_of_a_step_may_be_turned_without_a_stop() {
    let mut game = table(&format!("{PAIR} stage=infect hands=/Airlift"));
    play(&mut game, "infect:all infect:London infect:Paris");
    assert_eq!(game.active(), seat(1));
    assert!(
        lists(&game, "airlift:Medic:Tokyo"),
        "the next turn has begun"
    );
    let mut game = table(&format!("{PAIR} stage=infect hands=/Airlift"));
    play(&mut game, "infect infect:London");
    assert_eq!(
        count(&game, "infect"),
        1,
        "with one card left it is the same"
    );
    let all = game.parse_move("infect:all").expect("a move");
    let mut other = game;
    other.play(&all);
    play(&mut game, "infect");
    assert_eq!(game, other);
}

#[test]
fn no_event_comes_between_drawing_and_resolving() {
    let mut game = table(&format!("{PAIR} hands=/Airlift"));
    play(&mut game, "draw");
    let airlift = game.parse_move("airlift:Medic:Tokyo").expect("a move");
    assert_eq!(game.check(&airlift), Err(Illegal::Drawing));
    play(&mut game, "draw:Essen");
    assert_eq!(
        game.check(&airlift),
        Err(Illegal::Drawing),
        "the two cards are drawn together"
    );
    play(&mut game, "draw:Epidemic");
    assert_eq!(
        game.check(&airlift),
        Err(Illegal::Drawing),
        "nor before the epidemic infects"
    );
}

#[test]
fn no_event_is_played_while_a_forecast_is_open() {
    let mut game = table(&format!("{PAIR} hands=Forecast+Airlift/"));
    play(&mut game, "forecast");
    let airlift = game.parse_move("airlift:Medic:Tokyo").expect("a move");
    assert_eq!(game.check(&airlift), Err(Illegal::Drawing));
    play(
        &mut game,
        "look:Cairo look:London look:Paris look:Osaka look:Lima look:Delhi",
    );
    assert_eq!(game.check(&airlift), Err(Illegal::ForecastFirst));
}

#[test]
fn a_forecast_within_an_infection_step_orders_its_rest() {
    let mut game = table(&format!(
        "{PAIR} stage=infect hands=/Forecast infection=*/LonParMilEssMadNYk"
    ));
    play(
        &mut game,
        "infect infect:London forecast look:Paris look:Milan look:Essen look:Madrid look:New-York look:Lima",
    );
    play(
        &mut game,
        "next:Lima next:Paris next:Milan next:Essen next:Madrid infect:Lima",
    );
    assert_eq!(
        (cubes(&game, "Lima", Color::Yellow), game.active()),
        (1, seat(1))
    );
}

#[test]
fn an_event_without_effect_does_not_stop_the_game() {
    let mut game = table(&format!("{PAIR} hands=/One-Quiet-Night quiet"));
    play(&mut game, "draw draw:Essen draw:Milan");
    assert_eq!(game.active(), seat(1), "the night is quiet already");
    let events = Cards::NONE.with(EventCard::Forecast);
    assert!(read("2p4e stage=setup:0 events=Forecast").rules().events() == events);
}
