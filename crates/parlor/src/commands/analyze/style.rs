//! Terminal colors and a progress line.

use std::io::{self, IsTerminal, Write};

/// A style of terminal text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextStyle {
    /// Headings and best moves.
    Strong,
    /// Secondary details.
    Faint,
    /// Blunders and bad luck.
    Bad,
    /// Errors.
    Warn,
    /// Good luck.
    Good,
}

/// Applies styles if the output supports them.
#[derive(Clone, Copy, Debug)]
pub struct Styler {
    enabled: bool,
}

impl Styler {
    /// Creates a styler for standard output, enabled only on a terminal and if `NO_COLOR` is not set.
    pub fn stdout() -> Styler {
        let is_wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let is_capable = std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Styler {
            enabled: is_wanted && is_capable && io::stdout().is_terminal(),
        }
    }

    /// Returns the text in a style.
    pub fn apply(self, style: TextStyle, text: &str) -> String {
        let code = match style {
            TextStyle::Strong => "1",
            TextStyle::Faint => "2",
            TextStyle::Bad => "31",
            TextStyle::Warn => "33",
            TextStyle::Good => "32",
        };
        if self.enabled && !text.trim().is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

/// Progress line on standard error that is overwritten by each update and removed at the end. It is
/// shown only on a terminal.
pub struct ProgressLine {
    is_shown: bool,
    enabled: bool,
}

impl ProgressLine {
    /// Creates a progress line that shows nothing yet.
    pub fn new() -> ProgressLine {
        ProgressLine {
            is_shown: false,
            enabled: io::stderr().is_terminal(),
        }
    }

    /// True if updates are shown.
    pub fn is_visible(&self) -> bool {
        self.enabled
    }

    /// Shows a text in place of the last one.
    pub fn show(&mut self, text: &str) {
        if self.enabled {
            self.is_shown = true;
            // A failure to show progress does not matter.
            let _ = write!(io::stderr(), "\r\u{1b}[K{text}");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\u{1b}[K");
        }
    }
}
