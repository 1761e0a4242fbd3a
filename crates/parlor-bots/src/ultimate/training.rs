//! How the net was made: positions from games of its own, and fitting the weights to them.
//!
//! Nothing here is needed to play; `examples/train_ultimate.rs` drives it.

mod fit;
mod games;
mod sample;

pub use fit::Trainer;
pub use games::{Player, playouts};
pub use sample::Sample;
