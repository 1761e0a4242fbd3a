//! Tests of the rules of Pandemic.

mod actions;
mod cascade;
mod consent;
mod endings;
mod epidemics;
mod events;
mod golden;
mod help;
mod infection;
mod map;
mod paper;
mod perft;
mod pydemic;
mod random;
mod refusals;
mod roles;
mod setup;
mod sharing;
mod suite;
mod text;
