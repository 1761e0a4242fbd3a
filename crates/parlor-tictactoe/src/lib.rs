//! The tic-tac-toe family: [`mnk`], boards of any size with any number of seats, and [`ultimate`],
//! nine boards in one.
//!
//! ```
//! use parlor_core::{Notation, Outcome, Position, Seat, Turn};
//! use parlor_tictactoe::mnk::{Board, Rules};
//!
//! let mut game = Board::new(Rules::classic());
//! for text in ["0,0", "1,0", "0,1", "1,1", "0,2"] {
//!     let m = game.parse_move(text)?;
//!     game.try_play(&m)?;
//! }
//! assert_eq!(game.turn(), Turn::Over(Outcome::won(Seat::FIRST)));
//! assert_eq!(game.text(), "3x3x3 XO XXX/OO./...");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate never contains randomness sources, clocks, users, storage or networking.

pub mod mnk;
pub mod ultimate;

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
