//! What is made for backgammon: a net that judges positions, exact chances for bearing off, and players that use them.

mod bearoff;
mod chances;
mod eval;
mod greedy;
mod half;
mod inputs;
mod net;
mod registers;
pub mod training;

pub use chances::Chances;
pub use eval::Eval;
pub use greedy::Greedy;
pub use net::Net;
