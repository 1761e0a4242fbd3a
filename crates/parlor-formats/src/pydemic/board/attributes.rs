//! A board as plain data, and its validation.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use parlor_pandemic::{City, Color, RATES, STATIONS};

use super::super::constants::{MAX_INFECTION, Unknown, city, color, color_name};
use super::Board;

/// Cubes by city and color: `{"Sydney": {"COLOUR_BLUE": 2}}`. Values returned by a board contain no
/// zeros and no city without cubes.
pub type Infection = BTreeMap<String, BTreeMap<String, u8>>;

/// Attributes of a board; all have defaults.
///
/// ```
/// use parlor_formats::pydemic::{Attributes, Board, COLOUR_YELLOW};
/// let attributes = Attributes { outbreaks: 2, infection_rate: 3, ..Attributes::default() };
/// let board = Board::new(attributes)?;
/// assert_eq!((board.outbreaks(), board.infection_rate(), board.rate()), (2, 3, 3));
///
/// let cured = vec![COLOUR_YELLOW.to_owned()];
/// let board = Board::new(Attributes { cured, ..board.attributes() })?;
/// assert_eq!(board.outbreaks(), 2);
///
/// let research_centres = vec!["Oz".to_owned()];
/// let bad = Attributes { infection_rate: 7, research_centres, ..Attributes::default() };
/// assert_eq!(Board::new(bad).expect_err("two reasons").faults.len(), 2);
/// # Ok::<(), parlor_formats::pydemic::InvalidBoard>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// Number of outbreaks so far.
    pub outbreaks: u8,
    /// Step on the infection-rate track, 0 to 6.
    pub infection_rate: u8,
    /// Cubes by city and color.
    pub infection: Infection,
    /// Cities with a research center.
    pub research_centres: Vec<String>,
    /// Cured diseases.
    pub cured: Vec<String>,
    /// True if the next infection step is skipped.
    pub quiet_night: bool,
}

/// Error for invalid attributes of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidBoard {
    /// All reasons.
    pub faults: Vec<AttributeFault>,
}

impl fmt::Display for InvalidBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> = self.faults.iter().map(AttributeFault::to_string).collect();
        f.write_str(&reasons.join("; "))
    }
}

impl std::error::Error for InvalidBoard {}

/// Reason why the attributes of a board are invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AttributeFault {
    /// A name in `infection` is unknown.
    #[error("{0}")]
    Infection(Unknown),
    /// `infection` contains two spellings of a city.
    #[error("{0} is there twice")]
    CityTwice(City),
    /// A city has too many cubes.
    #[error("{city} has {cubes} cubes of {colour}; the most is {MAX_INFECTION}")]
    Cubes {
        /// Name of the city.
        city: City,
        /// Color of the cubes.
        colour: &'static str,
        /// Number of cubes.
        cubes: u8,
    },
    /// The infection rate is beyond its track.
    #[error("the infection-rate track has places 0 to {last}, not {0}", last = RATES.len() - 1)]
    Rate(u8),
    /// A name in `research_centres` is unknown.
    #[error("{0}")]
    Centre(Unknown),
    /// A city has two research centers.
    #[error("{0} has two research centres")]
    CentreTwice(City),
    /// There are more research centers than exist.
    #[error("there are {STATIONS} research centres, not {0}")]
    Centres(usize),
    /// A name in `cured` is unknown.
    #[error("{0}")]
    Cured(Unknown),
    /// A disease is cured twice.
    #[error("{0} is cured twice")]
    CuredTwice(&'static str),
}

impl AttributeFault {
    /// Returns the name of the attribute.
    pub const fn attribute(&self) -> &'static str {
        match self {
            AttributeFault::Infection(_)
            | AttributeFault::CityTwice(_)
            | AttributeFault::Cubes { .. } => "infection",
            AttributeFault::Rate(_) => "infection_rate",
            AttributeFault::Centre(_)
            | AttributeFault::CentreTwice(_)
            | AttributeFault::Centres(_) => "research_centres",
            AttributeFault::Cured(_) | AttributeFault::CuredTwice(_) => "cured",
        }
    }
}

impl Board {
    /// Creates a board with these attributes and no active events. Outbreaks may already be at
    /// their limit or beyond; the next one still ends the game.
    ///
    /// # Errors
    /// [`InvalidBoard`] with all reasons.
    pub fn new(attributes: Attributes) -> Result<Board, InvalidBoard> {
        let mut faults = Vec::new();
        if usize::from(attributes.infection_rate) >= RATES.len() {
            faults.push(AttributeFault::Rate(attributes.infection_rate));
        }
        let board = Board {
            outbreaks: attributes.outbreaks,
            infection_rate: attributes.infection_rate,
            cubes: read_infection(&attributes.infection, &mut faults),
            research_centres: read_centres(&attributes.research_centres, &mut faults),
            cured: read_cured(&attributes.cured, &mut faults),
            quiet_night: attributes.quiet_night,
            active_events: Vec::new(),
        };
        if faults.is_empty() {
            Ok(board)
        } else {
            Err(InvalidBoard { faults })
        }
    }

    /// Returns the board's attributes, without active events.
    pub fn attributes(&self) -> Attributes {
        Attributes {
            outbreaks: self.outbreaks,
            infection_rate: self.infection_rate,
            infection: self.infection(),
            research_centres: self.research_centres().map(str::to_owned).collect(),
            cured: self.cured().map(str::to_owned).collect(),
            quiet_night: self.quiet_night,
        }
    }

    /// Returns all cubes by city and color, without zeros.
    pub fn infection(&self) -> Infection {
        let mut infection = Infection::new();
        for city in City::all() {
            let here = Color::ALL
                .into_iter()
                .map(|color| (color_name(color), self.cubes[color.index()][city.index()]));
            let here: BTreeMap<_, _> = here
                .filter(|(_, cubes)| *cubes > 0)
                .map(|(c, n)| (c.to_owned(), n))
                .collect();
            if !here.is_empty() {
                infection.insert(city.name().to_owned(), here);
            }
        }
        infection
    }

    /// Builds a research center, or fails with [`AttributeFault::CentreTwice`] or
    /// [`AttributeFault::Centres`].
    pub(in crate::pydemic) fn build_centre(&mut self, city: City) -> Result<(), AttributeFault> {
        if self.research_centres.contains(&city) {
            return Err(AttributeFault::CentreTwice(city));
        }
        if self.research_centres.len() >= STATIONS as usize {
            return Err(AttributeFault::Centres(self.research_centres.len() + 1));
        }
        self.research_centres.push(city);
        Ok(())
    }
}

fn read_infection(
    infection: &Infection,
    faults: &mut Vec<AttributeFault>,
) -> [[u8; City::COUNT]; 4] {
    let mut all = [[0; City::COUNT]; 4];
    let mut seen = BTreeSet::new();
    for (name, colors) in infection {
        let city = city(name)
            .map_err(|unknown| faults.push(AttributeFault::Infection(unknown)))
            .ok();
        if let Some(city) = city
            && !seen.insert(city)
        {
            faults.push(AttributeFault::CityTwice(city));
        }
        for (name, cubes) in colors {
            match (city, color(name)) {
                (_, Err(unknown)) => faults.push(AttributeFault::Infection(unknown)),
                (Some(city), Ok(color)) if *cubes > MAX_INFECTION => {
                    faults.push(AttributeFault::Cubes {
                        city,
                        colour: color_name(color),
                        cubes: *cubes,
                    });
                }
                (Some(city), Ok(color)) => all[color.index()][city.index()] = *cubes,
                (None, Ok(_)) => {}
            }
        }
    }
    all
}

fn read_centres(names: &[String], faults: &mut Vec<AttributeFault>) -> Vec<City> {
    let mut centres = Vec::new();
    for name in names {
        match city(name) {
            Err(unknown) => faults.push(AttributeFault::Centre(unknown)),
            Ok(city) if centres.contains(&city) => faults.push(AttributeFault::CentreTwice(city)),
            Ok(city) => centres.push(city),
        }
    }
    if centres.len() > STATIONS as usize {
        faults.push(AttributeFault::Centres(centres.len()));
    }
    centres
}

fn read_cured(names: &[String], faults: &mut Vec<AttributeFault>) -> Vec<Color> {
    let mut cured = Vec::new();
    for name in names {
        match color(name) {
            Err(unknown) => faults.push(AttributeFault::Cured(unknown)),
            Ok(color) if cured.contains(&color) => {
                faults.push(AttributeFault::CuredTwice(color_name(color)))
            }
            Ok(color) => cured.push(color),
        }
    }
    cured
}
