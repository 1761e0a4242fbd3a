//! m,n,k games: a board of `rows` x `columns`, `k` in a row wins, two or more seats take turns.
//!
//! Any straight run of at least `k` stones of one seat wins: in a row, in a column, on any diagonal. A full
//! board without such a run is a draw.
//!
//! [`Board`] is the position that everything above works with. Inside it is one of a few concrete positions,
//! [`Inner`], whose types are public so that a search can run on exactly one of them: [`Three`] for the classic
//! game, [`Grid`] for boards that fit a word, [`Wide`] for larger ones.

mod bits;
mod board;
mod cell;
mod grid;
mod lines;
mod notation;
mod progress;
pub mod record;
mod rules;
mod setup;
pub mod solver;
pub mod three;
mod wide;

pub use board::{Board, Field, Inner};
pub use cell::{Cell, Illegal};
pub use grid::Grid;
pub use rules::{MAX_SEATS, MAX_SIDE, MIN_SEATS, Rules, RulesError, Shape};
pub use setup::{Fault, Setup, SetupError};
pub use three::Three;
pub use wide::Wide;
