//! Writes the opening book of one seat, level by level, to standard output: `cargo run --release -p
//! parlor-connect-four --example connect_four_book -- first 12 24`.
//!
//! Arguments: `first` or `second`, the maximum number of discs of a position in the book, and the
//! size of the table, `2^N` times 32 bytes. Progress goes to standard error.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::error::Error;
use std::time::Instant;

use parlor_connect_four::Board;
use parlor_connect_four::book::{BookLevel, letter};
use parlor_connect_four::solver::{ExactSolver, ProvenValue, Unsolved};
use parlor_core::Seat;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [seat, last, bits] = &words[..] else {
        return Err("expected: first|second LAST BITS".into());
    };
    let seat = if seat == "first" {
        Seat::FIRST
    } else {
        Seat::SECOND
    };
    let last: u8 = last.parse()?;
    let mut solver = ExactSolver::with_table(bits.parse()?);
    let mut level = BookLevel::first(seat);
    let began = Instant::now();
    let mut visited = 0;
    while level
        .positions()
        .first()
        .is_some_and(|board| board.plies() <= last)
    {
        let (mut line, mut moves) = (String::new(), Vec::new());
        for board in level.positions() {
            let (m, value) = best(&mut solver, board, &mut visited)?;
            line.push(letter(m, value));
            moves.push(m);
        }
        println!("{line}");
        let seconds = began.elapsed().as_secs();
        eprintln!(
            "{} positions, {visited} visited, {seconds} s",
            level.positions().len()
        );
        level = level
            .next(&moves)
            .ok_or("a move of the solver is illegal")?;
    }
    Ok(())
}

/// Returns a move that keeps the value; in a lost position the one that loses last.
fn best(
    solver: &mut ExactSolver,
    board: &Board,
    visited: &mut u64,
) -> Result<(parlor_connect_four::Move, ProvenValue), Unsolved> {
    const ON: &str = "no position of the book is over";
    let (mut m, value) = solver.good_move(board, &mut |_| false)?.expect(ON);
    *visited += solver.visited();
    if value == ProvenValue::Loss {
        (m, _) = solver.best_move(board, &mut |_| false)?.expect(ON);
        *visited += solver.visited();
    }
    Ok((m, value))
}
