//! Bots for m,n,k games: perfect play, alpha-beta, levels, and the factory.

mod alphabeta;
mod factory;
mod level;
mod perfect;
mod playouts;
mod threats;
mod transposition;
mod windows;

pub use alphabeta::AlphaBeta;
pub use factory::{build, offers, suits};
pub use level::MnkOpponent;
pub use perfect::Perfect;
pub use playouts::MnkPlayouts;
