//! `parlor bench`: how fast a game is on this machine, on one thread.

use std::io::Write;
use std::time::{Duration, Instant};

use clap::Args;
use parlor_games::AnyPosition;
use serde::Serialize;

use crate::failure::Failure;
use crate::game::Place;

/// Measures random playouts, perft nodes and tree search simulations per second, on one thread.
///
/// Where a net judges positions, also how many it judges per second in games against itself, with everything that belongs to playing them.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor bench mnk
  parlor bench mnk --rows 15 --columns 15 -k 5 --json")]
pub struct Bench {
    #[command(flatten)]
    place: Place,
    /// How long each measurement takes at least, in seconds
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = seconds)]
    seconds: f64,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|s: &f64| (0.001..=600.0).contains(s));
    number.ok_or_else(|| "a number of seconds from 0.001 to 600".to_owned())
}

#[derive(Serialize)]
struct Figures {
    game: &'static str,
    position: String,
    playouts_per_second: f64,
    plies_per_playout: f64,
    perft_depth: u32,
    perft_nodes_per_second: f64,
    mcts_simulations_per_second: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluations_per_second: Option<f64>,
}

pub fn run(args: &Bench, out: &mut dyn Write) -> Result<(), Failure> {
    let position = args.place.find()?;
    if position.turn().is_over() {
        return Err(Failure::Refused(
            "the game is over in this position: there is nothing to measure".into(),
        ));
    }
    let least = Duration::from_secs_f64(args.seconds);
    let (playouts, plies) = playouts(&position, least);
    let (perft_depth, perft) = perft(&position, least);
    let figures = Figures {
        game: args.place.kind().name(),
        position: position.text(),
        playouts_per_second: playouts,
        plies_per_playout: plies,
        perft_depth,
        perft_nodes_per_second: perft,
        mcts_simulations_per_second: simulations(&position, least),
        evaluations_per_second: evaluations(&position, least),
    };
    if args.json {
        writeln!(
            out,
            "{}",
            serde_json::to_string(&figures).map_err(Failure::refused)?
        )?;
        return Ok(());
    }
    writeln!(out, "position            {}", figures.position)?;
    writeln!(
        out,
        "random playouts/s   {:.0} ({:.1} moves each)",
        figures.playouts_per_second, figures.plies_per_playout
    )?;
    writeln!(
        out,
        "perft nodes/s       {:.0} (depth {})",
        figures.perft_nodes_per_second, figures.perft_depth
    )?;
    writeln!(
        out,
        "mcts simulations/s  {:.0}",
        figures.mcts_simulations_per_second
    )?;
    if let Some(evaluations) = figures.evaluations_per_second {
        writeln!(out, "net evaluations/s   {evaluations:.0}")?;
    }
    Ok(())
}

/// Playouts per second, and moves in each.
fn playouts(position: &AnyPosition, least: Duration) -> (f64, f64) {
    let (mut games, mut plies, mut batch) = (0, 0, 1);
    let begin = Instant::now();
    while begin.elapsed() < least {
        let played = position.playouts(batch, games);
        games += played.games;
        plies += played.plies;
        batch = (batch * 2).min(4096);
    }
    (
        games as f64 / begin.elapsed().as_secs_f64(),
        plies as f64 / games as f64,
    )
}

/// The deepest perft that fits into the time, repeated until the time is over, and its nodes per second.
fn perft(position: &AnyPosition, least: Duration) -> (u32, f64) {
    let (mut depth, mut nodes) = (1, position.perft(1));
    loop {
        let lap = Instant::now();
        let deeper = position.perft(depth + 1);
        if deeper == 0 {
            break; // every game ends before
        }
        let growth = deeper as f64 / nodes.max(1) as f64;
        (depth, nodes) = (depth + 1, deeper);
        if lap.elapsed().as_secs_f64() * growth > least.as_secs_f64() {
            break;
        }
    }
    let (mut counted, begin) = (0, Instant::now());
    while counted == 0 || begin.elapsed() < least {
        counted += position.perft(depth);
    }
    (
        depth,
        counted as f64 / begin.elapsed().as_secs_f64().max(1e-9),
    )
}

/// Simulations per second of a tree search with random playouts, begun anew whenever it ends.
fn simulations(position: &AnyPosition, least: Duration) -> f64 {
    const PER_SEARCH: u64 = 20_000;
    let (mut nodes, begin) = (0, Instant::now());
    for seed in 0.. {
        let done = position.simulations(PER_SEARCH, seed);
        nodes += done;
        if done == 0 || begin.elapsed() >= least {
            break;
        }
    }
    nodes as f64 / begin.elapsed().as_secs_f64()
}

/// Positions that a net judges per second in games against itself; `None` where there is no such net.
fn evaluations(position: &AnyPosition, least: Duration) -> Option<f64> {
    const GAMES: u64 = 20;
    // What is made when it is first needed does not count.
    position.evaluations(0, 0)?;
    let (mut judged, begin) = (0, Instant::now());
    for seed in 0.. {
        judged += position.evaluations(GAMES, seed)?;
        if begin.elapsed() >= least {
            break;
        }
    }
    Some(judged as f64 / begin.elapsed().as_secs_f64())
}
