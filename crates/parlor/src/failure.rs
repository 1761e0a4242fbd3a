//! How a command ends when it does not end well.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// Something the caller has to change; the text is one line. Exit code 2.
    Refused(String),
    /// What was looked at does not hold, which has been said already. Exit code 1.
    Unsound,
    /// The output cannot be written. A closed pipe is no failure: nobody wants to read on.
    Output(io::Error),
}

impl Failure {
    /// A refusal with the reason that `error` gives.
    pub fn refused(error: impl fmt::Display) -> Failure {
        Failure::Refused(error.to_string())
    }

    /// Says on standard error what there is to say, in one line, and gives the exit code.
    #[expect(clippy::print_stderr, reason = "the one place where a failure is told")]
    pub fn report(self) -> ExitCode {
        let line = match self {
            Failure::Unsound => return ExitCode::from(1),
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                return ExitCode::SUCCESS;
            }
            Failure::Output(error) => format!("the output cannot be written: {error}"),
            Failure::Refused(text) => text,
        };
        eprintln!("parlor: {}", one_line(&line));
        ExitCode::from(2)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

/// A text without line breaks and other control characters.
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
    fn a_failure_is_told_in_one_line() {
        assert_eq!(one_line("a\n  b\tc\u{1b}[31m"), "a b c?[31m");
    }
}
