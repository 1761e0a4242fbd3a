//! The rules of Pandemic, the co-operative game for two to four players.
//!
//! The 2013 edition's base game, complete: all seven roles, all five events with their moments, any number of epidemics, every ending
//! at the moment the rules name. The value is a [`Game`]: [`Move`] is what seats do, [`Chance`] what luck does.
//!
//! ```
//! use parlor_core::playout;
//! use parlor_core::playout::Scratch;
//! use parlor_pandemic::{Ending, Game, Rules};
//! use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
//!
//! let mut game = Game::new(Rules::new(2, 5)?);
//! playout(&mut game, &mut Xoshiro256PlusPlus::seed_from_u64(1), 10_000, &mut Scratch::default());
//! assert!(game.ending().is_some_and(|ending| ending != Ending::Cured), "chance alone saves nobody");
//! # Ok::<(), parlor_pandemic::BadRules>(())
//! ```
//!
//! No deck has an order before its cards are seen ([`InfectionDeck`], [`PlayerDeck`]): what lies face down is known to be equally likely in
//! any order, and that is all that is known to anybody, programs included.
//!
//! Not affiliated with the game's publisher. Names of cities, roles and events and the connections of the map are facts of the game; no
//! text or picture of it is used.
//!
//! What is never here: randomness sources, clocks, other games, I/O.

mod cards;
mod check;
mod cubes;
mod deck;
mod game;
mod illegal;
mod infection;
mod legal;
mod map;
mod moves;
mod notation;
mod play;
mod position;
pub mod pydemic;
mod rules;
mod setup;
mod sink;
mod text;

pub use cards::{Card, Cards, Event, Role, Roles};
pub use cubes::Cubes;
pub use deck::PlayerDeck;
pub use game::{
    ACTIONS, Ending, FORECAST, Game, HAND_LIMIT, Interrupt, MAX_OUTBREAKS, RATES, STATIONS, Stage,
};
pub use illegal::Illegal;
pub use infection::InfectionDeck;
pub use map::{Cities, CitiesIter, City, Color, across_the_edge};
pub use moves::{Chance, Move};
pub use rules::{BadRules, Rules};
pub use setup::{Flaw, Flaws, Setup};
