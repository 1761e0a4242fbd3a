//! The rules of Pandemic, the cooperative game for two to four players.
//!
//! The complete base game of the 2013 edition: all seven roles, all five events with the moments at
//! which they can be played, any number of epidemics, and every ending at the moment the rules
//! give. The position is a [`Game`]; [`Move`] is what seats do, [`Chance`] what luck does.
//!
//! ```
//! use parlor_core::playout::{Scratch, playout};
//! use parlor_pandemic::{Game, PandemicEnding, Rules};
//! use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
//!
//! let mut game = Game::new(Rules::new(2, 5)?);
//! let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
//! playout(&mut game, &mut rng, 10_000, &mut Scratch::default());
//! let ending = game.ending().expect("every game ends");
//! assert_ne!(ending, PandemicEnding::Cured, "random play loses");
//! # Ok::<(), parlor_pandemic::InvalidRules>(())
//! ```
//!
//! No deck has an order before its cards are seen ([`InfectionDeck`], [`PlayerDeck`]): the
//! face-down cards are equally likely in any order, and no player or program knows more.
//!
//! Not affiliated with the game's publisher. Names of cities, roles and events and the connections
//! of the map are facts of the game; no text or picture of it is used.
//!
//! Randomness sources, clocks, other games and I/O do not belong in this crate.

mod cards;
mod check;
mod cubes;
mod danger;
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
mod rules;
mod sets;
mod setup;
mod sink;
mod text;

pub use cards::{Card, EventCard, Role};
pub use cubes::Cubes;
pub use danger::Danger;
pub use deck::PlayerDeck;
pub use game::{
    ACTIONS, FORECAST, Game, HAND_LIMIT, Interrupt, MAX_OUTBREAKS, PandemicEnding, RATES, STATIONS,
    Stage,
};
pub use illegal::Illegal;
pub use infection::InfectionDeck;
pub use map::{City, Color, across_the_edge};
pub use moves::{Action, Chance, EventPlay, Move, TurnStep, Way};
pub use rules::{Consent, InvalidRules, Rules};
pub use sets::{
    Cards, Cities, CitiesIter, ColorCities, Colors, ColorsIter, EventCards, EventCardsIter, Roles,
    RolesIter, Seats, SeatsIter,
};
pub use setup::{Flaw, Flaws, Setup};

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
