//! Positions as lines of text.

use std::collections::HashSet;
use std::mem::discriminant;

use parlor_core::{Notation, Position, Turn};
use parlor_pandemic::{Cards, Chance, Consent, EventCard, Game, Move, Rules, TurnStep};
use proptest::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::help::{consent, random_step};

#[test]
fn every_position_round_trips_through_its_text() {
    for seed in 0..60 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let rules = Rules::new(2 + (seed % 3) as u8, (seed % 7) as u8).expect("within the limits");
        let mut game = Game::new(rules.with_consent(consent(seed)));
        loop {
            let text = game.text();
            assert_eq!(Game::from_text(&text).as_ref(), Ok(&game), "{text}");
            assert_eq!(game.setup().validate().as_ref(), Ok(&game), "{text}");
            if !random_step(&mut game, &mut rng) {
                break;
            }
        }
    }
}

#[test]
fn steps_and_chances_are_text_without_a_game() {
    let mut kinds = HashSet::new();
    for seed in 0..60 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let rules = Rules::new(2 + (seed % 3) as u8, (seed % 7) as u8).expect("within the limits");
        let mut game = Game::new(rules.with_consent(consent(seed)));
        while random_step(&mut game, &mut rng) {
            for (chance, _) in game.chances() {
                let text = chance.to_string();
                assert_eq!(text, game.chance_text(&chance));
                assert_eq!(text.parse::<Chance>(), Ok(chance));
                assert_eq!(text.to_ascii_uppercase().parse::<Chance>(), Ok(chance));
                kinds.insert(discriminant(&chance));
            }
            for m in game.legal_moves() {
                let text = game.move_text(&m);
                match m {
                    Move::Step(step) => {
                        assert_eq!(text, step.to_string());
                        assert_eq!(text.parse::<TurnStep>(), Ok(step));
                    }
                    Move::Action(_) | Move::Event(_) => {
                        assert!(text.parse::<TurnStep>().is_err(), "{text}");
                    }
                }
            }
        }
    }
    assert_eq!(kinds.len(), 7, "every kind of chance");
}

#[test]
fn games_steps_and_chances_are_strings_in_json() {
    let game = position(3, 60);
    let value = (game, TurnStep::InfectAll, Chance::Epidemic);
    let json = serde_json::to_string(&value).expect("strings");
    assert_eq!(
        json,
        format!("[\"{game}\",\"infect:all\",\"draw:Epidemic\"]")
    );
    let read: (Game, TurnStep, Chance) = serde_json::from_str(&json).expect("the same");
    assert_eq!(read, value);
    assert!(serde_json::from_str::<Chance>("\"infect:Springfield\"").is_err());
}

#[test]
fn the_text_of_a_game_is_readable() {
    let game = Game::new(
        Rules::new(3, 5)
            .expect("a game of the box")
            .with_consent(Consent::Implied),
    );
    assert_eq!(game.text(), "3p5e consent=no stage=setup:0");
}

/// Plays an accepted text at random to the end, checking each position on the way.
fn plays_on(text: &str, seed: u64) {
    let Ok(mut game) = Game::from_text(text) else {
        return;
    };
    assert_eq!(Game::from_text(&game.text()).as_ref(), Ok(&game), "{text}");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    for step in 0.. {
        assert!(step < 10_000, "no end: {text}");
        if game.turn() == Turn::Chance {
            assert!(
                !game.chances().is_empty(),
                "luck has nothing to do: {text} led to {}",
                game.text()
            );
        }
        if !random_step(&mut game, &mut rng) {
            break;
        }
        if step < 40 {
            let line = game.text();
            assert_eq!(
                Game::from_text(&line).as_ref(),
                Ok(&game),
                "{text} led to {line}"
            );
        }
    }
}

/// Returns a position of a random game.
fn position(seed: u64, steps: u32) -> Game {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let events = [
        Cards::EVENTS,
        Cards::NONE.with(EventCard::Forecast),
        Cards::NONE,
    ];
    let rules = Rules::new(2 + (seed % 3) as u8, (seed / 3 % 13) as u8).expect("within the limits");
    let rules = rules
        .with_consent(consent(seed))
        .with_events(events[(seed % 4).saturating_sub(1) as usize]);
    let mut game = Game::new(rules);
    for _ in 0..steps {
        let mut next = game;
        if !random_step(&mut next, &mut rng) || next.turn().is_over() && !steps.is_multiple_of(8) {
            break;
        }
        game = next;
    }
    game
}

/// Words that can replace another word or be added.
const WORDS: [&str; 59] = [
    "2p4e",
    "3p0e",
    "4p12e",
    "stage=setup:0",
    "stage=setup:9",
    "stage=setup:15",
    "stage=actions:0",
    "stage=actions:4",
    "stage=draw:1",
    "stage=draw:2",
    "stage=epidemic",
    "stage=intensify",
    "stage=second",
    "stage=infect",
    "stage=between:1",
    "stage=turning:1",
    "stage=turning:4",
    "consent=no",
    "consent=yes",
    "consent=again",
    "events=none",
    "events=Airlift",
    "active=0",
    "active=1",
    "active=3",
    "quiet",
    "hurry",
    "flown",
    "pending=1",
    "pending=2",
    "epidemics=1",
    "epidemics=4",
    "outbreaks=7",
    "outbreaks=8",
    "cured=b",
    "cured=bykr",
    "infection=none",
    "infection=*/LonPar",
    "infected=LonPar",
    "removed=Lon",
    "declined=1",
    "declined=0123",
    "declined=1112",
    "declined=1111",
    "ask=drive:Medic:Paris",
    "ask=airlift:Medic:Paris",
    "ask=give:Paris:Medic",
    "look=0:6:",
    "look=1:1:LonParMil",
    "order=0:LonPar:",
    "order=1:LonPar:MilEssMadNYk",
    "over=cured",
    "over=cards",
    "over=outbreaks",
    "over=cubes:blue",
    "stations=AtlLonParMilEssMad",
    "cubes=Lon:b3",
    "gone=Forecast",
    "discard=Forecast",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

    /// Mixes words of two games, drops some and adds foreign ones: any accepted text must be a
    /// playable game.
    #[test]
    fn every_accepted_text_is_a_playable_game(
        seeds in (any::<u64>(), any::<u64>()),
        steps in (0_u32..500, 0_u32..500),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), any::<prop::sample::Index>()), 0..4),
    ) {
        let (own, other) = (position(seeds.0, steps.0).text(), position(seeds.1, steps.1).text());
        let mut words: Vec<&str> = own.split(' ').collect();
        let others: Vec<&str> = other.split(' ').collect();
        for (at, what, pick) in changes {
            let word = if what % 4 == 0 { others[pick.index(others.len())] } else { WORDS[pick.index(WORDS.len())] };
            let key = word.split('=').next().expect("a word");
            let same = words.iter().position(|word| word.split('=').next() == Some(key));
            match (what % 3, same) {
                (0, _) if words.len() > 2 => drop(words.remove(at.index(words.len()))),
                (_, Some(same)) => words[same] = word,
                _ if word.ends_with('e') && word.as_bytes()[0].is_ascii_digit() => words[0] = word,
                _ => words.push(word),
            }
        }
        plays_on(&words.join(" "), seeds.1);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[ -~é]{0,60}", tail in "(2p4e|stage=|at=|ask=|hands=|[A-Za-z:/,=+*0-9]| ){0,30}") {
        let _ = Game::from_text(&text);
        let _ = Game::from_text(&format!("2p4e {tail}"));
        let _ = Game::from_text(&format!("2p4e stage=actions:1 roles=Medic,Scientist {tail}"));
    }
}

#[test]
fn fuzzer_seeds_are_positions_with_a_legal_step() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/pandemic");
    let mut seeds = 0;
    for seed in std::fs::read_dir(folder).expect("the seeds") {
        let path = seed.expect("a seed").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let mut lines = text.lines();
        let mut game = crate::help::read(lines.next().expect("a position"));
        crate::help::play(&mut game, lines.next().expect("a step"));
        seeds += 1;
    }
    assert!(seeds >= 5, "{seeds} seeds");
}
