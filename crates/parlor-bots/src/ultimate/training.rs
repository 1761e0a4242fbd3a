//! Training of the net: positions from self-play, and fitting the weights to them.
//!
//! Nothing here is needed for play; `examples/train_ultimate.rs` drives it.

mod fit;
mod games;
mod sample;

pub use fit::UltimateTrainer;
pub use games::{UltimateSelfPlayer, playouts};
pub use sample::UltimateSample;
