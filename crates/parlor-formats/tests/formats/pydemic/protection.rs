//! Protection by the Medic and the Quarantine Specialist, at every cube of a chain.

use parlor_formats::pydemic::{
    Attributes, Board, COLOUR_BLUE, COLOUR_RED, InfectError, Infection, MAX_OUTBREAKS, Player,
    ROLE_MEDIC, ROLE_QUARANTINE_SPECIALIST, ROLE_RESEARCHER, Unknown,
};

use super::{blue, board, infected};

fn player(role: &str, city: &str) -> Player {
    Player::new("Ann", role, city)
}

fn cured(colour: &str, infection: Infection) -> Board {
    board(Attributes {
        infection,
        cured: vec![colour.to_owned()],
        ..Attributes::default()
    })
}

#[test]
fn the_medic_blocks_a_cured_color_within_a_chain() {
    let medic = [player(ROLE_MEDIC, "Paris")];
    let mut b = cured(COLOUR_BLUE, blue(&[("London", 3), ("Paris", 3)]));
    assert_eq!(b.infect_protected("London", COLOUR_BLUE, &medic), Ok(()));
    assert_eq!(b.outbreaks(), 1, "Paris does not break out");
    assert_eq!(
        b.infection(),
        blue(&[
            ("London", 3),
            ("New York", 1),
            ("Madrid", 1),
            ("Paris", 3),
            ("Essen", 1)
        ])
    );
}

#[test]
fn the_medic_does_not_block_an_uncured_color() {
    let medic = [player(ROLE_MEDIC, "Paris")];
    let mut b = cured(COLOUR_RED, blue(&[("London", 3), ("Paris", 3)]));
    assert_eq!(b.infect_protected("London", COLOUR_BLUE, &medic), Ok(()));
    assert_eq!(b.outbreaks(), 2);
}

#[test]
fn the_quarantine_specialist_stops_a_chain_around_her() {
    let specialist = [player(ROLE_QUARANTINE_SPECIALIST, "Milan")];
    let mut b = infected(blue(&[("London", 3), ("Essen", 3), ("Paris", 1)]));
    assert_eq!(
        b.infect_protected("London", COLOUR_BLUE, &specialist),
        Ok(())
    );
    assert_eq!(b.outbreaks(), 1);
    assert_eq!(
        b.infection(),
        blue(&[
            ("London", 3),
            ("Essen", 3),
            ("Paris", 1),
            ("New York", 1),
            ("Madrid", 1)
        ])
    );
}

#[test]
fn the_quarantine_specialist_saves_a_game_that_a_chain_would_end() {
    let attributes = Attributes {
        outbreaks: MAX_OUTBREAKS - 2,
        infection: blue(&[("London", 3), ("Essen", 3)]),
        ..Attributes::default()
    };
    let specialist = [player(ROLE_QUARANTINE_SPECIALIST, "St. Petersburg")];
    assert!(
        board(attributes.clone())
            .infect("London", COLOUR_BLUE)
            .is_err()
    );
    let mut b = board(attributes);
    assert_eq!(
        b.infect_protected("London", COLOUR_BLUE, &specialist),
        Ok(())
    );
    assert_eq!(b.outbreaks(), MAX_OUTBREAKS - 1);
}

#[test]
fn other_roles_protect_nothing() {
    let researcher = [player(ROLE_RESEARCHER, "London")];
    let mut b = Board::default();
    assert_eq!(
        b.infect_protected("London", COLOUR_BLUE, &researcher),
        Ok(())
    );
    assert_eq!(b.infection(), blue(&[("London", 1)]));
}

#[test]
fn infection_without_players_equals_plain_infection() {
    let mut plain = cured(COLOUR_BLUE, blue(&[("London", 3)]));
    let mut with_none = plain.clone();
    assert_eq!(plain.infect("London", COLOUR_BLUE), Ok(()));
    assert_eq!(
        with_none.infect_protected("London", COLOUR_BLUE, &[]),
        Ok(())
    );
    assert_eq!((plain.outbreaks(), &plain), (1, &with_none));
}

#[test]
fn an_unknown_role_or_city_of_a_player_is_an_error() {
    let mut b = Board::default();
    let players = [player("Medic", "London")];
    let unknown = InfectError::Unknown(Unknown::Role("Medic".to_owned()));
    assert_eq!(
        b.infect_protected("London", COLOUR_BLUE, &players),
        Err(unknown)
    );
    assert_eq!(b, Board::default());
}
