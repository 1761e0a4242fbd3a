//! Formats and interfaces of games that other programs prescribe, expressed with the rules of
//! Parlor's own games.
//!
//! - [`classic`]: the public record of a classic tic-tac-toe game, with the names and texts that
//!   clients of its API expect.
//! - [`state_json`]: the contents of backgammon's `state.json` and move files, and what makes them
//!   valid.
//! - [`pydemic`]: the board, decks and use cases of a published design of a Pandemic engine.
//!
//! Legality is always that of the rules. The notations that a game's own programs share (XGID,
//! `.mat`, `.sgf`) belong to the rules crate of that game.
//!
//! ```
//! use parlor_formats::classic::{Game, Square};
//! use parlor_formats::pydemic::Board;
//!
//! let mut game = Game::new(7, 0);
//! game.make_move(Square::try_from(4)?, 1_000)?;
//! assert_eq!(game.to_string(), "Game 7 - In Progress");
//! assert_eq!(Board::default().rate(), 2, "infection cards in each infection step");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! JSON is read and written above this crate, as are files. Clocks and randomness do not belong
//! here: times are arguments.

pub mod classic;
pub mod pydemic;
pub mod state_json;

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
