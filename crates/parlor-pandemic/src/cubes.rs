//! Cubes on the board and in the supply, and how outbreaks spread.

use crate::map::{Cities, City, Color};

/// Cubes of the four diseases.
///
/// Each color is two bit planes over the cities, so that a city holds 0 to 3 cubes of it and an outbreak is a few operations on
/// whole sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cubes {
    low: [u64; 4],
    high: [u64; 4],
    supply: [u8; 4],
}

/// What became of an infection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// It is over; this many outbreaks happened.
    Done {
        /// How many.
        outbreaks: u8,
    },
    /// The marker reached its end: the rest did not happen any more.
    TooManyOutbreaks,
    /// A cube was needed and none was left.
    NoCubes {
        /// How many outbreaks had happened, the one included that needed it.
        outbreaks: u8,
    },
}

impl Cubes {
    /// Cubes of each color.
    pub const EACH: u8 = 24;
    /// The most cubes of one color in a city.
    pub const MOST: u8 = 3;
    /// None on the board.
    pub const NONE: Cubes = Cubes {
        low: [0; 4],
        high: [0; 4],
        supply: [Self::EACH; 4],
    };

    /// How many cubes of a color are in a city, 0 to 3.
    pub const fn count(&self, city: City, color: Color) -> u8 {
        let (low, high) = (self.low[color.index()], self.high[color.index()]);
        (low >> city.index() & 1) as u8 + 2 * (high >> city.index() & 1) as u8
    }

    /// How many cubes of a color are left beside the board.
    pub const fn supply(&self, color: Color) -> u8 {
        self.supply[color.index()]
    }

    /// How many cubes of a color are on the board.
    pub const fn on_board(&self, color: Color) -> u8 {
        Self::EACH - self.supply(color)
    }

    /// The cities with at least one cube of a color.
    pub const fn infected(&self, color: Color) -> Cities {
        Cities(self.low[color.index()] | self.high[color.index()])
    }

    /// The cities with exactly this many cubes of a color, 0 to 3.
    pub const fn with_exactly(&self, color: Color, cubes: u8) -> Cities {
        let (low, high) = (self.low[color.index()], self.high[color.index()]);
        let (low, high) = (
            if cubes & 1 == 1 { low } else { !low },
            if cubes & 2 == 2 { high } else { !high },
        );
        Cities::from_bits(low & high)
    }

    /// The cities with any cube.
    pub const fn all_infected(&self) -> Cities {
        let mut all = 0;
        let mut color = 0;
        while color < 4 {
            all |= self.low[color] | self.high[color];
            color += 1;
        }
        Cities(all)
    }

    /// Puts `cubes` into a city that has none of them beyond the third; `false` when the supply does not reach, and all that is left of
    /// it lies there.
    pub(crate) fn put(&mut self, city: City, color: Color, cubes: u8) -> bool {
        let put = cubes.min(self.supply(color));
        self.set(city, color, self.count(city, color) + put);
        self.supply[color.index()] -= put;
        put == cubes
    }

    /// Takes up to `cubes` away and says how many.
    pub(crate) fn take(&mut self, city: City, color: Color, cubes: u8) -> u8 {
        let there = self.count(city, color);
        let taken = cubes.min(there);
        self.set(city, color, there - taken);
        self.supply[color.index()] += taken;
        taken
    }

    fn set(&mut self, city: City, color: Color, cubes: u8) {
        let (at, color) = (city.index(), color.index());
        self.low[color] = self.low[color] & !(1 << at) | u64::from(cubes & 1) << at;
        self.high[color] = self.high[color] & !(1 << at) | u64::from(cubes >> 1 & 1) << at;
    }

    /// One cube for a city, with all the outbreaks it causes. `safe` cities take no cube and have no outbreak; no city breaks out
    /// twice. `outbreaks_left` is how many the marker has before its end.
    ///
    /// The order of outbreaks in a chain changes nothing but the state in which a lost game stops.
    pub(crate) fn infect(
        &mut self,
        city: City,
        color: Color,
        safe: Cities,
        outbreaks_left: u8,
    ) -> Spread {
        if safe.has(city) {
            return Spread::Done { outbreaks: 0 };
        }
        if self.count(city, color) < Self::MOST {
            return if self.put(city, color, 1) {
                Spread::Done { outbreaks: 0 }
            } else {
                Spread::NoCubes { outbreaks: 0 }
            };
        }
        self.outbreak(city, color, safe, outbreaks_left)
    }

    /// An outbreak in a city and all that follow from it; see [`Cubes::infect`].
    pub(crate) fn outbreak(
        &mut self,
        city: City,
        color: Color,
        safe: Cities,
        outbreaks_left: u8,
    ) -> Spread {
        let mut waiting = Cities::one(city);
        let mut begun = waiting;
        let mut outbreaks = 0;
        while let Some(city) = waiting.into_iter().next() {
            waiting = waiting.without(city);
            outbreaks += 1;
            if outbreaks >= outbreaks_left {
                return Spread::TooManyOutbreaks;
            }
            let hit = city.neighbors().minus(safe).minus(begun);
            let full = hit.and(self.with_exactly(color, Self::MOST));
            waiting = waiting.or(full);
            begun = begun.or(full);
            if !self.add_one(hit.minus(full), color) {
                return Spread::NoCubes { outbreaks };
            }
        }
        Spread::Done { outbreaks }
    }

    /// One cube for each of these cities, which have at most two; `false` when the supply does not reach, and some of them have what was
    /// left of it.
    fn add_one(&mut self, cities: Cities, color: Color) -> bool {
        let at = color.index();
        let enough = cities.len() <= u32::from(self.supply[at]);
        let cities = if enough {
            cities
        } else {
            cities
                .into_iter()
                .take(usize::from(self.supply[at]))
                .collect()
        };
        self.high[at] ^= self.low[at] & cities.0;
        self.low[at] ^= cities.0;
        self.supply[at] -= cities.len() as u8;
        enough
    }
}
