//! Actions of a turn.

use parlor_core::{Position, Turn};
use parlor_pandemic::{Action, Card, City, Color, ColorCities, Game, Illegal, Role, Stage, Way};

use crate::help::{after, city, count, cubes, lists, play, refused, seat, table};

const PAIR: &str = "roles=Researcher,Quarantine-Specialist";

#[test]
fn a_turn_has_up_to_four_actions() {
    let mut game = table(PAIR);
    for (left, to) in [
        (3, "Washington"),
        (2, "Atlanta"),
        (1, "Miami"),
        (0, "Atlanta"),
    ] {
        assert!(lists(&game, "draw"));
        play(&mut game, &format!("drive:{to}"));
        assert_eq!(game.actions(), left);
    }
    assert_eq!(refused(&game, "drive:Miami"), Illegal::NoActions);
    assert_eq!(game.legal_moves().len(), 1);
    play(&mut game, "draw");
    assert_eq!((game.turn(), game.stage()), (Turn::Chance, Stage::Draw(2)));
}

#[test]
fn passing_still_draws_and_infects() {
    let game = after(PAIR, "draw draw:Essen draw:Milan infect:Lima infect:Cairo");
    assert_eq!(
        (game.active(), game.actions(), game.stage()),
        (seat(1), 4, Stage::Actions)
    );
    assert!(game.hand(seat(0)).has(city("Essen")) && game.hand(seat(0)).has(city("Milan")));
    assert_eq!(
        (
            cubes(&game, "Lima", Color::Yellow),
            cubes(&game, "Cairo", Color::Black)
        ),
        (1, 1)
    );
}

#[test]
fn driving_follows_a_connection() {
    let mut game = table(PAIR);
    let (from, to) = (City::ATLANTA, city("London"));
    assert_eq!(
        refused(&game, "drive:London"),
        Illegal::NotConnected { from, to }
    );
    assert_eq!(count(&game, "drive:"), 3);
    play(&mut game, "drive:Chicago drive:San-Francisco drive:Tokyo");
    assert_eq!(
        game.pawn(seat(0)),
        city("Tokyo"),
        "the ferry crosses the Pacific"
    );
}

#[test]
fn a_direct_flight_costs_the_card_of_its_destination() {
    let game = table(&format!("{PAIR} hands=Lon/Par"));
    assert_eq!(
        refused(&game, "fly:Paris"),
        Illegal::NoCard(Card::City(city("Paris"))),
        "the other's card"
    );
    let game = after(&format!("{PAIR} hands=Lon/Par"), "fly:London");
    assert_eq!(game.pawn(seat(0)), city("London"));
    assert!(game.hand(seat(0)).is_empty() && game.discard().has(city("London")));
    assert_eq!(game.actions(), 3);
}

#[test]
fn a_charter_flight_costs_the_card_of_its_origin() {
    let game = table(&format!("{PAIR} hands=Lon/Atl"));
    assert_eq!(
        refused(&game, "charter:Sydney"),
        Illegal::NoCard(Card::City(City::ATLANTA))
    );
    let game = after(&format!("{PAIR} hands=Atl/Lon"), "charter:Sydney");
    assert_eq!(game.pawn(seat(0)), city("Sydney"));
    assert!(game.discard().has(City::ATLANTA));
}

#[test]
fn a_shuttle_goes_from_station_to_station() {
    let game = after(&format!("{PAIR} stations=AtlCai"), "shuttle:Cairo");
    assert_eq!(game.pawn(seat(0)), city("Cairo"));
    let game = table(&format!("{PAIR} stations=AtlCai"));
    assert_eq!(
        refused(&game, "shuttle:London"),
        Illegal::NoStation(city("London"))
    );
    let game = table(&format!("{PAIR} stations=AtlCai at=Lon,Atl"));
    assert_eq!(
        refused(&game, "shuttle:Cairo"),
        Illegal::NoStation(city("London"))
    );
}

#[test]
fn flying_to_the_same_city_is_illegal() {
    let game = table(&format!("{PAIR} hands=AtlGovernment-Grant/Lon").replace("AtlGov", "Atl+Gov"));
    let same = Illegal::SameCity(City::ATLANTA);
    for m in [
        "fly:Atlanta",
        "charter:Atlanta",
        "drive:Atlanta",
        "shuttle:Atlanta",
    ] {
        assert_eq!(refused(&game, m), same, "{m}");
    }
    let game = table(&format!("{PAIR} hands=Airlift/Lon"));
    assert_eq!(refused(&game, "airlift:Researcher:Atlanta"), same);
}

#[test]
fn flights_to_a_neighbor_are_listed_but_shuttles_are_drives() {
    let game = table(&format!("{PAIR} hands=Mia/Lon stations=AtlMia"));
    assert!(
        lists(&game, "fly:Miami") && lists(&game, "drive:Miami") && !lists(&game, "shuttle:Miami")
    );
    let shuttle = Action::Travel {
        pawn: seat(0),
        way: Way::Shuttle,
        to: city("Miami"),
    };
    let shuttle = game.check(&shuttle.into());
    assert_eq!(shuttle, Ok(()), "it is the same thing");
}

#[test]
fn a_station_costs_the_card_of_the_city() {
    let game = after(&format!("{PAIR} at=Lon,Atl hands=Lon/Par"), "build");
    assert!(game.stations().has(city("London")) && game.discard().has(city("London")));
    let game = table(&format!("{PAIR} at=Lon,Atl hands=Par/Lon"));
    assert_eq!(
        refused(&game, "build"),
        Illegal::NoCard(Card::City(city("London")))
    );
    let game = table(&format!("{PAIR} hands=Atl/Lon"));
    assert_eq!(
        refused(&game, "build"),
        Illegal::StationThere(City::ATLANTA)
    );
}

#[test]
fn a_seventh_station_moves_one_of_the_six() {
    let six = format!("{PAIR} at=Lon,Atl hands=Lon/Par stations=AtlCaiDelLimOsaSyd");
    let game = table(&six);
    assert_eq!(refused(&game, "build"), Illegal::NameAStation);
    assert_eq!(
        refused(&game, "build:Tokyo"),
        Illegal::NoStation(city("Tokyo"))
    );
    assert_eq!(count(&game, "build"), 6);
    let game = after(&six, "build:Cairo");
    assert!(game.stations().has(city("London")) && !game.stations().has(city("Cairo")));
    assert_eq!(game.stations().len(), 6);
    let five = table(&six.replace("Syd", ""));
    assert_eq!(refused(&five, "build:Cairo"), Illegal::StationsLeft);
}

#[test]
fn a_treatment_takes_one_cube_and_all_of_a_cured_color() {
    let words = format!("{PAIR} cubes=Atl:b3y2");
    let game = after(&words, "treat:blue");
    assert_eq!(
        (
            cubes(&game, "Atl", Color::Blue),
            game.cubes().supply(Color::Blue)
        ),
        (2, 22)
    );
    let game = after(&format!("{words} cured=b"), "treat:blue");
    assert_eq!(
        (
            cubes(&game, "Atl", Color::Blue),
            cubes(&game, "Atl", Color::Yellow)
        ),
        (0, 2)
    );
    let none = Illegal::NoCubes {
        city: City::ATLANTA,
        color: Color::Red,
    };
    assert_eq!(refused(&table(&words), "treat:red"), none);
}

#[test]
fn two_cured_colors_take_two_treatments() {
    let mut game = table(&format!("{PAIR} cubes=Atl:b3y2 cured=by"));
    play(&mut game, "treat:blue");
    assert_eq!((cubes(&game, "Atl", Color::Yellow), game.actions()), (2, 3));
    play(&mut game, "treat:yellow");
    assert_eq!((cubes(&game, "Atl", Color::Yellow), game.actions()), (0, 2));
}

#[test]
fn a_cure_takes_five_cards_of_a_color_at_any_station() {
    let words = format!("{PAIR} hands=LonParMilEssNYkMad/Del");
    let game = table(&words);
    assert_eq!(count(&game, "cure:blue"), 6, "five of six");
    let (needed, short, long) = (
        5,
        "cure:blue:Lon,Par,Mil,Ess",
        "cure:blue:Lon,Par,Mil,Ess,NYk,Mad",
    );
    assert_eq!(
        refused(&game, short),
        Illegal::CureCards { needed, given: 4 }
    );
    assert_eq!(
        refused(&game, long),
        Illegal::CureCards { needed, given: 6 }
    );
    let missing = Illegal::NoCard(Card::City(City::ATLANTA));
    assert_eq!(refused(&game, "cure:blue:Lon,Par,Mil,Ess,Atl"), missing);
    let game = after(&words, "cure:blue:Lon,Par,Mil,Ess,NYk");
    assert!(game.is_cured(Color::Blue));
    assert_eq!(
        (game.hand(seat(0)).len(), game.actions(), game.cures()),
        (1, 3, 1)
    );
    assert!(game.discard().has(city("Essen")) && !game.discard().has(city("Madrid")));
    let away = table(&format!("{words} at=Cai,Atl"));
    assert_eq!(
        refused(&away, "cure:blue:Lon,Par,Mil,Ess,NYk"),
        Illegal::NoStation(city("Cairo"))
    );
    let elsewhere = table(&format!("{words} at=Cai,Atl stations=AtlCai"));
    assert!(
        lists(&elsewhere, "cure:blue:Lon,Par,Mil,Ess,NYk"),
        "any station"
    );
}

#[test]
fn a_disease_is_cured_once() {
    let game = table(&format!(
        "{PAIR} hands=LonParMilEssNYk/Del cured=b cubes=Lon:b1"
    ));
    assert_eq!(
        refused(&game, "cure:blue:Lon,Par,Mil,Ess,NYk"),
        Illegal::AlreadyCured(Color::Blue)
    );
}

#[test]
fn cities_of_other_colors_do_not_affect_a_cure() {
    let game = table(&format!("{PAIR} hands=LonParMilEssNYkLimSao/Del"));
    let m = game.parse_or("cure:blue:Lon,Par,Mil,Ess,NYk");
    let whole_hand = Action::Cure {
        cards: ColorCities::new(Color::Blue, game.hand(seat(0)).cities()),
    };
    assert_eq!(m, whole_hand.into());
    let (mut plain, mut strange) = (game, game);
    plain.play(&m);
    strange.play(&whole_hand.into());
    assert_eq!(plain, strange);
}

#[test]
fn cured_cubes_stay_until_they_are_treated() {
    let game = after(
        &format!("{PAIR} hands=LonParMilEssNYk/Del cubes=Lon:b2"),
        "cure:blue",
    );
    assert!(game.is_cured(Color::Blue) && !game.is_eradicated(Color::Blue));
    assert_eq!(cubes(&game, "London", Color::Blue), 2);
}

#[test]
fn a_disease_is_eradicated_with_its_cure_when_no_cube_is_left() {
    let game = after(&format!("{PAIR} hands=LonParMilEssNYk/Del"), "cure:blue");
    assert!(game.is_eradicated(Color::Blue));
}

#[test]
fn a_disease_is_eradicated_with_the_treatment_of_its_last_cube() {
    let mut game = table(&format!("{PAIR} cubes=Atl:b2,Was:b1 cured=b"));
    play(&mut game, "treat:blue");
    assert!(!game.is_eradicated(Color::Blue));
    play(&mut game, "drive:Washington treat:blue");
    assert!(game.is_eradicated(Color::Blue));
}

#[test]
fn removing_the_last_cube_of_an_uncured_disease_has_no_effect() {
    let mut game = table(&format!("{PAIR} cubes=Atl:b1"));
    play(&mut game, "treat:blue");
    assert_eq!(game.cubes().on_board(Color::Blue), 0);
    assert!(!game.is_eradicated(Color::Blue));
    play(
        &mut game,
        "draw draw:Essen draw:Milan infect:London infect:Cairo",
    );
    assert_eq!(cubes(&game, "London", Color::Blue), 1, "it comes again");
}

#[test]
fn players_cannot_move_other_pawns() {
    let game = table(PAIR);
    assert_eq!(
        refused(&game, "drive:Quarantine-Specialist:Miami"),
        Illegal::NotYourPawn
    );
    assert_eq!(
        refused(&game, "join:Quarantine-Specialist:Miami"),
        Illegal::NotYourPawn
    );
    let nobody = Action::Travel {
        pawn: seat(5),
        way: Way::Drive,
        to: city("Miami"),
    };
    assert_eq!(game.check(&nobody.into()), Err(Illegal::NoPawn));
}

#[test]
fn role_actions_are_refused_to_other_roles() {
    let game = table(&format!("{PAIR} hands=Lon/Par discard=Airlift"));
    assert_eq!(
        refused(&game, "expert:London:London"),
        Illegal::OnlyRole(Role::OperationsExpert)
    );
    assert_eq!(
        refused(&game, "fetch:Airlift"),
        Illegal::OnlyRole(Role::ContingencyPlanner)
    );
    let game = table(&format!("{PAIR} at=Atl,Lon"));
    assert_eq!(
        refused(&game, "join:Researcher:London"),
        Illegal::OnlyRole(Role::Dispatcher)
    );
}

#[test]
fn the_other_player_acts_in_the_next_turn() {
    let mut game = after(
        &format!("{PAIR} at=Atl,Lon"),
        "drive:Miami drive:Bogota drive:Lima drive:Santiago",
    );
    play(
        &mut game,
        "draw draw:Essen draw:Milan infect:Lima infect:Cairo drive:Paris",
    );
    assert_eq!(
        (game.pawn(seat(0)), game.pawn(seat(1))),
        (city("Santiago"), city("Paris"))
    );
}

/// Parses a move that must be valid.
trait ParseMove {
    fn parse_or(&self, text: &str) -> parlor_pandemic::Move;
}

impl ParseMove for Game {
    fn parse_or(&self, text: &str) -> parlor_pandemic::Move {
        parlor_core::Notation::parse_move(self, text).expect("a move")
    }
}
