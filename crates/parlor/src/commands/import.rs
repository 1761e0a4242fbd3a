//! `parlor import`: conversion of other programs' games to records.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use clap::builder::PossibleValuesParser;
use parlor_games::GameKind;
use parlor_table::{Record, TableId, Timestamp};

use crate::error::CommandError;
use crate::source;

/// Convert games written by other programs to records, checking every step by the rules.
#[derive(Args, Debug)]
#[command(after_help = "\
A match becomes one record, and each game of a session a record of its own, one per line.
The records say that luck was entered by hand, because it was not drawn here.

Examples:
  parlor import match.mat > match.json
  parlor import - --format sgf < game.sgf")]
pub struct ImportArgs {
    /// A file, or - for standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The format; by default the file name's extension
    #[arg(long)]
    format: Option<String>,
    /// The game, if several games have the format
    #[arg(long, value_parser = PossibleValuesParser::new(GameKind::all().iter().map(|kind| kind.name())))]
    game: Option<String>,
}

pub fn run(args: &ImportArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let format = args.format.clone().or_else(|| {
        Path::new(&args.file)
            .extension()
            .and_then(|extension| extension.to_str())
            .map(str::to_ascii_lowercase)
    });
    let format =
        format.ok_or_else(|| CommandError::Other("unknown format; pass --format".to_owned()))?;
    let kind = game_with_format(args, &format)?;
    let refused =
        |reason: &dyn std::fmt::Display| CommandError::Other(format!("{}: {reason}", args.file));
    let bytes = source::read(&args.file).map_err(|reason| refused(&reason))?;
    let text = String::from_utf8_lossy(&bytes);
    let stories = kind
        .import(&format, &text)
        .map_err(|reason| refused(&reason))?;
    let written_at = modified_at(&args.file);
    for (n, story) in (0u64..).zip(&stories) {
        let record = Record::from_story(kind, TableId::fresh(written_at, n), written_at, story)
            .map_err(|reason| refused(&reason))?;
        let text = if stories.len() == 1 {
            serde_json::to_string_pretty(&record)
        } else {
            serde_json::to_string(&record)
        };
        writeln!(out, "{}", text.map_err(CommandError::other)?)?;
    }
    Ok(())
}

/// Returns the game that has the format.
fn game_with_format(args: &ImportArgs, format: &str) -> Result<GameKind, CommandError> {
    if let Some(name) = &args.game {
        return GameKind::from_name(name).map_err(CommandError::other);
    }
    let has = |kind: &&GameKind| kind.formats().iter().any(|known| known.name == format);
    GameKind::all().iter().find(has).copied().ok_or_else(|| {
        let read = GameKind::all()
            .iter()
            .flat_map(|kind| kind.formats())
            .filter(|format| format.is_read);
        let known: Vec<&str> = read.map(|format| format.name).collect();
        CommandError::Other(format!(
            "no game has a format {format:?}; known formats: {}",
            known.join(", ")
        ))
    })
}

/// Returns the modification time of a file, or the current time if it is unknown.
fn modified_at(file: &str) -> Timestamp {
    let written = fs::metadata(file)
        .and_then(|about| about.modified())
        .unwrap_or_else(|_| SystemTime::now());
    let millis = written
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis());
    Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
}
