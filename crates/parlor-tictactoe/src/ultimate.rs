//! Ultimate tic-tac-toe: nine small boards, where each move sends the opponent to the board that
//! corresponds to the square just played.
//!
//! Three in a row win a small board; three small boards in a row win the game. A small board that
//! is full without a line is tied, and ties count for nobody. A player sent to a decided board may
//! play in any other. If all nine are decided and nobody has a line, the game is a draw. [`Rules`]
//! adds the two common variations.
//!
//! [`Game`] is the position, 32 bytes of bitboards. [`Board`] and [`MetaBoard`] are one small board
//! and the nine results as plain values.
//!
//! ```
//! use parlor_core::{Notation, Position};
//! use parlor_tictactoe::ultimate::{Game, Illegal, Rules};
//!
//! let mut game = Game::new(Rules::default());
//! game.play(&game.parse_move("40")?);
//! assert_eq!(game.target(), Some(0));
//! assert_eq!(game.check(&game.parse_move("44")?), Err(Illegal::WrongBoard));
//! # Ok::<(), parlor_core::NotationError>(())
//! ```

mod board;
mod game;
mod moves;
mod notation;
pub mod playouts;
mod rules;
mod setup;
mod tables;

pub use board::{Board, InvalidInput, MetaBoard};
pub use game::Game;
pub use moves::{Illegal, Move};
pub use rules::Rules;
pub use setup::{Setup, UltimateFault, UltimateSetupError};
pub use tables::{ALL, LINES, has_line};
