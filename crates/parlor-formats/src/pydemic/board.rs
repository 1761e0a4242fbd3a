//! The board: cubes, outbreaks, infection rate, research centers, cures and active events.

mod attributes;

use std::collections::VecDeque;

use parlor_pandemic::{Cities, City, Color, RATES, Role};

use super::constants::{MAX_INFECTION, MAX_OUTBREAKS, Unknown, city, color, color_name};
use super::player::Player;

pub use attributes::{AttributeFault, Attributes, Infection, InvalidBoard};

/// The state of the board.
///
/// ```
/// use parlor_formats::pydemic::{Attributes, Board, COLOUR_BLUE, InfectError, GameOver};
/// let mut board = Board::default();
/// board.infect("London", COLOUR_BLUE)?;
/// assert_eq!(board.infection()["London"][COLOUR_BLUE], 1);
///
/// let last = board.infect("Springfield", COLOUR_BLUE);
/// let message = last.map_err(|error| error.to_string());
/// assert_eq!(message, Err("\"Springfield\" is no city of the map".to_owned()));
/// # Ok::<(), InfectError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    outbreaks: u8,
    infection_rate: u8,
    /// Cubes by color and city, at most [`MAX_INFECTION`] each.
    cubes: [[u8; City::COUNT]; 4],
    research_centres: Vec<City>,
    cured: Vec<Color>,
    quiet_night: bool,
    active_events: Vec<String>,
}

/// Error for reaching the last outbreak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are {MAX_OUTBREAKS} outbreaks: the game is over")]
pub struct GameOver;

/// Error for a city that cannot be infected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InfectError {
    /// The infection would reach the last outbreak.
    #[error(transparent)]
    GameOver(#[from] GameOver),
    /// A name is unknown.
    #[error(transparent)]
    Unknown(#[from] Unknown),
}

impl Default for Board {
    fn default() -> Board {
        Board {
            outbreaks: 0,
            infection_rate: 0,
            cubes: [[0; City::COUNT]; 4],
            research_centres: Vec::new(),
            cured: Vec::new(),
            quiet_night: false,
            active_events: Vec::new(),
        }
    }
}

impl Board {
    /// Returns the number of outbreaks so far.
    pub const fn outbreaks(&self) -> u8 {
        self.outbreaks
    }

    /// Returns the step on the infection-rate track, 0 to 6. [`Board::rate`] returns the rate
    /// there.
    pub const fn infection_rate(&self) -> u8 {
        self.infection_rate
    }

    /// Returns the number of infection cards in each infection step: 2, 3 or 4.
    pub const fn rate(&self) -> u8 {
        RATES[self.infection_rate as usize]
    }

    /// Returns the number of cubes of a color in a city.
    ///
    /// # Errors
    /// [`Unknown`] for an unknown name.
    pub fn cubes(&self, city_name: &str, colour: &str) -> Result<u8, Unknown> {
        Ok(self.cubes[color(colour)?.index()][city(city_name)?.index()])
    }

    /// Returns the cities with a research center, in the order in which they were built.
    pub fn research_centres(&self) -> impl ExactSizeIterator<Item = &'static str> {
        self.research_centres.iter().map(|city| city.name())
    }

    /// Returns the cured diseases, in the order in which they were given.
    pub fn cured(&self) -> impl ExactSizeIterator<Item = &'static str> {
        self.cured.iter().map(|color| color_name(*color))
    }

    /// Returns true if the next infection step is skipped.
    pub const fn quiet_night(&self) -> bool {
        self.quiet_night
    }

    /// Adds an active event.
    pub fn set_active_event(&mut self, event: impl Into<String>) {
        self.active_events.push(event.into());
    }

    /// Returns a copy of the active events, oldest first.
    pub fn get_active_events(&self) -> Vec<String> {
        self.active_events.clone()
    }

    /// Removes and returns the active events.
    pub fn reset_active_events(&mut self) -> Vec<String> {
        std::mem::take(&mut self.active_events)
    }

    /// Adds an outbreak. The counter advances in any case.
    ///
    /// # Errors
    /// [`GameOver`] if [`MAX_OUTBREAKS`] is reached or exceeded.
    pub fn outbreak(&mut self) -> Result<(), GameOver> {
        self.outbreaks = self.outbreaks.saturating_add(1);
        if self.outbreaks >= MAX_OUTBREAKS {
            Err(GameOver)
        } else {
            Ok(())
        }
    }

    /// Adds a cube of a color to a city, with all the outbreaks that this causes; no city has two.
    /// No player protects cities, and the supply of cubes is unlimited.
    ///
    /// # Errors
    /// [`GameOver`] if [`MAX_OUTBREAKS`] is reached, and [`Unknown`] for an unknown name. The board
    /// is then unchanged, including its outbreak counter.
    pub fn infect(&mut self, city_name: &str, colour: &str) -> Result<(), InfectError> {
        self.infect_safely(city(city_name)?, color(colour)?, Cities::NONE)
            .map_err(InfectError::from)
    }

    /// Infects a city like [`Board::infect`], with players on the map: every cube of the chain is
    /// prevented if the Quarantine Specialist is in that city or next to it, or if the Medic is in
    /// it and the disease is cured. Such a city takes no cube and has no outbreak.
    ///
    /// Fails as [`Board::infect`] does, and also for unknown roles and cities of players.
    pub fn infect_protected(
        &mut self,
        city_name: &str,
        colour: &str,
        players: &[Player],
    ) -> Result<(), InfectError> {
        let (city, color) = (city(city_name)?, color(colour)?);
        let places = players
            .iter()
            .map(Player::place)
            .collect::<Result<Vec<_>, _>>()?;
        let safe = self.protected(color, places);
        self.infect_safely(city, color, safe)
            .map_err(InfectError::from)
    }

    /// Returns the cities that players keep free of a color.
    pub(super) fn protected(
        &self,
        color: Color,
        players: impl IntoIterator<Item = (Role, City)>,
    ) -> Cities {
        players
            .into_iter()
            .fold(Cities::NONE, |safe, (role, city)| match role {
                Role::QuarantineSpecialist => safe.or(city.neighbors()).with(city),
                Role::Medic if self.cured.contains(&color) => safe.with(city),
                _ => safe,
            })
    }

    /// Infects on copies, so that a failure leaves the board unchanged.
    pub(super) fn infect_safely(
        &mut self,
        city: City,
        color: Color,
        safe: Cities,
    ) -> Result<(), GameOver> {
        let mut cubes = self.cubes[color.index()];
        let mut outbreaks = self.outbreaks;
        let mut broken_out = Cities::NONE;
        let mut waiting = VecDeque::from([city]);
        while let Some(city) = waiting.pop_front() {
            let here = &mut cubes[city.index()];
            if safe.has(city) || broken_out.has(city) {
                continue;
            }
            if *here < MAX_INFECTION {
                *here += 1;
                continue;
            }
            broken_out = broken_out.with(city);
            outbreaks = outbreaks.saturating_add(1);
            if outbreaks >= MAX_OUTBREAKS {
                return Err(GameOver);
            }
            waiting.extend(city.neighbors());
        }
        self.cubes[color.index()] = cubes;
        self.outbreaks = outbreaks;
        Ok(())
    }

    /// Advances the infection rate by one step; it stays at the end of its track.
    pub(super) fn increase_rate(&mut self) {
        self.infection_rate = (self.infection_rate + 1).min(RATES.len() as u8 - 1);
    }

    /// Ends the skipped infection step.
    pub(super) fn finish_quiet_night(&mut self) {
        self.quiet_night = false;
    }
}
