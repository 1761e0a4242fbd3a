//! Solves positions of the standard board and reports the effort: `cargo run --release -p
//! parlor-connect-four --example connect_four_solve -- 4453 12`.
//!
//! Each argument is a game as its moves without separators; `--value` computes only the winner,
//! `--bits N` uses a table of `2^N` times 32 bytes. The output is the score, the number of
//! positions visited and the time in seconds.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::time::Instant;

use parlor_connect_four::solver::ExactSolver;
use parlor_connect_four::{Board, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut value_only, mut bits, mut total) = (false, 18, 0);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--value" => value_only = true,
            "--bits" => bits = words.next().ok_or("--bits needs a number")?.parse()?,
            moves => {
                let board = Board::from_moves(Rules::STANDARD, moves)?;
                let mut solver = ExactSolver::with_table(bits);
                let began = Instant::now();
                let answer = if value_only {
                    format!("{:?}", solver.value(&board, &mut |_| false)?)
                } else {
                    solver.score(&board, &mut |_| false)?.to_string()
                };
                let seconds = began.elapsed().as_secs_f64();
                println!("{moves} {answer} {} {seconds:.3}", solver.visited());
                total += solver.visited();
            }
        }
    }
    println!("{total} positions in all");
    Ok(())
}
