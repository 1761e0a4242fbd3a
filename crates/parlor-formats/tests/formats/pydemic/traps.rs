//! Cases in which the printed code deviates from the game's rules or fails.

use std::collections::{BTreeMap, HashSet};

use parlor_formats::pydemic::{
    AttributeFault, Attributes, Board, COLOUR_BLACK, COLOUR_BLUE, COLOUR_RED, COLOUR_YELLOW,
    CONNECTIONS, GameOver, InfectError, Infection, MAX_INFECTION, MAX_OUTBREAKS, Unknown,
};
use proptest::prelude::*;

use super::{blue, board, infected, infection};

#[test]
fn a_board_at_its_outbreak_limit_fails_at_the_next_outbreak() {
    for outbreaks in [MAX_OUTBREAKS, MAX_OUTBREAKS + 1, u8::MAX] {
        let mut b = board(Attributes {
            outbreaks,
            infection: blue(&[("London", 3)]),
            ..Attributes::default()
        });
        assert_eq!(
            b.infect("London", COLOUR_BLUE),
            Err(InfectError::GameOver(GameOver))
        );
        assert_eq!(b.outbreak(), Err(GameOver));
        assert_eq!(
            b.infect("Paris", COLOUR_BLUE),
            Ok(()),
            "no outbreak, no end"
        );
    }
}

#[test]
fn a_chain_that_ends_the_game_leaves_the_board_as_it_was() {
    let before = board(Attributes {
        outbreaks: MAX_OUTBREAKS - 2,
        infection: blue(&[("London", 3), ("Essen", 3)]),
        ..Attributes::default()
    });
    let mut b = before.clone();
    assert_eq!(
        b.infect("London", COLOUR_BLUE),
        Err(InfectError::GameOver(GameOver))
    );
    assert_eq!(b, before);
}

#[test]
fn an_outbreak_that_ends_the_game_is_counted() {
    let mut b = board(Attributes {
        outbreaks: MAX_OUTBREAKS - 1,
        ..Attributes::default()
    });
    assert_eq!(b.outbreak(), Err(GameOver));
    assert_eq!(b.outbreaks(), MAX_OUTBREAKS);
}

#[test]
fn the_next_chain_can_revisit_the_same_cities() {
    let mut b = infected(blue(&[("London", 3)]));
    assert_eq!(b.infect("London", COLOUR_BLUE), Ok(()));
    assert_eq!(b.infect("London", COLOUR_BLUE), Ok(()));
    assert_eq!(b.outbreaks(), 2);
    assert_eq!(
        b.infection(),
        blue(&[
            ("London", 3),
            ("New York", 2),
            ("Madrid", 2),
            ("Paris", 2),
            ("Essen", 2)
        ])
    );
}

#[test]
fn a_copy_of_the_events_does_not_change_the_board() {
    let mut b = Board::default();
    b.set_active_event("event1");
    b.get_active_events().clear();
    assert_eq!(b.get_active_events(), ["event1"]);
}

#[test]
fn infections_contain_no_zeros() {
    let b = infected(infection(&[
        ("London", &[(COLOUR_BLUE, 0), (COLOUR_RED, 1)]),
        ("Paris", &[(COLOUR_BLUE, 0)]),
    ]));
    assert_eq!(b.infection(), infection(&[("London", &[(COLOUR_RED, 1)])]));
}

#[test]
fn connections_go_both_ways() {
    assert_eq!(CONNECTIONS.iter().len(), 48);
    let one_way: usize = CONNECTIONS.iter().map(|(_, near)| near.len()).sum();
    assert_eq!(one_way, 2 * 93);
    for (city, near) in CONNECTIONS.iter() {
        for other in near {
            assert!(
                CONNECTIONS
                    .get(other)
                    .is_some_and(|back| back.contains(&city)),
                "{city} to {other}"
            );
        }
    }
}

#[test]
fn baghdad_is_connected_to_cairo_and_not_to_khartoum_or_algiers() {
    let mut row = CONNECTIONS.get("Baghdad").expect("a city");
    row.sort_unstable();
    assert_eq!(row, ["Cairo", "Istanbul", "Karachi", "Riyadh", "Tehran"]);
}

#[test]
fn unknown_names_are_reported() {
    let mut b = Board::default();
    let city = b
        .infect("Springfield", COLOUR_BLUE)
        .expect_err("no city of the map");
    assert_eq!(
        city,
        InfectError::Unknown(Unknown::City("Springfield".to_owned()))
    );
    assert_eq!(city.to_string(), "\"Springfield\" is no city of the map");
    let typo = b.infect("Lodnon", COLOUR_BLUE).expect_err("no city");
    assert_eq!(
        typo.to_string(),
        "\"Lodnon\" is no city of the map; did you mean London?"
    );
    let color = b.infect("London", "COLOUR_GREEN").expect_err("no color");
    assert_eq!(
        color.to_string(),
        "\"COLOUR_GREEN\" is no colour: there are COLOUR_BLUE, COLOUR_YELLOW, COLOUR_BLACK and COLOUR_RED"
    );
    assert_eq!(b, Board::default());
}

#[test]
fn every_fault_of_a_board_is_reported() {
    let bad = Board::new(Attributes {
        infection_rate: 7,
        infection: infection(&[
            ("LONDON", &[(COLOUR_BLUE, 4)]),
            ("London", &[("blue", 1)]),
            ("Oz", &[]),
        ]),
        research_centres: ["Paris", "Paris"].map(str::to_owned).to_vec(),
        cured: [COLOUR_RED, COLOUR_RED].map(str::to_owned).to_vec(),
        ..Attributes::default()
    });
    let faults = bad.expect_err("a bad board").faults;
    let told: Vec<(&str, String)> = faults
        .iter()
        .map(|fault| (fault.attribute(), fault.to_string()))
        .collect();
    let told: Vec<(&str, &str)> = told
        .iter()
        .map(|(attribute, text)| (*attribute, text.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (
                "infection_rate",
                "the infection-rate track has places 0 to 6, not 7"
            ),
            (
                "infection",
                "London has 4 cubes of COLOUR_BLUE; the most is 3"
            ),
            ("infection", "London is there twice"),
            (
                "infection",
                "\"blue\" is no colour: there are COLOUR_BLUE, COLOUR_YELLOW, COLOUR_BLACK and COLOUR_RED"
            ),
            ("infection", "\"Oz\" is no city of the map"),
            ("research_centres", "Paris has two research centres"),
            ("cured", "COLOUR_RED is cured twice"),
        ]
    );
}

#[test]
fn there_are_six_research_centres() {
    let centres = ["Paris", "Essen", "Milan", "Cairo", "Delhi", "Tokyo", "Lima"].map(str::to_owned);
    let bad = Board::new(Attributes {
        research_centres: centres.to_vec(),
        ..Attributes::default()
    });
    assert_eq!(bad.expect_err("seven").faults, [AttributeFault::Centres(7)]);
    let good = Board::new(Attributes {
        research_centres: centres[..6].to_vec(),
        ..Attributes::default()
    });
    assert!(
        good.expect("six")
            .research_centres()
            .eq(centres[..6].iter())
    );
}

#[test]
fn the_supply_of_cubes_is_unlimited() {
    let all: Vec<(&str, u8)> = CONNECTIONS
        .iter()
        .map(|(city, _)| (city, MAX_INFECTION))
        .collect();
    assert_eq!(infected(blue(&all)).infection().len(), 48);
}

/// The chain as printed in the document: depth-first recursion.
struct Printed {
    infection: Infection,
    outbreaks: u8,
    done: HashSet<String>,
}

impl Printed {
    fn infect(&mut self, city: &str, color: &str) -> Result<(), GameOver> {
        let cubes = self
            .infection
            .entry(city.to_owned())
            .or_default()
            .entry(color.to_owned())
            .or_insert(0);
        if *cubes != MAX_INFECTION {
            *cubes += 1;
            return Ok(());
        }
        if !self.done.insert(city.to_owned()) {
            return Ok(());
        }
        self.outbreaks += 1;
        if self.outbreaks == MAX_OUTBREAKS {
            return Err(GameOver);
        }
        let near = CONNECTIONS.get(city).expect("a city");
        near.iter()
            .try_for_each(|neighbor| self.infect(neighbor, color))
    }
}

/// Generates two colors in any amounts with many full cities, so that chains are long.
fn any_infection() -> impl Strategy<Value = Infection> {
    let amount = prop_oneof![3 => Just(0_u8), 1 => 1..=2_u8, 2 => Just(3)];
    let cubes = proptest::collection::vec(amount, 48 * 2);
    cubes.prop_map(|cubes| {
        let cities = CONNECTIONS.iter().zip(cubes.chunks(2));
        let cities = cities.map(|((city, _), cubes)| {
            let colors = [COLOUR_BLACK, COLOUR_YELLOW]
                .into_iter()
                .zip(cubes)
                .filter(|(_, cubes)| **cubes > 0);
            (
                city.to_owned(),
                colors
                    .map(|(color, cubes)| (color.to_owned(), *cubes))
                    .collect::<BTreeMap<_, _>>(),
            )
        });
        cities.filter(|(_, colors)| !colors.is_empty()).collect()
    })
}

proptest! {
    #[test]
    fn chains_match_the_printed_recursion(
        infection in any_infection(), city in 0..48_usize, outbreaks in 0..MAX_OUTBREAKS,
    ) {
        let city = CONNECTIONS.iter().nth(city).expect("one of 48").0;
        let before = board(Attributes { infection: infection.clone(), outbreaks, ..Attributes::default() });
        let mut printed = Printed { infection, outbreaks, done: HashSet::new() };
        let expected = printed.infect(city, COLOUR_BLACK);
        let mut b = before.clone();
        prop_assert_eq!(b.infect(city, COLOUR_BLACK), expected.map_err(InfectError::from));
        if expected.is_ok() {
            prop_assert_eq!((b.infection(), b.outbreaks()), (printed.infection, printed.outbreaks));
        } else {
            prop_assert_eq!(b, before);
        }
    }
}
