//! `parlor legal`: legal moves of positions.

use std::io::{self, BufReader, Write};

use clap::Args;
use parlor_games::{AnyPosition, GameKind};
use serde::Serialize;
use serde_json::{Value, json};

use crate::error::CommandError;
use crate::game_args::PositionArgs;
use crate::lines;

/// List the legal moves of a position, or of many positions from standard input.
#[derive(Args, Debug)]
#[command(after_help = "\
With --jsonl every line of standard input is a position in the game's JSON form. Every line of output is
{\"moves\":[{\"move\":\"1,1\", ... the position after it ...}]}, or {\"error\":\"...\"} for an invalid position.

Examples:
  parlor legal mnk --moves '1,1 0,0'
  parlor legal mnk --position '3x3x3 XO XX./OO./...' --json
  echo '{\"board\":[[\"X\",null,null],[null,\"O\",null],[null,null,null]]}' | parlor legal mnk --jsonl")]
pub struct LegalArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Read positions from standard input, one JSON object per line
    #[arg(long, conflicts_with_all = ["position", "moves"])]
    jsonl: bool,
    /// Print one line of JSON, with the position after each move
    #[arg(long)]
    json: bool,
}

/// Output for one position.
#[derive(Serialize)]
#[serde(untagged)]
enum LegalOutput {
    Moves { moves: Vec<MoveOutput> },
    Error { error: String },
}

/// A move, and the view of the position after it.
#[derive(Serialize)]
struct MoveOutput {
    #[serde(rename = "move")]
    text: String,
    #[serde(flatten)]
    after: Value,
}

pub fn run(args: &LegalArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    if args.jsonl && args.position.has_options() {
        return Err(CommandError::Other(
            "with --jsonl every position includes its options; remove the others".into(),
        ));
    }
    if args.jsonl {
        return answer_lines(
            args.position.kind(),
            &mut BufReader::new(io::stdin().lock()),
            out,
        );
    }
    let position = args.position.to_position()?;
    if args.json {
        return print(
            out,
            &LegalOutput::Moves {
                moves: moves_of(&position),
            },
        );
    }
    for legal in position.legal() {
        writeln!(out, "{}", legal.text)?;
    }
    Ok(())
}

fn answer_lines(
    kind: GameKind,
    input: &mut BufReader<impl io::Read>,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    while let Some(line) = lines::read_line(input)
        .map_err(|error| CommandError::Other(format!("standard input: {error}")))?
    {
        let position = line
            .map_err(|error| error.to_string())
            .and_then(|line| parse_position(kind, &line));
        let output = match position {
            Ok(position) => LegalOutput::Moves {
                moves: moves_of(&position),
            },
            Err(error) => LegalOutput::Error { error },
        };
        print(out, &output)?;
        if input.buffer().is_empty() {
            out.flush()?; // a client may wait for this line before it writes the next
        }
    }
    Ok(())
}

fn parse_position(kind: GameKind, line: &[u8]) -> Result<AnyPosition, String> {
    let json: Value =
        serde_json::from_slice(line).map_err(|error| format!("the line is not JSON: {error}"))?;
    kind.position_from_json(&json)
        .map_err(|error| error.to_string())
}

fn moves_of(position: &AnyPosition) -> Vec<MoveOutput> {
    let to_output = |legal: parlor_games::LegalMove| {
        let mut after = position.clone();
        after
            .play(&legal.text, legal.seat)
            .expect("a legal move can be played");
        MoveOutput {
            after: after.view(Some(&legal.text)),
            text: position.notation(&legal.text),
        }
    };
    position.legal().into_iter().map(to_output).collect()
}

fn print(out: &mut dyn Write, output: &LegalOutput) -> Result<(), CommandError> {
    let text = serde_json::to_string(output)
        .unwrap_or_else(|error| json!({"error": error.to_string()}).to_string());
    writeln!(out, "{text}")?;
    Ok(())
}
