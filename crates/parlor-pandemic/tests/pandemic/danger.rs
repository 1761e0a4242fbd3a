//! Chances of infections and outbreaks, compared with every way in which a turn can end.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use parlor_core::{Notation, Position, Seat, Turn, random_below};
use parlor_pandemic::{
    Chance, Cities, City, Game, Interrupt, MAX_OUTBREAKS, Move, Rules, Stage, TurnStep,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::help::random_step;

/// Sums over all ways to end a turn, by playing each of them.
struct Enumeration {
    active: Seat,
    infection: BTreeMap<City, f64>,
    outbreak: BTreeMap<City, f64>,
}

impl Enumeration {
    fn of(game: &Game) -> Enumeration {
        let mut sums = Enumeration {
            active: game.active(),
            infection: BTreeMap::new(),
            outbreak: BTreeMap::new(),
        };
        if game.is_set_up() && game.ending().is_none() {
            sums.add(game, 1.0, [Cities::NONE; 2]);
        }
        sums
    }

    fn add(&mut self, game: &Game, chance: f64, [turned, broken]: [Cities; 2]) {
        let is_ended = game.stage() == Stage::Actions && game.active() != self.active;
        match game.turn() {
            Turn::Chance => self.add_luck(game, chance, [turned, broken]),
            Turn::Move(_) if !is_ended => {
                let moves = continuations(game);
                let chance = chance / moves.len() as f64;
                for m in moves {
                    let mut next = *game;
                    next.play(&m);
                    self.add(&next, chance, [turned, broken]);
                }
            }
            _ => {
                for (sums, cities) in [(&mut self.infection, turned), (&mut self.outbreak, broken)]
                {
                    for city in cities {
                        *sums.entry(city).or_default() += chance;
                    }
                }
            }
        }
    }

    fn add_luck(&mut self, game: &Game, chance: f64, [turned, broken]: [Cities; 2]) {
        let mut chances = game.chances();
        let all: f64 = chances.iter().map(|(_, weight)| f64::from(*weight)).sum();
        // All cities and events that may be drawn mean the same for the board.
        let is_drawn = |(chance, _): &(Chance, u32)| matches!(chance, Chance::Draw(_));
        let drawn: u32 = chances.iter().filter(|c| is_drawn(c)).map(|c| c.1).sum();
        if let Some(first) = chances.iter().copied().find(is_drawn) {
            chances.retain(|chance| !is_drawn(chance));
            chances.push((first.0, drawn));
        }
        for (luck, weight) in chances {
            let mut next = *game;
            next.resolve(&luck);
            let (turned, broken) = match luck {
                Chance::Infect(city) | Chance::Bottom(city) => {
                    let more = outbreaks(game, &luck, city);
                    if next.ending().is_none() {
                        let counted = u32::from(next.outbreaks() - game.outbreaks());
                        assert_eq!(more.len(), counted, "{} {luck:?}", game.text());
                    }
                    (turned.with(city), broken.or(more))
                }
                _ => (turned, broken),
            };
            self.add(&next, chance * f64::from(weight) / all, [turned, broken]);
        }
    }
}

/// Returns the moves by which nobody acts any more; those of a forecast that are left are all made.
fn continuations(game: &Game) -> Vec<Move> {
    let legal = game.legal_moves();
    let is_any = |wanted: &dyn Fn(&TurnStep) -> bool| -> Vec<Move> {
        let steps = legal
            .iter()
            .filter(|m| matches!(m, Move::Step(step) if wanted(step)));
        steps.copied().collect()
    };
    let orders = is_any(&|step| matches!(step, TurnStep::Next { .. }));
    if !orders.is_empty() {
        return orders;
    }
    let on = is_any(&|step| {
        let on = [
            TurnStep::Decline,
            TurnStep::Draw,
            TurnStep::Infect,
            TurnStep::Intensify,
            TurnStep::Epidemic,
        ];
        on.contains(step)
    });
    let discards = is_any(&|step| matches!(step, TurnStep::Discard { .. }));
    on.into_iter().chain(discards).take(1).collect()
}

/// Returns the cities with an outbreak, by the rules and cube by cube.
fn outbreaks(game: &Game, luck: &Chance, city: City) -> Cities {
    let color = city.color();
    let safe = game.protected(color);
    let count = |city: City| u32::from(game.cubes().count(city, color));
    let begins = match luck {
        Chance::Bottom(_) => count(city) > 0,
        _ => count(city) == 3,
    };
    let mut supply = u32::from(game.cubes().supply(color));
    if !begins || game.is_eradicated(color) || safe.has(city) {
        return Cities::NONE;
    }
    let mut cubes: BTreeMap<City, u32> = City::all().map(|city| (city, count(city))).collect();
    if let Chance::Bottom(_) = luck {
        let missing = 3 - count(city);
        if supply < missing {
            return Cities::NONE;
        }
        supply -= missing;
        cubes.insert(city, 3);
    }
    let (mut waiting, mut broken) = (BTreeSet::from([city.index()]), Cities::NONE);
    while let Some(next) = waiting.pop_first() {
        let next = City::new(next as u8).expect("a city");
        broken = broken.with(next);
        if u32::from(game.outbreaks()) + broken.len() >= u32::from(MAX_OUTBREAKS) {
            return broken;
        }
        let mut wanted = 0;
        for near in next.neighbors() {
            if safe.has(near) || broken.has(near) {
                continue;
            }
            let cubes = cubes.entry(near).or_default();
            if *cubes == 3 {
                waiting.insert(near.index());
            } else {
                *cubes += 1;
                wanted += 1;
            }
        }
        if wanted > supply {
            return broken;
        }
        supply -= wanted;
    }
    broken
}

/// Asserts that the chances are those of the enumeration.
fn assert_exact(game: &Game) {
    let (danger, all) = (game.danger(), Enumeration::of(game));
    for city in City::all() {
        for (what, found, sums) in [
            ("infection", danger.infection(city), &all.infection),
            ("outbreak", danger.outbreak(city), &all.outbreak),
        ] {
            let sum = sums.get(&city).copied().unwrap_or_default();
            let about = || format!("{what} of {city}: {found}, not {sum}: {}", game.text());
            assert!((found - sum).abs() < 1e-9, "{}", about());
        }
    }
}

/// Returns true if there is a turn, and all ways to end it can be enumerated quickly.
fn is_quick(game: &Game) -> bool {
    let quick = match game.interrupt() {
        Some(Interrupt::Look { .. }) => false,
        Some(Interrupt::Order { seen, .. }) => seen.len() <= 3,
        Some(Interrupt::Consent { .. }) | None => true,
    };
    let most = [48, 20, 13][usize::from(game.rate() - 2)];
    let few =
        game.infection().top_layer().len() <= most && game.infection().discard().len() <= most;
    quick && few && game.is_set_up()
}

/// Returns the game with half of the cubes and no outbreaks, so that random play lasts until late
/// stages; the same game where that is no position.
fn relieved(game: &Game, rng: &mut Xoshiro256PlusPlus) -> Game {
    let mut setup = game.setup();
    for cubes in setup.cubes.iter_mut().flatten() {
        *cubes = random_below(rng, u32::from(*cubes) + 1) as u8;
    }
    setup.outbreaks = random_below(rng, u32::from(setup.outbreaks) + 1) as u8;
    setup.validate().unwrap_or(*game)
}

#[test]
fn chances_are_those_of_all_ways_to_end_the_turn() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut compared, mut moments) = (0, HashSet::new());
    while compared < 2_000 {
        let players = 2 + random_below(&mut rng, 3) as u8;
        let epidemics = [0, 2, 4, 5, 6, 8, 12, 12][random_below(&mut rng, 8) as usize];
        let mut game = Game::new(Rules::new(players, epidemics).expect("valid rules"));
        while random_step(&mut game, &mut rng) {
            if random_below(&mut rng, 20) == 0 {
                game = relieved(&game, &mut rng);
            }
            // With more cards to turn there are many more ways.
            let one_in = [4, 24, 48][usize::from(game.rate() - 2)];
            if random_below(&mut rng, one_in) == 0 && is_quick(&game) {
                assert_exact(&game);
                compared += 1;
                let orders = matches!(game.interrupt(), Some(Interrupt::Order { .. }));
                moments.insert((std::mem::discriminant(&game.stage()), game.rate(), orders));
            }
        }
    }
    // Seven stages after the setup, at three rates, some with a forecast.
    assert!(moments.len() > 15, "{moments:?}");
    let rates: BTreeSet<u8> = moments.iter().map(|(_, rate, _)| *rate).collect();
    assert_eq!(rates, BTreeSet::from([2, 3, 4]));
}
