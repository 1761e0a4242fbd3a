//! The catalogue.

use std::fmt;

use parlor_core::Seat;
use serde_json::Value;

#[cfg(feature = "testing")]
use crate::pig;
use crate::{AnyPosition, OptionsError, backgammon, mnk, pandemic, ultimate};

/// A game of the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameKind {
    /// The tic-tac-toe family: any board, any run, several seats.
    Mnk,
    /// Ultimate tic-tac-toe: nine boards in one.
    Ultimate,
    /// Backgammon: single games and matches.
    Backgammon,
    /// Pandemic: the team against the board.
    Pandemic,
    /// A toy dice game.
    #[cfg(feature = "testing")]
    Pig,
}

/// Options with a name that people know: "Gomoku".
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// What it is called.
    pub title: &'static str,
    /// The options it stands for.
    pub options: Value,
}

impl GameKind {
    /// All games, in the order in which they are listed.
    pub const ALL: &'static [GameKind] = &[
        GameKind::Mnk,
        GameKind::Ultimate,
        GameKind::Backgammon,
        GameKind::Pandemic,
        #[cfg(feature = "testing")]
        GameKind::Pig,
    ];

    /// The name in commands, addresses and records.
    pub const fn name(self) -> &'static str {
        match self {
            GameKind::Mnk => "mnk",
            GameKind::Ultimate => "ultimate",
            GameKind::Backgammon => "backgammon",
            GameKind::Pandemic => "pandemic",
            #[cfg(feature = "testing")]
            GameKind::Pig => "pig",
        }
    }

    /// The name for people.
    pub const fn title(self) -> &'static str {
        match self {
            GameKind::Mnk => "Tic-tac-toe",
            GameKind::Ultimate => "Ultimate tic-tac-toe",
            GameKind::Backgammon => "Backgammon",
            GameKind::Pandemic => "Pandemic",
            #[cfg(feature = "testing")]
            GameKind::Pig => "Pig",
        }
    }

    /// The game in one sentence.
    pub const fn summary(self) -> &'static str {
        match self {
            GameKind::Mnk => {
                "Tic-tac-toe on a board of any size, for two or more players: get enough marks in a row."
            }
            GameKind::Ultimate => {
                "Nine boards in one: every move says in which of them the other player must answer."
            }
            GameKind::Backgammon => {
                "A race around the board with dice, blots to hit and a cube to double: one game, or a match."
            }
            GameKind::Pandemic => {
                "Two to four players against four diseases: find the cures before the world is overrun."
            }
            #[cfg(feature = "testing")]
            GameKind::Pig => "Roll as often as you dare; a one loses the turn's points.",
        }
    }

    /// The rules in a few sentences of plain text, paragraphs separated by empty lines.
    pub const fn rules(self) -> &'static str {
        match self {
            GameKind::Mnk => mnk::RULES,
            GameKind::Ultimate => ultimate::RULES,
            GameKind::Backgammon => backgammon::RULES,
            GameKind::Pandemic => pandemic::RULES,
            #[cfg(feature = "testing")]
            GameKind::Pig => "Roll or hold.",
        }
    }

    /// Whether luck decides anything in this game.
    pub const fn has_luck(self) -> bool {
        match self {
            GameKind::Mnk | GameKind::Ultimate => false,
            GameKind::Backgammon | GameKind::Pandemic => true,
            #[cfg(feature = "testing")]
            GameKind::Pig => true,
        }
    }

    /// Whether a game of this kind can end without a winner.
    pub const fn can_be_drawn(self) -> bool {
        match self {
            GameKind::Mnk | GameKind::Ultimate => true,
            GameKind::Backgammon | GameKind::Pandemic => false,
            #[cfg(feature = "testing")]
            GameKind::Pig => false,
        }
    }

    /// Whether all seats win or lose together. Such games are not rated, nobody offers a draw, and a seat may take back what it has
    /// just done.
    ///
    /// ```
    /// # use parlor_games::GameKind;
    /// assert!(GameKind::Pandemic.is_cooperative() && !GameKind::Backgammon.is_cooperative());
    /// ```
    pub const fn is_cooperative(self) -> bool {
        match self {
            GameKind::Mnk | GameKind::Ultimate | GameKind::Backgammon => false,
            GameKind::Pandemic => true,
            #[cfg(feature = "testing")]
            GameKind::Pig => false,
        }
    }

    /// Whether a game's steps are told with what they bring about; see [`DynPosition::told`](crate::DynPosition::told).
    pub const fn is_told(self) -> bool {
        match self {
            GameKind::Mnk | GameKind::Ultimate | GameKind::Backgammon => false,
            GameKind::Pandemic => true,
            #[cfg(feature = "testing")]
            GameKind::Pig => false,
        }
    }

    /// Whether the same chances come again and again, as those of dice do, so that it can be counted how often each came up. Cards leave
    /// their deck.
    pub const fn chances_recur(self) -> bool {
        match self {
            GameKind::Mnk | GameKind::Ultimate | GameKind::Pandemic => false,
            GameKind::Backgammon => true,
            #[cfg(feature = "testing")]
            GameKind::Pig => true,
        }
    }

    /// How long each player usually has for a whole game, in milliseconds; nothing means as long as they like.
    pub const fn usual_time(self) -> Option<u64> {
        match self {
            GameKind::Mnk | GameKind::Backgammon | GameKind::Pandemic => None,
            GameKind::Ultimate => Some(360_000),
            #[cfg(feature = "testing")]
            GameKind::Pig => None,
        }
    }

    /// The game with this name.
    ///
    /// # Errors
    /// [`UnknownGame`], which lists the games there are.
    pub fn from_name(name: &str) -> Result<GameKind, UnknownGame> {
        let found = GameKind::ALL
            .iter()
            .copied()
            .find(|kind| kind.name() == name);
        found.ok_or_else(|| UnknownGame(name.chars().take(40).collect()))
    }

    /// The options this game takes, as a JSON Schema with titles and defaults.
    pub fn options_schema(self) -> Value {
        match self {
            GameKind::Mnk => mnk::options::schema(),
            GameKind::Ultimate => ultimate::options::schema(),
            GameKind::Backgammon => backgammon::options::schema(),
            GameKind::Pandemic => pandemic::options::schema(),
            #[cfg(feature = "testing")]
            GameKind::Pig => pig::schema(),
        }
    }

    /// Well-known options by name, the usual one first.
    pub fn presets(self) -> Vec<Preset> {
        match self {
            GameKind::Mnk => mnk::options::presets(),
            GameKind::Ultimate => ultimate::options::presets(),
            GameKind::Backgammon => backgammon::options::presets(),
            GameKind::Pandemic => pandemic::options::presets(),
            #[cfg(feature = "testing")]
            GameKind::Pig => vec![Preset {
                title: "Pig",
                options: Value::Null,
            }],
        }
    }

    /// The first position under these options; missing options take their defaults, and `null` means none at all.
    ///
    /// # Errors
    /// [`OptionsError`] with every reason.
    pub fn start(self, options: &Value) -> Result<AnyPosition, OptionsError> {
        match self {
            GameKind::Mnk => mnk::options::start(options).map(AnyPosition::Mnk),
            GameKind::Ultimate => ultimate::options::start(options).map(AnyPosition::Ultimate),
            GameKind::Backgammon => {
                backgammon::options::start(options).map(AnyPosition::Backgammon)
            }
            GameKind::Pandemic => pandemic::options::start(options)
                .map(Box::new)
                .map(AnyPosition::Pandemic),
            #[cfg(feature = "testing")]
            GameKind::Pig => pig::start(options).map(AnyPosition::Pig),
        }
    }

    /// A position from its text.
    ///
    /// # Errors
    /// When the text is malformed or describes no legal position.
    pub fn position(self, text: &str) -> Result<AnyPosition, parlor_core::NotationError> {
        use parlor_core::Notation;
        match self {
            GameKind::Mnk => parlor_tictactoe::mnk::Board::from_text(text).map(AnyPosition::Mnk),
            GameKind::Ultimate => {
                parlor_tictactoe::ultimate::Game::from_text(text).map(AnyPosition::Ultimate)
            }
            GameKind::Backgammon => {
                parlor_backgammon::Game::from_text(text).map(AnyPosition::Backgammon)
            }
            GameKind::Pandemic => parlor_pandemic::Game::from_text(text)
                .map(Box::new)
                .map(AnyPosition::Pandemic),
            #[cfg(feature = "testing")]
            GameKind::Pig => parlor_core::testing::pig::Pig::from_text(text).map(AnyPosition::Pig),
        }
    }

    /// A position from the game's JSON form: its view, or the parts of it that matter.
    ///
    /// # Errors
    /// [`OptionsError`] with every reason.
    pub fn position_from_json(self, json: &Value) -> Result<AnyPosition, OptionsError> {
        match self {
            GameKind::Mnk => mnk::view::read(json).map(AnyPosition::Mnk),
            GameKind::Ultimate => ultimate::view::read(json).map(AnyPosition::Ultimate),
            GameKind::Backgammon => backgammon::state::position(json).map(AnyPosition::Backgammon),
            GameKind::Pandemic => pandemic::view::read(json)
                .map(Box::new)
                .map(AnyPosition::Pandemic),
            #[cfg(feature = "testing")]
            GameKind::Pig => Err(OptionsError::one("", "Pig has no JSON form")),
        }
    }

    /// A picture of a view of this game.
    ///
    /// # Errors
    /// When the view is none of this game.
    pub fn svg(self, view: &Value) -> Result<String, OptionsError> {
        match self {
            GameKind::Mnk => mnk::view::View::from_json(view).map(|view| mnk::svg::draw(&view)),
            GameKind::Ultimate => {
                ultimate::view::View::from_json(view).map(|view| ultimate::svg::draw(&view))
            }
            GameKind::Backgammon => {
                backgammon::view::View::from_json(view).map(|view| backgammon::svg::draw(&view))
            }
            GameKind::Pandemic => {
                pandemic::view::View::from_json(view).map(|view| pandemic::svg::draw(&view))
            }
            #[cfg(feature = "testing")]
            GameKind::Pig => Ok(pig::svg(view)),
        }
    }

    /// What a page shows of a view: an element of class `board`, well-formed as XML. Mostly the picture itself; where that would be too
    /// wide for a small screen, HTML with pictures in it. Ids are those of the picture.
    ///
    /// # Errors
    /// When the view is none of this game.
    pub fn page(self, view: &Value) -> Result<String, OptionsError> {
        match self {
            GameKind::Pandemic => {
                pandemic::view::View::from_json(view).map(|view| pandemic::svg::page::draw(&view))
            }
            _ => self.svg(view),
        }
    }
}

impl AnyPosition {
    /// The complete options of the game that this position belongs to, every default written out.
    pub fn options(&self) -> Value {
        match self {
            AnyPosition::Mnk(board) => mnk::options::of(board),
            AnyPosition::Ultimate(game) => ultimate::options::of(game.rules()),
            AnyPosition::Backgammon(game) => backgammon::options::of(game.rules()),
            AnyPosition::Pandemic(game) => pandemic::options::of(game.rules()),
            #[cfg(feature = "testing")]
            AnyPosition::Pig(position) => pig::normal_options(position),
        }
    }

    /// A picture of the position; `last` is the text of the last move, if there was one.
    pub fn svg(&self, last: Option<&str>) -> String {
        self.kind()
            .svg(&self.view(last))
            .expect("a position's own view is one of its game")
    }

    /// [`GameKind::page`] as somebody in a seat sees it, in games where that makes a difference; `flipped` turns the board around.
    ///
    /// ```
    /// # use parlor_games::GameKind;
    /// # use parlor_core::Seat;
    /// let start = GameKind::Backgammon.start(&serde_json::Value::Null)?;
    /// assert_ne!(start.page_for(start.view(None), Some(Seat::SECOND), false), start.svg(None));
    /// # Ok::<(), parlor_games::OptionsError>(())
    /// ```
    pub fn page_for(&self, mut view: Value, seat: Option<Seat>, flipped: bool) -> String {
        if let Value::Object(view) = &mut view {
            view.extend(seat.map(|seat| ("seen_from".to_owned(), seat.number().into())));
            view.insert("flipped".to_owned(), flipped.into());
        }
        self.kind()
            .page(&view)
            .expect("a position's own view is one of its game")
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no game of the house has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no game {0:?} here; the games are {all}", all = names())]
pub struct UnknownGame(pub String);

fn names() -> String {
    let names: Vec<&str> = GameKind::ALL.iter().map(|kind| kind.name()).collect();
    names.join(", ")
}
