//! `parlor export`: records in other formats.

use std::fs;
use std::io::Write;

use clap::Args;
use parlor_core::Turn;
use parlor_games::{AnyPosition, GameKind};
use parlor_table::{Record, Step};

use crate::failure::Failure;
use crate::source;

/// Formats that every game has, beside those of its own.
const COMMON: [&str; 3] = ["json", "txt", "svg"];

/// Writes a record in another format: for other programs, to read, or as a picture.
#[derive(Args, Debug)]
#[command(after_help = "\
Formats of every game: json (the record itself), txt (the moves and the last board), svg (a picture).
Backgammon also has mat and sgf, which GNU Backgammon and others read. Pandemic also has log, the whole game told turn by turn.

Examples:
  parlor export game.json --format mat --output game.mat
  parlor export http://127.0.0.1:8080/t/0c5m8xq3k2a --format svg --step 12 > board.svg")]
pub struct Export {
    /// A file, an http address of a table or record, or - for standard input
    #[arg(value_name = "FILE|URL")]
    record: String,
    /// What to write
    #[arg(long, default_value = "json")]
    format: String,
    /// Show the board after so many moves and draws (txt and svg)
    #[arg(long, value_name = "N")]
    step: Option<usize>,
    /// Write here instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<String>,
}

pub fn run(args: &Export, out: &mut dyn Write) -> Result<(), Failure> {
    let bytes = source::read(&args.record)
        .map_err(|reason| Failure::Refused(format!("{}: {reason}", args.record)))?;
    let record: Record = serde_json::from_slice(&bytes).map_err(|error| {
        Failure::Refused(format!(
            "{}: this is no record of a game: {error}",
            args.record
        ))
    })?;
    let text = written(&record, &args.format, args.step)?;
    match &args.output {
        None => out.write_all(text.as_bytes())?,
        Some(file) => {
            fs::write(file, text).map_err(|error| Failure::Refused(format!("{file}: {error}")))?
        }
    }
    Ok(())
}

fn written(record: &Record, format: &str, step: Option<usize>) -> Result<String, Failure> {
    let kind = GameKind::from_name(&record.game).map_err(Failure::refused)?;
    match format {
        "json" => Ok(serde_json::to_string_pretty(record).map_err(Failure::refused)? + "\n"),
        "svg" => {
            at(record, kind, step).map(|(position, last)| position.svg(last.as_deref()) + "\n")
        }
        "txt" => told(record, kind, step),
        other if kind.formats().iter().any(|format| format.name == other) => kind
            .export(other, &record.story())
            .map_err(Failure::refused),
        other => {
            let own = kind.formats().iter().map(|format| format.name);
            let all: Vec<&str> = COMMON.into_iter().chain(own).collect();
            Err(Failure::Refused(format!(
                "{kind} is not written as {other:?}; there are {}",
                all.join(", ")
            )))
        }
    }
}

/// The position after so many steps of the record, and the last move that shows.
fn at(
    record: &Record,
    kind: GameKind,
    step: Option<usize>,
) -> Result<(AnyPosition, Option<String>), Failure> {
    let steps = match step {
        Some(step) => record.log.get(..step).ok_or_else(|| {
            Failure::Refused(format!(
                "there is no step {step}: the record has {}",
                record.log.len()
            ))
        })?,
        None => &record.log[..],
    };
    let mut position = kind.start(&record.options).map_err(Failure::refused)?;
    let mut last = None;
    for step in steps {
        match step {
            Step::Chance { chance, .. } => position.resolve(chance).map_err(Failure::refused)?,
            Step::Move { seat, text, .. } => {
                let seat = parlor_core::Seat::new(*seat).map_err(Failure::refused)?;
                let text = position.play(text, seat).map_err(Failure::refused)?;
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

/// Every step in words, and the board at the end.
fn told(record: &Record, kind: GameKind, step: Option<usize>) -> Result<String, Failure> {
    let (end, last) = at(record, kind, step)?;
    let mut text = format!("{}, table {}\n", kind.title(), record.table);
    for player in &record.players {
        let seat = parlor_core::Seat::new(player.seat).map_err(Failure::refused)?;
        text.push_str(&format!(
            "{}: {}\n",
            end.seat_name(seat),
            player.name.as_deref().unwrap_or("nobody")
        ));
    }
    text.push('\n');
    let mut position = kind.start(&record.options).map_err(Failure::refused)?;
    for (n, step) in record
        .log
        .iter()
        .take(step.unwrap_or(usize::MAX))
        .enumerate()
    {
        let line = match step {
            Step::Chance { chance, .. } => {
                let label = position
                    .told(chance)
                    .unwrap_or_else(|| position.chance_label(chance));
                position.resolve(chance).map_err(Failure::refused)?;
                label
            }
            Step::Move { seat, text, .. } => {
                let seat = parlor_core::Seat::new(*seat).map_err(Failure::refused)?;
                let told = position
                    .told(text)
                    .unwrap_or_else(|| position.written(text));
                let line = format!("{}: {told}", position.seat_name(seat));
                position.play(text, seat).map_err(Failure::refused)?;
                line
            }
        };
        text.push_str(&format!("{:>4}. {line}\n", n + 1));
    }
    text.push_str(&format!("\n{}", end.terminal(last.as_deref())));
    if let Turn::Over(outcome) = end.turn() {
        let names: Vec<String> = record.story().names;
        text.push_str(&format!("{}\n", end.result(outcome.into(), &names)));
    }
    Ok(text)
}
