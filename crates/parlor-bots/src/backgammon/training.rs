//! How the nets were made: games against themselves, and fitting the weights to what became of their positions.
//!
//! Nothing here is needed to play; `parlor train backgammon` drives it. No other program's judgment is used.
//!
//! The weights in the repository are four sets of nets, one after the other, each weight in two bytes: the best after 10.5 million games, its
//! net for races trained on by 1.5 million races, and three sets of small ones after 20,480, 5,120 and 2,048 games. `nets/README.md`
//! has the commands, the seeds and the curves; `examples/backgammon_nets.rs` joins and compares nets.

mod checkpoint;
mod fit;
mod games;
mod held_back;

pub use checkpoint::{Goals, Part, Round, Training};
pub use fit::{Batch, Sample, Trainer};
pub use games::{From, Player, against_greedy, between};
pub use held_back::HeldBack;
