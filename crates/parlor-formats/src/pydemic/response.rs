//! Responses of use cases.

use std::collections::BTreeMap;
use std::fmt;

use super::board::Board;
use super::parameters::ParameterValue;

/// Response of a use case: its results, or the reason for its failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// Success, with results by name.
    Success(BTreeMap<&'static str, ParameterValue>),
    /// Failure, with its reason.
    UseCaseFailure(UseCaseFailure),
}

/// Reason for the failure of a use case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UseCaseFailure {
    /// Parameters are missing, invalid or undeclared; all problems are listed.
    Parameters(Vec<ParameterProblem>),
    /// The last outbreak has happened.
    GameOver,
    /// The request is well-formed but cannot be carried out, or the use case is unknown.
    UseCase(String),
}

/// A problem with one parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterProblem {
    /// Name of the parameter.
    pub parameter: String,
    /// Kind of problem.
    pub why: ProblemKind,
}

/// Kind of problem with a parameter; its text follows the parameter's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The parameter is required and missing.
    Missing,
    /// The use case does not declare the parameter.
    Undeclared,
    /// The value is invalid.
    Wrong(String),
}

impl ParameterProblem {
    pub(super) fn new(parameter: impl Into<String>, why: ProblemKind) -> ParameterProblem {
        ParameterProblem {
            parameter: parameter.into(),
            why,
        }
    }
}

impl fmt::Display for ParameterProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.parameter, self.why)
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ProblemKind::Missing => "is missing",
            ProblemKind::Undeclared => "is undeclared",
            ProblemKind::Wrong(why) => why,
        })
    }
}

impl UseCaseFailure {
    /// Creates the failure for a parameter with a value that is wrong, for a reason.
    pub fn wrong(parameter: &str, reason: impl fmt::Display) -> UseCaseFailure {
        let why = ProblemKind::Wrong(format!("is wrong: {reason}"));
        UseCaseFailure::Parameters(vec![ParameterProblem::new(parameter, why)])
    }

    /// Returns the category: `PARAMETERS_ERROR`, `GAME_OVER_ERROR` or `USE_CASE_ERROR`.
    pub const fn category(&self) -> &'static str {
        match self {
            UseCaseFailure::Parameters(_) => "PARAMETERS_ERROR",
            UseCaseFailure::GameOver => "GAME_OVER_ERROR",
            UseCaseFailure::UseCase(_) => "USE_CASE_ERROR",
        }
    }
}

impl fmt::Display for UseCaseFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UseCaseFailure::Parameters(problems) => {
                let problems: Vec<String> =
                    problems.iter().map(ParameterProblem::to_string).collect();
                f.write_str(&problems.join("; "))
            }
            UseCaseFailure::GameOver => f.write_str("Outbreak"),
            UseCaseFailure::UseCase(why) => f.write_str(why),
        }
    }
}

impl Response {
    /// Every category of a response.
    pub const CATEGORIES: [&'static str; 4] = [
        "DEFAULT_SUCCESS",
        "PARAMETERS_ERROR",
        "GAME_OVER_ERROR",
        "USE_CASE_ERROR",
    ];

    /// Creates a success with a board.
    pub(super) fn from_board(board: Board) -> Response {
        Response::Success(BTreeMap::from([(
            "board",
            ParameterValue::Board(Box::new(board)),
        )]))
    }

    /// Creates the failure for a name that no use case has, with those that there are.
    pub(super) fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Response {
        let known: Vec<_> = known.collect();
        let known = known.join(", ");
        let why = format!("{name:?} is no use case: there are {known}");
        Response::UseCaseFailure(UseCaseFailure::UseCase(why))
    }

    /// Returns true for a success.
    pub const fn is_success(&self) -> bool {
        matches!(self, Response::Success(_))
    }

    /// Returns the category: `DEFAULT_SUCCESS`, or that of the failure.
    pub const fn category(&self) -> &'static str {
        match self {
            Response::Success(_) => "DEFAULT_SUCCESS",
            Response::UseCaseFailure(failure) => failure.category(),
        }
    }

    /// Returns a result by name.
    pub fn content(&self, name: &str) -> Option<&ParameterValue> {
        match self {
            Response::Success(content) => content.get(name),
            Response::UseCaseFailure(_) => None,
        }
    }

    /// Returns the resulting board.
    pub fn board(&self) -> Option<&Board> {
        match self.content("board") {
            Some(ParameterValue::Board(board)) => Some(board),
            _ => None,
        }
    }

    /// Converts a success into its board.
    pub fn into_board(self) -> Option<Board> {
        match self {
            Response::Success(mut content) => match content.remove("board") {
                Some(ParameterValue::Board(board)) => Some(*board),
                _ => None,
            },
            Response::UseCaseFailure(_) => None,
        }
    }

    /// Returns the failure, if any.
    pub const fn failure(&self) -> Option<&UseCaseFailure> {
        match self {
            Response::Success(_) => None,
            Response::UseCaseFailure(failure) => Some(failure),
        }
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Response::Success(_) => f.write_str("done"),
            Response::UseCaseFailure(failure) => failure.fmt(f),
        }
    }
}
