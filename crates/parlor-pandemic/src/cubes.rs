//! Cubes on the board and in the supply, and the spread of outbreaks.

use crate::{Cities, City, Color};

/// Cubes of the four diseases on the board.
///
/// Each color is stored as two bit planes over the cities, so a city holds 0 to 3 cubes of it and
/// an outbreak takes a few operations on whole sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cubes {
    low: [Cities; 4],
    high: [Cities; 4],
    supply: [u8; 4],
}

/// Result of an infection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// The infection is complete.
    Done {
        /// Cities that had an outbreak.
        outbreaks: Cities,
    },
    /// The outbreak marker reached its end, so the infection stopped.
    TooManyOutbreaks {
        /// Cities that had an outbreak, the last one included.
        outbreaks: Cities,
    },
    /// The supply ran out of cubes.
    NoCubes {
        /// Cities that had an outbreak, including the one that ran out of cubes.
        outbreaks: Cities,
    },
}

impl Spread {
    /// Returns the cities that had an outbreak.
    pub const fn outbreaks(self) -> Cities {
        match self {
            Spread::Done { outbreaks }
            | Spread::TooManyOutbreaks { outbreaks }
            | Spread::NoCubes { outbreaks } => outbreaks,
        }
    }
}

impl Cubes {
    /// Number of cubes of each color.
    pub const PER_COLOR: u8 = 24;
    /// Maximum number of cubes of one color in a city.
    pub const MAX_PER_CITY: u8 = 3;
    /// Empty board.
    pub const NONE: Cubes = Cubes {
        low: [Cities::NONE; 4],
        high: [Cities::NONE; 4],
        supply: [Self::PER_COLOR; 4],
    };

    /// Returns the number of cubes of a color in a city, 0 to 3.
    pub const fn count(&self, city: City, color: Color) -> u8 {
        let (low, high) = (self.low[color.index()], self.high[color.index()]);
        low.has(city) as u8 + 2 * high.has(city) as u8
    }

    /// Returns the number of cubes of a color left in the supply.
    pub const fn supply(&self, color: Color) -> u8 {
        self.supply[color.index()]
    }

    /// Returns the number of cubes of a color on the board.
    pub const fn on_board(&self, color: Color) -> u8 {
        Self::PER_COLOR - self.supply(color)
    }

    /// Returns the cities with at least one cube of a color.
    pub const fn infected(&self, color: Color) -> Cities {
        self.low[color.index()].or(self.high[color.index()])
    }

    /// Returns the cities with exactly this many cubes of a color, 0 to 3.
    pub const fn with_exactly(&self, color: Color, cubes: u8) -> Cities {
        let (low, high) = (self.low[color.index()], self.high[color.index()]);
        let low = if cubes & 1 == 1 {
            low
        } else {
            Cities::ALL.minus(low)
        };
        let high = if cubes & 2 == 2 {
            high
        } else {
            Cities::ALL.minus(high)
        };
        low.and(high)
    }

    /// Returns the cities with any cube.
    pub const fn all_infected(&self) -> Cities {
        let mut all = Cities::NONE;
        let mut color = 0;
        while color < 4 {
            all = all.or(self.low[color]).or(self.high[color]);
            color += 1;
        }
        all
    }

    /// Adds `cubes` to a city, which must not exceed three of the color. Returns false if the
    /// supply runs out; the city then gets all that was left.
    pub(crate) fn put(&mut self, city: City, color: Color, cubes: u8) -> bool {
        let put = cubes.min(self.supply(color));
        self.set(city, color, self.count(city, color) + put);
        self.supply[color.index()] -= put;
        put == cubes
    }

    /// Removes up to `cubes` cubes and returns the number removed.
    pub(crate) fn take(&mut self, city: City, color: Color, cubes: u8) -> u8 {
        let there = self.count(city, color);
        let taken = cubes.min(there);
        self.set(city, color, there - taken);
        self.supply[color.index()] += taken;
        taken
    }

    fn set(&mut self, city: City, color: Color, cubes: u8) {
        let set = |plane: &mut Cities, bit: bool| {
            *plane = if bit {
                plane.with(city)
            } else {
                plane.without(city)
            };
        };
        set(&mut self.low[color.index()], cubes & 1 == 1);
        set(&mut self.high[color.index()], cubes & 2 == 2);
    }

    /// Adds one cube to a city, with all the outbreaks that this causes. `safe` cities take no cube
    /// and have no outbreak; no city has two. `outbreaks_left` is the number of outbreaks until the
    /// marker reaches its end.
    ///
    /// The order of outbreaks in a chain only affects the state in which a lost game stops.
    pub(crate) fn infect(
        &mut self,
        city: City,
        color: Color,
        safe: Cities,
        outbreaks_left: u8,
    ) -> Spread {
        if safe.has(city) {
            return Spread::Done {
                outbreaks: Cities::NONE,
            };
        }
        if self.count(city, color) < Self::MAX_PER_CITY {
            let outbreaks = Cities::NONE;
            return if self.put(city, color, 1) {
                Spread::Done { outbreaks }
            } else {
                Spread::NoCubes { outbreaks }
            };
        }
        self.outbreak(city, color, safe, outbreaks_left)
    }

    /// Resolves an outbreak in a city and all that follow from it; see [`Cubes::infect`].
    pub(crate) fn outbreak(
        &mut self,
        city: City,
        color: Color,
        safe: Cities,
        outbreaks_left: u8,
    ) -> Spread {
        let mut waiting = Cities::one(city);
        let mut outbreaks = Cities::NONE;
        while let Some(city) = waiting.into_iter().next() {
            waiting = waiting.without(city);
            outbreaks = outbreaks.with(city);
            if outbreaks.len() >= u32::from(outbreaks_left) {
                return Spread::TooManyOutbreaks { outbreaks };
            }
            let hit = city.neighbors().minus(safe).minus(outbreaks).minus(waiting);
            let full = hit.and(self.with_exactly(color, Self::MAX_PER_CITY));
            waiting = waiting.or(full);
            if !self.add_one(hit.minus(full), color) {
                return Spread::NoCubes { outbreaks };
            }
        }
        Spread::Done { outbreaks }
    }

    /// Adds one cube to each of these cities, which hold at most two. Returns false if the supply
    /// runs out; some of them then get what was left.
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
        // Adds one to every city's two-bit number: a carry into the high bit, then the low bit.
        self.high[at] = self.high[at].or(self.low[at].and(cities));
        self.low[at] = self.low[at].or(cities).minus(self.low[at].and(cities));
        self.supply[at] -= cities.len() as u8;
        enough
    }
}
