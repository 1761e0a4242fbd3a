//! Reasons for refusing a file.

use std::fmt;

use super::super::board::AttributeFault;
use super::super::constants::Unknown;
use super::super::response::{ProblemKind, Response};

/// Error for a file that is no scenario.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", lines(.faults))]
pub struct InvalidScenario {
    /// All reasons.
    pub faults: Vec<ScenarioFault>,
}

fn lines(faults: &[ScenarioFault]) -> String {
    let lines: Vec<String> = faults.iter().map(ScenarioFault::to_string).collect();
    lines.join("\n")
}

/// Reason for refusing a file, and its place there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioFault {
    /// Number of the step from 1; `None` outside of steps.
    pub step: Option<usize>,
    /// Path of the field within the step or the file, such as `board.outbreaks` or
    /// `request.players[0].role`; empty for the step or the file itself.
    pub field: String,
    /// The reason.
    pub why: ScenarioFaultKind,
}

impl fmt::Display for ScenarioFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.step, self.field.as_str()) {
            (None, "") => f.write_str("the file")?,
            (None, field) => f.write_str(field)?,
            (Some(step), "") => write!(f, "step {step}")?,
            (Some(step), field) => write!(f, "step {step}: {field}")?,
        }
        write!(f, " {}", self.why)
    }
}

impl std::error::Error for ScenarioFault {}

/// Kind of fault in a file; its text follows the field's path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScenarioFaultKind {
    /// The field is required and missing.
    #[error("is missing")]
    Missing,
    /// The object has the field twice.
    #[error("is there twice")]
    Twice,
    /// The object has no such field.
    #[error("is no field here: there are {}", list(.known))]
    UnknownField {
        /// Names of the fields that there are.
        known: &'static [&'static str],
    },
    /// The value is of another kind, or a number that is too high or too low.
    #[error("is {found}, not {wanted}")]
    Kind {
        /// Description of the value.
        found: String,
        /// Description of a value that would be right.
        wanted: String,
    },
    /// The attributes of a board contradict each other or the rules.
    #[error("is wrong: {0}")]
    Attribute(AttributeFault),
    /// The name is unknown.
    #[error("is wrong: {0}")]
    Unknown(Unknown),
    /// The register has no such use case.
    #[error("is {name:?}, which is no use case: there are {}", list(.known))]
    UseCase {
        /// Name in the file.
        name: String,
        /// Names in the register.
        known: Vec<String>,
    },
    /// The use case does not take the parameter, or not with this value.
    #[error("{}", parameter(.why, .use_case, .declared))]
    Parameter {
        /// Kind of problem.
        why: ProblemKind,
        /// Name of the use case.
        use_case: String,
        /// Names of the use case's parameters.
        declared: Vec<String>,
    },
    /// There is no board to give to the use case.
    #[error("is missing: the file has no board, and no earlier step makes one")]
    NoBoard,
    /// No response has this type.
    #[error(
        "is {0:?}, which is no type of a response: there are {known}",
        known = list(&Response::CATEGORIES)
    )]
    ResponseType(String),
    /// The name of a deck is that of another part of the state.
    #[error("is no name for a deck: use cases have another parameter with it")]
    DeckName,
}

fn parameter(why: &ProblemKind, use_case: &str, declared: &[String]) -> String {
    match why {
        ProblemKind::Wrong(_) => why.to_string(),
        _ if declared.is_empty() => format!("{why}: {use_case} has no parameters"),
        _ => format!("{why}: the parameters of {use_case} are {}", list(declared)),
    }
}

/// Lists names, with "and" before the last.
fn list<T: AsRef<str>>(names: &[T]) -> String {
    match names {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}
