//! What the tic-tac-toe family promises.

#[path = "mnk/classic.rs"]
mod classic;
#[path = "mnk/conformance.rs"]
mod conformance;
#[path = "mnk/solver.rs"]
mod solver;
