//! What is made for m,n,k games: perfect play, alpha-beta, levels, and the factory of it all.

mod alphabeta;
mod factory;
mod keen;
mod level;
mod perfect;
mod table;
mod threats;
mod windows;

pub use alphabeta::AlphaBeta;
pub use factory::{build, offers, suits};
pub use keen::Keen;
pub use level::Leveled;
pub use perfect::Perfect;
