//! Backgammon: boards of two sides, plays generated once for each distinct result, the doubling
//! cube, single games and matches.
//!
//! A [`Board`] is seen from the player to move, and each [`Side`] numbers points from its own home:
//! 24 is the farthest, 1 the last before bearing off, 25 ([`BAR`]) the bar and 0 ([`OFF`]) off. A
//! [`Game`] adds the turn, cube and score, and implements [`Position`](parlor_core::Position). The
//! formats of other programs are in [`ids`], [`fibs`], [`mat`] and [`sgf`].
//!
//! ```
//! use parlor_backgammon::{Chance, Game, Rules};
//! use parlor_core::{Notation, Position, Seat, Turn};
//!
//! let mut game = Game::new(Rules::GAME);
//! assert_eq!(game.turn(), Turn::Chance);
//! game.resolve(&game.parse_chance("3-1")?); // white throws 3, black 1
//! assert_eq!(game.turn(), Turn::Move(Seat::FIRST));
//! game.play(&game.parse_move("8/5 6/5")?);
//! assert_eq!(game.turn(), Turn::Chance);
//! # Ok::<(), parlor_core::NotationError>(())
//! ```
//!
//! This crate has no source of randomness, no clocks, no users and no JSON.

mod board;
mod dice;
pub mod fibs;
mod game;
mod generator;
pub mod ids;
mod illegal;
mod legality;
pub mod mat;
mod notation;
mod partial;
mod play;
mod rules;
mod setup;
pub mod sgf;
mod side;
pub mod transcript;

pub use board::{Board, Win};
pub use dice::{Dice, Die, Roll};
pub use game::{BLACK, Chance, Crawford, Cube, Game, GameResult, Move, Phase, WHITE};
pub use illegal::Illegal;
pub use partial::PartialPlay;
pub use play::{CheckerStep, Play};
pub use rules::{Rules, StartLayout};
pub use setup::{GameFlaw, GameFlaws, Setup, color_name};
pub use side::{BAR, CHECKERS, OFF, Side};

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
