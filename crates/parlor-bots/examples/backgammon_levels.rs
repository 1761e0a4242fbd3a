//! Matches between the backgammon levels: `cargo run --release -p parlor-bots
//! --example backgammon_levels`.
//!
//! Arguments: number of games per pair (400), and maximum number of nodes per move (20,000). Games
//! are played for points without a cube, each sequence of dice twice with the sides swapped.
//! Budgets are in nodes, so the table is the same everywhere.
#![allow(clippy::print_stdout)]

use std::error::Error;

use parlor_backgammon::{Chance, Game, Rules, WHITE};
use parlor_bots::{Level, Nodes, Prng, Spec, Strategy, backgammon};
use parlor_core::playout::choose_weighted;
use parlor_core::{Position, Turn};
use rand_xoshiro::rand_core::SeedableRng;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let games = words.first().map_or(Ok(400), |word| word.parse())?;
    let nodes = words.get(1).map_or(Ok(20_000), |word| word.parse())?;
    println!(
        "points per game of the first of each pair and their standard error, {games} games, at most {nodes} nodes"
    );
    pair(Spec::Level(Level::LOWEST), Spec::Random, games, nodes)?;
    for (below, level) in Level::all().zip(Level::all().skip(1)) {
        pair(Spec::Level(level), Spec::Level(below), games, nodes)?;
    }
    Ok(())
}

fn pair(first: Spec, second: Spec, games: u64, nodes: u64) -> Result<(), Box<dyn Error>> {
    let rules = Rules::GAME;
    let mut points = Vec::new();
    for seed in 0..games.div_ceil(2) {
        let mut bots = [
            backgammon::build(first, &rules, seed)?,
            backgammon::build(second, &rules, seed)?,
        ];
        let one = play(&mut bots, nodes, seed);
        bots.swap(0, 1);
        points.push(f64::from(one - play(&mut bots, nodes, seed)) / 2.0);
    }
    let n = points.len() as f64;
    let mean = points.iter().sum::<f64>() / n;
    let variance = points.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    println!(
        "{first} against {second}: {mean:+.3} ({:.3})",
        (variance / n).sqrt()
    );
    Ok(())
}

/// Plays a game with these dice and returns the points of white.
fn play(bots: &mut [Box<dyn Strategy<Game>>; 2], nodes: u64, seed: u64) -> i32 {
    let (mut game, mut rng) = (Game::new(Rules::GAME), Prng::seed_from_u64(seed));
    let mut chances: Vec<(Chance, u32)> = Vec::new();
    loop {
        match game.turn() {
            Turn::Over(outcome) => return outcome.payoff(WHITE, 2),
            Turn::Chance => {
                game.chances_into(&mut chances);
                let Some(chance) = choose_weighted(&mut rng, &chances).copied() else {
                    return 0;
                };
                game.resolve(&chance);
            }
            Turn::Move(seat) => match bots[seat.index()].choose(&game, &mut Nodes(nodes)) {
                Some(choice) => game.play(&choice.mv),
                None => return 0,
            },
        }
    }
}
