//! What is made for backgammon: a net that judges positions, exact chances for bearing off, a search over the rolls, a model of the
//! cube and of matches, levels, and the factory of it all.

pub mod analysis;
mod bearoff;
mod bot;
mod cache;
mod chances;
mod cube;
mod equities;
mod eval;
mod factory;
mod greedy;
mod half;
mod inputs;
mod layers;
mod level;
mod net;
mod offer;
mod registers;
pub mod rollout;
mod search;
mod self_play;
mod stakes;
pub mod training;

pub use bot::{NetPlayer, Settings, Shortcut};
pub use chances::Chances;
pub use eval::Eval;
pub use factory::{build, offers, suits};
pub use greedy::Greedy;
pub use net::{Net, Nets, Size};
pub use self_play::self_play;
