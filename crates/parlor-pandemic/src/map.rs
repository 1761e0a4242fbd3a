//! The map: 48 cities and 93 connections.
//!
//! Cities, colors, populations and connections are facts of the 2013 base board; four public
//! programs agree on the 93 connections. Longitudes and latitudes are the cities' real ones; the
//! drawing coordinates are spread out so that no two cities touch.

use std::fmt;

use crate::Cities;

/// A disease, and the color of its cities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// North America and Europe.
    Blue,
    /// South America, Africa and the south of North America.
    Yellow,
    /// North Africa, the Middle East and India.
    Black,
    /// East Asia and Australia.
    Red,
}

impl Color {
    /// All four colors, in map order.
    pub const ALL: [Color; 4] = [Color::Blue, Color::Yellow, Color::Black, Color::Red];

    /// Returns the color's number, 0 to 3, as an index.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the name in text notation, such as `blue`.
    pub const fn name(self) -> &'static str {
        match self {
            Color::Blue => "blue",
            Color::Yellow => "yellow",
            Color::Black => "black",
            Color::Red => "red",
        }
    }

    /// Returns the letter shown with the color wherever cubes are drawn: `B`, `Y`, `K`, `R`.
    pub const fn letter(self) -> char {
        match self {
            Color::Blue => 'B',
            Color::Yellow => 'Y',
            Color::Black => 'K',
            Color::Red => 'R',
        }
    }

    /// Returns the color with this number, 0 to 3.
    pub const fn new(number: u8) -> Option<Color> {
        match number {
            0 => Some(Color::Blue),
            1 => Some(Color::Yellow),
            2 => Some(Color::Black),
            3 => Some(Color::Red),
            _ => None,
        }
    }

    /// Returns the twelve cities of this color.
    pub const fn cities(self) -> Cities {
        Cities(0xFFF << (12 * self as u8))
    }

    /// Returns the color with this name, ignoring case.
    ///
    /// ```
    /// # use parlor_pandemic::Color;
    /// assert_eq!(Color::from_name("Black"), Some(Color::Black));
    /// assert_eq!(Color::from_name("green"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|color| color.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One of the 48 cities, numbered by color and then by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct City(u8);

impl City {
    /// Number of cities.
    pub const COUNT: usize = 48;
    /// City where all pawns start.
    pub const ATLANTA: City = City(0);

    /// Returns the city with this number, from 0 to 47.
    pub const fn new(number: u8) -> Option<City> {
        if (number as usize) < Self::COUNT {
            Some(City(number))
        } else {
            None
        }
    }

    /// Returns all cities in numerical order.
    pub fn all() -> impl DoubleEndedIterator<Item = City> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(City)
    }

    /// Returns the city's number, from 0, as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the color of the city's cards and of the cubes that its infection card brings.
    pub const fn color(self) -> Color {
        Color::ALL[self.0 as usize / 12]
    }

    /// Returns the name printed on the card, such as `São Paulo`.
    pub const fn name(self) -> &'static str {
        FACTS[self.0 as usize].name
    }

    /// Returns the name in text notation, without spaces and accents, such as `Sao-Paulo`.
    pub const fn text(self) -> &'static str {
        FACTS[self.0 as usize].text
    }

    /// Returns a three-letter code that no other city has, such as `Sao`.
    pub const fn code(self) -> &'static str {
        FACTS[self.0 as usize].code
    }

    /// Returns the population printed on the card; the player holding the highest initially goes
    /// first.
    pub const fn population(self) -> u32 {
        FACTS[self.0 as usize].population
    }

    /// Returns longitude and latitude in degrees, positive to the east and north.
    pub const fn coordinates(self) -> (f32, f32) {
        FACTS[self.0 as usize].coordinates
    }

    /// Returns the drawing coordinates, from 0 to 1: across from the left, and down, on a board 1.9
    /// times as wide as high.
    pub const fn place(self) -> (f32, f32) {
        FACTS[self.0 as usize].place
    }

    /// Returns the connected cities.
    pub const fn neighbors(self) -> Cities {
        NEIGHBORS[self.0 as usize]
    }

    /// Returns the number of connected cities.
    pub(crate) const fn degree(self) -> u32 {
        DEGREES[self.0 as usize] as u32
    }

    /// Returns the smallest number of connections between two cities.
    ///
    /// ```
    /// # use parlor_pandemic::City;
    /// let far = (City::from_name("Johannesburg"), City::from_name("Osaka"));
    /// assert!(matches!(far, (Some(a), Some(b)) if a.distance(b) == 9));
    /// ```
    pub const fn distance(self, other: City) -> u8 {
        DISTANCES[self.0 as usize][other.0 as usize]
    }

    /// Returns the city with this name, as written on the card or by [`City::text`], or with this
    /// [`City::code`]. Case, accents, spaces, dots and hyphens are ignored.
    ///
    /// ```
    /// # use parlor_pandemic::City;
    /// let city = City::from_name("são paulo").expect("a city");
    /// assert_eq!((city.text(), city.code()), ("Sao-Paulo", "Sao"));
    /// assert_eq!(City::from_name("SAO-PAULO"), Some(city));
    /// assert_eq!(City::from_name("Springfield"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<City> {
        let wanted = plain(name);
        City::all().find(|city| plain(city.text()) == wanted || plain(city.code()) == wanted)
    }
}

impl fmt::Debug for City {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl fmt::Display for City {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Normalizes a name to its letters, lowercase and without accents.
pub(crate) fn plain(name: &str) -> String {
    let folded = name.chars().filter_map(|letter| match letter {
        'á' | 'ã' | 'Á' | 'Ã' => Some('a'),
        letter if letter.is_alphanumeric() => Some(letter.to_ascii_lowercase()),
        _ => None,
    });
    folded.collect()
}

/// Returns the three connections across the Pacific, which cross the edge of the map and are drawn
/// as stubs on both sides.
pub fn across_the_edge() -> [(City, City); 3] {
    const SAN_FRANCISCO: City = City(9);
    const LOS_ANGELES: City = City(19);
    const MANILA: City = City(41);
    const SYDNEY: City = City(45);
    const TOKYO: City = City(47);
    [
        (SAN_FRANCISCO, TOKYO),
        (SAN_FRANCISCO, MANILA),
        (LOS_ANGELES, SYDNEY),
    ]
}

/// Data of a city.
struct CityFacts {
    name: &'static str,
    text: &'static str,
    code: &'static str,
    population: u32,
    coordinates: (f32, f32),
    place: (f32, f32),
    neighbors: &'static [u8],
}

const fn facts(
    name: &'static str,
    text: &'static str,
    code: &'static str,
    population: u32,
    coordinates: (f32, f32),
    place: (f32, f32),
    neighbors: &'static [u8],
) -> CityFacts {
    CityFacts {
        name,
        text,
        code,
        population,
        coordinates,
        place,
        neighbors,
    }
}

static DEGREES: [u8; City::COUNT] = degrees();
static NEIGHBORS: [Cities; City::COUNT] = neighbors();
static DISTANCES: [[u8; City::COUNT]; City::COUNT] = distances();

const fn degrees() -> [u8; City::COUNT] {
    let mut degrees = [0; City::COUNT];
    let mut city = 0;
    while city < City::COUNT {
        degrees[city] = FACTS[city].neighbors.len() as u8;
        city += 1;
    }
    degrees
}

const fn neighbors() -> [Cities; City::COUNT] {
    let mut sets = [Cities::NONE; City::COUNT];
    let mut city = 0;
    while city < City::COUNT {
        let mut n = 0;
        while n < FACTS[city].neighbors.len() {
            sets[city] = sets[city].with(City(FACTS[city].neighbors[n]));
            n += 1;
        }
        city += 1;
    }
    sets
}

/// Computes all distances by breadth-first search from every city.
const fn distances() -> [[u8; City::COUNT]; City::COUNT] {
    let near = neighbors();
    let mut table = [[0; City::COUNT]; City::COUNT];
    let mut from = 0;
    while from < City::COUNT {
        let mut reached = Cities::one(City(from as u8));
        let mut steps = 0;
        while reached.len() < City::COUNT as u32 {
            steps += 1;
            let before = reached;
            let mut city = 0;
            while city < City::COUNT {
                if before.has(City(city as u8)) {
                    reached = reached.or(near[city]);
                }
                city += 1;
            }
            let new = reached.minus(before);
            city = 0;
            while city < City::COUNT {
                if new.has(City(city as u8)) {
                    table[from][city] = steps;
                }
                city += 1;
            }
        }
        from += 1;
    }
    table
}

/// Name, text, code, population, longitude and latitude, drawing coordinates, numbers of the
/// connected cities.
#[rustfmt::skip]
#[expect(clippy::approx_constant, reason = "that Mumbai is drawn at the logarithm of 2 means nothing")]
const FACTS: [CityFacts; City::COUNT] = [
    facts("Atlanta", "Atlanta", "Atl", 4_715_000, (-84.39, 33.75), (0.1533, 0.3130), &[1, 11, 21]),
    facts("Chicago", "Chicago", "Chi", 9_121_000, (-87.63, 41.88), (0.1507, 0.2151), &[0, 6, 9, 19, 20]),
    facts("Essen", "Essen", "Ess", 575_000, (7.01, 51.46), (0.4838, 0.1191), &[3, 5, 8, 10]),
    facts("London", "London", "Lon", 8_586_000, (-0.13, 51.51), (0.4393, 0.0953), &[2, 4, 7, 8]),
    facts("Madrid", "Madrid", "Mad", 5_427_000, (-3.70, 40.42), (0.4231, 0.2510), &[3, 7, 8, 23, 24]),
    facts("Milan", "Milan", "Mil", 5_232_000, (9.19, 45.46), (0.4950, 0.2045), &[2, 8, 29]),
    facts("Montreal", "Montreal", "Mon", 3_429_000, (-73.57, 45.50), (0.1979, 0.1737), &[1, 7, 11]),
    facts("New York", "New-York", "NYk", 20_464_000, (-74.01, 40.71), (0.2335, 0.2298), &[3, 4, 6, 11]),
    facts("Paris", "Paris", "Par", 10_755_000, (2.35, 48.86), (0.4506, 0.1803), &[2, 3, 4, 5, 24]),
    facts("San Francisco", "San-Francisco", "SFr", 5_864_000, (-122.42, 37.77), (0.0348, 0.2437), &[1, 19, 41, 47]),
    facts("St. Petersburg", "St-Petersburg", "StP", 4_879_000, (30.34, 59.93), (0.5455, 0.0473), &[2, 29, 32]),
    facts("Washington", "Washington", "Was", 4_679_000, (-77.04, 38.91), (0.1903, 0.2605), &[0, 6, 7, 21]),
    facts("Bogotá", "Bogota", "Bog", 8_702_000, (-74.07, 4.71), (0.2031, 0.5675), &[13, 18, 20, 21, 23]),
    facts("Buenos Aires", "Buenos-Aires", "Bue", 13_639_000, (-58.38, -34.60), (0.2578, 0.9322), &[12, 23]),
    facts("Johannesburg", "Johannesburg", "Joh", 3_888_000, (28.05, -26.20), (0.5435, 0.8537), &[15, 16]),
    facts("Khartoum", "Khartoum", "Kha", 4_887_000, (32.56, 15.50), (0.5585, 0.4676), &[14, 16, 17, 26]),
    facts("Kinshasa", "Kinshasa", "Kin", 9_046_000, (15.27, -4.44), (0.5009, 0.6522), &[14, 15, 17]),
    facts("Lagos", "Lagos", "Lag", 11_547_000, (3.38, 6.52), (0.4613, 0.5507), &[15, 16, 23]),
    facts("Lima", "Lima", "Lim", 9_121_000, (-77.04, -12.05), (0.1932, 0.7226), &[12, 20, 22]),
    facts("Los Angeles", "Los-Angeles", "LAn", 14_900_000, (-118.24, 34.05), (0.0630, 0.3134), &[1, 9, 20, 45]),
    facts("Mexico City", "Mexico-City", "Mex", 19_463_000, (-99.13, 19.43), (0.1196, 0.4312), &[1, 12, 18, 19, 21]),
    facts("Miami", "Miami", "Mia", 5_582_000, (-80.19, 25.76), (0.1849, 0.3771), &[0, 11, 12, 20]),
    facts("Santiago", "Santiago", "Sgo", 6_015_000, (-70.67, -33.45), (0.2120, 0.9202), &[18]),
    facts("São Paulo", "Sao-Paulo", "Sao", 20_186_000, (-46.63, -23.55), (0.2946, 0.8292), &[4, 12, 13, 17]),
    facts("Algiers", "Algiers", "Alg", 2_946_000, (3.06, 36.75), (0.4675, 0.2753), &[4, 8, 26, 29]),
    facts("Baghdad", "Baghdad", "Bag", 6_204_000, (44.37, 33.31), (0.5907, 0.3032), &[26, 29, 30, 34, 35]),
    facts("Cairo", "Cairo", "Cai", 14_718_000, (31.24, 30.04), (0.5481, 0.3378), &[15, 24, 25, 29, 34]),
    facts("Chennai", "Chennai", "Che", 8_865_000, (80.27, 13.08), (0.7235, 0.5029), &[28, 31, 33, 36, 40]),
    facts("Delhi", "Delhi", "Del", 22_242_000, (77.21, 28.61), (0.7096, 0.3448), &[27, 30, 31, 33, 35]),
    facts("Istanbul", "Istanbul", "Ist", 13_576_000, (28.98, 41.01), (0.5466, 0.2314), &[5, 10, 24, 25, 26, 32]),
    facts("Karachi", "Karachi", "Kar", 20_711_000, (67.00, 24.86), (0.6648, 0.3671), &[25, 28, 33, 34, 35]),
    facts("Kolkata", "Kolkata", "Kol", 14_374_000, (88.36, 22.57), (0.7447, 0.4023), &[27, 28, 36, 39]),
    facts("Moscow", "Moscow", "Mos", 15_512_000, (37.62, 55.76), (0.5810, 0.1038), &[10, 29, 35]),
    facts("Mumbai", "Mumbai", "Mum", 16_910_000, (72.88, 19.08), (0.6931, 0.4366), &[27, 28, 30]),
    facts("Riyadh", "Riyadh", "Riy", 5_037_000, (46.67, 24.71), (0.6063, 0.3860), &[25, 26, 30]),
    facts("Tehran", "Tehran", "Teh", 7_419_000, (51.39, 35.69), (0.6338, 0.2715), &[25, 28, 30, 32]),
    facts("Bangkok", "Bangkok", "Ban", 7_151_000, (100.50, 13.76), (0.7763, 0.4715), &[27, 31, 38, 39, 40]),
    facts("Beijing", "Beijing", "Bei", 17_311_000, (116.41, 39.90), (0.8314, 0.2339), &[43, 44]),
    facts("Ho Chi Minh City", "Ho-Chi-Minh-City", "HCM", 8_314_000, (106.63, 10.82), (0.8135, 0.5238), &[36, 39, 40, 41]),
    facts("Hong Kong", "Hong-Kong", "HoK", 7_106_000, (114.17, 22.32), (0.8221, 0.4065), &[31, 36, 38, 41, 44, 46]),
    facts("Jakarta", "Jakarta", "Jak", 26_063_000, (106.85, -6.21), (0.8062, 0.6686), &[27, 36, 38, 45]),
    facts("Manila", "Manila", "Man", 20_767_000, (120.98, 14.60), (0.8533, 0.4788), &[9, 38, 39, 45, 46]),
    facts("Osaka", "Osaka", "Osa", 2_871_000, (135.50, 34.69), (0.8957, 0.3249), &[46, 47]),
    facts("Seoul", "Seoul", "Seo", 22_547_000, (126.98, 37.57), (0.8773, 0.2442), &[37, 44, 47]),
    facts("Shanghai", "Shanghai", "Sha", 13_482_000, (121.47, 31.23), (0.8497, 0.3147), &[37, 39, 43, 46, 47]),
    facts("Sydney", "Sydney", "Syd", 3_785_000, (151.21, -33.87), (0.9540, 0.9247), &[19, 40, 41]),
    facts("Taipei", "Taipei", "Tai", 8_338_000, (121.56, 25.03), (0.8679, 0.3954), &[39, 41, 42, 44]),
    facts("Tokyo", "Tokyo", "Tok", 13_189_000, (139.65, 35.68), (0.9257, 0.2582), &[9, 42, 43, 44]),
];
