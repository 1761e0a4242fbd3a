//! Tests of the rules of backgammon.

mod brute;
mod counts;
mod suite;
