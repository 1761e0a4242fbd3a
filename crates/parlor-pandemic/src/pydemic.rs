//! The board, decks, players and use cases of `PyDemic`, a published design of the game's engine in Python.
//!
//! Names, values and responses are that design's, in Rust's clothes: cities, colors and roles are texts, a request is a list of named
//! parameters, and a use case answers with a [`Response`] whatever happens. It knows less of the game than [`Game`](crate::Game): no
//! supply of cubes, no eradication, no hand limit that anybody holds players to, no turns. Whoever wants to play takes the other.
//!
//! ```
//! use parlor_pandemic::pydemic::{COLOUR_BLUE, Request, UseCase};
//!
//! let init = UseCase::find("BoardInitUseCase").expect("one of the five");
//! let board = init.execute(&Request::new()).into_board().expect("everything has a default");
//!
//! let infect = UseCase::find("BoardInfectCity").expect("the last word may be left out");
//! let request = Request::new().with("board", board).with("city", "London").with("colour", COLOUR_BLUE);
//! let response = infect.execute(&request);
//! assert_eq!(response.board().map(|board| board.cubes("London", COLOUR_BLUE)), Some(Ok(1)));
//!
//! let response = infect.execute(&Request::new().with("town", "London"));
//! assert_eq!(response.category(), "PARAMETERS_ERROR");
//! assert_eq!(response.to_string(), "board is missing; city is missing; colour is missing; town is undeclared");
//! ```

mod board;
mod constants;
mod deck;
mod parameters;
mod player;
mod response;
mod use_case;

pub use board::{Attributes, BadBoard, Board, Fault, GameOver, InfectError, Infection};
pub use constants::{
    COLOUR_BLACK, COLOUR_BLUE, COLOUR_RED, COLOUR_YELLOW, CONNECTIONS, Connections, MAX_INFECTION,
    MAX_OUTBREAKS, ROLE_CONTINGENCY_PLANNER, ROLE_DISPATCHER, ROLE_MEDIC, ROLE_OPERATIONS_EXPERT,
    ROLE_QUARANTINE_SPECIALIST, ROLE_RESEARCHER, ROLE_SCIENTIST, Unknown,
};
pub use deck::{Deck, EmptyDeck};
pub use parameters::{Parameter, Request, Value};
pub use player::Player;
pub use response::{Failure, Problem, Response, Why};
pub use use_case::UseCase;
