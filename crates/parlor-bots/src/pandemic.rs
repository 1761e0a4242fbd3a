//! Pandemic bots: a quick policy with tuned weights, a search over whole turns built on it, and an
//! adviser that compares moves by that search.
//!
//! A bot knows only what is on the table: decks are layers without an order, and chance decides in
//! rollouts as it does in the game.

mod adviser;
mod calibration;
mod candidates;
mod event_timing;
mod factory;
pub mod features;
mod outlook;
mod plans;
mod player;
mod policy;
mod reader;
mod rollout;
mod scene;
mod search;
mod weights;

pub use adviser::{Advice, AdvisedTurn, AdviserSettings, PandemicAdviser, WinEstimate};
pub use factory::{build, build_with_crew, level_title, offers, suits};
pub use outlook::{Outlook, TravelDistances};
pub use player::{PlanningPlayer, QuickPlayer};
pub use policy::{EventScope, PandemicPolicy, read_features};
pub use reader::FeatureReader;
pub use rollout::RolloutResult;
pub use scene::PandemicScene;
pub use search::{Planner, PlannerSettings, TeamPlan};
pub use weights::PolicyWeights;
