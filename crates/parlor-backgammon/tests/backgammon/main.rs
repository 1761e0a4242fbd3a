//! Tests of the rules of backgammon.

mod brute;
mod counts;
mod fibs;
mod suite;
mod walks;
