//! What a use case answers.

use std::collections::BTreeMap;
use std::fmt;

use super::board::Board;
use super::parameters::Value;

/// The answer of a use case: what it made, or why it made nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// It was done; values by name.
    Success(BTreeMap<&'static str, Value>),
    /// It was not done.
    Failure(Failure),
}

/// Why a use case made nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The request has parameters missing, wrong, or too many: everything that is wrong with it.
    Parameters(Vec<Problem>),
    /// The last outbreak has happened.
    GameOver,
    /// The request is well-formed but cannot be carried out, or nobody knows the use case.
    UseCase(String),
}

/// One thing that is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The parameter.
    pub parameter: String,
    /// What is wrong with it.
    pub why: Why,
}

/// What is wrong with a parameter; its text follows the parameter's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is required and not there.
    Missing,
    /// The use case does not know it.
    Undeclared,
    /// Its value cannot be used.
    Wrong(String),
}

impl Problem {
    pub(super) fn new(parameter: impl Into<String>, why: Why) -> Problem {
        Problem {
            parameter: parameter.into(),
            why,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.parameter, self.why)
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::Missing => "is missing",
            Why::Undeclared => "is undeclared",
            Why::Wrong(why) => why,
        })
    }
}

impl Failure {
    /// The kind: `PARAMETERS_ERROR`, `GAME_OVER_ERROR` or `USE_CASE_ERROR`.
    pub const fn category(&self) -> &'static str {
        match self {
            Failure::Parameters(_) => "PARAMETERS_ERROR",
            Failure::GameOver => "GAME_OVER_ERROR",
            Failure::UseCase(_) => "USE_CASE_ERROR",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Parameters(problems) => {
                let problems: Vec<String> = problems.iter().map(Problem::to_string).collect();
                f.write_str(&problems.join("; "))
            }
            Failure::GameOver => f.write_str("Outbreak"),
            Failure::UseCase(why) => f.write_str(why),
        }
    }
}

impl Response {
    /// A success with a board.
    pub(super) fn of_board(board: Board) -> Response {
        Response::Success(BTreeMap::from([("board", Value::Board(Box::new(board)))]))
    }

    /// Whether it was done.
    pub const fn is_success(&self) -> bool {
        matches!(self, Response::Success(_))
    }

    /// The kind of answer: `DEFAULT_SUCCESS`, or as [`Failure::category`].
    pub const fn category(&self) -> &'static str {
        match self {
            Response::Success(_) => "DEFAULT_SUCCESS",
            Response::Failure(failure) => failure.category(),
        }
    }

    /// A value of a success, by name.
    pub fn content(&self, name: &str) -> Option<&Value> {
        match self {
            Response::Success(content) => content.get(name),
            Response::Failure(_) => None,
        }
    }

    /// The board of a success.
    pub fn board(&self) -> Option<&Board> {
        match self.content("board") {
            Some(Value::Board(board)) => Some(board),
            _ => None,
        }
    }

    /// The board of a success, to go on with.
    pub fn into_board(self) -> Option<Board> {
        match self {
            Response::Success(mut content) => match content.remove("board") {
                Some(Value::Board(board)) => Some(*board),
                _ => None,
            },
            Response::Failure(_) => None,
        }
    }

    /// Why it was not done.
    pub const fn failure(&self) -> Option<&Failure> {
        match self {
            Response::Success(_) => None,
            Response::Failure(failure) => Some(failure),
        }
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Response::Success(_) => f.write_str("done"),
            Response::Failure(failure) => failure.fmt(f),
        }
    }
}
