//! Ratings of players: Elo as the specification of ultimate tic-tac-toe wants it, and Glicko-2 beside it.
//!
//! Everything here is arithmetic: two standings before a game and its score go in, two standings after it come out.
//!
//! ```
//! use parlor_ratings::{Score, Standing, Start, settle};
//!
//! let [winner, loser] = settle([Standing::default(), Standing::start(Start::Club)], Score::Win, true);
//! assert_eq!((winner.elo, loser.elo), (1_005, 695));
//! assert!(winner.glicko.provisional() && winner.wins == 1 && loser.losses == 1);
//! ```
//!
//! What is never here: clocks, randomness, users, databases.

mod elo;
mod glicko;
mod score;
mod standing;

pub use elo::{Start, UnknownStart, change};
pub use glicko::Glicko;
pub use score::{Score, UnknownScore};
pub use standing::{Standing, settle};
