//! Import and export of games in the formats of other programs.

use serde_json::Value;

use crate::{AnyPosition, GameKind, OptionsError};

/// Writer, and optionally reader, of games in the format of another program.
pub trait Exchange: Send + Sync {
    /// Returns the format.
    fn format(&self) -> Format;

    /// Writes a game.
    ///
    /// # Errors
    /// If the steps do not make a game, or the game cannot be written in this format.
    fn write(&self, story: &Story) -> Result<String, ExchangeError>;

    /// Reads the games of a file. Only called for formats that [can be read](Format::is_read).
    ///
    /// # Errors
    /// If the text is invalid, with the location. The default always fails.
    fn read(&self, text: &str) -> Result<Vec<Story>, ExchangeError> {
        let _ = text;
        let title = self.format().title;
        Err(ExchangeError::Content(format!("{title} is not read")))
    }
}

/// Format in which games are exchanged with other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Name in commands and URLs, and the file extension.
    pub name: &'static str,
    /// Name for display.
    pub title: &'static str,
    /// Media type.
    pub media: &'static str,
    /// True if games can also be read from it.
    pub is_read: bool,
}

/// A game as its options and all moves and chances, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Story {
    /// Options; missing ones take their defaults.
    pub options: Value,
    /// Name of the player in each seat.
    pub names: Vec<String>,
    /// Texts of moves and chances.
    pub steps: Vec<String>,
}

/// Reason why a game cannot be exported or imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExchangeError {
    /// The game has no such format.
    #[error("{game} is not written as {format:?}; there {are}", are = listed(*game))]
    NoFormat {
        /// The game.
        game: GameKind,
        /// Name of the requested format.
        format: String,
    },
    /// The format can be written but not read.
    #[error("{game} is written as {format:?}, but not read from it")]
    OnlyWritten {
        /// The game.
        game: GameKind,
        /// Name of the requested format.
        format: String,
    },
    /// The options are invalid.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The game cannot be written or read, for this reason.
    #[error("{0}")]
    Content(String),
}

fn listed(game: GameKind) -> String {
    let names: Vec<&str> = game.formats().iter().map(|format| format.name).collect();
    match names[..] {
        [] => "are none".to_owned(),
        _ => format!("are {}", names.join(" and ")),
    }
}

impl GameKind {
    /// Returns the formats in which this game can be written, and [read](Format::is_read) if the
    /// format supports it, in addition to Parlor's own record.
    pub fn formats(self) -> Vec<Format> {
        let formats = self.exchange().iter();
        formats.map(|exchange| exchange.format()).collect()
    }

    /// Writes a game in one of its [formats](GameKind::formats).
    ///
    /// ```
    /// use parlor_games::{GameKind, Story};
    /// let story = Story {
    ///     options: serde_json::json!({"length": 3, "cube": "on"}),
    ///     names: vec!["Ann".into(), "Bob".into()],
    ///     steps: vec!["3-1".into(), "8/5,6/5".into(), "roll".into(), "64".into()],
    /// };
    /// let text = GameKind::from_name("backgammon")?.export("mat", &story)?;
    /// assert!(text.contains("3 point match") && text.contains("31: 8/5 6/5"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such format, the steps do not make a game, or the game cannot be written in
    /// it.
    pub fn export(self, format: &str, story: &Story) -> Result<String, ExchangeError> {
        self.exchange_in(format)?.write(story)
    }

    /// Reads the games of a file: one for a match, any number for a session of single games.
    ///
    /// # Errors
    /// If there is no such format, it cannot be read, or the text is invalid, with the location.
    pub fn import(self, format: &str, text: &str) -> Result<Vec<Story>, ExchangeError> {
        let exchange = self.exchange_in(format)?;
        if !exchange.format().is_read {
            return Err(ExchangeError::OnlyWritten {
                game: self,
                format: format.to_owned(),
            });
        }
        exchange.read(text)
    }

    fn exchange_in(self, format: &str) -> Result<&'static dyn Exchange, ExchangeError> {
        let mut formats = self.exchange().iter().copied();
        formats
            .find(|exchange| exchange.format().name == format)
            .ok_or_else(|| ExchangeError::NoFormat {
                game: self,
                format: format.chars().take(20).collect(),
            })
    }
}

impl Story {
    /// Returns the first position.
    ///
    /// # Errors
    /// Every problem with the options.
    pub fn start(&self, kind: GameKind) -> Result<AnyPosition, OptionsError> {
        kind.start(&self.options)
    }
}
