//! Plays the moves of a JSON list and writes the position as JSON: `cargo run -p
//! parlor-connect-four --features serde --example moves_from_json -- '["4","4","5"]'`.
#![allow(clippy::print_stdout)]

use std::error::Error;

use parlor_connect_four::{Board, Move, Rules};
use parlor_core::Position;

fn main() -> Result<(), Box<dyn Error>> {
    let list = std::env::args().nth(1);
    let moves: Vec<Move> = serde_json::from_str(list.as_deref().unwrap_or("[]"))?;
    let mut board = Board::new(Rules::STANDARD);
    for m in moves {
        board.try_play(&m)?;
    }
    println!("{}", serde_json::to_string(&board)?);
    Ok(())
}
