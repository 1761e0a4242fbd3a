//! Player ratings: Elo as specified for ultimate tic-tac-toe, and Glicko-2 beside it.
//!
//! All of it is arithmetic: two standings before a game and its score go in, two standings after
//! the game come out.
//!
//! ```
//! use parlor_ratings::{DeclaredLevel, Score, Standing, standings_after};
//!
//! let before = [Standing::default(), Standing::new(DeclaredLevel::Club)];
//! let [winner, loser] = standings_after(before, Score::Win, true);
//! assert_eq!((winner.elo, loser.elo), (1_005, 695));
//! assert!(winner.glicko.is_provisional() && winner.wins == 1 && loser.losses == 1);
//! ```
//!
//! This crate never contains clocks, randomness, users or databases.

mod elo;
mod glicko;
mod score;
mod standing;

pub use elo::{DeclaredLevel, UnknownLevel, elo_change};
pub use glicko::{Glicko, InvalidGlicko};
pub use score::{Score, UnknownScore};
pub use standing::{Standing, standings_after};

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
