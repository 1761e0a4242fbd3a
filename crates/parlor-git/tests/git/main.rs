//! Tests with real repositories and the installed git.

#![allow(clippy::unwrap_used, reason = "clippy sees no tests in helpers")]

mod games;
mod history;
mod house;
mod junk;
mod tampering;
mod together;
mod trust;
