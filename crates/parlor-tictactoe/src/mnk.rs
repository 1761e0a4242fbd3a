//! m,n,k games: seats take turns on a board of `rows` x `columns`, and `k` in a row wins.
//!
//! Any straight run of at least `k` stones of one seat wins: in a row, in a column or on a
//! diagonal. A full board without such a run is a draw.
//!
//! [`Board`] is the position type for general use. It wraps one of a few concrete representations,
//! [`BoardRepr`], whose types are public so that a search can run on exactly one of them: [`Three`]
//! for the classic game, [`Grid`] for boards that fit a word, [`Wide`] for larger ones.

mod bits;
mod board;
mod cell;
mod grid;
mod lines;
mod notation;
mod progress;
mod rules;
mod setup;
pub mod solver;
pub mod three;
mod wide;

pub use board::{Board, BoardRepr, MnkPosition};
pub use cell::{Cell, Illegal};
pub use grid::Grid;
pub use rules::{BoardShape, MAX_SEATS, MAX_SIDE, MIN_SEATS, Rules, RulesError};
pub use setup::{MnkFault, MnkSetupError, Setup};
pub use three::Three;
pub use wide::Wide;
