//! `parlor play`: a game in the terminal.

mod app;
mod draw;
mod full;
mod plain;
mod session;

use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::failure::Failure;
use crate::game::Game;
use session::{Session, Setup};

/// Plays a game in the terminal, between any number of people and bots.
///
/// Full screen in a terminal (arrows or hjkl and Enter, the mouse, or `:` and a move), else line by line. `quit` ends a game of lines, `q` a full screen.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor play mnk
  parlor play mnk --players human:Ann,level:3
  parlor play mnk --rows 6 --columns 6 -k 4 --players human:Ann,human:Bob,level:2 --plain
  parlor play pandemic --players human:Ann,level:3,level:3 --epidemics 5
  parlor play mnk --players level:5,level:5 --plain --record game.json && parlor verify game.json")]
pub struct Play {
    // Before the options of games, one of which has the same name.
    /// Who plays, in the order of turns: `human`, `human:NAME`, or a bot such as `level:3`; people where not said
    #[arg(long, value_name = "PLAYER,…", value_delimiter = ',')]
    players: Vec<String>,
    #[command(flatten)]
    game: Game,
    /// Makes luck and bots repeat themselves; without it the system's randomness is used
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Plain lines, even in a terminal
    #[arg(long)]
    plain: bool,
    /// Keep a record of the game in a new file, for `parlor verify`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// How long a bot may think about a move, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    think: u64,
}

pub fn run(args: &Play, out: &mut dyn Write) -> Result<(), Failure> {
    let setup = Setup {
        game: args.game.kind,
        options: args.game.options.clone(),
        players: args.players.clone(),
        seed: args.seed,
        think: Duration::from_millis(args.think),
    };
    let session = Session::new(setup)?;
    let keep = args.record.as_deref().map(reserve).transpose()?;
    let full = !args.plain && io::stdin().is_terminal() && io::stdout().is_terminal();
    let session = match full {
        true => {
            let session = full::run(session)?;
            plain::tell_end(&session, out)?;
            session
        }
        false => plain::run(session, &mut BufReader::new(io::stdin()), out)?,
    };
    if let Some((path, file)) = keep {
        save(&session, path, file)?;
        writeln!(out, "The record is in {}.", path.display())?;
    }
    Ok(())
}

/// Makes the file of the record before the game, so that nobody plays for nothing.
fn reserve(path: &Path) -> Result<(&Path, File), Failure> {
    let made = File::create_new(path);
    made.map(|file| (path, file))
        .map_err(|error| Failure::Refused(format!("{}: {error}", path.display())))
}

fn save(session: &Session, path: &Path, mut file: File) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(&session.table().record()).map_err(Failure::refused)?;
    let written = writeln!(file, "{json}").and_then(|()| file.sync_all());
    written.map_err(|error| {
        // Half a record is none; that it cannot be removed would change nothing.
        let _ = fs::remove_file(path);
        Failure::Refused(format!("{}: {error}", path.display()))
    })
}
