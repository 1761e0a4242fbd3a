//! Tests with real repositories and the installed git.

#![allow(clippy::unwrap_used, reason = "clippy sees no tests in helpers")]

mod bombs;
mod games;
mod history;
mod hostile;
mod house;
mod junk;
mod settings;
mod tampering;
mod together;
mod trust;
mod unstoppable;
