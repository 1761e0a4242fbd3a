//! The conformance suite on games of Pandemic.

use parlor_core::testing::Suite;
use parlor_pandemic::{Cards, Consent, EventCard, Game, Role, Roles, Rules};

fn rules(players: u8, epidemics: u8) -> Rules {
    Rules::new(players, epidemics).expect("within the limits")
}

fn run(games: u32, rules: Rules) {
    Suite {
        games,
        max_plies: 4_000,
        foreign_moves: 12,
        ..Suite::default()
    }
    .run(&Game::new(rules));
}

#[test]
fn standard_games_conform() {
    for players in 2..=4 {
        run(3, rules(players, 4));
        run(3, rules(players, 6).with_consent(Consent::Implied));
    }
}

#[test]
fn games_without_epidemics_or_with_twelve_conform() {
    run(2, rules(2, 0).with_consent(Consent::Implied));
    run(2, rules(3, 0));
    run(3, rules(4, 12).with_consent(Consent::Implied));
    run(3, rules(2, 12));
}

#[test]
fn games_with_few_or_no_events_conform() {
    run(
        4,
        rules(2, 5)
            .with_events(Cards::NONE)
            .with_consent(Consent::Implied),
    );
    run(
        4,
        rules(4, 5).with_events(
            Cards::NONE
                .with(EventCard::Forecast)
                .with(EventCard::ResilientPopulation),
        ),
    );
}

#[test]
fn games_with_fixed_roles_conform() {
    let pool: Roles = [Role::Medic, Role::Researcher].into_iter().collect();
    let fixed = [
        Some(Role::Dispatcher),
        None,
        Some(Role::ContingencyPlanner),
        None,
    ];
    run(4, rules(4, 4).with_roles(pool, fixed).expect("four roles"));
    let pair = [
        Some(Role::OperationsExpert),
        Some(Role::ContingencyPlanner),
        None,
        None,
    ];
    run(
        4,
        rules(2, 4)
            .with_consent(Consent::Implied)
            .with_roles(Roles::ALL, pair)
            .expect("two roles"),
    );
}
