//! Scenario files: a situation, use cases, and the responses and state that should follow.
//!
//! A scenario is written as a file of JSON, in the words of the published design. Nothing has to
//! be programmed for it:
//!
//! ```
//! use parlor_formats::pydemic::UseCaseRegister;
//! use parlor_formats::pydemic::scenario::ScenarioFile;
//!
//! let file = r#"{
//!     "description": "London breaks out beside Essen",
//!     "board": {"infection": {"London": {"COLOUR_BLUE": 3}, "Essen": {"COLOUR_BLUE": 2}}},
//!     "use_cases": [
//!         {
//!             "use_case": "BoardInfectCityUseCase",
//!             "request": {"city": "London", "colour": "COLOUR_BLUE"},
//!             "response": {"type": "DEFAULT_SUCCESS", "content": {"board": {"outbreaks": 1}}}
//!         },
//!         {
//!             "use_case": "BoardIncreaseRateUseCase",
//!             "state": {"board": {"outbreaks": 1, "infection_rate": 2}}
//!         }
//!     ]
//! }"#;
//! let file: ScenarioFile = serde_json::from_str(file)?;
//! let scenario = file.check(&UseCaseRegister::new())?;
//! let failure = scenario.run().expect_err("the rate is not expected as it is");
//! assert_eq!(
//!     failure.to_string(),
//!     "step 2, BoardIncreaseRateUseCase: state.board.infection_rate is 1, but 2 was expected"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Fields
//!
//! Every field has a default unless this table says otherwise. Other fields are refused.
//!
//! | field | value |
//! |---|---|
//! | `description` | A text for readers. |
//! | `board` | The board at the start: `outbreaks`, `infection_rate`, `infection`, `research_centres`, `cured`, `quiet_night` and `active_events`. Without this field there is no board until a use case such as `BoardInit` has made one. |
//! | `players` | A list of players, each with `name`, `role`, `city` (all three required), `hand` and `single_use`. |
//! | `decks` | Decks by names of your choice, each with its `cards` from the top down. |
//! | `use_cases` | A list of steps. |
//!
//! A step has these fields:
//!
//! | field | value |
//! |---|---|
//! | `use_case` | Name in the register, with or without the suffix `UseCase`. Required. |
//! | `request` | Parameters by name. |
//! | `response` | The expected response: its `type` (required), one of [`Response::CATEGORIES`], and its `content`. That of a failure is its text, and that of a success an object of results. |
//! | `state` | The expected state after the step: `board`, `players` and `decks`. |
//!
//! # Execution
//!
//! A scenario has a current board, players and decks. If a use case declares a parameter `board`,
//! `players` or with the name of a deck, and the request does not have it, it is given the current
//! one. The results with these names in a success become the current ones; a failure changes
//! nothing. A use case of one's own can therefore draw cards: it declares the deck and returns it.
//!
//! # Expectations
//!
//! A step without `response` and `state` may have any result. Expected boards need only the
//! attributes that matter, `content` only some of the results, and `decks` only some of the decks.
//! Everything below these is compared as a whole, so an expected `infection` lists all cubes.
//!
//! A step that expects `USE_CASE_ERROR` may name an unknown use case, and one that expects
//! `PARAMETERS_ERROR` may have any parameters. All other names and parameters are checked when the
//! file is read, but values for a use case of one's own only when it is executed.
//!
//! # Writing
//!
//! A [`ScenarioState`] is serialized as the fields `board`, `players` and `decks` of a file, which
//! is a file without steps:
//!
//! ```
//! use parlor_formats::pydemic::scenario::{ScenarioFile, ScenarioState};
//! use parlor_formats::pydemic::{UseCase, UseCaseRegister, UseCaseRequest};
//!
//! let request = UseCaseRequest::new().with("outbreaks", 2);
//! let board = UseCase::BoardInit.execute(&request).into_board();
//! let state = ScenarioState { board, ..ScenarioState::default() };
//! let text = serde_json::to_string(&state)?;
//! assert_eq!(
//!     text,
//!     r#"{"board":{"outbreaks":2,"infection_rate":0,"infection":{},"research_centres":[],"cured":[],"quiet_night":false}}"#
//! );
//! let file: ScenarioFile = serde_json::from_str(&text)?;
//! assert_eq!(file.check(&UseCaseRegister::new())?.start(), &state);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compare;
mod fault;
mod read;
mod value;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use super::board::Board;
use super::deck::Deck;
use super::parameters::{ParameterValue, UseCaseRequest};
use super::player::Player;
use super::register::UseCaseRegister;
use super::response::Response;
use compare::{Difference, Expected};

pub use fault::{InvalidScenario, ScenarioFault, ScenarioFaultKind};
pub use value::ScenarioValue;

/// Contents of a file that has not been checked.
///
/// Any JSON can be deserialized; [`check`](ScenarioFile::check) reports the faults.
///
/// ```
/// use parlor_formats::pydemic::UseCaseRegister;
/// use parlor_formats::pydemic::scenario::ScenarioFile;
///
/// let file = r#"{
///     "board": {"outbreaks": -1},
///     "use_cases": [
///         {"use_case": "BoardInfectCity", "request": {"city": "Lndon", "color": "COLOUR_BLUE"}}
///     ]
/// }"#;
/// let file: ScenarioFile = serde_json::from_str(file)?;
/// let invalid = file.check(&UseCaseRegister::new()).expect_err("four faults");
/// assert_eq!(
///     invalid.to_string(),
///     "board.outbreaks is -1, not a whole number from 0 to 255\n\
///      step 1: request.colour is missing: \
///      the parameters of BoardInfectCity are board, city, colour and players\n\
///      step 1: request.color is undeclared: \
///      the parameters of BoardInfectCity are board, city, colour and players\n\
///      step 1: request.city is wrong: \"Lndon\" is no city of the map; did you mean London?"
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct ScenarioFile {
    root: ScenarioValue,
}

impl ScenarioFile {
    /// Converts the file into a scenario of a register's use cases.
    ///
    /// # Errors
    /// [`InvalidScenario`] with all faults.
    pub fn check(&self, register: &UseCaseRegister) -> Result<Scenario, InvalidScenario> {
        let (contents, faults) = read::read(&self.root, register);
        if !faults.is_empty() {
            return Err(InvalidScenario { faults });
        }
        Ok(Scenario {
            description: contents.description,
            start: contents.start,
            steps: contents.steps,
            register: register.clone(),
        })
    }
}

/// A situation, use cases to execute, and expectations of what follows. See the
/// [module's documentation](self).
#[derive(Clone, Debug)]
pub struct Scenario {
    description: Option<String>,
    start: ScenarioState,
    steps: Vec<PlannedStep>,
    register: UseCaseRegister,
}

/// Use case to execute, and expectations of what follows.
#[derive(Clone, Debug)]
struct PlannedStep {
    use_case: String,
    request: UseCaseRequest,
    response: Option<ExpectedResponse>,
    state: Vec<Expected>,
}

#[derive(Clone, Debug)]
struct ExpectedResponse {
    category: String,
    content: Option<ExpectedContent>,
}

#[derive(Clone, Debug)]
enum ExpectedContent {
    /// Results of a success.
    Results(Vec<Expected>),
    /// Text of a failure.
    Reason(String),
}

/// Board, players and decks of a scenario.
///
/// It is serialized as those fields of a file. Parts that are `None` or empty are left out, and
/// so is an empty list of active events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioState {
    /// The board; `None` if there is none yet.
    pub board: Option<Board>,
    /// The players; `None` if use cases are given none, so that their defaults apply.
    pub players: Option<Vec<Player>>,
    /// Decks and discard piles by name.
    pub decks: BTreeMap<String, Deck<String>>,
}

/// Use case that was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutedStep {
    /// Name of the use case, as in the file.
    pub use_case: String,
    /// Response of the use case.
    pub response: Response,
    /// State after the use case.
    pub state: ScenarioState,
}

/// An expectation that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", describe(self))]
pub struct UnmetExpectation {
    /// Path of the field within the step, such as `state.board.infection.Paris.COLOUR_BLUE`.
    pub field: String,
    /// Expected value; `None` if the field should not be there.
    pub expected: Option<ScenarioValue>,
    /// Actual value; `None` if the field is not there.
    pub actual: Option<ScenarioValue>,
    /// Executed steps, of which the last is the one with this expectation.
    pub steps: Vec<ExecutedStep>,
}

fn describe(unmet: &UnmetExpectation) -> String {
    let actual = unmet.actual.as_ref().map(ScenarioValue::to_string);
    let actual = actual.unwrap_or_else(|| "absent".to_owned());
    let expected = match &unmet.expected {
        Some(expected) => format!("{expected} was expected"),
        None => "was not expected".to_owned(),
    };
    let (step, last, field) = (unmet.steps.len(), unmet.steps.last(), &unmet.field);
    let name = last.map_or("", |step| step.use_case.as_str());
    let text = format!("step {step}, {name}: {field} is {actual}, but {expected}");
    match last.and_then(|step| step.response.failure()) {
        Some(failure) if field != "response.content" => format!("{text} ({failure})"),
        _ => text,
    }
}

impl Scenario {
    /// Returns the description, if the file has one.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// Returns the state at the start.
    pub const fn start(&self) -> &ScenarioState {
        &self.start
    }

    /// Executes all use cases in order and returns what happened.
    ///
    /// # Errors
    /// [`UnmetExpectation`] for the first expectation that does not hold. Later use cases are not
    /// executed.
    pub fn run(&self) -> Result<Vec<ExecutedStep>, UnmetExpectation> {
        let mut state = self.start.clone();
        let mut steps = Vec::new();
        for planned in &self.steps {
            let use_case = self.register.create(&planned.use_case);
            let request = match &use_case {
                Some(use_case) => state.complete(&planned.request, &use_case.declared()),
                None => planned.request.clone(),
            };
            let response = self.register.execute(&planned.use_case, &request);
            state.follow(&response);
            let difference = planned.difference(&response, &state);
            steps.push(ExecutedStep {
                use_case: planned.use_case.clone(),
                response,
                state: state.clone(),
            });
            if let Some(difference) = difference {
                return Err(UnmetExpectation {
                    field: difference.field,
                    expected: difference.expected,
                    actual: difference.actual,
                    steps,
                });
            }
        }
        Ok(steps)
    }
}

impl PlannedStep {
    /// Returns the first difference from what is expected, first of the response.
    fn difference(&self, response: &Response, state: &ScenarioState) -> Option<Difference> {
        let of_response = self
            .response
            .as_ref()
            .and_then(|expected| expected.difference(response));
        of_response.or_else(|| {
            let actual = state.to_value();
            self.state
                .iter()
                .find_map(|part| part.difference("state", actual.get(&part.name)))
        })
    }
}

impl ExpectedResponse {
    fn difference(&self, response: &Response) -> Option<Difference> {
        let text = |field, expected: &str, actual: &str| {
            let (expected, actual) = (ScenarioValue::text(expected), ScenarioValue::text(actual));
            Expected::whole(field, expected).difference("response", Some(&actual))
        };
        let category = text("type", &self.category, response.category());
        category.or_else(|| match self.content.as_ref()? {
            ExpectedContent::Reason(reason) => text("content", reason, &response.to_string()),
            ExpectedContent::Results(results) => results.iter().find_map(|result| {
                let actual = response.content(&result.name);
                let actual = actual.map(ScenarioValue::parameter);
                result.difference("response.content", actual.as_ref())
            }),
        })
    }
}

impl ScenarioState {
    /// Returns a request with those declared parameters that it does not have and that are parts
    /// of the state.
    fn complete(&self, request: &UseCaseRequest, declared: &[(&str, bool)]) -> UseCaseRequest {
        let mut complete = request.clone();
        for (name, _) in declared {
            if request.get(name).is_some() {
                continue;
            }
            let part = match *name {
                "board" => self.board.clone().map(ParameterValue::from),
                "players" => self.players.clone().map(ParameterValue::from),
                deck => self.decks.get(deck).cloned().map(ParameterValue::from),
            };
            if let Some(part) = part {
                complete = complete.with(*name, part);
            }
        }
        complete
    }

    /// Replaces the parts that a success has new ones of.
    fn follow(&mut self, response: &Response) {
        let Response::Success(results) = response else {
            return;
        };
        for (name, value) in results {
            match (*name, value) {
                ("board", ParameterValue::Board(board)) => self.board = Some(Board::clone(board)),
                ("players", ParameterValue::Players(players)) => {
                    self.players = Some(players.clone());
                }
                ("board" | "players", _) => {}
                (name, ParameterValue::Deck(deck)) => {
                    self.decks.insert(name.to_owned(), deck.clone());
                }
                _ => {}
            }
        }
    }

    /// Returns all parts, with active events even if there are none.
    fn to_value(&self) -> ScenarioValue {
        let board = self.board.as_ref().map(ScenarioValue::board);
        let players = self.players.as_deref().map(ScenarioValue::players);
        let decks = (!self.decks.is_empty()).then(|| self.decks_value());
        let parts = [("board", board), ("players", players), ("decks", decks)];
        let parts = parts.into_iter();
        ScenarioValue::object(parts.filter_map(|(name, part)| Some((name, part?))))
    }

    fn decks_value(&self) -> ScenarioValue {
        let decks = self.decks.iter();
        ScenarioValue::object(decks.map(|(name, deck)| (name.as_str(), ScenarioValue::deck(deck))))
    }
}

impl Serialize for ScenarioState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut state = self.to_value();
        let no_events = ScenarioValue::List(Vec::new());
        if let ScenarioValue::Object(parts) = &mut state {
            for (_, part) in parts {
                if let ScenarioValue::Object(fields) = part {
                    fields.retain(|(name, value)| name != "active_events" || *value != no_events);
                }
            }
        }
        state.serialize(serializer)
    }
}
