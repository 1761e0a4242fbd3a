//! Requests: named values, and how a use case reads them.

use std::collections::BTreeMap;

use super::board::{Board, Infection};
use super::constants::{city, color};
use super::player::Player;
use super::response::{Problem, Why};
use crate::{City, Color, Role};

/// What a parameter can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number.
    Number(i64),
    /// A text, such as a city's name.
    Text(String),
    /// Cubes by city and color.
    Infection(Infection),
    /// A board.
    Board(Box<Board>),
    /// Players.
    Players(Vec<Player>),
}

impl Value {
    /// What kind of value it is, fitting behind "is".
    const fn kind(&self) -> &'static str {
        match self {
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::Infection(_) => "an infection",
            Value::Board(_) => "a board",
            Value::Players(_) => "a list of players",
        }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Number(number)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Value {
        Value::Number(number.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<Infection> for Value {
    fn from(infection: Infection) -> Value {
        Value::Infection(infection)
    }
}

impl From<Board> for Value {
    fn from(board: Board) -> Value {
        Value::Board(Box::new(board))
    }
}

impl From<Vec<Player>> for Value {
    fn from(players: Vec<Player>) -> Value {
        Value::Players(players)
    }
}

/// The parameters of one execution, by name.
///
/// ```
/// use parlor_pandemic::pydemic::{Request, Value};
/// let request = Request::new().with("outbreaks", 2).with("outbreaks", 3);
/// assert_eq!(request.get("outbreaks"), Some(&Value::Number(3)), "a name has one value, the last");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    values: BTreeMap<String, Value>,
}

impl Request {
    /// No parameters.
    pub fn new() -> Request {
        Request::default()
    }

    /// The same with one more; a value that the name already had is replaced.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Request {
        self.values.insert(name.into(), value.into());
        self
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }
}

/// A parameter that a use case declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Whether a request must have it; the others have a default.
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

/// Reads a request and collects everything that is wrong with it.
///
/// Readings give nothing where there is a problem, or where a parameter with a default is left out.
pub(super) struct Reading<'a> {
    request: &'a Request,
    problems: Vec<Problem>,
}

impl<'a> Reading<'a> {
    /// Notes at once what is missing, in the order of the declaration, and what is undeclared.
    pub(super) fn new(request: &'a Request, declared: &[Parameter]) -> Reading<'a> {
        let missing = declared
            .iter()
            .filter(|parameter| parameter.required && request.get(parameter.name).is_none());
        let missing = missing.map(|parameter| Problem::new(parameter.name, Why::Missing));
        let is_declared =
            |name: &&String| declared.iter().any(|parameter| parameter.name == **name);
        let undeclared = request.values.keys().filter(|name| !is_declared(name));
        let undeclared = undeclared.map(|name| Problem::new(name, Why::Undeclared));
        Reading {
            request,
            problems: missing.chain(undeclared).collect(),
        }
    }

    pub(super) fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    pub(super) fn note(&mut self, name: &str, why: String) {
        self.problems.push(Problem::new(name, Why::Wrong(why)));
    }

    fn read<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&'a Value) -> Result<T, String>,
    ) -> Option<T> {
        let value = self.request.get(name)?;
        read(value).map_err(|why| self.note(name, why)).ok()
    }

    pub(super) fn board(&mut self, name: &str) -> Option<Board> {
        self.read(name, |value| match value {
            Value::Board(board) => Ok(Board::clone(board)),
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

    /// A number from 0 to 255.
    pub(super) fn small(&mut self, name: &str) -> Option<u8> {
        self.read(name, |value| match value {
            Value::Number(number) => {
                u8::try_from(*number).map_err(|_| format!("is {number}, not 0 to {}", u8::MAX))
            }
            other => Err(format!("is {}, not a number", other.kind())),
        })
    }

    pub(super) fn infection(&mut self, name: &str) -> Option<Infection> {
        self.read(name, |value| match value {
            Value::Infection(infection) => Ok(infection.clone()),
            other => Err(format!("is {}, not an infection", other.kind())),
        })
    }

    /// Who stands where.
    pub(super) fn players(&mut self, name: &str) -> Vec<(Role, City)> {
        let players = self.read(name, |value| match value {
            Value::Players(players) => Ok(players.as_slice()),
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

fn text(value: &Value) -> Result<&str, String> {
    match value {
        Value::Text(text) => Ok(text),
        other => Err(format!("is {}, not a text", other.kind())),
    }
}
