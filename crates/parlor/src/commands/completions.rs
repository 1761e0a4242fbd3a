//! `parlor completions`: shell completion scripts.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::error::CommandError;

/// Print a shell completion script.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor completions bash > ~/.local/share/bash-completion/completions/parlor
  parlor completions zsh > ~/.zfunc/_parlor
  parlor completions fish > ~/.config/fish/completions/parlor.fish")]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub fn run(args: &CompletionsArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "parlor", &mut script);
    Ok(out.write_all(&script)?)
}
