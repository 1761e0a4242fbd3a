//! Strategies that play games.
//!
//! Everything that plays is a [`Strategy`] over a [`Position`](parlor_core::Position): [`Random`],
//! the Monte Carlo tree search [`Mcts`] for any game, and specialised bots for one family of games
//! ([`mnk`], [`ultimate`], [`backgammon`], [`pandemic`]). The module [`generic`] builds bots of
//! five levels for any other game. None has a clock: a search asks its [`Budget`] whether to go on,
//! and with a budget in [`Nodes`] it plays the same on every machine for the same seed.
//!
//! ```
//! use parlor_bots::{Mcts, Nodes, Strategy};
//! use parlor_core::testing::pig::{PigMove, Pig};
//!
//! let mut bot = Mcts::new(1);
//! let choice = bot.choose(&Pig::new(20), &mut Nodes(500)).expect("a seat is to move");
//! assert_eq!(choice.mv, PigMove::Roll, "nothing is gained yet that could be lost");
//! ```
//!
//! This crate never uses a wall clock, threads (a caller lends them as a [`Crew`]), randomness of
//! the operating system, tables or storage.

pub mod backgammon;
pub mod budget;
pub mod crew;
pub mod generic;
pub mod mcts;
pub mod mnk;
mod named;
pub mod pandemic;
pub mod policy;
pub mod random;
pub mod spec;
pub mod strategy;
pub mod ultimate;

pub use budget::{AtMost, Budget, Nodes};
pub use crew::{Alone, Crew};
pub use mcts::Mcts;
pub use policy::{Policy, Prng, Uniform};
pub use random::Random;
pub use spec::{Level, Spec, UnknownBot, Unsuitable};
pub use strategy::{Choice, Info, Strategy};

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
