//! A board as plain data, and everything that can be wrong with it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::super::constants::{MAX_INFECTION, Unknown, city, color, color_name};
use super::Board;
use crate::game::STATIONS;
use crate::{City, Color, RATES};

/// Cubes by city and color: `{"Sydney": {"COLOUR_BLUE": 2}}`. What a board gives out never has a zero or a city without cubes.
pub type Infection = BTreeMap<String, BTreeMap<String, u8>>;

/// What a board is made of; everything has a default.
///
/// ```
/// use parlor_pandemic::pydemic::{Attributes, Board, COLOUR_YELLOW};
/// let board = Board::new(Attributes { outbreaks: 2, infection_rate: 3, ..Attributes::default() })?;
/// assert_eq!((board.outbreaks(), board.infection_rate(), board.rate()), (2, 3, 3));
///
/// let cured = vec![COLOUR_YELLOW.to_owned()];
/// let board = Board::new(Attributes { cured, ..board.attributes() })?;
/// assert_eq!(board.outbreaks(), 2);
///
/// let bad = Board::new(Attributes { infection_rate: 7, research_centres: vec!["Oz".to_owned()], ..Attributes::default() });
/// assert_eq!(bad.expect_err("two reasons").faults.len(), 2);
/// # Ok::<(), parlor_pandemic::pydemic::BadBoard>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// Outbreaks so far.
    pub outbreaks: u8,
    /// The place on the infection-rate track, 0 to 6.
    pub infection_rate: u8,
    /// Cubes by city and color.
    pub infection: Infection,
    /// Cities with a research center.
    pub research_centres: Vec<String>,
    /// Cured diseases.
    pub cured: Vec<String>,
    /// Whether the next infection step is skipped.
    pub quiet_night: bool,
}

/// Attributes that make no board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadBoard {
    /// Every reason.
    pub faults: Vec<Fault>,
}

impl fmt::Display for BadBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> = self.faults.iter().map(Fault::to_string).collect();
        f.write_str(&reasons.join("; "))
    }
}

impl std::error::Error for BadBoard {}

/// What is wrong with attributes of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A name in `infection` means nothing.
    #[error("{0}")]
    Infection(Unknown),
    /// Two spellings of a city in `infection`.
    #[error("{0} is there twice")]
    CityTwice(City),
    /// More cubes than a city can have.
    #[error("{city} has {cubes} cubes of {colour}; the most is {MAX_INFECTION}")]
    Cubes {
        /// Where.
        city: City,
        /// Of which color.
        colour: &'static str,
        /// How many.
        cubes: u8,
    },
    /// Beyond the track.
    #[error("the infection-rate track has places 0 to {last}, not {0}", last = RATES.len() - 1)]
    Rate(u8),
    /// A name in `research_centres` means nothing.
    #[error("{0}")]
    Centre(Unknown),
    /// Two research centers in a city.
    #[error("{0} has two research centres")]
    CentreTwice(City),
    /// More research centers than there are.
    #[error("there are {STATIONS} research centres, not {0}")]
    Centres(usize),
    /// A name in `cured` means nothing.
    #[error("{0}")]
    Cured(Unknown),
    /// A disease cured twice.
    #[error("{0} is cured twice")]
    CuredTwice(&'static str),
}

impl Fault {
    /// The attribute it is about.
    pub const fn attribute(&self) -> &'static str {
        match self {
            Fault::Infection(_) | Fault::CityTwice(_) | Fault::Cubes { .. } => "infection",
            Fault::Rate(_) => "infection_rate",
            Fault::Centre(_) | Fault::CentreTwice(_) | Fault::Centres(_) => "research_centres",
            Fault::Cured(_) | Fault::CuredTwice(_) => "cured",
        }
    }
}

impl Board {
    /// A board with these attributes and no active events. Outbreaks may be at their end or beyond: the next one is still the end.
    ///
    /// # Errors
    /// [`BadBoard`] with every reason.
    pub fn new(attributes: Attributes) -> Result<Board, BadBoard> {
        let mut faults = Vec::new();
        if usize::from(attributes.infection_rate) >= RATES.len() {
            faults.push(Fault::Rate(attributes.infection_rate));
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
            Err(BadBoard { faults })
        }
    }

    /// The board's attributes; active events are not among them.
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

    /// All cubes by city and color, without zeros.
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

    /// Builds a research center; [`Fault::CentreTwice`] or [`Fault::Centres`] when it cannot be.
    pub(in crate::pydemic) fn build_centre(&mut self, city: City) -> Result<(), Fault> {
        if self.research_centres.contains(&city) {
            return Err(Fault::CentreTwice(city));
        }
        if self.research_centres.len() >= STATIONS as usize {
            return Err(Fault::Centres(self.research_centres.len() + 1));
        }
        self.research_centres.push(city);
        Ok(())
    }
}

fn read_infection(infection: &Infection, faults: &mut Vec<Fault>) -> [[u8; City::COUNT]; 4] {
    let mut all = [[0; City::COUNT]; 4];
    let mut seen = BTreeSet::new();
    for (name, colors) in infection {
        let city = city(name)
            .map_err(|unknown| faults.push(Fault::Infection(unknown)))
            .ok();
        if let Some(city) = city
            && !seen.insert(city)
        {
            faults.push(Fault::CityTwice(city));
        }
        for (name, cubes) in colors {
            match (city, color(name)) {
                (_, Err(unknown)) => faults.push(Fault::Infection(unknown)),
                (Some(city), Ok(color)) if *cubes > MAX_INFECTION => {
                    faults.push(Fault::Cubes {
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

fn read_centres(names: &[String], faults: &mut Vec<Fault>) -> Vec<City> {
    let mut centres = Vec::new();
    for name in names {
        match city(name) {
            Err(unknown) => faults.push(Fault::Centre(unknown)),
            Ok(city) if centres.contains(&city) => faults.push(Fault::CentreTwice(city)),
            Ok(city) => centres.push(city),
        }
    }
    if centres.len() > STATIONS as usize {
        faults.push(Fault::Centres(centres.len()));
    }
    centres
}

fn read_cured(names: &[String], faults: &mut Vec<Fault>) -> Vec<Color> {
    let mut cured = Vec::new();
    for name in names {
        match color(name) {
            Err(unknown) => faults.push(Fault::Cured(unknown)),
            Ok(color) if cured.contains(&color) => {
                faults.push(Fault::CuredTwice(color_name(color)))
            }
            Ok(color) => cured.push(color),
        }
    }
    cured
}
