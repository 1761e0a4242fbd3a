//! `parlor legal`: the legal moves of positions.

use std::io::{self, BufReader, Write};

use clap::Args;
use parlor_games::{AnyPosition, GameKind};
use serde::Serialize;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::game::Place;
use crate::lines;

/// Lists the legal moves of a position, or of many positions read from standard input.
#[derive(Args, Debug)]
#[command(after_help = "\
With --jsonl every line of standard input is a position in the game's JSON form, and every line of the answer is
{\"moves\":[{\"move\":\"1,1\", ... the position after it ...}]}, or {\"error\":\"...\"} for a line that is no position.

Examples:
  parlor legal mnk --moves '1,1 0,0'
  parlor legal mnk --position '3x3x3 XO XX./OO./...' --json
  echo '{\"board\":[[\"X\",null,null],[null,\"O\",null],[null,null,null]]}' | parlor legal mnk --jsonl")]
pub struct Legal {
    #[command(flatten)]
    place: Place,
    /// Read positions from standard input, one JSON object per line
    #[arg(long, conflicts_with_all = ["position", "moves"])]
    jsonl: bool,
    /// Print one line of JSON, with the position after each move
    #[arg(long)]
    json: bool,
}

/// The answer for one position.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Moves { moves: Vec<Reply> },
    Error { error: String },
}

/// A move and the view of the position after it.
#[derive(Serialize)]
struct Reply {
    #[serde(rename = "move")]
    text: String,
    #[serde(flatten)]
    after: Value,
}

pub fn run(args: &Legal, out: &mut dyn Write) -> Result<(), Failure> {
    if args.jsonl && args.place.has_options() {
        return Err(Failure::Refused(
            "with --jsonl every position says what it is: leave the game's options out".into(),
        ));
    }
    if args.jsonl {
        return jsonl(
            args.place.kind(),
            &mut BufReader::new(io::stdin().lock()),
            out,
        );
    }
    let position = args.place.find()?;
    if args.json {
        return answer(
            out,
            &Answer::Moves {
                moves: replies(&position),
            },
        );
    }
    for legal in position.legal() {
        writeln!(out, "{}", legal.text)?;
    }
    Ok(())
}

fn jsonl(
    kind: GameKind,
    input: &mut BufReader<impl io::Read>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    while let Some(line) =
        lines::next(input).map_err(|error| Failure::Refused(format!("standard input: {error}")))?
    {
        let position = line
            .map_err(|error| error.to_string())
            .and_then(|line| read(kind, &line));
        let said = match position {
            Ok(position) => Answer::Moves {
                moves: replies(&position),
            },
            Err(error) => Answer::Error { error },
        };
        answer(out, &said)?;
        if input.buffer().is_empty() {
            out.flush()?; // somebody may be waiting for this answer before asking again
        }
    }
    Ok(())
}

fn read(kind: GameKind, line: &[u8]) -> Result<AnyPosition, String> {
    let json: Value =
        serde_json::from_slice(line).map_err(|error| format!("the line is not JSON: {error}"))?;
    kind.position_from_json(&json)
        .map_err(|error| error.to_string())
}

fn replies(position: &AnyPosition) -> Vec<Reply> {
    let reply = |legal: parlor_games::LegalMove| {
        let mut after = position.clone();
        after
            .play(&legal.text, legal.seat)
            .expect("a legal move can be played");
        Reply {
            after: after.view(Some(&legal.text)),
            text: position.written(&legal.text),
        }
    };
    position.legal().into_iter().map(reply).collect()
}

fn answer(out: &mut dyn Write, answer: &Answer) -> Result<(), Failure> {
    let text = serde_json::to_string(answer)
        .unwrap_or_else(|error| json!({"error": error.to_string()}).to_string());
    writeln!(out, "{text}")?;
    Ok(())
}
