//! `parlor`, the one binary of the house.
//!
//! Every command is a file of [`commands`]. A command writes to the output it is given and ends with a [`Failure`] when
//! it cannot do what was asked; nothing below this file ends the process.

mod cli;
mod commands;
mod crew;
mod failure;
mod game;
mod lines;
mod logging;
mod settings;
mod source;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use cli::Cli;
use failure::Failure;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return cli::refuse(&error),
    };
    let mut out = io::BufWriter::new(io::stdout());
    let done = commands::run(cli.command, &mut out);
    // What was written before a failure is still to be seen, and a closed pipe shows here at the latest.
    let flushed = out.flush().map_err(Failure::from);
    match done.and(flushed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
