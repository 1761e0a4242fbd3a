//! How the net was made: games against itself, and fitting the weights to what became of their positions.
//!
//! Nothing here is needed to play; `examples/train_backgammon.rs` drives it. No other program's judgment is used.

mod checkpoint;
mod fit;
mod games;

pub use checkpoint::{Round, Training};
pub use fit::{Sample, Trainer};
pub use games::{Player, against_greedy, between};
