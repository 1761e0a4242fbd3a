//! Test support for games and the crates above: the conformance suite and a toy dice game.

mod conformance;
pub mod pig;

pub use conformance::{Suite, perft_table};
