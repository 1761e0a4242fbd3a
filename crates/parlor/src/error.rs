//! Errors of commands and their exit codes.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// The reason for a command's failure.
#[derive(Debug)]
pub enum CommandError {
    /// A problem that the caller can fix, described in one line. Exit code 2.
    Other(String),
    /// A check failed, and the report has been printed already. Exit code 1.
    CheckFailed,
    /// The output cannot be written. A closed pipe counts as success: the reader has seen enough.
    Output(io::Error),
}

impl CommandError {
    /// Creates an error with the message of another error.
    pub fn other(error: impl fmt::Display) -> CommandError {
        CommandError::Other(error.to_string())
    }

    /// Prints the error on standard error in one line and returns the exit code.
    #[expect(clippy::print_stderr, reason = "the one place that prints errors")]
    pub fn report(self) -> ExitCode {
        let line = match self {
            CommandError::CheckFailed => return ExitCode::from(1),
            CommandError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                return ExitCode::SUCCESS;
            }
            CommandError::Output(error) => format!("cannot write the output: {error}"),
            CommandError::Other(text) => text,
        };
        eprintln!("parlor: {}", one_line(&line));
        ExitCode::from(2)
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> CommandError {
        CommandError::Output(error)
    }
}

/// Returns a text without line breaks and other control characters.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .join(" ")
        .chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn errors_are_printed_in_one_line() {
        assert_eq!(one_line("a\n  b\tc\u{1b}[31m"), "a b c?[31m");
    }
}
