//! Connect Four: two players drop discs into the columns of an upright board, and the first with
//! four in a straight line wins.
//!
//! Boards have 4 to 12 columns and 4 to 12 rows; a line of 3 or more discs, up to the longer side,
//! wins. The standard game has 7 columns, 6 rows and lines of four.
//!
//! ```
//! use parlor_connect_four::{Board, Rules};
//! use parlor_core::{Notation, Outcome, Position, Seat, Turn};
//!
//! let mut game = Board::new(Rules::STANDARD);
//! for text in ["4", "3", "4", "3", "4", "3", "4"] {
//!     let m = game.parse_move(text)?;
//!     game.try_play(&m)?;
//! }
//! assert_eq!(game.turn(), Turn::Over(Outcome::won(Seat::FIRST)));
//! assert_eq!(game.text(), "7x6x4 ......./......./...R.../..YR.../..YR.../..YR...");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Notation
//! A move is the number of its column, counted from 1 at the left, and a game is its moves without
//! separators: `4453`. This is the notation of the solvers by John Tromp and Pascal Pons and of
//! their published tables, so games can be copied between programs. Letters would clash with
//! draughts and chess, where they name a column together with a row.
//!
//! A position is one line of text: columns, rows and length of a line, then the rows from the top,
//! with `R` for a disc of the first seat (red), `Y` for one of the second (yellow) and `.` for an
//! empty slot. [`Board::from_text`](parlor_core::Notation::from_text) also reads the moves that
//! lead to a position, as in `7x6x4 4453`.
//!
//! This crate has no randomness sources, clocks, users, storage or network.

mod bits;
mod board;
pub mod book;
mod geometry;
pub mod heuristic;
pub mod master;
mod notation;
mod rules;
mod setup;
pub mod solver;
mod stacks;

pub use bits::{BitWord, Bits192};
pub use board::{Board, BoardBits};
pub use rules::{MAX_SIDE, MIN_LINE, MIN_SIDE, Rules, UnplayableRules};
pub use setup::{InvalidSetup, Setup, SetupFault};
pub use stacks::{Illegal, Move, Slot, Stacks};

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
