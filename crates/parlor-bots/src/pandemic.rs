//! Pandemic: a quick policy by weights, and a search for whole turns on top of it.
//!
//! All that a bot knows is on the table: decks are layers without an order, and luck decides in roll-outs as it does in the game.

mod bot;
mod candidates;
mod factory;
pub mod features;
mod greedy;
mod outlook;
mod plans;
mod reader;
mod rollout;
mod scene;
mod search;
mod weights;
mod windows;

pub use bot::{Quick, Thinker};
pub use factory::{build, build_with_crew, offers, suits};
pub use greedy::{Events, Greedy, read};
pub use outlook::{Outlook, Ways};
pub use reader::Reader;
pub use rollout::Rolled;
pub use scene::Scene;
pub use search::{Plan, Planner, Settings};
pub use weights::Weights;
