//! How the net was made: games against itself, and fitting the weights to what became of their positions.
//!
//! Nothing here is needed to play; `examples/train_backgammon.rs` drives it. No other program's judgment is used.
//!
//! The weights in the repository are four nets of one training, one after the other, each weight in two bytes: after 1,400,064,
//! 20,096, 5,120 and 2,048 games. It was `train_backgammon run a 2200000 2026`, stopped after 1,147,264 games and brought to its end
//! by `train_backgammon run a 1400064 2026`: 25 minutes of one processor core.

mod checkpoint;
mod fit;
mod games;
mod held_back;

pub use checkpoint::{Goals, Part, Round, Training};
pub use fit::{Batch, Sample, Trainer};
pub use games::{From, Player, against_greedy, between};
pub use held_back::HeldBack;
