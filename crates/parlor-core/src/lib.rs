//! The central abstraction of Parlor: a game is a *position*, and everything that can happen to it
//! is a *move* (what a seat does) or a *chance* (what luck does).
//!
//! A position contains the rules and the state of the game, but no clock, players, random generator
//! or seed. Code that drives a game (a search, a table, a terminal) calls [`Position::turn`] to
//! find out what happens next: a seat moves, luck decides, or the game is over.
//!
//! ```
//! use parlor_core::testing::pig::{Pig, PigMove, PigRoll};
//! use parlor_core::{Position, Seat, Turn};
//!
//! let mut game = Pig::new(20);
//! assert_eq!(game.turn(), Turn::Move(Seat::FIRST));
//! game.play(&PigMove::Roll);
//! assert_eq!(game.turn(), Turn::Chance);
//! game.resolve(&PigRoll::new(5).expect("five is a face of a die"));
//! assert_eq!(game.turn(), Turn::Move(Seat::FIRST));
//! ```
//!
//! The crate contains [`Position`] and [`Notation`] (the two traits a game implements), [`Seat`],
//! [`Turn`] and [`Outcome`], [`perft`](perft::perft), [`playout`](playout::playout) and, behind the
//! feature `testing`, the conformance suite that every game must pass, with a toy dice game.
//!
//! It never contains I/O, async code, JSON values, clocks, OS randomness, any of Parlor's games, or
//! an order that depends on a hash.

pub mod notation;
pub mod perft;
pub mod playout;
pub mod position;
pub mod seat;
pub mod turn;

#[cfg(any(test, feature = "testing"))]
pub mod testing;

#[cfg(feature = "serde")]
#[doc(hidden)]
pub use serde;

pub use notation::{Notation, NotationError};
pub use perft::perft;
pub use playout::{Playout, playout, random_below};
pub use position::{ImpossibleChance, NoChance, Position};
pub use seat::{InvalidSeat, Seat};
pub use turn::{Outcome, Turn};

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
