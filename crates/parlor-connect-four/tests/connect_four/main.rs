//! Tests of Connect Four's public API.

mod book;
mod conformance;
mod golden;
mod heuristic;
mod master;
mod naive;
mod perft;
mod properties;
mod rules;
mod setup;
mod solver;
mod text;

use parlor_connect_four::{Board, Rules};
use parlor_core::Notation;

fn board(columns: u8, rows: u8, k: u8) -> Board {
    Board::new(Rules::new(columns, rows, k).expect("rules within the limits"))
}

fn standard(moves: &str) -> Board {
    Board::from_moves(Rules::STANDARD, moves).unwrap_or_else(|reason| panic!("{reason}"))
}

fn position(text: &str) -> Board {
    Board::from_text(text).unwrap_or_else(|reason| panic!("{reason}"))
}
