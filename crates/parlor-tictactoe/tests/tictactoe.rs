//! Tests of the tic-tac-toe family.

#[path = "mnk/classic.rs"]
mod classic;
#[path = "mnk/conformance.rs"]
mod conformance;
#[path = "mnk/perft.rs"]
mod perft;
#[path = "mnk/properties.rs"]
mod properties;
#[path = "mnk/solver.rs"]
mod solver;
#[path = "mnk/text.rs"]
mod text;

mod ultimate {
    mod boards;
    mod conformance;
    mod naive;
    mod perft;
    mod properties;
    mod rules;
    mod setup;
    mod statistics;
    mod text;
}
