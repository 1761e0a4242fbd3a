//! The trait that a game implements to be part of Parlor.

use std::fmt::Debug;

use parlor_bots::{Mcts, Nodes, Strategy};
use parlor_core::playout::{Scratch, playout};
use parlor_core::{Notation, Position};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::analysis::AnalysisEngine;
use crate::bots::{Bots, TreeSearch};
use crate::exchange::Exchange;
use crate::files::FileFormat;
use crate::repository::RepositoryFormat;
use crate::{Console, Input, OptionsError, TeamPlay, Wording};

/// A game: its name, options, positions, views and pictures, and its optional capabilities.
///
/// A unit struct implements this trait in its own folder, and its position type implements
/// [`GamePosition`]. The only other requirement is one line in the list of games, or a call of
/// [`install`](crate::install) for a game outside this workspace. Methods with a default are
/// optional capabilities. Bots by tree search, console input of move texts and a page that shows
/// the picture work by default; analysis, exchange formats and others are absent until implemented.
pub trait Game: Send + Sync + 'static {
    /// Position type of the game.
    type Position: GamePosition<Game = Self>;

    /// View type: plain data about a position for pages and other clients. Pictures are drawn from
    /// a view alone. Its JSON Schema is part of the description of the API.
    type View: Serialize + DeserializeOwned + JsonSchema;

    /// Name, rules and properties.
    const ABOUT: About;

    /// Returns the JSON Schema of the options, with titles and defaults.
    fn options_schema() -> Value;

    /// Returns well-known options with their names, the usual ones first.
    fn presets() -> Vec<Preset>;

    /// Returns the format of a table's events since which these complete options exist; 0 for those
    /// that have always been there. Servers of earlier releases cannot read a table that has them.
    fn since(_options: &Value) -> u16 {
        0
    }

    /// Returns the clocks that its players use under these complete options, for choices in forms. The
    /// default are those of most games.
    fn clocks(_options: &Value) -> Vec<GameClock> {
        GameClock::COMMON.to_vec()
    }

    /// Returns the clock of a game between people under these complete options, unless they choose
    /// another one; `None` for no clock. The default is [`About::usual_time`].
    fn usual_clock(_options: &Value) -> Option<GameClock> {
        Self::ABOUT.usual_time.map(|initial_ms| GameClock::Total {
            initial_ms,
            increment_ms: 0,
        })
    }

    /// Returns the variant that is played under these complete options. Each has ratings of its own,
    /// because who is good at one need not be good at another. By default a game has only one.
    fn variant(_options: &Value) -> Variant {
        Variant::default()
    }

    /// Describes how hard a game under these options is, for games that are won or lost together.
    fn difficulty(_options: &Value) -> Option<Difficulty> {
        None
    }

    /// Returns the first position under these options. Missing options take their defaults, and
    /// `null` stands for no options at all; [`OptionsReader`](crate::OptionsReader) collects the
    /// problems.
    ///
    /// # Errors
    /// Every problem with the options.
    fn start(options: &Value) -> Result<Self::Position, OptionsError>;

    /// Returns the complete options of the game that a position belongs to, with every default
    /// written out.
    fn options(position: &Self::Position) -> Value;

    /// Returns the view of a position. `last` is the text of the last move, if there was one.
    fn view(position: &Self::Position, last: Option<&str>) -> Self::View;

    /// Reads a view that [`view`](Game::view) wrote.
    ///
    /// # Errors
    /// If it is not a view of this game or its parts contradict each other.
    fn read_view(json: &Value) -> Result<Self::View, OptionsError> {
        <Self::View as serde::Deserialize>::deserialize(json)
            .map_err(|error| OptionsError::one("", error.to_string()))
    }

    /// Draws a view as an SVG document with stable element ids, as used by [clicks](Input::clicks).
    fn picture(view: &Self::View) -> String;

    /// Draws a view for a page: an element of class `board`, well-formed as XML, with the ids of
    /// the picture. The default is the picture; a game whose picture is too wide for a small
    /// screen returns HTML with pictures in it.
    fn page(view: &Self::View) -> String {
        Self::picture(view)
    }

    /// Returns the ids of the elements of a picture that show what has changed between two positions
    /// of a game, apart from the last move: pages mark them until the viewer moves. By default none.
    fn changes(before: &Self::Position, now: &Self::Position) -> Vec<String> {
        let _ = (before, now);
        Vec::new()
    }

    /// Style sheet of the game's pictures, loaded by every page that shows one.
    const STYLE: &'static str = "";

    /// Looks of the game's boards, the usual one first. What lies in an element whose attribute
    /// `data-board` has the name of the other one is drawn in its colors, by the style sheets.
    const BOARD_STYLES: [BoardStyle; 2] = [BoardStyle::WOOD, BoardStyle::SLATE];

    /// Reads a position from the game's JSON form: its view, or the parts of it that matter.
    ///
    /// # Errors
    /// Every problem with it. The default always fails.
    fn position_from_json(json: &Value) -> Result<Self::Position, OptionsError> {
        let _ = json;
        let title = Self::ABOUT.title;
        Err(OptionsError::one("", format!("{title} has no JSON form")))
    }

    /// Returns the game's bots. The default is tree search at every level.
    fn bots() -> &'static dyn Bots<Self::Position> {
        &TreeSearch
    }

    /// Returns the analysis of the game, if there is one.
    fn analysis() -> Option<&'static dyn AnalysisEngine> {
        None
    }

    /// Returns the formats of other programs that games can be written to or read from.
    fn formats() -> &'static [&'static dyn Exchange] {
        &[]
    }

    /// Returns the file formats that can be validated on their own.
    fn files() -> &'static [&'static dyn FileFormat] {
        &[]
    }

    /// Returns the game's own file formats in a repository. By default files are an envelope around
    /// the view.
    fn repository() -> Option<&'static dyn RepositoryFormat> {
        None
    }

    /// Calls the visitor with the fastest representation of a position. Useful for games whose
    /// position is an enum of several board types, which would otherwise be matched at every move.
    fn specialize<V: PositionVisitor>(position: &Self::Position, visitor: V) -> V::Output {
        visitor.visit(position)
    }

    /// Plays `games` random games from a position to their ends, reproducibly for a given `seed`. A
    /// game of more than a million moves is cut off.
    fn playouts(position: &Self::Position, games: u64, seed: u64) -> Playouts {
        Self::specialize(position, PlayoutRun { games, seed })
    }
}

/// A position of a [`Game`]: the rules with their notation, wording, input and console.
///
/// Apart from [`Notation`], the supertraits use text only. Override the methods whose defaults do
/// not suit; for the rest an empty `impl TeamPlay for MyPosition {}` is enough.
pub trait GamePosition:
    Notation + PartialEq + Debug + Wording + Input + TeamPlay + Console
{
    /// The game it belongs to.
    type Game: Game<Position = Self>;
}

/// Variant of a game with ratings of its own.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Variant {
    /// Key, unique in the game: up to 24 lowercase letters, digits and hyphens; empty for the usual
    /// variant. Ratings are stored under it, so that it must never change.
    pub key: String,
    /// Name for display; empty in a game with only one variant.
    pub title: String,
}

/// Look of a game's boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardStyle {
    /// Name in style sheets and settings: lowercase letters.
    pub name: &'static str,
    /// Name for display.
    pub title: &'static str,
}

impl BoardStyle {
    /// Wooden boards, as all pictures are drawn.
    pub const WOOD: BoardStyle = BoardStyle {
        name: "wood",
        title: "Wood",
    };
    /// Gray boards; colored by the style sheet of all pictures.
    pub const SLATE: BoardStyle = BoardStyle {
        name: "slate",
        title: "Slate",
    };
}

/// Name, rules and properties of a game.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Name in commands, URLs and records: lowercase without spaces.
    pub name: &'static str,
    /// Name for display.
    pub title: &'static str,
    /// The game in one sentence.
    pub summary: &'static str,
    /// The rules in plain text, paragraphs separated by empty lines.
    pub rules: &'static str,
    /// True if the game has luck.
    pub has_luck: bool,
    /// True if a game can end without a winner.
    pub can_be_drawn: bool,
    /// True if all seats win or lose together. Such games are not rated and have no draw offers,
    /// and a seat may take back its last move.
    pub is_cooperative: bool,
    /// True if every step has a [narrative](Wording::narrate).
    pub is_narrated: bool,
    /// True if the same chances recur, like dice rolls but unlike cards, so that counting them
    /// makes sense.
    pub chances_recur: bool,
    /// True if the names of the seats are the same under all options.
    pub has_fixed_seats: bool,
    /// Usual time of each player for a whole game, in milliseconds; `None` for no clock. Games whose
    /// usual clock depends on the options have [`Game::usual_clock`].
    pub usual_time: Option<u64>,
    /// Ready-made phrases of this game for talk at a table, each with an id of lowercase letters and
    /// hyphens: in addition to those of every game, such as "Good luck!".
    pub phrases: &'static [(&'static str, &'static str)],
}

impl About {
    /// Defaults for a game of skill between opponents, for use as `..About::SKILL`.
    pub const SKILL: About = About {
        name: "",
        title: "",
        summary: "",
        rules: "",
        has_luck: false,
        can_be_drawn: true,
        is_cooperative: false,
        is_narrated: false,
        chances_recur: false,
        has_fixed_seats: false,
        usual_time: None,
        phrases: &[],
    };
}

/// Clock that players of a game use, with times in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameClock {
    /// Time of each player, with an increment after each move.
    Total {
        /// Time for the whole game or match.
        initial_ms: u64,
        /// Time added after each move.
        increment_ms: u64,
    },
    /// Time of each player, from which the first part of each turn takes nothing.
    Delay {
        /// Time for the whole game or match.
        initial_ms: u64,
        /// Time of each turn that takes nothing.
        delay_ms: u64,
    },
}

impl GameClock {
    /// Clocks of most games, the quickest first.
    pub const COMMON: [GameClock; 6] = [
        GameClock::total(60, 0),
        GameClock::total(180, 2),
        GameClock::total(300, 3),
        GameClock::total(360, 0),
        GameClock::total(600, 5),
        GameClock::total(1_800, 20),
    ];

    /// Creates a clock from seconds for the game and seconds more for each move.
    const fn total(initial: u64, increment: u64) -> GameClock {
        GameClock::Total {
            initial_ms: 1_000 * initial,
            increment_ms: 1_000 * increment,
        }
    }
}

/// Difficulty of a game that is won or lost together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difficulty {
    /// Name, such as "Standard".
    pub name: &'static str,
    /// Sentence that tells how often bots win, if that was measured for these options.
    pub bots: Option<String>,
}

/// Named options, such as "Gomoku".
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// Name of the variant.
    pub title: &'static str,
    /// Options of the variant.
    pub options: Value,
}

/// Generic function over positions, for [`Game::specialize`].
pub trait PositionVisitor {
    /// Result type of the function.
    type Output;

    /// Calls the function.
    fn visit<P: Position + PartialEq>(self, position: &P) -> Self::Output;
}

/// Totals of a series of playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Playouts {
    /// Number of games played to their end.
    pub games: u64,
    /// Number of moves in all games.
    pub plies: u64,
}

/// Visitor that plays random games.
struct PlayoutRun {
    games: u64,
    seed: u64,
}

impl PositionVisitor for PlayoutRun {
    type Output = Playouts;

    fn visit<P: Position + PartialEq>(self, position: &P) -> Playouts {
        use rand_xoshiro::rand_core::SeedableRng;
        let mut rng = parlor_bots::Prng::seed_from_u64(self.seed);
        let mut scratch = Scratch::default();
        let play = |sum: Playouts, _| {
            let end = playout(&mut position.clone(), &mut rng, 1_000_000, &mut scratch);
            Playouts {
                games: sum.games + 1,
                plies: sum.plies + u64::from(end.plies),
            }
        };
        (0..self.games).fold(Playouts::default(), play)
    }
}

/// Visitor that computes perft to this depth.
pub(crate) struct Perft(pub(crate) u32);

impl PositionVisitor for Perft {
    type Output = u64;

    fn visit<P: Position + PartialEq>(self, position: &P) -> u64 {
        parlor_core::perft(position, self.0)
    }
}

/// Visitor that runs a tree search with random playouts and counts its simulations.
pub(crate) struct Simulations {
    pub(crate) most: u64,
    pub(crate) seed: u64,
}

impl PositionVisitor for Simulations {
    type Output = u64;

    fn visit<P: Position + PartialEq>(self, position: &P) -> u64 {
        let mut start = position.clone();
        while let Some((first, _)) = start.chances().into_iter().next() {
            start.resolve_unchecked(&first);
        }
        let choice = Mcts::new(self.seed).choose(&start, &mut Nodes(self.most));
        choice.map_or(0, |choice| choice.info.nodes)
    }
}
