//! `parlor man`: manual pages.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, CommandFactory};

use crate::cli::Cli;
use crate::failure::Failure;

/// Prints the manual page, or writes one page for each command into a folder.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor man | man -l -
  parlor man ~/.local/share/man/man1 && man parlor-play")]
pub struct Man {
    /// The folder to write the pages into
    dir: Option<PathBuf>,
}

pub fn run(args: &Man, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(dir) = &args.dir else {
        clap_mangen::Man::new(Cli::command()).render(out)?;
        return Ok(());
    };
    let failed = |error: std::io::Error| Failure::Refused(format!("{}: {error}", dir.display()));
    fs::create_dir_all(dir).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), dir).map_err(failed)
}
