//! Requests with named values, and their validation by use cases.

use std::collections::BTreeMap;

use parlor_pandemic::{City, Color, Role};

use super::board::{Board, Infection};
use super::constants::{city, color};
use super::deck::Deck;
use super::player::Player;
use super::response::{ParameterProblem, ProblemKind};

/// Value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterValue {
    /// A whole number.
    Number(i64),
    /// A text, such as a city's name.
    Text(String),
    /// Cubes by city and color.
    Infection(Infection),
    /// A board.
    Board(Box<Board>),
    /// A list of players.
    Players(Vec<Player>),
    /// A deck or discard pile of cards, each a text.
    Deck(Deck<String>),
}

impl ParameterValue {
    /// Returns the kind of value, completing the phrase "is …".
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            ParameterValue::Number(_) => "a number",
            ParameterValue::Text(_) => "a text",
            ParameterValue::Infection(_) => "an infection",
            ParameterValue::Board(_) => "a board",
            ParameterValue::Players(_) => "a list of players",
            ParameterValue::Deck(_) => "a deck",
        }
    }
}

impl From<i64> for ParameterValue {
    fn from(number: i64) -> ParameterValue {
        ParameterValue::Number(number)
    }
}

impl From<i32> for ParameterValue {
    fn from(number: i32) -> ParameterValue {
        ParameterValue::Number(number.into())
    }
}

impl From<&str> for ParameterValue {
    fn from(text: &str) -> ParameterValue {
        ParameterValue::Text(text.to_owned())
    }
}

impl From<String> for ParameterValue {
    fn from(text: String) -> ParameterValue {
        ParameterValue::Text(text)
    }
}

impl From<Infection> for ParameterValue {
    fn from(infection: Infection) -> ParameterValue {
        ParameterValue::Infection(infection)
    }
}

impl From<Board> for ParameterValue {
    fn from(board: Board) -> ParameterValue {
        ParameterValue::Board(Box::new(board))
    }
}

impl From<Vec<Player>> for ParameterValue {
    fn from(players: Vec<Player>) -> ParameterValue {
        ParameterValue::Players(players)
    }
}

impl From<Deck<String>> for ParameterValue {
    fn from(deck: Deck<String>) -> ParameterValue {
        ParameterValue::Deck(deck)
    }
}

/// Parameters of one execution, by name.
///
/// ```
/// use parlor_formats::pydemic::{UseCaseRequest, ParameterValue};
/// let request = UseCaseRequest::new().with("outbreaks", 2).with("outbreaks", 3);
/// // A name has one value, the last.
/// assert_eq!(request.get("outbreaks"), Some(&ParameterValue::Number(3)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UseCaseRequest {
    values: BTreeMap<String, ParameterValue>,
}

impl UseCaseRequest {
    /// Creates a request without parameters.
    pub fn new() -> UseCaseRequest {
        UseCaseRequest::default()
    }

    /// Returns the request with a parameter added or replaced.
    #[must_use]
    pub fn with(
        mut self,
        name: impl Into<String>,
        value: impl Into<ParameterValue>,
    ) -> UseCaseRequest {
        self.values.insert(name.into(), value.into());
        self
    }

    /// Returns the request with the values of `defaults` that it does not have.
    pub(super) fn or(mut self, defaults: &BTreeMap<String, ParameterValue>) -> UseCaseRequest {
        for (name, value) in defaults {
            let of_name = self.values.entry(name.clone());
            of_name.or_insert_with(|| value.clone());
        }
        self
    }

    /// Returns the value of a parameter.
    pub fn get(&self, name: &str) -> Option<&ParameterValue> {
        self.values.get(name)
    }
}

/// A parameter declared by a use case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name of the parameter.
    pub name: &'static str,
    /// True if a request must contain it; other parameters have a default.
    pub required: bool,
}

impl Parameter {
    pub(super) const fn required(name: &'static str) -> Parameter {
        Parameter {
            name,
            required: true,
        }
    }

    pub(super) const fn with_default(name: &'static str) -> Parameter {
        Parameter {
            name,
            required: false,
        }
    }
}

/// Reader of a request that collects all problems.
///
/// Its methods return `None` for a parameter with a problem, or with a default and no value.
pub(super) struct Reading<'a> {
    request: &'a UseCaseRequest,
    problems: Vec<ParameterProblem>,
}

impl<'a> Reading<'a> {
    /// Creates a reader of a request with these parameters, of which some are required. Records the
    /// missing ones, in order of declaration, and undeclared ones.
    pub(super) fn new(request: &'a UseCaseRequest, declared: &[(&str, bool)]) -> Reading<'a> {
        let missing = declared
            .iter()
            .filter(|(name, required)| *required && request.get(name).is_none());
        let missing = missing.map(|(name, _)| ParameterProblem::new(*name, ProblemKind::Missing));
        let is_declared = |name: &&String| declared.iter().any(|(known, _)| known == *name);
        let undeclared = request.values.keys().filter(|name| !is_declared(name));
        let undeclared =
            undeclared.map(|name| ParameterProblem::new(name, ProblemKind::Undeclared));
        Reading {
            request,
            problems: missing.chain(undeclared).collect(),
        }
    }

    pub(super) fn into_problems(self) -> Vec<ParameterProblem> {
        self.problems
    }

    pub(super) fn note(&mut self, name: &str, why: String) {
        self.problems
            .push(ParameterProblem::new(name, ProblemKind::Wrong(why)));
    }

    fn read<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&'a ParameterValue) -> Result<T, String>,
    ) -> Option<T> {
        let value = self.request.get(name)?;
        read(value).map_err(|why| self.note(name, why)).ok()
    }

    pub(super) fn board(&mut self, name: &str) -> Option<Board> {
        self.read(name, |value| match value {
            ParameterValue::Board(board) => Ok(Board::clone(board)),
            other => Err(format!("is {}, not a board", other.kind())),
        })
    }

    pub(super) fn city(&mut self, name: &str) -> Option<City> {
        self.read(name, |value| {
            city(text(value)?).map_err(|unknown| format!("is wrong: {unknown}"))
        })
    }

    pub(super) fn color(&mut self, name: &str) -> Option<Color> {
        self.read(name, |value| {
            color(text(value)?).map_err(|unknown| format!("is wrong: {unknown}"))
        })
    }

    /// Reads a number from 0 to 255.
    pub(super) fn small(&mut self, name: &str) -> Option<u8> {
        self.read(name, |value| match value {
            ParameterValue::Number(number) => {
                u8::try_from(*number).map_err(|_| format!("is {number}, not 0 to {}", u8::MAX))
            }
            other => Err(format!("is {}, not a number", other.kind())),
        })
    }

    pub(super) fn infection(&mut self, name: &str) -> Option<Infection> {
        self.read(name, |value| match value {
            ParameterValue::Infection(infection) => Ok(infection.clone()),
            other => Err(format!("is {}, not an infection", other.kind())),
        })
    }

    /// Reads the roles and cities of the players.
    pub(super) fn players(&mut self, name: &str) -> Vec<(Role, City)> {
        let players = self.read(name, |value| match value {
            ParameterValue::Players(players) => Ok(players.as_slice()),
            other => Err(format!("is {}, not a list of players", other.kind())),
        });
        let mut places = Vec::new();
        for player in players.unwrap_or_default() {
            match player.place() {
                Ok(place) => places.push(place),
                Err(unknown) => self.note(name, format!("is wrong: {unknown}")),
            }
        }
        places
    }
}

fn text(value: &ParameterValue) -> Result<&str, String> {
    match value {
        ParameterValue::Text(text) => Ok(text),
        other => Err(format!("is {}, not a text", other.kind())),
    }
}
