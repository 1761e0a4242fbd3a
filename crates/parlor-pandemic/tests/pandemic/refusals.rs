//! Moves of every kind: accepted moves have the same result as a legal move; all others are
//! refused.

use std::collections::BTreeSet;

use parlor_core::{Notation, Position, Turn};
use parlor_pandemic::{
    Action, Card, City, Color, EventCard, EventPlay, Game, Illegal, Move, Rules, TurnStep,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::help::{WAYS, chosen, consent, random_step, seat, table};

/// Returns moves of every kind, with every seat (including nonexistent ones), city, color, card and
/// event.
fn every_move(game: &Game) -> Vec<Move> {
    let seats: Vec<_> = [0, 1, 2, 3, 4, 15].map(seat).into();
    let mut steps = super::STEPS_WITHOUT_CHOICE.to_vec();
    let mut events = vec![EventPlay::Forecast, EventPlay::QuietNight];
    let mut actions = vec![Action::Build { from: None }];
    actions.extend(Color::ALL.map(|color| Action::Treat { color }));
    for event in EventCard::ALL {
        actions.push(Action::Fetch { event });
        steps.push(TurnStep::Discard {
            card: Card::Event(event),
        });
    }
    for city in City::all() {
        steps.push(TurnStep::Next { city });
        steps.push(TurnStep::Discard {
            card: Card::City(city),
        });
        events.push(EventPlay::Resilient { city });
        actions.push(Action::Build { from: Some(city) });
        let stations = [None]
            .into_iter()
            .chain(game.stations().into_iter().map(Some));
        events.extend(stations.map(|from| EventPlay::Grant { at: city, from }));
        let held = game.hand(game.active()).cities().with(City::ATLANTA);
        actions.extend(
            held.into_iter()
                .map(|card| Action::Expert { to: city, card }),
        );
        for pawn in seats.iter().copied() {
            let to = city;
            actions.extend(WAYS.map(|way| Action::Travel { pawn, way, to }));
            events.push(EventPlay::Airlift { pawn, to });
            actions.push(Action::Give {
                card: city,
                to: pawn,
            });
            actions.push(Action::Take {
                card: city,
                from: pawn,
            });
        }
    }
    for color in Color::ALL {
        let some = (0..1_u16 << 12).filter(|cards| cards.count_ones() <= 6);
        actions.extend(some.map(|cards| Action::Cure {
            cards: chosen(color, cards),
        }));
    }
    let actions = actions.into_iter().map(Move::Action);
    let events = events.into_iter().map(Move::Event);
    let steps = steps.into_iter().map(Move::Step);
    actions.chain(events).chain(steps).collect()
}

fn lead_to(game: &Game, m: &Move) -> String {
    let mut next = *game;
    next.play(m);
    next.text()
}

#[test]
fn accepted_moves_equal_listed_moves() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut others = 0;
    for round in 0..24 {
        let rules = Rules::new(2 + round % 3, 4)
            .expect("a game of the box")
            .with_consent(consent(round.into()));
        let mut game = Game::new(rules);
        for step in 0.. {
            if step % 23 == 22 && game.turn() != Turn::Chance {
                let listed = game.legal_moves();
                let accepted: Vec<Move> = every_move(&game)
                    .into_iter()
                    .filter(|m| game.check(m).is_ok())
                    .collect();
                assert!(
                    listed.iter().all(|m| accepted.contains(m)),
                    "{}",
                    game.text()
                );
                let strange: Vec<&Move> = accepted.iter().filter(|m| !listed.contains(m)).collect();
                others += strange.len();
                let known: BTreeSet<String> = listed.iter().map(|m| lead_to(&game, m)).collect();
                assert_eq!(
                    known.len(),
                    listed.len(),
                    "two listed moves lead to the same: {}",
                    game.text()
                );
                for m in strange {
                    assert!(known.contains(&lead_to(&game, m)), "{m:?}: {}", game.text());
                }
            }
            if !random_step(&mut game, &mut rng) {
                break;
            }
        }
    }
    assert!(others > 0, "such as shuttles along a connection");
}

#[test]
fn moves_at_the_wrong_moment_are_refused_with_the_reason() {
    let pair = "roles=Medic,Scientist hands=Airlift/";
    let told = |words: &str, m: &str| crate::help::refused(&table(&format!("{pair} {words}")), m);
    assert_eq!(
        told("", "infect"),
        Illegal::NotNow("actions come first, then two cards are drawn")
    );
    assert_eq!(
        told("", "intensify"),
        Illegal::NotNow("actions come first, then two cards are drawn")
    );
    assert_eq!(
        told("", "epidemic"),
        Illegal::NotNow("actions come first, then two cards are drawn")
    );
    assert_eq!(
        told("stage=infect", "drive:Miami"),
        Illegal::NotNow("infection cards have to be turned")
    );
    assert_eq!(
        told("stage=infect", "draw"),
        Illegal::NotNow("infection cards have to be turned")
    );
    assert_eq!(told("", "discard:Airlift"), Illegal::NoLimit);
    assert_eq!(
        told("", "next:Paris"),
        Illegal::NotLookedAt(City::from_name("Paris").expect("a city"))
    );
}

#[test]
fn a_refused_move_changes_nothing() {
    let mut game = table("roles=Medic,Scientist");
    let before = game;
    let far = game.parse_move("drive:London").expect("a move");
    assert!(game.try_play(&far).is_err());
    assert_eq!(game, before);
}

#[test]
fn an_impossible_chance_is_refused() {
    let mut game = table("roles=Medic,Scientist hands=Lon/Par");
    let draw = game.parse_chance("draw:Essen").expect("a chance");
    assert!(game.try_resolve(&draw).is_err(), "nobody draws yet");
    crate::help::play(&mut game, "draw");
    for wrong in [
        "draw:London",
        "infect:London",
        "bottom:London",
        "look:London",
        "role:Medic",
        "deal:Essen",
    ] {
        let chance = game.parse_chance(wrong).expect("a chance");
        assert!(game.try_resolve(&chance).is_err(), "{wrong}");
    }
    game.resolve(&draw);
}

#[test]
fn invalid_move_texts_are_refused_with_a_hint() {
    let game = table("roles=Medic,Scientist");
    for (text, start) in [
        ("walk:Paris", "a move of Pandemic, such as drive:Paris"),
        ("drive", "a move that names a"),
        (
            "drive:Springfield",
            "a move that names a city of the map there",
        ),
        (
            "drive:Dispatcher:Paris",
            "a move at this table: nobody is the Dispatcher",
        ),
        ("treat:green", "a move that names a disease there"),
        ("fetch:Paris", "a move that names an event there"),
        ("discard:Nothing", "a move that names a card there"),
        (
            "draw:Paris",
            "a move of Pandemic: there are words too many or too few",
        ),
        (
            "cure:blue:Tokyo",
            "a cure of blue: all its cards must be blue",
        ),
        (
            "cure:blue:Tokyo,Nowhere",
            "a cure with cities joined by commas",
        ),
        ("", "a move of Pandemic, such as"),
    ] {
        let told = game.parse_move(text).expect_err("no move").expected;
        assert!(told.starts_with(start), "{text}: {told}");
    }
    for text in [
        "infect",
        "infect:Springfield",
        "role:Nurse",
        "deal:Epidemic",
        "roll:6",
        "infect:Paris:London",
    ] {
        assert!(game.parse_chance(text).is_err(), "{text}");
    }
}

#[test]
fn informal_spellings_of_moves_are_accepted() {
    let game = table("roles=Medic,Scientist hands=LonParMilEss/Cai");
    let same = |text: &str, canonical: &str| {
        let m = game.parse_move(text).expect("a move");
        assert_eq!(game.move_text(&m), canonical, "{text}");
    };
    same(" DRIVE : chi ", "drive:Chicago");
    same("drive:Medic:Chicago", "drive:Chicago");
    same("fly:sao paulo", "fly:Sao-Paulo");
    same("give:Lon", "give:London:Scientist");
    same("cure:blue", "cure:blue:Essen,London,Milan,Paris");
    same("airlift:scientist:são-paulo", "airlift:Scientist:Sao-Paulo");
    same("INFECT:ALL", "infect:all");
}
