//! Tests of the rules of Pandemic.

mod actions;
mod cascade;
mod consent;
mod danger;
mod endings;
mod epidemics;
mod events;
mod golden;
mod help;
mod infection;
mod map;
mod paper;
mod perft;
mod random;
mod refusals;
mod roles;
mod sets;
mod setup;
mod sharing;
mod suite;
mod text;

use parlor_pandemic::TurnStep;

/// Steps of a turn that are the same for every seat and card.
const STEPS_WITHOUT_CHOICE: [TurnStep; 7] = [
    TurnStep::Agree,
    TurnStep::Decline,
    TurnStep::Draw,
    TurnStep::Infect,
    TurnStep::InfectAll,
    TurnStep::Intensify,
    TurnStep::Epidemic,
];
