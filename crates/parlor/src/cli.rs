//! The command line.

use std::io::Write;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use crate::commands;
use crate::failure::Failure;

/// A house of turn-based board games: play, serve, analyze, verify.
#[derive(Parser, Debug)]
#[command(
    name = "parlor",
    version,
    propagate_version = true,
    max_term_width = 110
)]
#[command(after_help = "\
Examples:
  parlor serve                                    a server with web pages, on one port
  parlor play mnk --players human:Ann,level:3     a game in this terminal
  parlor play --help                              everything about one command")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    Serve(commands::serve::Serve),
    Play(commands::play::Play),
    Engine(commands::engine::Engine),
    External(commands::external::External),
    Legal(commands::legal::Legal),
    Perft(commands::perft::Perft),
    Export(commands::export::Export),
    Import(commands::import::Import),
    Analyze(commands::analyze::Analyze),
    Check(commands::check::Check),
    Verify(commands::verify::Verify),
    Git(commands::git::Git),
    Train(commands::train::Train),
    Bench(commands::bench::Bench),
    Admin(commands::admin::Admin),
    Completions(commands::completions::Completions),
    Man(commands::man::Man),
}

/// Tells what clap found: help and version as they are, everything else in one line.
pub fn refuse(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let mut out = std::io::stdout();
            match error.print().and_then(|()| out.flush()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => Failure::Output(error).report(),
            }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Failure::Refused("a command is missing; `parlor --help` lists them".to_owned()).report()
        }
        _ => Failure::Refused(reason(&error.to_string())).report(),
    }
}

/// What clap says, without its heading and without the usage below.
fn reason(rendered: &str) -> String {
    let text = rendered.strip_prefix("error: ").unwrap_or(rendered);
    let end = ["\n\nUsage:", "\n\nFor more information"]
        .into_iter()
        .filter_map(|tail| text.find(tail))
        .min();
    let text = text[..end.unwrap_or(text.len())].trim();
    // How to pass a wrong option as a value after all helps nobody here.
    let helps = |line: &&str| !line.is_empty() && !line.starts_with("tip: to pass");
    let lines: Vec<&str> = text.lines().map(str::trim).filter(helps).collect();
    format!("{} (see --help)", lines.join(" ").replace(" tip: ", "; "))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::{Cli, reason};

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_wrong_option_is_told_in_one_line_with_its_name() {
        let error = Cli::try_parse_from(["parlor", "perft", "mnk", "--rwos", "3"])
            .expect_err("there is no such option");
        let line = reason(&error.to_string());
        assert!(
            line.contains("--rwos") && line.contains("--rows") && !line.contains("Usage"),
            "{line}"
        );
    }
}
