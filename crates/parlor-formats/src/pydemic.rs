//! The board, decks, players and use cases of `PyDemic`, a published design of a Pandemic engine in
//! Python.
//!
//! Names, values and responses are those of that design, expressed in Rust: cities, colors and
//! roles are strings, a request is a list of named parameters, and a use case always answers with a
//! [`Response`]. It covers less of the game than [`Game`](parlor_pandemic::Game): it has no cube supply, no
//! eradication, no enforced hand limit and no turns. To play the game, use that.
//!
//! ```
//! use parlor_formats::pydemic::{COLOUR_BLUE, UseCase, UseCaseRequest};
//!
//! let init = UseCase::from_name("BoardInitUseCase").expect("one of the five names");
//! let board = init.execute(&UseCaseRequest::new()).into_board().expect("all parameters have defaults");
//!
//! let infect = UseCase::from_name("BoardInfectCity").expect("the suffix is optional");
//! let request = UseCaseRequest::new()
//!     .with("board", board)
//!     .with("city", "London")
//!     .with("colour", COLOUR_BLUE);
//! let response = infect.execute(&request);
//! assert_eq!(response.board().map(|board| board.cubes("London", COLOUR_BLUE)), Some(Ok(1)));
//!
//! let response = infect.execute(&UseCaseRequest::new().with("town", "London"));
//! assert_eq!(response.category(), "PARAMETERS_ERROR");
//! assert_eq!(
//!     response.to_string(),
//!     "board is missing; city is missing; colour is missing; town is undeclared"
//! );
//! ```
//!
//! Situations and what follows from them can be written as files of JSON; see [`scenario`].

mod board;
mod constants;
mod deck;
mod parameters;
mod player;
mod register;
mod response;
pub mod scenario;
mod use_case;

pub use board::{
    AttributeFault, Attributes, Board, GameOver, InfectError, Infection, InvalidBoard,
};
pub use constants::{
    COLOUR_BLACK, COLOUR_BLUE, COLOUR_RED, COLOUR_YELLOW, CONNECTIONS, CityConnections,
    MAX_INFECTION, MAX_OUTBREAKS, ROLE_CONTINGENCY_PLANNER, ROLE_DISPATCHER, ROLE_MEDIC,
    ROLE_OPERATIONS_EXPERT, ROLE_QUARANTINE_SPECIALIST, ROLE_RESEARCHER, ROLE_SCIENTIST, Unknown,
};
pub use deck::{Deck, EmptyDeck};
pub use parameters::{Parameter, ParameterValue, UseCaseRequest};
pub use player::Player;
pub use register::{
    CustomUseCase, RegisteredUseCase, UseCaseNameTaken, UseCaseRegister, UseCaseResult,
};
pub use response::{ParameterProblem, ProblemKind, Response, UseCaseFailure};
pub use use_case::UseCase;
