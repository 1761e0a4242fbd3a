//! Outbreaks compared with a slow, plain reference: recursion over maps of numbers.

use std::collections::{BTreeMap, BTreeSet};

use parlor_core::{Position, random_below};
use parlor_pandemic::{Chance, City, Color, PandemicEnding, Setup, Stage};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::help::{seat, table};

/// Cubes of one color as plain numbers.
struct Plain {
    cubes: BTreeMap<City, u32>,
    safe: BTreeSet<City>,
    broken: BTreeSet<City>,
}

impl Plain {
    /// Adds a cube, or resolves an outbreak with a cube for every neighbor, straight from the
    /// rules.
    fn infect(&mut self, city: City) {
        if self.safe.contains(&city) || self.broken.contains(&city) {
            return;
        }
        let cubes = self.cubes.entry(city).or_insert(0);
        if *cubes < 3 {
            *cubes += 1;
            return;
        }
        self.broken.insert(city);
        for near in city.neighbors() {
            self.infect(near);
        }
    }
}

/// Builds a random board with cubes of one color and many full cities.
fn board(rng: &mut Xoshiro256PlusPlus) -> (Setup, Color) {
    let color = Color::ALL[random_below(rng, 4) as usize];
    let words = [
        "roles=Medic,Quarantine-Specialist",
        "roles=Medic,Scientist",
        "roles=Researcher,Quarantine-Specialist",
    ];
    let base = words[random_below(rng, 3) as usize];
    let mut setup = BASES.with(|bases| {
        bases
            .borrow_mut()
            .entry(base)
            .or_insert_with(|| table(base).setup())
            .clone()
    });
    setup.stage = Stage::Infecting;
    (setup.actions, setup.infections) = (0, 1);
    setup.outbreaks = random_below(rng, 8) as u8;
    setup.cured[color.index()] = random_below(rng, 2) == 0;
    setup.pawns = [0, 1, 2, 3].map(|_| City::new(random_below(rng, 48) as u8).expect("a city"));
    (setup.pawns[2], setup.pawns[3]) = (City::ATLANTA, City::ATLANTA);
    // Cluster around one city, so that chains are long.
    let center = City::new(random_below(rng, 48) as u8).expect("a city");
    let reach = 1 + random_below(rng, 4) as u8;
    let near: Vec<City> = City::all()
        .filter(|city| city.distance(center) <= reach)
        .collect();
    let mut left = random_below(rng, 25) as u8;
    while left > 0
        && near
            .iter()
            .any(|city| setup.cubes[city.index()][color.index()] < 3)
    {
        let city = near[random_below(rng, near.len() as u32) as usize];
        let cubes = &mut setup.cubes[city.index()][color.index()];
        let more = (3 - *cubes).min(left);
        *cubes += more;
        left -= more;
    }
    if setup.cured[color.index()] && setup.roles[0] == Some(parlor_pandemic::Role::Medic) {
        setup.cubes[setup.pawns[0].index()][color.index()] = 0;
    }
    (setup, color)
}

thread_local! {
    static BASES: std::cell::RefCell<BTreeMap<&'static str, Setup>> = const { std::cell::RefCell::new(BTreeMap::new()) };
}

#[test]
fn outbreaks_match_a_plain_recursion() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let (mut longest, mut lost) = (0, [0; 2]);
    for _ in 0..20_000 {
        let (setup, color) = board(&mut rng);
        let mut game = setup.validate().expect("a board");
        let own: Vec<City> = color.cities().into_iter().collect();
        let full = own
            .iter()
            .copied()
            .find(|city| game.cubes().count(*city, color) == 3);
        let city = full.unwrap_or(own[random_below(&mut rng, 12) as usize]);
        let mut plain = Plain {
            cubes: City::all()
                .map(|city| (city, u32::from(game.cubes().count(city, color))))
                .collect(),
            safe: game.protected(color).into_iter().collect(),
            broken: BTreeSet::new(),
        };
        let eradicated = game.is_eradicated(color);
        if !eradicated {
            plain.infect(city);
        }
        game.resolve(&Chance::Infect(city));
        let on_board: u32 = plain.cubes.values().sum();
        let outbreaks = u32::from(setup.outbreaks) + plain.broken.len() as u32;
        match game.ending() {
            None => {
                assert!(on_board <= 24 && outbreaks < 8);
                let same = City::all()
                    .all(|city| u32::from(game.cubes().count(city, color)) == plain.cubes[&city]);
                assert!(same, "{setup:?} {city}");
                assert_eq!(u32::from(game.outbreaks()), outbreaks);
                assert_eq!(u32::from(game.cubes().supply(color)), 24 - on_board);
                longest = longest.max(plain.broken.len());
            }
            Some(PandemicEnding::Outbreaks) => {
                assert!(outbreaks >= 8);
                lost[0] += 1;
            }
            Some(ending) => {
                assert_eq!(ending, PandemicEnding::Cubes(color));
                assert!(on_board > 24, "no cube was missing");
                assert_eq!(
                    game.cubes().supply(color),
                    0,
                    "what is left is placed first"
                );
                lost[1] += 1;
            }
        }
        assert!(game.ending().is_some() || game.active() == seat(1));
    }
    assert!(
        longest >= 5 && lost.iter().all(|count| *count > 500),
        "chains of {longest}, lost {lost:?}"
    );
}
