//! Backgammon bots: a net that evaluates positions, exact bear-off tables, a search over the rolls,
//! a model of the cube and of matches, and the factory that builds the levels.

pub mod analysis;
mod bearoff;
mod cache;
mod chances;
mod cube;
mod cube_state;
mod evaluator;
mod factory;
mod greedy;
mod half;
mod inputs;
mod layers;
mod level;
mod match_equity;
mod net;
mod net_player;
pub mod rollout;
mod search;
mod self_play;
mod simd;
mod stakes;
pub mod training;

pub use chances::Chances;
pub use evaluator::BackgammonEvaluator;
pub use factory::{build, offers, suits};
pub use greedy::GreedyBackgammon;
pub use net::{BackgammonNet, BackgammonNetSize, BackgammonNets};
pub use net_player::{NetPlayer, NetPlayerSettings, Shortcut};
pub use self_play::self_play;
