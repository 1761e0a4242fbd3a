//! Tests of the rules of backgammon.

mod brute;
mod counts;
mod cube;
mod fibs;
mod games;
mod gnubg;
mod gnubg_files;
mod gnubg_formats;
mod ids;
mod mat;
mod opening;
mod partial;
mod plain;
mod resign;
mod rules;
mod sgf;
mod steps;
mod suite;
mod transcript;
mod walks;
