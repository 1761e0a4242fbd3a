//! Random games: cards and cubes are conserved, and every game ends within the bound.

use parlor_core::{Notation, Position, Seat};
use parlor_pandemic::{
    Cards, Cities, City, Color, Consent, EventCard, Game, Interrupt, Rules, Stage,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::help::{consent, random_step};

/// Asserts the invariants of every position.
fn conserved(game: &Game) {
    for color in Color::ALL {
        let on_board: u32 = City::all()
            .map(|city| u32::from(game.cubes().count(city, color)))
            .sum();
        assert_eq!(
            on_board + u32::from(game.cubes().supply(color)),
            24,
            "cubes of {color}"
        );
    }
    let hands = Seat::all(game.seats()).map(|seat| game.hand(seat));
    let places: Vec<Cards> = hands
        .chain([game.discard(), game.removed_events(), game.deck().unseen()])
        .chain(game.stored().map(|event| Cards::NONE.with(event)))
        .collect();
    let total: u32 = places.iter().map(|cards| cards.len()).sum();
    assert_eq!(total, 48 + game.rules().events().len(), "player cards");
    assert_eq!(
        places
            .iter()
            .fold(Cards::NONE, |all, cards| all.or(*cards))
            .len(),
        total,
        "a card is in two places"
    );
    let deck = game.infection();
    let seen = match game.interrupt() {
        Some(Interrupt::Look { seen, .. }) => seen,
        Some(Interrupt::Order { seen, placed, .. }) => {
            placed.into_iter().flatten().fold(seen, Cities::with)
        }
        _ => Cities::NONE,
    };
    let layers: Vec<Cities> = deck.layers().collect();
    let all = layers
        .iter()
        .copied()
        .chain([deck.discard(), deck.removed(), seen]);
    assert_eq!(
        layers.iter().map(|layer| layer.len()).sum::<u32>(),
        u32::from(deck.len())
    );
    assert_eq!(
        all.clone().map(Cities::len).sum::<u32>(),
        48,
        "infection cards"
    );
    assert_eq!(
        all.fold(Cities::NONE, Cities::or),
        Cities::ALL,
        "an infection card is in two places"
    );
}

/// Asserts the invariants of a finished game.
fn sound_end(game: &Game, moves: u32) {
    conserved(game);
    assert!(
        moves <= game.rules().max_moves(),
        "{moves} moves: {}",
        game.text()
    );
    assert!(game.epidemics() <= game.rules().epidemics());
}

#[test]
fn a_hundred_thousand_random_games_end_in_time_with_every_card_and_cube() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let standard = [
        (2, 4),
        (2, 5),
        (2, 6),
        (3, 4),
        (3, 5),
        (3, 6),
        (4, 4),
        (4, 5),
        (4, 6),
    ];
    let others: Vec<(u8, u8)> = (2..=4)
        .flat_map(|players| (0..=12).map(move |epidemics| (players, epidemics)))
        .collect();
    let settings = standard
        .iter()
        .map(|setting| (*setting, 10_000))
        .chain(others.iter().map(|setting| (*setting, 300)));
    let mut games = 0;
    for ((players, epidemics), count) in settings {
        let rules = Rules::new(players, epidemics).expect("within the limits");
        for number in 0..count {
            let mut game = Game::new(rules.with_consent(consent(number)));
            let mut most_discards = 0;
            let mut moves = 0;
            while {
                moves += u32::from(game.turn().seat().is_some());
                random_step(&mut game, &mut rng)
            } {
                if number % 100 == 0 {
                    conserved(&game);
                }
                most_discards = most_discards.max(game.infection().discard().len());
            }
            sound_end(&game, moves);
            assert!(
                !(4..=6).contains(&epidemics) || most_discards <= 36,
                "{most_discards} infection discards"
            );
            games += 1;
        }
    }
    assert!(games > 100_000);
}

#[test]
fn moves_and_positions_of_random_games_round_trip() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for round in 0..60 {
        let rules = Rules::new(2 + round % 3, round % 13)
            .expect("within the limits")
            .with_consent(consent(round.into()));
        let mut game = Game::new(rules);
        loop {
            for m in game.legal_moves() {
                assert_eq!(game.parse_move(&game.move_text(&m)), Ok(m));
            }
            if !random_step(&mut game, &mut rng) {
                break;
            }
        }
    }
}

/// Returns the most infection discards possible for any order of the player deck, by trying every
/// position of every epidemic in its pile.
fn most_discards(rules: Rules) -> u32 {
    let sizes: Vec<u32> = (0..rules.epidemics())
        .map(|pile| u32::from(rules.pile(pile)))
        .collect();
    let mut most = 0;
    let mut places = vec![0; sizes.len()];
    loop {
        let above = (0..sizes.len()).map(|pile| sizes[..pile].iter().sum::<u32>());
        let epidemics: Vec<u32> = above
            .zip(&places)
            .map(|(above, place)| above + place)
            .collect();
        most = most.max(discards_of(&epidemics, sizes.iter().sum()));
        // Next combination of positions, like incrementing a number.
        let Some(pile) = (0..sizes.len()).find(|pile| places[*pile] + 1 < sizes[*pile]) else {
            return most;
        };
        places[..pile].fill(0);
        places[pile] += 1;
    }
}

/// Returns the most infection discards for a deck of `total` cards with epidemics at these
/// positions.
fn discards_of(epidemics: &[u32], total: u32) -> u32 {
    let (mut discards, mut most, mut come) = (9, 9, 0);
    for turn in 0..total / 2 {
        while come < epidemics.len() && epidemics[come] < 2 * (turn + 1) {
            most = most.max(discards + 1);
            discards = 0;
            come += 1;
        }
        discards += [2, 2, 2, 3, 3, 4, 4][come];
        most = most.max(discards);
    }
    most
}

#[test]
fn the_infection_discards_never_exceed_36_cards_so_a_forecast_always_finds_six() {
    let most = |players, epidemics| {
        most_discards(Rules::new(players, epidemics).expect("a game of the box"))
    };
    let all: Vec<u32> = (2..=4)
        .flat_map(|players| [4, 5, 6].map(|epidemics| most(players, epidemics)))
        .collect();
    assert_eq!(
        all,
        [36, 28, 32, 34, 28, 29, 36, 28, 32],
        "by players and epidemics"
    );
}

#[test]
fn the_rules_bound_the_number_of_moves() {
    let most = |players, epidemics, consent| {
        Rules::new(players, epidemics)
            .expect("within the limits")
            .with_consent(consent)
            .max_moves()
    };
    assert_eq!(
        most(2, 4, Consent::Implied),
        most(4, 4, Consent::Implied),
        "the decks are equal"
    );
    let heroic = [Consent::Implied, Consent::AskedOnce, Consent::AskedAgain];
    assert_eq!(
        heroic.map(|consent| most(4, 12, consent)),
        [most(2, 12, Consent::Implied), 3_540, 9_204]
    );
    assert_eq!(most(2, 12, Consent::Implied), 354);
    assert!((2..=4).all(|players| {
        (0..=12).all(|epidemics| {
            most(players, epidemics, Consent::Implied) <= most(2, 12, Consent::Implied)
        })
    }));
    let quiet = Rules::new(2, 0)
        .expect("a game")
        .with_consent(Consent::Implied)
        .with_events(Cards::NONE);
    assert_eq!(
        quiet.max_moves(),
        21 * (4 + 1) + 48,
        "twenty turns draw, the last one does not"
    );
    assert!(
        quiet.max_moves()
            < quiet
                .with_events(Cards::NONE.with(EventCard::Airlift))
                .max_moves()
    );
}

#[test]
fn a_turn_goes_through_its_stages_in_order() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    let place = |stage: Stage| match stage {
        Stage::Setup(_) => 0,
        Stage::Actions => 1,
        Stage::Draw(_) => 2,
        Stage::Epidemic | Stage::Intensify | Stage::NextEpidemic => 3,
        Stage::Infect(_) | Stage::Infecting => 4,
    };
    for _ in 0..200 {
        let mut game = Game::new(Rules::new(3, 6).expect("a game of the box"));
        loop {
            let before = (place(game.stage()), game.active());
            if !random_step(&mut game, &mut rng) {
                break;
            }
            let after = (place(game.stage()), game.active());
            let same_turn = before.1 == after.1 && after.0 >= before.0;
            let next_turn = before.0 >= 2 && after == (1, before.1.next(3));
            assert!(
                same_turn || next_turn || before.0 == 0,
                "{before:?} {after:?}"
            );
        }
    }
}
