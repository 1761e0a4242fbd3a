//! Colors, where somebody sees them, and a line that says how far the work is.

use std::io::{self, IsTerminal, Write};

/// What is colored, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Headings and what is best.
    Strong,
    /// What is beside the point.
    Faint,
    /// A blunder, bad luck.
    Bad,
    /// An error.
    Warn,
    /// Good luck.
    Good,
}

/// Colors texts, or leaves them alone.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// For standard output: only on a terminal, and not where `NO_COLOR` is set to anything.
    pub fn stdout() -> Paint {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let able = std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Paint {
            on: wanted && able && io::stdout().is_terminal(),
        }
    }

    /// The text in a color.
    pub fn ink(self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Strong => "1",
            Ink::Faint => "2",
            Ink::Bad => "31",
            Ink::Warn => "33",
            Ink::Good => "32",
        };
        if self.on && !text.trim().is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

/// A line on standard error that is written over again and again, and vanishes in the end. Nobody but a terminal gets it.
pub struct Progress {
    shown: bool,
    on: bool,
}

impl Progress {
    pub fn new() -> Progress {
        Progress {
            shown: false,
            on: io::stderr().is_terminal(),
        }
    }

    /// Whether somebody sees it.
    pub fn is_seen(&self) -> bool {
        self.on
    }

    /// Says how far the work is.
    pub fn say(&mut self, text: &str) {
        if self.on {
            self.shown = true;
            // Who does not see it misses nothing that matters.
            let _ = write!(io::stderr(), "\r\u{1b}[K{text}");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\u{1b}[K");
        }
    }
}
