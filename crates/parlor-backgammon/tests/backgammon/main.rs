//! Tests of the rules of backgammon.

mod brute;
mod counts;
mod cube;
mod fibs;
mod gnubg_formats;
mod ids;
mod opening;
mod partial;
mod plain;
mod rules;
mod suite;
mod walks;
