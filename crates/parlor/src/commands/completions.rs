//! `parlor completions`: what a shell needs to complete commands.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::failure::Failure;

/// Prints the completion script of a shell.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor completions bash > ~/.local/share/bash-completion/completions/parlor
  parlor completions zsh > ~/.zfunc/_parlor
  parlor completions fish > ~/.config/fish/completions/parlor.fish")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

pub fn run(args: &Completions, out: &mut dyn Write) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "parlor", &mut script);
    Ok(out.write_all(&script)?)
}
