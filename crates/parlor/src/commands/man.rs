//! `parlor man`: manual pages.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Command, CommandFactory};

use crate::cli::Cli;
use crate::error::CommandError;

/// Print the manual page, or write one page per command into a folder.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor man | man -l -
  parlor man ~/.local/share/man/man1 && man parlor-play")]
pub struct ManArgs {
    /// The folder to write the pages to
    dir: Option<PathBuf>,
}

pub fn run(args: &ManArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let Some(dir) = &args.dir else {
        return Ok(write_page(program, out)?);
    };
    let written = fs::create_dir_all(dir).and_then(|()| write_pages(program, dir));
    written.map_err(|error| CommandError::Other(format!("{}: {error}", dir.display())))
}

/// Writes the pages of a command and its subcommands.
fn write_pages(command: Command, dir: &Path) -> io::Result<()> {
    for subcommand in command.get_subcommands().cloned() {
        write_pages(subcommand, dir)?;
    }
    let name = clap_mangen::Man::new(command.clone()).get_filename();
    let mut text = Vec::new();
    write_page(command, &mut text)?;
    fs::write(dir.join(name), text)
}

/// Writes the usual sections. The notes after the help keep their line breaks, because they are
/// tables and examples.
fn write_page(command: Command, out: &mut dyn Write) -> io::Result<()> {
    let notes = command.get_after_help().map(ToString::to_string);
    let has_commands = command.has_subcommands();
    let man = clap_mangen::Man::new(command);
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if has_commands {
        man.render_subcommands_section(out)?;
    }
    if let Some(text) = notes {
        write_notes(&text, out)?;
    }
    man.render_version_section(out)
}

/// Writes the notes; lines such as `Examples:` become headings.
fn write_notes(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let heading = |line: &str| {
        line.strip_suffix(':')
            .filter(|head| head.chars().all(char::is_alphabetic))
            .map(str::to_uppercase)
    };
    if heading(text.lines().next().unwrap_or_default()).is_none() {
        writeln!(out, ".SH NOTES")?;
    }
    writeln!(out, ".nf")?;
    for line in text.lines() {
        match heading(line) {
            Some(head) => writeln!(out, ".fi\n.SH {head}\n.nf")?,
            None => writeln!(out, "{}", escape_roff(line))?,
        }
    }
    writeln!(out, ".fi")
}

/// Escapes a line for roff.
fn escape_roff(line: &str) -> String {
    let escaped = line
        .replace('\\', "\\e")
        .replace('-', "\\-")
        .replace('\'', "\\(aq");
    if escaped.starts_with('.') {
        format!("\\&{escaped}")
    } else {
        escaped
    }
}

#[cfg(test)]
mod tests {
    use super::escape_roff;

    #[test]
    fn nothing_in_an_example_is_a_roff_request() {
        assert_eq!(escape_roff(".x '\\n' -k"), "\\&.x \\(aq\\en\\(aq \\-k");
    }
}
