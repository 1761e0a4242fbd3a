//! `parlor bench`: the speed of a game on one thread of this machine, and bots against each other.

mod bots;

use std::io::Write;
use std::time::{Duration, Instant};

use clap::Args;
use parlor_games::AnyPosition;
use serde::Serialize;

use crate::error::CommandError;
use crate::game_args::PositionArgs;

/// Measure playouts, perft nodes and tree search simulations per second on one thread.
///
/// For games with a neural net, also its evaluations per second in self-play. With --bots, bots play
/// whole games against each other instead, and their results are counted.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor bench mnk
  parlor bench mnk --rows 15 --columns 15 -k 5 --json
  parlor bench ultimate --bots level:4,level:3 --games 100 --nodes 5000")]
pub struct BenchArgs {
    #[command(flatten)]
    contest: bots::ContestArgs,
    #[command(flatten)]
    position: PositionArgs,
    /// Minimum duration of each measurement, in seconds
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
    number.ok_or_else(|| "expected a number of seconds from 0.001 to 600".to_owned())
}

#[derive(Serialize)]
struct BenchReport {
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

pub fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    if args.contest.is_wanted() {
        return bots::run(&args.contest, &args.position, args.json, out);
    }
    let position = args.position.to_position()?;
    if position.turn().is_over() {
        return Err(CommandError::Other(
            "the game is over in this position; there is nothing to measure".into(),
        ));
    }
    let duration = Duration::from_secs_f64(args.seconds);
    let (playouts, plies) = playouts(&position, duration);
    let (perft_depth, perft) = perft(&position, duration);
    let report = BenchReport {
        game: args.position.kind().name(),
        position: position.text(),
        playouts_per_second: playouts,
        plies_per_playout: plies,
        perft_depth,
        perft_nodes_per_second: perft,
        mcts_simulations_per_second: simulations(&position, duration),
        evaluations_per_second: evaluations(&position, duration),
    };
    if args.json {
        writeln!(
            out,
            "{}",
            serde_json::to_string(&report).map_err(CommandError::other)?
        )?;
        return Ok(());
    }
    writeln!(out, "position            {}", report.position)?;
    writeln!(
        out,
        "random playouts/s   {:.0} ({:.1} moves each)",
        report.playouts_per_second, report.plies_per_playout
    )?;
    writeln!(
        out,
        "perft nodes/s       {:.0} (depth {})",
        report.perft_nodes_per_second, report.perft_depth
    )?;
    writeln!(
        out,
        "mcts simulations/s  {:.0}",
        report.mcts_simulations_per_second
    )?;
    if let Some(evaluations) = report.evaluations_per_second {
        writeln!(out, "net evaluations/s   {evaluations:.0}")?;
    }
    Ok(())
}

/// Measures playouts per second and moves per playout.
fn playouts(position: &AnyPosition, duration: Duration) -> (f64, f64) {
    let (mut games, mut plies, mut batch) = (0, 0, 1);
    let start = Instant::now();
    while start.elapsed() < duration {
        let played = position.playouts(batch, games);
        games += played.games;
        plies += played.plies;
        batch = (batch * 2).min(4096);
    }
    (
        games as f64 / start.elapsed().as_secs_f64(),
        plies as f64 / games as f64,
    )
}

/// Finds the deepest perft that fits into the time and measures its nodes per second. Returns depth
/// and speed.
fn perft(position: &AnyPosition, duration: Duration) -> (u32, f64) {
    let (mut depth, mut nodes) = (1, position.perft(1));
    loop {
        let lap = Instant::now();
        let deeper = position.perft(depth + 1);
        if deeper == 0 {
            break; // every game ends earlier
        }
        let growth = deeper as f64 / nodes.max(1) as f64;
        (depth, nodes) = (depth + 1, deeper);
        if lap.elapsed().as_secs_f64() * growth > duration.as_secs_f64() {
            break;
        }
    }
    let (mut counted, start) = (0, Instant::now());
    while counted == 0 || start.elapsed() < duration {
        counted += position.perft(depth);
    }
    (
        depth,
        counted as f64 / start.elapsed().as_secs_f64().max(1e-9),
    )
}

/// Measures simulations per second of a tree search with random playouts, restarted whenever it
/// ends.
fn simulations(position: &AnyPosition, duration: Duration) -> f64 {
    const PER_SEARCH: u64 = 20_000;
    let (mut nodes, start) = (0, Instant::now());
    for seed in 0.. {
        let done = position.simulations(PER_SEARCH, seed);
        nodes += done;
        if done == 0 || start.elapsed() >= duration {
            break;
        }
    }
    nodes as f64 / start.elapsed().as_secs_f64()
}

/// Measures evaluations per second of the game's neural net in self-play; `None` if it has none.
fn evaluations(position: &AnyPosition, duration: Duration) -> Option<f64> {
    const GAMES: u64 = 20;
    // Load the net before the measurement begins.
    position.evaluations(0, 0)?;
    let (mut evaluated, start) = (0, Instant::now());
    for seed in 0.. {
        evaluated += position.evaluations(GAMES, seed)?;
        if start.elapsed() >= duration {
            break;
        }
    }
    Some(evaluated as f64 / start.elapsed().as_secs_f64())
}
