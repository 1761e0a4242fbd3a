//! Shared test helpers.

use parlor_core::{Notation, Position, Seat, Turn};
use parlor_pandemic::{Cities, City, Color, ColorCities, Consent, Game, Illegal, Way};
use rand_xoshiro::Xoshiro256PlusPlus;

/// All ways to move a pawn.
pub const WAYS: [Way; 5] = [Way::Drive, Way::Fly, Way::Charter, Way::Shuttle, Way::Join];

/// Returns cities of a color: the `n`-th one if bit `n` is set.
pub fn chosen(color: Color, bits: u16) -> ColorCities {
    let members = color.cities().into_iter().enumerate();
    let members = members.filter(|(n, _)| bits >> n & 1 == 1);
    ColorCities::new(color, members.map(|(_, city)| city).collect())
}

/// Returns one of the three rules of consent.
pub fn consent(number: u64) -> Consent {
    let all = [Consent::AskedOnce, Consent::Implied, Consent::AskedAgain];
    all[(number % 3) as usize]
}

/// Plays one random move or chance; returns false if the game is over.
pub fn random_step(game: &mut Game, rng: &mut Xoshiro256PlusPlus) -> bool {
    match game.turn() {
        Turn::Over(_) => return false,
        Turn::Chance => {
            let chance = game
                .random_chance(rng, &mut Vec::new())
                .expect("luck decides");
            game.resolve_unchecked(&chance);
        }
        Turn::Move(_) => {
            let m = game
                .random_move(rng, &mut Vec::new())
                .expect("a seat is to move");
            game.play_unchecked(&m);
        }
    }
    true
}

/// Returns the city with this name or code.
pub fn city(name: &str) -> City {
    City::from_name(name).unwrap_or_else(|| panic!("{name} is no city"))
}

/// Parses a game.
pub fn read(text: &str) -> Game {
    Game::from_text(text).unwrap_or_else(|reason| panic!("{reason}"))
}

/// Returns a two-player game with four epidemics, no consent and four actions left, unless the
/// words specify something else. Unnamed cities from Tokyo backwards are discarded until the deck
/// is valid.
pub fn table(words: &str) -> Game {
    let mut line = words.to_owned();
    if !words
        .split(' ')
        .next()
        .is_some_and(|word| word.ends_with('e') && word.starts_with(['2', '3', '4']))
    {
        line = format!("2p4e {line}");
    }
    for (key, default) in [
        ("consent=", "consent=no"),
        ("stage=", "stage=actions:4"),
        ("discard=", "discard="),
    ] {
        if !line.contains(key) {
            line = format!("{line} {default}");
        }
    }
    let named = line
        .split(' ')
        .filter(|word| ["hands", "discard"].contains(&word.split('=').next().unwrap_or("")));
    let named: String = named.collect();
    let spare: Vec<City> = City::all()
        .rev()
        .filter(|city| !named.contains(city.code()))
        .collect();
    for count in 0..=spare.len() {
        let filler: String = spare[..count].iter().map(|city| city.code()).collect();
        let event_first = line
            .split("discard=")
            .nth(1)
            .is_some_and(|rest| City::from_name(&rest[..3.min(rest.len())]).is_none());
        let plus = if event_first
            && count > 0
            && !line.contains("discard= ")
            && !line.ends_with("discard=")
        {
            "+"
        } else {
            ""
        };
        match Game::from_text(&line.replace("discard=", &format!("discard={filler}{plus}"))) {
            Ok(game) => return game,
            Err(reason) if reason.expected.contains("cannot form a player deck") => {}
            Err(reason) => panic!("{reason}"),
        }
    }
    panic!("no deck fits {line}")
}

/// Plays moves and chances separated by spaces; the turn decides which is expected.
pub fn play(game: &mut Game, steps: &str) {
    for step in steps.split_whitespace() {
        if game.turn() == Turn::Chance {
            let chance = game
                .parse_chance(step)
                .unwrap_or_else(|reason| panic!("{reason}: {}", game.text()));
            game.try_resolve(&chance)
                .unwrap_or_else(|reason| panic!("{step}: {reason}: {}", game.text()));
        } else {
            let m = game
                .parse_move(step)
                .unwrap_or_else(|reason| panic!("{reason}: {}", game.text()));
            game.try_play(&m)
                .unwrap_or_else(|reason| panic!("{step}: {reason}: {}", game.text()));
        }
    }
}

/// Returns the game after these steps.
pub fn after(words: &str, steps: &str) -> Game {
    let mut game = table(words);
    play(&mut game, steps);
    game
}

/// Returns the reason for refusing a move.
pub fn refused(game: &Game, m: &str) -> Illegal {
    let m = game
        .parse_move(m)
        .unwrap_or_else(|reason| panic!("{reason}"));
    assert!(!game.legal_moves().contains(&m), "{m:?} is listed");
    game.check(&m).expect_err("the move is refused")
}

/// Returns true if a move is listed as legal.
pub fn lists(game: &Game, m: &str) -> bool {
    let m = game
        .parse_move(m)
        .unwrap_or_else(|reason| panic!("{reason}"));
    game.legal_moves().contains(&m)
}

/// Returns the number of legal moves whose text starts with `start`.
pub fn count(game: &Game, start: &str) -> usize {
    game.legal_moves()
        .iter()
        .filter(|m| game.move_text(m).starts_with(start))
        .count()
}

/// Parses a line of city codes.
pub fn cities(codes: &str) -> Cities {
    codes
        .as_bytes()
        .chunks(3)
        .map(|code| city(std::str::from_utf8(code).expect("three letters")))
        .collect()
}

/// Returns the layers of the infection deck from the top.
pub fn layers(game: &Game) -> Vec<Cities> {
    game.infection().layers().collect()
}

/// Returns the number of cubes of a color in a city.
pub fn cubes(game: &Game, name: &str, color: Color) -> u8 {
    game.cubes().count(city(name), color)
}

/// Returns the seat with this number.
pub fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

/// Returns the possible chances with their weights, as text.
pub fn chances(game: &Game) -> Vec<String> {
    game.chances()
        .iter()
        .map(|(chance, weight)| format!("{} {weight}", game.chance_text(chance)))
        .collect()
}
