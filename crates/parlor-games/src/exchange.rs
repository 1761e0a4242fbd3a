//! Games in the formats of other programs.

use serde_json::Value;

use crate::{AnyPosition, GameKind, OptionsError, backgammon, pandemic};

/// A format in which games are passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// The name in commands and addresses, which is also the end of a file's name.
    pub name: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// The media type.
    pub media: &'static str,
    /// Whether games are also read from it.
    pub is_read: bool,
}

/// A game as it was told: from its options and everything that was played and drawn, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Story {
    /// The options; those that are missing take their defaults.
    pub options: Value,
    /// Who sat in each seat.
    pub names: Vec<String>,
    /// The texts of moves and chances.
    pub steps: Vec<String>,
}

/// Why a game cannot be passed on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExchangeError {
    /// The game has no such format.
    #[error("{game} is not written as {format:?}; there {are}", are = listed(*game))]
    NoFormat {
        /// The game.
        game: GameKind,
        /// What was asked for.
        format: String,
    },
    /// The format is only written.
    #[error("{game} is written as {format:?}, but not read from it")]
    OnlyWritten {
        /// The game.
        game: GameKind,
        /// What was asked for.
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
    /// The formats, beside the house's own record, in which this game is written, and [read](Format::is_read) where it can be.
    pub const fn formats(self) -> &'static [Format] {
        match self {
            GameKind::Backgammon => &backgammon::exchange::FORMATS,
            GameKind::Pandemic => &[pandemic::log::FORMAT],
            GameKind::Mnk | GameKind::Ultimate => &[],
            #[cfg(feature = "testing")]
            GameKind::Pig => &[],
        }
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
    /// let text = GameKind::Backgammon.export("mat", &story)?;
    /// assert!(text.contains("3 point match") && text.contains("31: 8/5 6/5"));
    /// # Ok::<(), parlor_games::ExchangeError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such format, or the game is none or cannot be written in it.
    pub fn export(self, format: &str, story: &Story) -> Result<String, ExchangeError> {
        self.knows(format)?;
        match self {
            GameKind::Backgammon => backgammon::exchange::write(format, story),
            GameKind::Pandemic => pandemic::log::write(story),
            _ => Err(self.no_format(format)),
        }
    }

    /// Reads the games of a file: one for a match, each for itself in a session of single games.
    ///
    /// # Errors
    /// When there is no such format, it is only written, or the text is wrong, with the place.
    pub fn import(self, format: &str, text: &str) -> Result<Vec<Story>, ExchangeError> {
        if !self.knows(format)?.is_read {
            return Err(ExchangeError::OnlyWritten {
                game: self,
                format: format.to_owned(),
            });
        }
        match self {
            GameKind::Backgammon => backgammon::exchange::read(format, text),
            _ => Err(self.no_format(format)),
        }
    }

    fn knows(self, format: &str) -> Result<&'static Format, ExchangeError> {
        self.formats()
            .iter()
            .find(|known| known.name == format)
            .ok_or_else(|| self.no_format(format))
    }

    fn no_format(self, format: &str) -> ExchangeError {
        ExchangeError::NoFormat {
            game: self,
            format: format.chars().take(20).collect(),
        }
    }
}

impl Story {
    /// The games' first position.
    ///
    /// # Errors
    /// When the options make no game.
    pub fn start(&self, kind: GameKind) -> Result<AnyPosition, OptionsError> {
        kind.start(&self.options)
    }
}
