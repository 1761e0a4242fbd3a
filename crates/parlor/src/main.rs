//! The `parlor` binary.
//!
//! Each command is a module of [`commands`]. A command writes to the output it is given and returns
//! a [`CommandError`] if it fails; only this file ends the process.

mod addresses;
mod advice;
mod allocator;
mod chances;
mod cli;
mod commands;
mod crew;
mod error;
mod game_args;
mod limit_args;
mod lines;
mod local_table;
mod logging;
mod setting_error;
mod settings;
mod signals;
mod source;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use cli::Cli;
use error::CommandError;

fn main() -> ExitCode {
    allocator::return_memory_early();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return cli::report_error(&error),
    };
    let mut out = io::BufWriter::new(io::stdout());
    let done = commands::run(cli.command, &mut out);
    // Output written before a failure is still shown; a closed pipe is noticed here at the latest.
    let flushed = out.flush().map_err(CommandError::from);
    match done.and(flushed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}
