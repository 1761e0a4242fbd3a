//! Names of colors, roles and cities, and numeric constants of the board.

use parlor_pandemic::{City, Color, Cubes, Role};

/// The blue disease.
pub const COLOUR_BLUE: &str = "COLOUR_BLUE";
/// The red disease.
pub const COLOUR_RED: &str = "COLOUR_RED";
/// The black disease.
pub const COLOUR_BLACK: &str = "COLOUR_BLACK";
/// The yellow disease.
pub const COLOUR_YELLOW: &str = "COLOUR_YELLOW";

/// The Contingency Planner.
pub const ROLE_CONTINGENCY_PLANNER: &str = "ROLE_CONTINGENCY_PLANNER";
/// The Dispatcher.
pub const ROLE_DISPATCHER: &str = "ROLE_DISPATCHER";
/// The Medic.
pub const ROLE_MEDIC: &str = "ROLE_MEDIC";
/// The Operations Expert.
pub const ROLE_OPERATIONS_EXPERT: &str = "ROLE_OPERATIONS_EXPERT";
/// The Quarantine Specialist.
pub const ROLE_QUARANTINE_SPECIALIST: &str = "ROLE_QUARANTINE_SPECIALIST";
/// The Researcher.
pub const ROLE_RESEARCHER: &str = "ROLE_RESEARCHER";
/// The Scientist.
pub const ROLE_SCIENTIST: &str = "ROLE_SCIENTIST";

/// Number of outbreaks at which the game is over.
pub const MAX_OUTBREAKS: u8 = parlor_pandemic::MAX_OUTBREAKS;
/// Maximum number of cubes of a color in a city.
pub const MAX_INFECTION: u8 = Cubes::MAX_PER_CITY;
/// Connections of the map by city name.
pub const CONNECTIONS: CityConnections = CityConnections;

/// Dictionary of the map's connections; see [`CONNECTIONS`].
///
/// It is a view of [`City::neighbors`], so that the map exists only once.
///
/// ```
/// use parlor_formats::pydemic::CONNECTIONS;
/// let baghdad = CONNECTIONS.get("Baghdad").expect("a city of the map");
/// assert_eq!(baghdad, ["Cairo", "Istanbul", "Karachi", "Riyadh", "Tehran"]);
/// assert_eq!(CONNECTIONS.get("Springfield"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CityConnections;

impl CityConnections {
    /// Returns the names of the cities connected to a city; `None` for a name that is not on the
    /// map. The name is read as by [`City::from_name`].
    pub fn get(self, city: &str) -> Option<Vec<&'static str>> {
        City::from_name(city).map(neighbor_names)
    }

    /// Returns every city with its connected cities.
    pub fn iter(self) -> impl ExactSizeIterator<Item = (&'static str, Vec<&'static str>)> {
        City::all().map(|city| (city.name(), neighbor_names(city)))
    }
}

fn neighbor_names(city: City) -> Vec<&'static str> {
    city.neighbors().into_iter().map(City::name).collect()
}

/// Error for an unknown name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unknown {
    /// The name is not a city.
    #[error("{0:?} is no city of the map{hint}", hint = hint(.0))]
    City(String),
    /// The name is not a color.
    #[error(
        "{0:?} is no colour: there are {COLOUR_BLUE}, {COLOUR_YELLOW}, {COLOUR_BLACK} and {COLOUR_RED}"
    )]
    Colour(String),
    /// The name is not a role.
    #[error("{0:?} is no role, such as {ROLE_MEDIC} or {ROLE_QUARANTINE_SPECIALIST}")]
    Role(String),
}

pub(super) fn city(name: &str) -> Result<City, Unknown> {
    City::from_name(name).ok_or_else(|| Unknown::City(name.to_owned()))
}

/// Returns a question about the city with a name like this one; empty if there is none.
fn hint(name: &str) -> String {
    const LONGEST: usize = 40;
    if name.len() > LONGEST {
        return String::new();
    }
    let name = name.to_lowercase();
    let edits = |city: &City| edits(&name, &city.name().to_lowercase());
    match City::all().min_by_key(edits) {
        Some(city) if edits(&city) <= 2 => format!("; did you mean {city}?"),
        _ => String::new(),
    }
}

/// Returns the Levenshtein distance of two texts in characters.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (above, letter) in from.chars().enumerate() {
        let mut diagonal = above;
        row[0] = above + 1;
        for (column, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

pub(super) fn color(name: &str) -> Result<Color, Unknown> {
    let found = Color::ALL
        .into_iter()
        .find(|color| color_name(*color) == name);
    found.ok_or_else(|| Unknown::Colour(name.to_owned()))
}

pub(super) fn role(name: &str) -> Result<Role, Unknown> {
    let found = Role::ALL.into_iter().find(|role| role_name(*role) == name);
    found.ok_or_else(|| Unknown::Role(name.to_owned()))
}

pub(super) const fn color_name(color: Color) -> &'static str {
    match color {
        Color::Blue => COLOUR_BLUE,
        Color::Yellow => COLOUR_YELLOW,
        Color::Black => COLOUR_BLACK,
        Color::Red => COLOUR_RED,
    }
}

const fn role_name(role: Role) -> &'static str {
    match role {
        Role::ContingencyPlanner => ROLE_CONTINGENCY_PLANNER,
        Role::Dispatcher => ROLE_DISPATCHER,
        Role::Medic => ROLE_MEDIC,
        Role::OperationsExpert => ROLE_OPERATIONS_EXPERT,
        Role::QuarantineSpecialist => ROLE_QUARANTINE_SPECIALIST,
        Role::Researcher => ROLE_RESEARCHER,
        Role::Scientist => ROLE_SCIENTIST,
    }
}
