//! Training of the nets: self-play, and fitting the weights to the results.
//!
//! Nothing here is needed for play; `parlor train backgammon` drives it. No other program's
//! evaluations are used.
//!
//! The weights in the repository are four sets of nets, one after the other, each weight in two
//! bytes: the best after 10.5 million games, whose net for races was trained further on 1.5 million
//! races, and three small sets after 20,480, 5,120 and 2,048 games. `nets/README.md` has the
//! commands, the seeds and the curves; `examples/backgammon_nets.rs` joins and compares nets.

mod checkpoint;
mod fit;
mod games;
mod held_out;

pub use checkpoint::{BackgammonTraining, RoundPart, RoundReport, TrainingGoals};
pub use fit::{BackgammonSample, BackgammonTrainer, BackpropBuffers};
pub use games::{BackgammonSelfPlayer, GameStart, points_against_greedy, points_between};
pub use held_out::HeldOutSet;
