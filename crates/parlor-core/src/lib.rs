//! The central abstraction of Parlor: a game is a *position*, and everything that can happen to it is a
//! *move* (what a seat does) or a *chance* (what luck does).
//!
//! A position knows the rules and nothing else: no clock, no player, no random generator, no seed. Whoever
//! drives a game (a search, a table, a terminal) asks [`Position::turn`] what comes next, and gets exactly
//! one answer: a seat moves, luck decides, or the game is over.
//!
//! ```
//! use parlor_core::testing::pig::{Pig, Do, Roll};
//! use parlor_core::{Position, Seat, Turn};
//!
//! let mut game = Pig::new(20);
//! assert_eq!(game.turn(), Turn::Move(Seat::FIRST));
//! game.play(&Do::Roll);
//! assert_eq!(game.turn(), Turn::Chance);
//! game.resolve(&Roll::new(5).expect("five is a face of a die"));
//! assert_eq!(game.turn(), Turn::Move(Seat::FIRST));
//! ```
//!
//! What is here: [`Position`] and [`Notation`] (the two traits a game implements), [`Seat`], [`Turn`] and
//! [`Outcome`], [`perft`](perft::perft), [`playout`](playout::playout), and behind the feature `testing` the
//! conformance suite that every game runs, with a toy dice game.
//!
//! What is never here: I/O, async, JSON values, clocks, randomness of the operating system, any game of the
//! house, or an order that depends on a hash.

pub mod notation;
pub mod perft;
pub mod playout;
pub mod position;
pub mod seat;
pub mod turn;

#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use notation::{Notation, NotationError};
pub use perft::perft;
pub use playout::{Playout, below, playout};
pub use position::{Impossible, NoChance, Position};
pub use seat::{BadSeat, Seat};
pub use turn::{Outcome, Turn};
