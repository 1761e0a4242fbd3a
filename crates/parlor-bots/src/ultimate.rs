//! What is made for ultimate tic-tac-toe: a tree search with a small trained net, levels, and the factory of it all.

mod bot;
mod eval;
mod factory;
mod features;
mod keen;
mod level;
mod net;
mod proof;
mod search;
mod state;
pub mod training;
mod tree;

pub use bot::NetSearch;
pub use factory::{build, offers, suits};
pub use keen::Keen;
pub use level::Leveled;
pub use net::Net;
pub use tree::Settings;
