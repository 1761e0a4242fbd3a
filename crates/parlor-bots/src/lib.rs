//! Strategies: what chooses moves in place of a person.
//!
//! Everything that plays is a [`Strategy`] over a [`Position`](parlor_core::Position): [`Random`], the Monte Carlo tree
//! search [`Mcts`] for any game, and what is made for one family of games ([`mnk`], [`ultimate`], [`backgammon`], [`pandemic`]). None has a clock: a search asks its
//! [`Budget`] whether it may go on, and with a budget in [`Nodes`] it does the same on every machine for the same seed.
//!
//! ```
//! use parlor_bots::{Mcts, Nodes, Strategy};
//! use parlor_core::testing::pig::{Do, Pig};
//!
//! let mut bot = Mcts::new(1);
//! let choice = bot.choose(&Pig::new(20), &mut Nodes(500)).expect("a seat is to move");
//! assert_eq!(choice.mv, Do::Roll, "nothing is gained yet that could be lost");
//! ```
//!
//! What is never here: a wall clock, threads (they are lent as a [`Crew`]), randomness of the operating system, tables, storage.

pub mod backgammon;
pub mod budget;
pub mod crew;
pub mod game;
pub mod mcts;
pub mod mnk;
pub mod pandemic;
pub mod policy;
pub mod random;
pub mod spec;
pub mod strategy;
pub mod ultimate;

pub use budget::{AtMost, Budget, Nodes};
pub use crew::{Alone, Crew};
pub use game::{Match, Player};
pub use mcts::Mcts;
pub use policy::{Policy, Prng, Uniform};
pub use random::Random;
pub use spec::{Level, Spec, UnknownBot, Unsuitable};
pub use strategy::{Choice, Info, Strategy};
