//! `parlor man`: manual pages.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Command, CommandFactory};

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
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let Some(dir) = &args.dir else {
        return Ok(page(program, out)?);
    };
    let written = fs::create_dir_all(dir).and_then(|()| pages(program, dir));
    written.map_err(|error| Failure::Refused(format!("{}: {error}", dir.display())))
}

/// Writes the page of a command and those of the commands below it.
fn pages(command: Command, dir: &Path) -> io::Result<()> {
    for below in command.get_subcommands().cloned() {
        pages(below, dir)?;
    }
    let name = clap_mangen::Man::new(command.clone()).get_filename();
    let mut text = Vec::new();
    page(command, &mut text)?;
    fs::write(dir.join(name), text)
}

/// The usual sections; what stands below a command's help keeps its lines, because it is tables and examples.
fn page(command: Command, out: &mut dyn Write) -> io::Result<()> {
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

/// Lines such as `Examples:` become headings.
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
            None => writeln!(out, "{}", verbatim(line))?,
        }
    }
    writeln!(out, ".fi")
}

/// A line as it is, for the manual's formatter.
fn verbatim(line: &str) -> String {
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
    use super::verbatim;

    #[test]
    fn nothing_in_an_example_is_taken_for_a_command_of_the_formatter() {
        assert_eq!(verbatim(".x '\\n' -k"), "\\&.x \\(aq\\en\\(aq \\-k");
    }
}
