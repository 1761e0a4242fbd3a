//! The setup of a game (infections, roles, hands, deck, starting player) and unvalidated setups.

use parlor_core::{Notation, Position, Seat, Turn};
use parlor_pandemic::{
    Card, Cards, Chance, City, Color, EventCard, Flaw, Game, Role, Roles, Rules, Setup, Stage,
};

use crate::help::{city, play, read, seat, table};

fn rules(players: u8, epidemics: u8) -> Rules {
    Rules::new(players, epidemics).expect("within the limits")
}

/// Returns a new game after `steps` chances, always taking the first possibility.
fn dealt(rules: Rules, steps: u32) -> Game {
    let mut game = Game::new(rules);
    for _ in 0..steps {
        let chance = game.chances()[0].0;
        game.resolve(&chance);
    }
    game
}

#[test]
fn everybody_begins_at_the_station_in_atlanta_with_markers_at_their_first_places() {
    let game = Game::new(rules(4, 4));
    assert_eq!(
        game.stations().into_iter().collect::<Vec<_>>(),
        [City::ATLANTA]
    );
    assert!(Seat::all(4).all(|seat| game.pawn(seat) == City::ATLANTA));
    assert_eq!(
        (
            game.outbreaks(),
            game.epidemics(),
            game.rate(),
            game.cures()
        ),
        (0, 0, 2, 0)
    );
    assert_eq!(game.turn(), Turn::Chance);
}

#[test]
fn nine_cities_get_three_two_and_one_cube_three_times_each() {
    let mut game = Game::new(rules(2, 4));
    let cards = [
        "Tok", "Lon", "Lim", "Cai", "Par", "Osa", "Sao", "Del", "Atl",
    ];
    for (at, card) in cards.into_iter().enumerate() {
        assert_eq!(game.chances().len(), 48 - at);
        play(&mut game, &format!("infect:{card}"));
        assert_eq!(
            game.cubes().count(city(card), city(card).color()),
            3 - at as u8 / 3,
            "{card}"
        );
    }
    let on_board: u32 = Color::ALL
        .iter()
        .map(|color| u32::from(game.cubes().on_board(*color)))
        .sum();
    assert_eq!(on_board, 18);
    assert_eq!(
        game.infection().discard(),
        cards.into_iter().map(city).collect()
    );
    assert_eq!(game.infection().len(), 39);
}

#[test]
fn roles_come_after_the_first_cubes_so_nobody_protects_a_city_from_them() {
    let game = dealt(rules(2, 4), 9);
    assert_eq!(game.stage(), Stage::Setup(9));
    assert_eq!(game.cubes().all_infected().len(), 9);
    assert!(
        game.cubes().all_infected().has(City::ATLANTA),
        "where the specialist would stand"
    );
    assert!(
        game.chances()
            .iter()
            .all(|(chance, weight)| matches!(chance, Chance::Role(_)) && *weight == 1)
    );
}

#[test]
fn no_role_is_dealt_twice() {
    let mut game = dealt(rules(4, 4), 9);
    for left in (4..=7).rev() {
        assert_eq!(game.chances().len(), left);
        let chance = game.chances()[left - 1].0;
        game.resolve(&chance);
        assert!(!game.chances().iter().any(|(other, _)| *other == chance));
    }
}

#[test]
fn fixed_roles_are_not_dealt_and_the_others_come_from_the_pool() {
    let pool: Roles = [Role::Medic, Role::Scientist, Role::Dispatcher]
        .into_iter()
        .collect();
    let fixed = [None, Some(Role::Medic), None, None];
    let game = dealt(
        rules(3, 4).with_roles(pool, fixed).expect("enough roles"),
        9,
    );
    let texts: Vec<String> = game
        .chances()
        .iter()
        .map(|(chance, _)| game.chance_text(chance))
        .collect();
    assert_eq!(texts, ["role:Dispatcher", "role:Scientist"]);
    let game = dealt(game.rules(), 11);
    assert_eq!(
        Seat::all(3).map(|seat| game.role(seat)).collect::<Vec<_>>(),
        [
            Some(Role::Dispatcher),
            Some(Role::Medic),
            Some(Role::Scientist)
        ]
    );
}

#[test]
fn a_table_of_fixed_roles_deals_none() {
    let fixed = [Some(Role::Researcher), Some(Role::Medic), None, None];
    let game = dealt(
        rules(2, 4)
            .with_roles(Roles::ALL, fixed)
            .expect("two roles"),
        9,
    );
    assert!(
        game.chances()
            .iter()
            .all(|(chance, _)| matches!(chance, Chance::Deal(_)))
    );
}

#[test]
fn hands_are_of_four_three_and_two_cards_without_epidemics() {
    for (players, cards) in [(2, 4), (3, 3), (4, 2)] {
        let mut game = dealt(rules(players, 6), 9 + u32::from(players));
        for step in 0..u32::from(players) * cards {
            assert!(
                game.chances()
                    .iter()
                    .all(|(chance, weight)| matches!(chance, Chance::Deal(_)) && *weight == 1)
            );
            assert_eq!(game.chances().len() as u32, 53 - step, "cities and events");
            let chance = game.chances()[0].0;
            game.resolve(&chance);
        }
        assert!(Seat::all(players).all(|seat| game.hand(seat).len() == cards));
        assert_eq!((game.stage(), game.actions()), (Stage::Actions, 4));
    }
}

#[test]
fn piles_are_as_equal_as_can_be_and_the_larger_ones_lie_on_top() {
    let table: [(u8, u8, &[u8]); 6] = [
        (2, 4, &[13, 12, 12, 12]),
        (4, 5, &[10; 5]),
        (2, 6, &[9, 9, 9, 8, 8, 8]),
        (3, 4, &[12; 4]),
        (3, 5, &[10, 10, 10, 10, 9]),
        (3, 6, &[9, 9, 8, 8, 8, 8]),
    ];
    for (players, epidemics, piles) in table {
        let rules = rules(players, epidemics);
        assert_eq!(
            (0..epidemics)
                .map(|pile| rules.pile(pile))
                .collect::<Vec<_>>(),
            piles
        );
        assert_eq!(Game::new(rules).deck().len(), piles.iter().sum::<u8>());
    }
    assert_eq!(
        rules(2, 0).pile(0),
        45,
        "without epidemics there is one pile"
    );
}

#[test]
fn a_deck_allows_25_or_26_action_phases() {
    let phases = |players, epidemics| Game::new(rules(players, epidemics)).deck().len() / 2 + 1;
    assert_eq!(
        [4, 5, 6].map(|epidemics| phases(2, epidemics)),
        [25, 26, 26]
    );
    assert_eq!(
        [4, 5, 6].map(|epidemics| phases(3, epidemics)),
        [25, 25, 26]
    );
    assert_eq!(
        [4, 5, 6].map(|epidemics| phases(4, epidemics)),
        [25, 26, 26]
    );
}

/// Completes a setup with one last card and returns the starting seat.
fn first_player(hands: &str, last: &str) -> Seat {
    let cubes = "cubes=Tok:r3,Lon:b3,Lim:y3,Cai:k2,Par:b2,Osa:r2,Sao:y1,Del:k1,Atl:b1";
    let text = format!(
        "2p4e roles=Medic,Scientist stage=setup:18 hands={hands} {cubes} infected=TokLonLimCaiParOsaSaoDelAtl"
    );
    let mut game = read(&text);
    play(&mut game, last);
    assert_eq!(game.stage(), Stage::Actions);
    game.active()
}

#[test]
fn the_most_populous_city_in_hand_goes_first() {
    assert_eq!(
        first_player("ChiAtlEssMil/SeoMonAlg", "deal:Osaka"),
        seat(1)
    );
    assert_eq!(
        first_player("ChiAtlEssMil/SeoMonAlg", "deal:Jakarta"),
        seat(1)
    );
    assert_eq!(
        first_player("ChiAtlEssJak/SeoMonAlg", "deal:Delhi"),
        seat(0)
    );
}

#[test]
fn a_tie_between_chicago_and_lima_goes_to_the_lower_seat() {
    assert_eq!(
        first_player("ChiAtlEssMil/LimMonAlg", "deal:Osaka"),
        seat(0)
    );
    assert_eq!(
        first_player("LimAtlEssMil/ChiMonAlg", "deal:Osaka"),
        seat(0)
    );
}

#[test]
fn events_do_not_affect_the_starting_player() {
    assert_eq!(
        first_player(
            "Airlift+Forecast+One-Quiet-Night+Government-Grant/EssMonAlg",
            "deal:Osaka"
        ),
        seat(1)
    );
}

#[test]
fn invalid_rules_are_refused_with_the_reason() {
    let told = |result: Result<Rules, parlor_pandemic::InvalidRules>| {
        result.expect_err("refused").to_string()
    };
    assert_eq!(
        told(Rules::new(1, 4)),
        "Pandemic is for 2 to 4 players, not for 1"
    );
    assert_eq!(
        told(Rules::new(5, 4)),
        "Pandemic is for 2 to 4 players, not for 5"
    );
    assert_eq!(
        told(Rules::new(2, 13)),
        "a game has 0 to 12 epidemics, not 13"
    );
    let with = |pool: &[Role], fixed| rules(2, 4).with_roles(pool.iter().copied().collect(), fixed);
    let medic = Some(Role::Medic);
    assert_eq!(
        told(with(&[], [medic, medic, None, None])),
        "two players cannot both be the Medic"
    );
    assert_eq!(
        told(with(&[Role::Medic], [medic, None, None, None])),
        "0 roles are too few for the players who have none yet"
    );
    assert_eq!(
        told(with(&[], [medic, None, medic, None])),
        "there is no seat 2 for the Medic"
    );
}

#[test]
fn a_game_without_some_events_has_a_smaller_deck() {
    let rules = rules(2, 4).with_events(Cards::NONE.with(EventCard::Airlift));
    assert_eq!(Game::new(rules).deck().len(), 45);
    assert!(rules.has_event(EventCard::Airlift) && !rules.has_event(EventCard::Forecast));
    let cards: Cards = Game::new(rules).deck().unseen();
    assert!(cards.has(EventCard::Airlift) && !cards.has(Card::Event(EventCard::Forecast)));
}

/// Returns the flaws caused by a change to a valid setup.
fn flaws(change: impl Fn(&mut Setup)) -> Vec<Flaw> {
    let game = table("roles=Medic,Contingency-Planner hands=LonParMilEss/NYkMadCaiDel");
    let mut setup = game.setup();
    change(&mut setup);
    setup.validate().expect_err("a flaw").0
}

#[test]
fn every_flaw_of_a_setup_is_reported() {
    let (london, atlanta) = (city("Lon"), City::ATLANTA);
    let found = flaws(|setup| setup.cubes[london.index()][0] = 4);
    assert_eq!(
        found,
        [Flaw::CubesInCity {
            city: london,
            cubes: 4
        }]
    );
    let found = flaws(|setup| (0..9).for_each(|city| setup.cubes[city] = [3, 0, 0, 0]));
    assert_eq!(
        found,
        [Flaw::Cubes {
            color: Color::Blue,
            cubes: 27
        }]
    );
    assert_eq!(
        flaws(|setup| setup.stations = parlor_pandemic::Cities::NONE),
        [Flaw::Stations(0)]
    );
    assert_eq!(
        flaws(|setup| setup.infected = setup.infected.with(london)),
        [Flaw::InfectionTwice(london)]
    );
    assert_eq!(
        flaws(|setup| setup.layers[0] = setup.layers[0].without(london)),
        [Flaw::InfectionMissing(london)]
    );
    assert_eq!(
        flaws(|setup| setup.layers.push(parlor_pandemic::Cities::NONE)),
        [Flaw::EmptyLayer]
    );
    assert_eq!(
        flaws(|setup| setup.discard = setup.discard.with(london)),
        [Flaw::CardTwice(london.into())]
    );
    assert_eq!(
        flaws(|setup| setup.epidemics = 5)[0],
        Flaw::Epidemics { drawn: 5, all: 4 }
    );
    assert_eq!(
        flaws(|setup| setup.epidemics = 2),
        [Flaw::Deck {
            unseen: 45,
            epidemics: 2
        }]
    );
    assert_eq!(
        flaws(|setup| setup.roles[1] = Some(Role::Medic)),
        [Flaw::RoleTwice(Role::Medic)]
    );
    assert_eq!(
        flaws(|setup| setup.roles[1] = None),
        [Flaw::NoRole(seat(1))]
    );
    assert_eq!(flaws(|setup| setup.pawns[2] = london), [Flaw::NoSeat(2, 2)]);
    assert_eq!(flaws(|setup| setup.active = seat(3)), [Flaw::NoSeat(3, 2)]);
    assert_eq!(flaws(|setup| setup.flown = true), [Flaw::Flown]);
    assert_eq!(flaws(|setup| setup.hurry = true), [Flaw::Hurry]);
    assert!(matches!(
        flaws(|setup| setup.outbreaks = 8)[..],
        [Flaw::PandemicEnding(_)]
    ));
    assert!(matches!(
        flaws(|setup| setup.cured = [true; 4])[..],
        [Flaw::PandemicEnding(_)]
    ));
    assert!(matches!(
        flaws(|setup| setup.ending = Some(parlor_pandemic::PandemicEnding::Cured))[..],
        [Flaw::PandemicEnding(_)]
    ));
    assert!(matches!(
        flaws(|setup| setup.actions = 5)[..],
        [Flaw::Stage(_)]
    ));
    let cured = flaws(|setup| {
        setup.cured[0] = true;
        setup.cubes[atlanta.index()] = [1, 0, 0, 0];
    });
    assert_eq!(
        cured,
        [Flaw::MedicAmongCubes {
            city: atlanta,
            color: Color::Blue
        }]
    );
}

#[test]
fn cards_that_a_game_cannot_hold_are_flaws() {
    let full = flaws(|setup| {
        setup.hands[0] =
            setup.hands[0].or(Cards::from_cities(crate::help::cities("TokOsaSeoBeiSha")));
    });
    assert_eq!(
        full[0],
        Flaw::Hand {
            seat: seat(0),
            cards: 9
        }
    );
    let removed = flaws(|setup| setup.gone = Cards::NONE.with(city("Tok")));
    assert_eq!(removed, [Flaw::CityRemoved(city("Tok"))]);
    let strange = flaws(|setup| {
        setup.rules = setup.rules.with_events(Cards::NONE);
        setup.gone = Cards::NONE.with(EventCard::Airlift);
    });
    assert_eq!(strange[0], Flaw::NotPlayedWith(EventCard::Airlift));
    let kept = flaws(|setup| {
        setup.roles[1] = Some(Role::Scientist);
        setup.stored = Some(EventCard::Airlift);
    });
    assert_eq!(kept, [Flaw::NoPlanner(EventCard::Airlift)]);
    let fixed = [Some(Role::Researcher), None, None, None];
    let wrong =
        flaws(|setup| setup.rules = setup.rules.with_roles(Roles::ALL, fixed).expect("a role"));
    assert_eq!(wrong, [Flaw::WrongRole(seat(0), Role::Medic)]);
    let unplayed = flaws(|setup| {
        setup.removed = crate::help::cities("Lon");
        setup.layers[0] = setup.layers[0].minus(setup.removed);
    });
    assert_eq!(
        unplayed,
        [Flaw::Removed(1)],
        "nobody has played Resilient Population"
    );
}

#[test]
fn all_flaws_are_reported_at_once() {
    let found = flaws(|setup| {
        setup.stations = parlor_pandemic::Cities::NONE;
        setup.roles[1] = Some(Role::Medic);
        setup.outbreaks = 9;
    });
    assert_eq!(found.len(), 3);
    let told = parlor_pandemic::Flaws(found).to_string();
    assert_eq!(
        told,
        "0 research stations are on the board; there are 1 to 6; two players are the Medic; \
         there are eight outbreaks, so the game is lost"
    );
}

#[test]
fn unfinished_setups_must_be_reachable() {
    let refused = |text: &str| Game::from_text(text).expect_err("refused").expected;
    let start = "a position of Pandemic: during the set-up, ";
    assert_eq!(
        refused("2p4e stage=setup:0 outbreaks=1"),
        format!("{start}nothing else has happened yet")
    );
    assert!(refused("2p4e stage=setup:1 infected=Lon cubes=Lon:b2").starts_with(start));
    assert!(refused("2p4e stage=setup:1 infected=Lon cubes=Par:b3").starts_with(start));
    assert!(refused("2p4e stage=setup:0 roles=Medic,-").starts_with(start));
    assert!(refused("2p4e stage=setup:200").starts_with(start));
    assert!(Game::from_text("2p4e stage=setup:1 infected=Lon cubes=Lon:b3").is_ok());
}
