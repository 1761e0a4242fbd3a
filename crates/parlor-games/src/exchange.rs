//! Games in the formats of other programs.

use serde_json::Value;

use crate::{AnyPosition, GameKind, OptionsError};

/// Writer, and perhaps reader, of a game in a format of other programs.
pub trait Exchange: Send + Sync {
    /// Returns the format.
    fn format(&self) -> Format;

    /// Writes a game.
    ///
    /// # Errors
    /// If the steps are no game, or it cannot be written in this format.
    fn write(&self, story: &Story) -> Result<String, ExchangeError>;

    /// Reads the games of a file; only called for formats that are [read](Format::is_read).
    ///
    /// # Errors
    /// If the text is wrong, with the place. The default refuses everything.
    fn read(&self, text: &str) -> Result<Vec<Story>, ExchangeError> {
        let _ = text;
        let title = self.format().title;
        Err(ExchangeError::Content(format!("{title} is not read")))
    }
}

/// Format in which games are exchanged with other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Name in commands and addresses, which is also the extension of files.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// Media type.
    pub media: &'static str,
    /// True if games are also read from it.
    pub is_read: bool,
}

/// Game as its options and everything that was played and drawn, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Story {
    /// Options; missing ones take their defaults.
    pub options: Value,
    /// Name of the player in each seat.
    pub names: Vec<String>,
    /// Texts of moves and chances.
    pub steps: Vec<String>,
}

/// Reason why a game cannot be written or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExchangeError {
    /// The game has no such format.
    #[error("{game} is not written as {format:?}; there {are}", are = listed(*game))]
    NoFormat {
        /// The game.
        game: GameKind,
        /// The format asked for.
        format: String,
    },
    /// The format is only written.
    #[error("{game} is written as {format:?}, but not read from it")]
    OnlyWritten {
        /// The game.
        game: GameKind,
        /// The format asked for.
        format: String,
    },
    /// The options are wrong.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// It cannot be written, or read, for this reason.
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
    /// Returns the formats, beside the house's own record, in which this game is written, and
    /// [read](Format::is_read) where it can be.
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
    /// If there is no such format, or the steps are no game or cannot be written in it.
    pub fn export(self, format: &str, story: &Story) -> Result<String, ExchangeError> {
        self.exchange_in(format)?.write(story)
    }

    /// Reads the games of a file: a match is one, a session of single games has several.
    ///
    /// # Errors
    /// If there is no such format, it is only written, or the text is wrong, with the place.
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
    /// Every reason against the options.
    pub fn start(&self, kind: GameKind) -> Result<AnyPosition, OptionsError> {
        kind.start(&self.options)
    }
}
