//! A complete won game with every step explained, checked against facts computed by another
//! program.
//!
//! Each line of `golden.txt` is a step: the mover, or `luck`, the move or chance and, after `#`,
//! the reason in the rules. Lines that begin with `=` are facts about the position reached. Reasons
//! and facts come from an independent referee, which implements the printed rules and the map with
//! plain numbers, resolves outbreaks by recursion and shares no code with this crate.

use parlor_core::{Notation, Outcome, Position, Seat, Turn};
use parlor_pandemic::{Cards, City, Color, Consent, EventCard, Game, Rules};

use crate::help::{city, seat};

const GAME: &str = include_str!("golden.txt");

/// Splits names separated by commas; `-` is an empty list.
fn names(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').filter(|name| *name != "-")
}

fn holds(game: &Game, fact: &str) {
    let words: Vec<&str> = fact.split_whitespace().collect();
    let number = |text: &str| text.parse::<u8>().expect("a number");
    let color = |text: &str| Color::from_name(text).expect("a color");
    match words[..] {
        ["cubes", place, disease, cubes] => assert_eq!(
            game.cubes().count(city(place), color(disease)),
            number(cubes)
        ),
        ["supply", disease, cubes] => {
            assert_eq!(game.cubes().supply(color(disease)), number(cubes))
        }
        ["outbreaks", count] => assert_eq!(game.outbreaks(), number(count)),
        ["rate", count] => assert_eq!(game.rate(), number(count)),
        ["deck", count] => assert_eq!(game.deck().len(), number(count)),
        ["actions", count] => assert_eq!(game.actions(), number(count)),
        ["at", who, place] => assert_eq!(game.pawn(seat(number(who))), city(place)),
        ["stations", places] => assert_eq!(game.stations(), names(places).map(city).collect()),
        ["cures", found] => {
            let found: Vec<Color> = names(found).map(color).collect();
            assert!(
                Color::ALL
                    .into_iter()
                    .all(|color| game.is_cured(color) == found.contains(&color))
            );
        }
        ["hand", who, cards] => {
            let cards: Cards = names(cards)
                .map(|name| parlor_pandemic::Card::from_name(name).expect("a card"))
                .collect();
            assert_eq!(game.hand(seat(number(who))), cards);
        }
        ["over", "cured"] => assert_eq!(game.turn(), Turn::Over(Outcome::TeamWon)),
        _ => panic!("{fact:?} is no fact"),
    }
}

/// Plays one step and checks who made it.
fn step(game: &mut Game, who: &str, text: &str) {
    if who == "luck" {
        let chance = game
            .parse_chance(text)
            .unwrap_or_else(|reason| panic!("{reason}"));
        game.try_resolve(&chance)
            .unwrap_or_else(|reason| panic!("{text}: {reason}"));
        return;
    }
    let m = game
        .parse_move(text)
        .unwrap_or_else(|reason| panic!("{reason}"));
    assert_eq!(
        game.mover(&m).map(Seat::number),
        who.parse().ok(),
        "who makes {text}"
    );
    assert_eq!(game.move_text(&m), text);
    game.try_play(&m)
        .unwrap_or_else(|reason| panic!("{text}: {reason}"));
}

#[test]
fn a_won_game_matches_another_program() {
    let mut game = Game::new(
        Rules::new(2, 4)
            .expect("a game of the box")
            .with_consent(Consent::Implied),
    );
    let mut checked = 0;
    for (number, line) in GAME.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        println!("line {}: {line}", number + 1);
        if let Some(fact) = line.strip_prefix('=') {
            holds(&game, fact);
            checked += 1;
        } else if let Some((who, text)) = line.split_once(' ') {
            step(&mut game, who, text.trim());
        }
    }
    assert!(game.turn().is_over() && checked > 500, "{checked} facts");
}

#[test]
fn the_golden_game_covers_every_move_and_chance() {
    for part in [
        "draw:Epidemic",
        "bottom:",
        "give:",
        "forecast",
        "look:",
        "next:",
        "discard:",
        "and then in",
        "eradicated",
    ] {
        assert!(GAME.contains(part), "{part}");
    }
    assert!(
        GAME.contains("(Scientist)") && GAME.contains("with 5 cards"),
        "cures of four and of five"
    );
    assert!(GAME.contains("out of turn"));
    let events = EventCard::ALL
        .into_iter()
        .filter(|event| GAME.contains(&format!(":{}", event.text())))
        .count();
    assert_eq!(events, 5, "every event is drawn");
    assert!(
        City::all()
            .filter(|city| GAME.contains(city.text()))
            .count()
            > 40
    );
}
