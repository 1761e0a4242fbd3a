//! `PyDemic`'s own tests, each with the values printed in its document.

mod protection;
mod scenarios;
mod traps;
mod use_cases;

use parlor_formats::pydemic::{
    Attributes, Board, COLOUR_BLUE, COLOUR_YELLOW, CONNECTIONS, Deck, EmptyDeck, GameOver,
    InfectError, Infection, MAX_INFECTION, MAX_OUTBREAKS, Player, ROLE_MEDIC,
};

/// Builds cubes by city and color.
fn infection(cubes: &[(&str, &[(&str, u8)])]) -> Infection {
    let here = |colors: &[(&str, u8)]| {
        colors
            .iter()
            .map(|(color, cubes)| ((*color).to_owned(), *cubes))
            .collect()
    };
    cubes
        .iter()
        .map(|(city, colors)| ((*city).to_owned(), here(colors)))
        .collect()
}

/// Builds blue cubes by city.
fn blue(cubes: &[(&str, u8)]) -> Infection {
    cubes
        .iter()
        .map(|(city, cubes)| {
            (
                (*city).to_owned(),
                [(COLOUR_BLUE.to_owned(), *cubes)].into(),
            )
        })
        .collect()
}

fn board(attributes: Attributes) -> Board {
    Board::new(attributes).expect("a board as printed")
}

fn infected(infection: Infection) -> Board {
    board(Attributes {
        infection,
        ..Attributes::default()
    })
}

#[test]
fn a_board_takes_the_printed_attributes() {
    let sydney = infection(&[("Sydney", &[(COLOUR_BLUE, 2), (COLOUR_YELLOW, 1)])]);
    let b = board(Attributes {
        outbreaks: 2,
        infection_rate: 2,
        infection: sydney.clone(),
        ..Attributes::default()
    });
    assert_eq!(
        (b.outbreaks(), b.infection_rate(), b.infection()),
        (2, 2, sydney)
    );
}

#[test]
fn a_board_has_the_printed_defaults() {
    let b = Board::default();
    assert_eq!(b, board(Attributes::default()));
    assert_eq!(
        (b.outbreaks(), b.infection_rate(), b.quiet_night()),
        (0, 0, false)
    );
    assert_eq!(
        (b.infection(), b.research_centres().len(), b.cured().len()),
        (Infection::new(), 0, 0)
    );
    assert_eq!(b.get_active_events(), [""; 0]);
}

#[test]
fn an_event_becomes_active() {
    let mut b = Board::default();
    b.set_active_event("event1");
    assert_eq!(b.get_active_events(), ["event1"]);
}

#[test]
fn a_reset_returns_and_clears_the_active_events() {
    let mut b = Board::default();
    b.set_active_event("event1");
    b.set_active_event("event2");
    assert_eq!(b.reset_active_events(), ["event1", "event2"]);
    assert_eq!(b.get_active_events().len(), 0);
}

#[test]
fn an_outbreak_is_counted() {
    let mut b = Board::default();
    assert_eq!(b.outbreak(), Ok(()));
    assert_eq!(b.outbreaks(), 1);
}

#[test]
fn the_last_outbreak_ends_the_game() {
    let mut b = board(Attributes {
        outbreaks: MAX_OUTBREAKS - 1,
        ..Attributes::default()
    });
    assert_eq!(b.outbreak(), Err(GameOver));
}

#[test]
fn a_clean_city_gets_one_cube() {
    let mut b = Board::default();
    assert_eq!(b.infect("London", COLOUR_BLUE), Ok(()));
    assert_eq!(b.infection(), blue(&[("London", 1)]));
}

#[test]
fn an_infected_city_gets_one_cube_more_of_that_color() {
    let mut b = infected(infection(&[(
        "London",
        &[(COLOUR_BLUE, 2), (COLOUR_YELLOW, 1)],
    )]));
    assert_eq!(b.infect("London", COLOUR_BLUE), Ok(()));
    assert_eq!(
        b.infection(),
        infection(&[("London", &[(COLOUR_BLUE, 3), (COLOUR_YELLOW, 1)])])
    );
}

#[test]
fn a_fourth_cube_is_an_outbreak() {
    let mut b = infected(infection(&[(
        "London",
        &[(COLOUR_BLUE, 3), (COLOUR_YELLOW, 1)],
    )]));
    assert_eq!(b.infect("London", COLOUR_BLUE), Ok(()));
    assert_eq!(b.outbreaks(), 1);
}

#[test]
fn an_infection_with_one_outbreak_too_many_ends_the_game() {
    let mut b = board(Attributes {
        infection: infection(&[("London", &[(COLOUR_BLUE, 3), (COLOUR_YELLOW, 1)])]),
        outbreaks: MAX_OUTBREAKS - 1,
        ..Attributes::default()
    });
    assert_eq!(
        b.infect("London", COLOUR_BLUE),
        Err(InfectError::GameOver(GameOver))
    );
}

#[test]
fn an_outbreak_reaches_every_connected_city() {
    let mut b = infected(blue(&[("London", 3)]));
    assert_eq!(b.infect("London", COLOUR_BLUE), Ok(()));
    assert_eq!(b.outbreaks(), 1);
    assert_eq!(
        b.infection(),
        blue(&[
            ("London", 3),
            ("New York", 1),
            ("Madrid", 1),
            ("Paris", 1),
            ("Essen", 1)
        ])
    );
}

#[test]
fn no_city_has_two_outbreaks_in_a_chain() {
    let mut b = infected(blue(&[("London", 3), ("Essen", 3)]));
    assert_eq!(b.infect("London", COLOUR_BLUE), Ok(()));
    assert_eq!(b.outbreaks(), 2);
    let after = [
        ("London", 3),
        ("New York", 1),
        ("Madrid", 1),
        ("Paris", 2),
        ("Essen", 3),
        ("Milan", 1),
        ("St. Petersburg", 1),
    ];
    assert_eq!(b.infection(), blue(&after));
}

#[test]
fn constants_have_the_printed_values() {
    assert_eq!((MAX_OUTBREAKS, MAX_INFECTION), (8, 3));
    assert_eq!(
        (COLOUR_BLUE, COLOUR_YELLOW),
        ("COLOUR_BLUE", "COLOUR_YELLOW")
    );
    let row = |city: &str| {
        let mut row = CONNECTIONS.get(city).expect("a city");
        row.sort_unstable();
        row
    };
    assert_eq!(row("Algiers"), ["Cairo", "Istanbul", "Madrid", "Paris"]);
    assert_eq!(row("Atlanta"), ["Chicago", "Miami", "Washington"]);
}

#[test]
fn decks_can_be_used_at_both_ends() {
    let mut deck = Deck::default();
    assert_eq!(
        (deck.draw_top(), deck.draw_bottom()),
        (Err(EmptyDeck), Err(EmptyDeck))
    );
    deck.add_top("Paris");
    deck.add_top("London");
    deck.add_bottom("Essen");
    assert_eq!(
        deck.cards().copied().collect::<Vec<_>>(),
        ["London", "Paris", "Essen"]
    );
    assert_eq!(
        (deck.draw_top(), deck.draw_bottom(), deck.draw_bottom()),
        (Ok("London"), Ok("Essen"), Ok("Paris"))
    );
    assert_eq!(deck.draw_top(), Err(EmptyDeck));
}

#[test]
fn cities_and_events_of_a_player_count_together_against_the_limit() {
    let mut ann = Player::new("Ann", ROLE_MEDIC, "Atlanta");
    ann.hand = ["Paris", "Essen", "Milan", "Cairo", "Delhi", "Tokyo"]
        .map(str::to_owned)
        .to_vec();
    ann.single_use = vec!["Airlift".to_owned()];
    assert_eq!(ann.cards_over_limit(), 0);
    ann.single_use.push("Forecast".to_owned());
    assert_eq!(ann.cards_over_limit(), 1);
}
