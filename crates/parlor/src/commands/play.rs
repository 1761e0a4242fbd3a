//! `parlor play`: games in the terminal.

mod advice;
mod app;
mod draw;
mod fullscreen;
mod plain;
mod session;

use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::error::CommandError;
use crate::game_args::GameArgs;
use session::{SessionConfig, TerminalSession};

/// Play a game in the terminal, with people and bots in any seats.
///
/// In a terminal the game takes the full screen: use arrows or hjkl and Enter, the mouse, or `:` and
/// a move; `q` quits. Otherwise, or with --plain, it is played line by line; `quit` quits. In games of
/// a team, `a` asks the adviser for the best turns, and line by line `advice` does.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor play mnk
  parlor play mnk --players human:Ann,level:3
  parlor play mnk --rows 6 --columns 6 -k 4 --players human:Ann,human:Bob,level:2 --plain
  parlor play pandemic --players human:Ann,level:3,level:3 --epidemics 5
  parlor play mnk --players level:5,level:5 --plain --record game.json && parlor verify game.json")]
pub struct PlayArgs {
    // Declared before the options of games, one of which has the same name.
    /// Players in turn order: `human`, `human:NAME`, or a bot such as `level:3` [default: all human]
    #[arg(long, value_name = "PLAYER,…", value_delimiter = ',')]
    players: Vec<String>,
    #[command(flatten)]
    game: GameArgs,
    /// Seed for luck and bots, to repeat a game; random by default
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Play line by line, even in a terminal
    #[arg(long)]
    plain: bool,
    /// Write a record of the game to a new file, for `parlor verify`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Play without the adviser, in games of a team
    #[arg(long)]
    no_advice: bool,
    /// Thinking time of a bot per move, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    think: u64,
}

pub fn run(args: &PlayArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let config = SessionConfig {
        game: args.game.kind,
        options: args.game.options.clone(),
        players: args.players.clone(),
        seed: args.seed,
        think: Duration::from_millis(args.think),
        advice: !args.no_advice,
    };
    let session = TerminalSession::new(config)?;
    let record_file = args.record.as_deref().map(reserve_file).transpose()?;
    let is_fullscreen = !args.plain && io::stdin().is_terminal() && io::stdout().is_terminal();
    let session = match is_fullscreen {
        true => {
            let session = fullscreen::run(session)?;
            plain::print_end(&session, out)?;
            session
        }
        false => plain::run(session, &mut BufReader::new(io::stdin()), out)?,
    };
    if let Some((path, file)) = record_file {
        save(&session, path, file)?;
        writeln!(out, "Record saved to {}.", path.display())?;
    }
    Ok(())
}

/// Creates the file of the record before the game, so that a bad path does not cost a finished
/// game.
fn reserve_file(path: &Path) -> Result<(&Path, File), CommandError> {
    let made = File::create_new(path);
    made.map(|file| (path, file))
        .map_err(|error| CommandError::Other(format!("{}: {error}", path.display())))
}

fn save(session: &TerminalSession, path: &Path, mut file: File) -> Result<(), CommandError> {
    let json =
        serde_json::to_string_pretty(&session.table().record()).map_err(CommandError::other)?;
    let written = writeln!(file, "{json}").and_then(|()| file.sync_all());
    written.map_err(|error| {
        // An incomplete record is useless. If it cannot be removed either, the error stays the same.
        let _ = fs::remove_file(path);
        CommandError::Other(format!("{}: {error}", path.display()))
    })
}
