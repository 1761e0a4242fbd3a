//! `parlor perft`: counting the ways a game can go on.

use std::io::Write;

use clap::Args;
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::game::Place;

/// Counts the ways to play so many moves, the classic check of a move generator.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor perft mnk --depth 9
  parlor perft mnk --depth 4 --moves '1,1 0,0' --divide
  parlor perft mnk --rows 4 --columns 4 --depth 5 --json")]
pub struct Perft {
    #[command(flatten)]
    place: Place,
    /// How many moves to play
    #[arg(long, short, value_name = "N")]
    depth: u32,
    /// Also count behind each first move
    #[arg(long)]
    divide: bool,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

/// Prints the count; the plain form has the number alone on its last line.
pub fn run(args: &Perft, out: &mut dyn Write) -> Result<(), Failure> {
    let position = args.place.find()?;
    let divided = (args.divide && args.depth > 0).then(|| position.divide(args.depth));
    // Where luck is to decide first, no move comes first and nothing is divided.
    let by_move = divided.filter(|parts| !parts.is_empty());
    let nodes = match &by_move {
        Some(parts) => parts.iter().map(|(_, leaves)| leaves).sum(),
        None => position.perft(args.depth),
    };
    if args.json {
        let mut json = json!({
            "game": args.place.kind().name(), "position": position.text(), "depth": args.depth, "nodes": nodes,
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
