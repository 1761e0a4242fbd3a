//! Tests of the strategies.

#[path = "bots/backgammon.rs"]
mod backgammon;
#[path = "bots/backgammon_analysis.rs"]
mod backgammon_analysis;
#[path = "bots/backgammon_bearoff.rs"]
mod backgammon_bearoff;
#[path = "bots/backgammon_cube.rs"]
mod backgammon_cube;
#[path = "bots/backgammon_rollout.rs"]
mod backgammon_rollout;
#[path = "bots/backgammon_search.rs"]
mod backgammon_search;
#[path = "bots/generic.rs"]
mod generic;
#[path = "bots/lamps.rs"]
mod lamps;
#[path = "bots/mnk.rs"]
mod mnk;
#[path = "bots/pandemic.rs"]
mod pandemic;
#[path = "bots/search.rs"]
mod search;
#[path = "bots/spec.rs"]
mod spec;
#[path = "bots/ultimate.rs"]
mod ultimate;
