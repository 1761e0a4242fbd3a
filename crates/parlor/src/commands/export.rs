//! `parlor export`: conversion of records to other formats.

use std::fs;
use std::io::Write;

use clap::Args;
use parlor_core::Turn;
use parlor_games::{AnyPosition, GameKind};
use parlor_table::{Record, RecordStep};

use crate::error::CommandError;
use crate::source;

/// Formats of every game, in addition to its own.
const COMMON_FORMATS: [&str; 3] = ["json", "txt", "svg"];

/// Convert a record to another format: for other programs, as readable text, or as a picture.
#[derive(Args, Debug)]
#[command(after_help = "\
Formats of every game: json (the record itself), txt (the moves and the final board), svg (a picture).
Backgammon also has mat and sgf, which GNU Backgammon and others read. Pandemic also has log, the game narrated turn by turn.

Examples:
  parlor export game.json --format mat --output game.mat
  parlor export http://127.0.0.1:8080/t/0c5m8xq3k2a --format svg --step 12 > board.svg")]
pub struct ExportArgs {
    /// A file, the http URL of a table or record, or - for standard input
    #[arg(value_name = "FILE|URL")]
    record: String,
    /// The format
    #[arg(long, default_value = "json")]
    format: String,
    /// Stop after this many moves and draws (txt and svg)
    #[arg(long, value_name = "N")]
    step: Option<usize>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<String>,
}

pub fn run(args: &ExportArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let bytes = source::read(&args.record)
        .map_err(|reason| CommandError::Other(format!("{}: {reason}", args.record)))?;
    let record: Record = serde_json::from_slice(&bytes).map_err(|error| {
        CommandError::Other(format!("{}: not a record of a game: {error}", args.record))
    })?;
    let text = render(&record, &args.format, args.step)?;
    match &args.output {
        None => out.write_all(text.as_bytes())?,
        Some(file) => fs::write(file, text)
            .map_err(|error| CommandError::Other(format!("{file}: {error}")))?,
    }
    Ok(())
}

fn render(record: &Record, format: &str, step: Option<usize>) -> Result<String, CommandError> {
    let kind = GameKind::from_name(&record.game).map_err(CommandError::other)?;
    match format {
        "json" => Ok(serde_json::to_string_pretty(record).map_err(CommandError::other)? + "\n"),
        "svg" => position_after(record, kind, step)
            .map(|(position, last)| position.svg(last.as_deref()) + "\n"),
        "txt" => to_text(record, kind, step),
        other if kind.formats().iter().any(|format| format.name == other) => kind
            .export(other, &record.to_story())
            .map_err(CommandError::other),
        other => {
            let formats = kind.formats();
            let own = formats.iter().map(|format| format.name);
            let all: Vec<&str> = COMMON_FORMATS.into_iter().chain(own).collect();
            Err(CommandError::Other(format!(
                "{kind} has no format {other:?}; it has {}",
                all.join(", ")
            )))
        }
    }
}

/// Returns the position after a number of steps, all by default, and the last move to highlight.
fn position_after(
    record: &Record,
    kind: GameKind,
    step: Option<usize>,
) -> Result<(AnyPosition, Option<String>), CommandError> {
    let steps = match step {
        Some(step) => record.log.get(..step).ok_or_else(|| {
            CommandError::Other(format!(
                "there is no step {step}; the record has {}",
                record.log.len()
            ))
        })?,
        None => &record.log[..],
    };
    let mut position = kind.start(&record.options).map_err(CommandError::other)?;
    let mut last = None;
    for step in steps {
        match step {
            RecordStep::Chance { chance, .. } => {
                position.resolve(chance).map_err(CommandError::other)?
            }
            RecordStep::Move { seat, text, .. } => {
                let seat = parlor_core::Seat::new(*seat).map_err(CommandError::other)?;
                let text = position.play(text, seat).map_err(CommandError::other)?;
                last = if position.leaves_mark(&text) {
                    Some(text)
                } else {
                    last
                };
            }
        }
    }
    Ok((position, last))
}

/// Describes every step in words and draws the board at the end.
fn to_text(record: &Record, kind: GameKind, step: Option<usize>) -> Result<String, CommandError> {
    let (end, last) = position_after(record, kind, step)?;
    let mut text = format!("{}, table {}\n", kind.title(), record.table);
    for player in &record.players {
        let seat = parlor_core::Seat::new(player.seat).map_err(CommandError::other)?;
        text.push_str(&format!(
            "{}: {}\n",
            end.seat_name(seat),
            player.name.as_deref().unwrap_or("nobody")
        ));
    }
    text.push('\n');
    let mut position = kind.start(&record.options).map_err(CommandError::other)?;
    for (n, step) in record
        .log
        .iter()
        .take(step.unwrap_or(usize::MAX))
        .enumerate()
    {
        let line = match step {
            RecordStep::Chance { chance, .. } => {
                let label = position
                    .narrate(chance)
                    .unwrap_or_else(|| position.chance_label(chance));
                position.resolve(chance).map_err(CommandError::other)?;
                label
            }
            RecordStep::Move { seat, text, .. } => {
                let seat = parlor_core::Seat::new(*seat).map_err(CommandError::other)?;
                let move_text = position
                    .narrate(text)
                    .unwrap_or_else(|| position.notation(text));
                let line = format!("{}: {move_text}", position.seat_name(seat));
                position.play(text, seat).map_err(CommandError::other)?;
                line
            }
        };
        text.push_str(&format!("{:>4}. {line}\n", n + 1));
    }
    text.push_str(&format!("\n{}", end.terminal(last.as_deref())));
    if let Turn::Over(outcome) = end.turn() {
        let names: Vec<String> = record.to_story().names;
        text.push_str(&format!("{}\n", end.result(outcome.into(), &names)));
    }
    Ok(text)
}
