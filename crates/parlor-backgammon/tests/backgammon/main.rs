//! Tests of the rules of backgammon.

mod brute;
mod counts;
mod fibs;
mod gnubg_formats;
mod ids;
mod plain;
mod partial;
mod suite;
mod walks;
