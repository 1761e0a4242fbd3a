//! What games and the floors above are tried on: the conformance suite and a toy game with dice.

mod conformance;
pub mod pig;

pub use conformance::{Suite, perft_table};
