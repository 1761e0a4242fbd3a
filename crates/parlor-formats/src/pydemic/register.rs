//! Use cases by name, open for one's own.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::board::Board;
use super::deck::Deck;
use super::parameters::{ParameterValue, Reading, UseCaseRequest};
use super::player::Player;
use super::response::{ParameterProblem, ProblemKind, Response, UseCaseFailure};
use super::use_case::{UseCase, base_name};

/// Results of a use case by name, or the reason for its failure.
pub type UseCaseResult = Result<BTreeMap<&'static str, ParameterValue>, UseCaseFailure>;

type Process = Arc<dyn Fn(&UseCaseRequest) -> UseCaseResult + Send + Sync>;

/// Register of use cases: the five of the board, and those that are added to it.
///
/// The published design registers every class of a use case for its `UseCaseCreator` and
/// `UseCaseExecutor`. Here they are [`create`](UseCaseRegister::create) and
/// [`execute`](UseCaseRegister::execute) of a register, and there can be several.
///
/// ```
/// use parlor_formats::pydemic::{CustomUseCase, UseCaseRegister, UseCaseRequest};
///
/// let set_event = CustomUseCase::new(|request| {
///     let mut board = request.board("board")?.clone();
///     board.set_active_event(request.text("event")?);
///     Ok([("board", board.into())].into())
/// });
/// let set_event = set_event.requiring("board").with_default("event", "One Quiet Night");
/// let mut register = UseCaseRegister::new();
/// register.add("BoardSetEvent", set_event)?;
///
/// let board = register.execute("BoardInit", &UseCaseRequest::new());
/// let board = board.into_board().expect("all parameters have defaults");
/// let request = UseCaseRequest::new().with("board", board);
/// let board = register.execute("BoardSetEventUseCase", &request);
/// assert_eq!(board.into_board().unwrap().get_active_events(), ["One Quiet Night"]);
///
/// let response = register.execute("BoardSetEvent", &UseCaseRequest::new());
/// assert_eq!(response.to_string(), "board is missing");
/// # Ok::<(), parlor_formats::pydemic::UseCaseNameTaken>(())
/// ```
#[derive(Clone, Debug)]
pub struct UseCaseRegister {
    use_cases: BTreeMap<String, RegisteredUseCase>,
}

/// Use case of a [`UseCaseRegister`].
#[derive(Clone, Debug)]
pub enum RegisteredUseCase {
    /// One of the board's own.
    OfBoard(UseCase),
    /// One that was added.
    Custom(CustomUseCase),
}

/// Use case of one's own: parameters, and a function of the request.
#[derive(Clone)]
pub struct CustomUseCase {
    required: Vec<String>,
    defaults: BTreeMap<String, ParameterValue>,
    process: Process,
}

/// There is a use case with this name already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UseCaseNameTaken(pub String);

impl fmt::Display for UseCaseNameTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is a use case {:?} already", self.0)
    }
}

impl std::error::Error for UseCaseNameTaken {}

impl UseCaseRegister {
    /// Creates a register of the board's five use cases.
    pub fn new() -> UseCaseRegister {
        let of_board = |use_case: UseCase| {
            let name = use_case.name().to_owned();
            (name, RegisteredUseCase::OfBoard(use_case))
        };
        UseCaseRegister {
            use_cases: UseCase::ALL.map(of_board).into(),
        }
    }

    /// Adds a use case. The suffix `UseCase` of its name says nothing.
    ///
    /// # Errors
    /// If there is one with this name.
    pub fn add(&mut self, name: &str, use_case: CustomUseCase) -> Result<(), UseCaseNameTaken> {
        let name = base_name(name);
        if self.use_cases.contains_key(name) {
            return Err(UseCaseNameTaken(name.to_owned()));
        }
        let use_case = RegisteredUseCase::Custom(use_case);
        self.use_cases.insert(name.to_owned(), use_case);
        Ok(())
    }

    /// Returns the names in alphabetical order, without the suffix `UseCase`.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.use_cases.keys().map(String::as_str)
    }

    /// Returns the use case with this name, with or without the suffix `UseCase`.
    pub fn create(&self, name: &str) -> Option<RegisteredUseCase> {
        self.use_cases.get(base_name(name)).cloned()
    }

    /// Executes the use case with this name. An unknown name yields a failure like any other.
    pub fn execute(&self, name: &str, request: &UseCaseRequest) -> Response {
        match self.use_cases.get(base_name(name)) {
            Some(use_case) => use_case.execute(request),
            None => Response::unknown(name, self.names()),
        }
    }
}

impl Default for UseCaseRegister {
    fn default() -> UseCaseRegister {
        UseCaseRegister::new()
    }
}

impl RegisteredUseCase {
    /// Executes a request.
    pub fn execute(&self, request: &UseCaseRequest) -> Response {
        match self {
            RegisteredUseCase::OfBoard(use_case) => use_case.execute(request),
            RegisteredUseCase::Custom(use_case) => use_case.execute(request),
        }
    }

    /// Returns the declared parameters, each with true if it is required.
    pub(super) fn declared(&self) -> Vec<(&str, bool)> {
        match self {
            RegisteredUseCase::OfBoard(use_case) => use_case.declared(),
            RegisteredUseCase::Custom(use_case) => use_case.declared(),
        }
    }
}

impl CustomUseCase {
    /// Creates a use case without parameters that answers with what `process` returns.
    pub fn new(
        process: impl Fn(&UseCaseRequest) -> UseCaseResult + Send + Sync + 'static,
    ) -> CustomUseCase {
        CustomUseCase {
            required: Vec::new(),
            defaults: BTreeMap::new(),
            process: Arc::new(process),
        }
    }

    /// Declares a parameter that a request must have.
    #[must_use]
    pub fn requiring(mut self, name: impl Into<String>) -> CustomUseCase {
        self.required.push(name.into());
        self
    }

    /// Declares a parameter with its value in requests that do not have it.
    #[must_use]
    pub fn with_default(
        mut self,
        name: impl Into<String>,
        value: impl Into<ParameterValue>,
    ) -> CustomUseCase {
        self.defaults.insert(name.into(), value.into());
        self
    }

    /// Executes a request, with the defaults of what it does not have.
    ///
    /// All missing and undeclared parameters are reported at once, and the function is called only
    /// if there are none.
    pub fn execute(&self, request: &UseCaseRequest) -> Response {
        let problems = Reading::new(request, &self.declared()).into_problems();
        if !problems.is_empty() {
            return Response::UseCaseFailure(UseCaseFailure::Parameters(problems));
        }
        match (self.process)(&request.clone().or(&self.defaults)) {
            Ok(content) => Response::Success(content),
            Err(failure) => Response::UseCaseFailure(failure),
        }
    }

    fn declared(&self) -> Vec<(&str, bool)> {
        let required = self.required.iter().map(|name| (name.as_str(), true));
        let optional = self.defaults.keys().map(|name| (name.as_str(), false));
        required.chain(optional).collect()
    }
}

impl fmt::Debug for CustomUseCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CustomUseCase")
            .field("required", &self.required)
            .field("defaults", &self.defaults)
            .finish_non_exhaustive()
    }
}

/// Values of a request for use cases of one's own. Each method fails with a problem that names the
/// parameter, as the board's use cases do.
impl UseCaseRequest {
    /// Returns a board.
    ///
    /// # Errors
    /// If the parameter is missing or something else.
    pub fn board(&self, name: &str) -> Result<&Board, UseCaseFailure> {
        self.value(name, "a board", |value| match value {
            ParameterValue::Board(board) => Some(&**board),
            _ => None,
        })
    }

    /// Returns a text.
    ///
    /// # Errors
    /// If the parameter is missing or something else.
    pub fn text(&self, name: &str) -> Result<&str, UseCaseFailure> {
        self.value(name, "a text", |value| match value {
            ParameterValue::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Returns a whole number.
    ///
    /// # Errors
    /// If the parameter is missing or something else.
    pub fn number(&self, name: &str) -> Result<i64, UseCaseFailure> {
        self.value(name, "a number", |value| match value {
            ParameterValue::Number(number) => Some(*number),
            _ => None,
        })
    }

    /// Returns a list of players.
    ///
    /// # Errors
    /// If the parameter is missing or something else.
    pub fn players(&self, name: &str) -> Result<&[Player], UseCaseFailure> {
        self.value(name, "a list of players", |value| match value {
            ParameterValue::Players(players) => Some(players.as_slice()),
            _ => None,
        })
    }

    /// Returns a deck.
    ///
    /// # Errors
    /// If the parameter is missing or something else.
    pub fn deck(&self, name: &str) -> Result<&Deck<String>, UseCaseFailure> {
        self.value(name, "a deck", |value| match value {
            ParameterValue::Deck(deck) => Some(deck),
            _ => None,
        })
    }

    fn value<'a, T>(
        &'a self,
        name: &str,
        wanted: &str,
        read: impl FnOnce(&'a ParameterValue) -> Option<T>,
    ) -> Result<T, UseCaseFailure> {
        let Some(value) = self.get(name) else {
            let problem = ParameterProblem::new(name, ProblemKind::Missing);
            return Err(UseCaseFailure::Parameters(vec![problem]));
        };
        read(value).ok_or_else(|| {
            let why = format!("is {}, not {wanted}", value.kind());
            let problem = ParameterProblem::new(name, ProblemKind::Wrong(why));
            UseCaseFailure::Parameters(vec![problem])
        })
    }
}
