//! The command line.

use std::io::Write;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use crate::commands;
use crate::error::CommandError;

/// Turn-based board games: play, serve, analyze, verify.
#[derive(Parser, Debug)]
#[command(
    name = "parlor",
    version,
    propagate_version = true,
    max_term_width = 110
)]
#[command(after_help = "\
Examples:
  parlor serve                                    start a server with web pages
  parlor play mnk --players human:Ann,level:3     play in this terminal
  parlor play --help                              show the options of a command")]
pub struct Cli {
    #[command(subcommand)]
    pub command: CliCommand,
}

#[derive(Subcommand, Debug)]
pub enum CliCommand {
    Serve(Box<commands::serve::ServeArgs>),
    Play(commands::play::PlayArgs),
    Engine(commands::engine::EngineArgs),
    External(commands::external::ExternalArgs),
    Legal(commands::legal::LegalArgs),
    Perft(commands::perft::PerftArgs),
    Export(commands::export::ExportArgs),
    Import(commands::import::ImportArgs),
    Analyze(commands::analyze::AnalyzeArgs),
    Advise(commands::advise::AdviseArgs),
    Check(commands::check::CheckArgs),
    Verify(commands::verify::VerifyArgs),
    Git(commands::git::GitArgs),
    Train(commands::train::TrainArgs),
    Bench(commands::bench::BenchArgs),
    Admin(commands::admin::AdminArgs),
    Completions(commands::completions::CompletionsArgs),
    Man(commands::man::ManArgs),
}

/// Prints help and version as they are, and any other error of clap in one line.
pub fn report_error(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let mut out = std::io::stdout();
            match error.print().and_then(|()| out.flush()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => CommandError::Output(error).report(),
            }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            CommandError::Other("missing command; `parlor --help` lists them".to_owned()).report()
        }
        _ => CommandError::Other(one_line_reason(&error.to_string())).report(),
    }
}

/// Returns the message of a clap error in one line, without its heading and usage.
fn one_line_reason(rendered: &str) -> String {
    let text = rendered.strip_prefix("error: ").unwrap_or(rendered);
    let end = ["\n\nUsage:", "\n\nFor more information"]
        .into_iter()
        .filter_map(|tail| text.find(tail))
        .min();
    let text = text[..end.unwrap_or(text.len())].trim();
    // The tip to pass an unknown option as a value is no help here.
    let is_helpful = |line: &&str| !line.is_empty() && !line.starts_with("tip: to pass");
    let lines: Vec<&str> = text.lines().map(str::trim).filter(is_helpful).collect();
    format!("{} (see --help)", lines.join(" ").replace(" tip: ", "; "))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::{Cli, one_line_reason};

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn an_unknown_option_is_reported_in_one_line_with_its_name() {
        let error = Cli::try_parse_from(["parlor", "perft", "mnk", "--rwos", "3"])
            .expect_err("there is no such option");
        let line = one_line_reason(&error.to_string());
        assert!(
            line.contains("--rwos") && line.contains("--rows") && !line.contains("Usage"),
            "{line}"
        );
    }
}
