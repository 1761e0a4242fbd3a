//! Ultimate tic-tac-toe bots: a tree search with a small trained net, levels, and the factory.

mod evaluator;
mod factory;
mod features;
mod level;
mod net;
mod net_search;
mod playouts;
mod proof;
mod search;
mod state;
pub mod training;
mod tree;

pub use factory::{build, offers, suits};
pub use level::UltimateOpponent;
pub use net::UltimateNet;
pub use net_search::NetSearch;
pub use playouts::UltimatePlayouts;
pub use tree::NetSearchSettings;
