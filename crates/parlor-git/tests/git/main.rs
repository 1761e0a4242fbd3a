//! Tables in real repositories, with the git of this machine.

#![allow(clippy::unwrap_used, reason = "clippy sees no tests in helpers")]

mod games;
mod history;
mod house;
mod junk;
mod tampering;
mod together;
mod trust;
