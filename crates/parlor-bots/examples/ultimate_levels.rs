//! Matches between the ultimate tic-tac-toe levels: `cargo run --release -p parlor-bots --example
//! ultimate_levels`.
//!
//! Arguments: number of games per pair (100), rules (`standard`), and maximum number of nodes per
//! move of level 5 (20,000, less than its default). Budgets are in nodes, so the table is the same
//! everywhere.
#![allow(clippy::print_stdout)]

use std::error::Error;

use parlor_bots::{Level, Nodes, Spec, Strategy, ultimate};
use parlor_core::{Position, Seat, Turn};
use parlor_tictactoe::ultimate::{Game, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let games = words.first().map_or(Ok(100), |word| word.parse())?;
    let rules = words
        .get(1)
        .map_or(Some(Rules::default()), |name| Rules::from_name(name))
        .ok_or("no such rules")?;
    let nodes = words.get(2).map_or(Ok(20_000), |word| word.parse())?;
    println!(
        "won, drawn, lost by the first of each pair, {games} games under {rules} rules, at most {nodes} nodes"
    );
    let pair = |first: Spec, second: Spec| -> Result<(), Box<dyn Error>> {
        let mut ends = [0; 3];
        for game in 0..games {
            let mut bots = [
                ultimate::build(first, &rules, game)?,
                ultimate::build(second, &rules, game + 1_000_000)?,
            ];
            let seat = if game % 2 == 0 {
                Seat::FIRST
            } else {
                Seat::SECOND
            };
            bots.rotate_left(seat.index());
            ends[(1 - play(Game::new(rules), &mut bots, seat, nodes)) as usize] += 1;
        }
        println!(
            "{first} against {second}: {} {} {}",
            ends[0], ends[1], ends[2]
        );
        Ok(())
    };
    pair(Spec::Level(Level::LOWEST), Spec::Random)?;
    for (below, level) in Level::all().zip(Level::all().skip(1)) {
        pair(Spec::Level(level), Spec::Level(below))?;
    }
    Ok(())
}

/// Returns the payoff of a game for a seat.
fn play(mut game: Game, bots: &mut [Box<dyn Strategy<Game>>; 2], seat: Seat, nodes: u64) -> i32 {
    loop {
        match game.turn() {
            Turn::Move(seat) => match bots[seat.index()].choose(&game, &mut Nodes(nodes)) {
                Some(choice) => game.play(&choice.mv),
                None => return 0,
            },
            Turn::Over(outcome) => return outcome.payoff(seat, 2),
            Turn::Chance => return 0,
        }
    }
}
