//! `parlor import`: games of other programs as records.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use clap::builder::PossibleValuesParser;
use parlor_games::GameKind;
use parlor_table::{Record, TableId, Timestamp};

use crate::failure::Failure;
use crate::source;

/// Reads games that other programs wrote, checks every step by the rules, and writes them as records.
#[derive(Args, Debug)]
#[command(after_help = "\
A match becomes one record; of a session of single games each becomes a record, one per line.
The luck of such a game was not drawn here, so its record says that it was typed in by hand.

Examples:
  parlor import match.mat > match.json
  parlor import - --format sgf < game.sgf")]
pub struct Import {
    /// A file, or - for standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The format; the end of the file's name when not said
    #[arg(long)]
    format: Option<String>,
    /// Which game it is of, where more than one has the format
    #[arg(long, value_parser = PossibleValuesParser::new(GameKind::ALL.iter().map(|kind| kind.name())))]
    game: Option<String>,
}

pub fn run(args: &Import, out: &mut dyn Write) -> Result<(), Failure> {
    let format = args.format.clone().or_else(|| {
        Path::new(&args.file)
            .extension()
            .and_then(|extension| extension.to_str())
            .map(str::to_ascii_lowercase)
    });
    let format = format
        .ok_or_else(|| Failure::Refused("name the format: --format mat or sgf".to_owned()))?;
    let kind = kind(args, &format)?;
    let refused =
        |reason: &dyn std::fmt::Display| Failure::Refused(format!("{}: {reason}", args.file));
    let bytes = source::read(&args.file).map_err(|reason| refused(&reason))?;
    let text = String::from_utf8_lossy(&bytes);
    let stories = kind
        .import(&format, &text)
        .map_err(|reason| refused(&reason))?;
    let now = now(&args.file);
    for (n, story) in (0u64..).zip(&stories) {
        let record = Record::told(kind, TableId::fresh(now, n), now, story)
            .map_err(|reason| refused(&reason))?;
        let text = if stories.len() == 1 {
            serde_json::to_string_pretty(&record)
        } else {
            serde_json::to_string(&record)
        };
        writeln!(out, "{}", text.map_err(Failure::refused)?)?;
    }
    Ok(())
}

/// The game whose format it is.
fn kind(args: &Import, format: &str) -> Result<GameKind, Failure> {
    if let Some(name) = &args.game {
        return GameKind::from_name(name).map_err(Failure::refused);
    }
    let has = |kind: &&GameKind| kind.formats().iter().any(|known| known.name == format);
    GameKind::ALL.iter().find(has).copied().ok_or_else(|| {
        let read = GameKind::ALL
            .iter()
            .flat_map(|kind| kind.formats())
            .filter(|format| format.is_read);
        let known: Vec<&str> = read.map(|format| format.name).collect();
        Failure::Refused(format!(
            "no game has a format {format:?}; there are {}",
            known.join(", ")
        ))
    })
}

/// When the file was written, as far as is known.
fn now(file: &str) -> Timestamp {
    let written = fs::metadata(file)
        .and_then(|about| about.modified())
        .unwrap_or_else(|_| SystemTime::now());
    let millis = written
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis());
    Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
}
