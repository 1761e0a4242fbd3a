//! Tests of the rules of backgammon.

mod brute;
mod counts;
mod fibs;
mod plain;
mod suite;
mod walks;
