//! `parlor perft`: counting of move sequences.

use std::io::Write;

use clap::Args;
use serde_json::{Map, Value, json};

use crate::error::CommandError;
use crate::game_args::PositionArgs;

/// Count all move sequences of a given length, the classic test of a move generator.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor perft mnk --depth 9
  parlor perft mnk --depth 4 --moves '1,1 0,0' --divide
  parlor perft mnk --rows 4 --columns 4 --depth 5 --json")]
pub struct PerftArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Length of the sequences in moves
    #[arg(long, short, value_name = "N")]
    depth: u32,
    /// Show the count for each first move as well
    #[arg(long)]
    divide: bool,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

/// Prints the count; without `--json` it is alone on the last line.
pub fn run(args: &PerftArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let position = args.position.to_position()?;
    let divided = (args.divide && args.depth > 0).then(|| position.divide(args.depth));
    // If luck comes first, there is no first move to divide by.
    let by_move = divided.filter(|parts| !parts.is_empty());
    let nodes = match &by_move {
        Some(parts) => parts.iter().map(|(_, leaves)| leaves).sum(),
        None => position.perft(args.depth),
    };
    if args.json {
        let mut json = json!({
            "game": args.position.kind().name(), "position": position.text(), "depth": args.depth, "nodes": nodes,
        });
        if args.divide {
            let parts = by_move
                .unwrap_or_default()
                .into_iter()
                .map(|(text, leaves)| (text, leaves.into()));
            json["divide"] = Value::Object(parts.collect::<Map<_, _>>());
        }
        writeln!(out, "{json}")?;
    } else {
        for (text, leaves) in by_move.unwrap_or_default() {
            writeln!(out, "{text}: {leaves}")?;
        }
        writeln!(out, "{nodes}")?;
    }
    Ok(())
}
