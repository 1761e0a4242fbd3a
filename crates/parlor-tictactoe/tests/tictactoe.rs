//! What the tic-tac-toe family promises.

#[path = "mnk/conformance.rs"]
mod conformance;
