//! Backgammon: boards of two sides, plays generated once for each distinct result, the doubling cube, single games and matches.
//!
//! A [`Board`] is seen from the player to move, and each [`Side`] counts points from its own home: 24 is far away, 1 the last
//! one, 25 ([`BAR`]) the bar, 0 ([`OFF`]) off. A [`Game`] is a board with whose turn it is, cube and score, and implements the
//! house's [`Position`](parlor_core::Position). What other programs read and write is in [`ids`], [`fibs`], [`mat`] and [`sgf`].
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
//! What is never here: a source of dice, clocks, users, JSON.

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
pub mod state;
pub mod transcript;

pub use board::{Board, Win};
pub use dice::{Dice, Die, Roll};
pub use game::{BLACK, Chance, Crawford, Cube, Finished, Game, Move, Phase, WHITE};
pub use illegal::Illegal;
pub use partial::Partial;
pub use play::{Play, Step};
pub use rules::{Rules, Start};
pub use setup::{Flaw, Flaws, Setup};
pub use side::{BAR, CHECKERS, OFF, Side};
