//! The trait that a game implements to move into the house.

use std::fmt::Debug;

use parlor_bots::{Mcts, Nodes, Strategy};
use parlor_core::playout::{Scratch, playout};
use parlor_core::{Notation, Position};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::analysis::AnalysisEngine;
use crate::bots::{Bots, TreeSearch};
use crate::exchange::Exchange;
use crate::files::FileFormat;
use crate::repository::RepositoryFormat;
use crate::{Console, Input, OptionsError, TeamPlay, Wording};

/// A game of the house: its name, options, positions, views and pictures, and the capabilities it
/// has beyond those.
///
/// A unit struct implements this trait in a folder of its own, and its position type implements
/// [`GamePosition`]. One line in the list of games, or a call of [`install`](crate::install) for a
/// game outside this workspace, is all that the floors above need. Methods with a default are
/// capabilities: bots by tree search, console input by move texts and a page that shows the
/// picture work at once; analysis, exchange formats and the like are absent until they are given.
pub trait Game: Send + Sync + 'static {
    /// A position of the game.
    type Position: GamePosition<Game = Self>;

    /// Plain data that pages and other clients get of a position. A picture is drawn from a view
    /// and nothing else.
    type View: Serialize + DeserializeOwned;

    /// Name, rules and properties.
    const ABOUT: About;

    /// Returns the JSON Schema of the options, with titles and defaults.
    fn options_schema() -> Value;

    /// Returns well-known options by name, the usual one first.
    fn presets() -> Vec<Preset>;

    /// Returns the first position under these options. Missing options take their defaults, and
    /// `null` stands for no options at all; [`OptionsReader`](crate::OptionsReader) collects what
    /// is wrong with them.
    ///
    /// # Errors
    /// Every reason against the options.
    fn start(options: &Value) -> Result<Self::Position, OptionsError>;

    /// Returns the complete options of the game that a position belongs to, with every default
    /// written out.
    fn options(position: &Self::Position) -> Value;

    /// Returns the view of a position. `last` is the text of the last move, if there was one.
    fn view(position: &Self::Position, last: Option<&str>) -> Self::View;

    /// Reads a view that [`view`](Game::view) wrote.
    ///
    /// # Errors
    /// The reason, if it is not a view of this game or its parts contradict each other.
    fn read_view(json: &Value) -> Result<Self::View, OptionsError> {
        <Self::View as serde::Deserialize>::deserialize(json)
            .map_err(|error| OptionsError::one("", error.to_string()))
    }

    /// Draws a view as an SVG document with stable element ids, which [clicks](Input::clicks) name.
    fn picture(view: &Self::View) -> String;

    /// Draws a view for a page: an element of class `board`, well-formed as XML, with the ids of
    /// the picture. The default is the picture; a game whose picture is too wide for a small
    /// screen returns HTML with pictures in it.
    fn page(view: &Self::View) -> String {
        Self::picture(view)
    }

    /// Style sheet of the game's pictures, served to every page that shows one.
    const STYLE: &'static str = "";

    /// Reads a position from the game's JSON form: its view, or the parts of it that matter.
    ///
    /// # Errors
    /// Every reason against it. The default refuses everything.
    fn position_from_json(json: &Value) -> Result<Self::Position, OptionsError> {
        let _ = json;
        let title = Self::ABOUT.title;
        Err(OptionsError::one("", format!("{title} has no JSON form")))
    }

    /// Returns the bots that play the game. The default is tree search for every level.
    fn bots() -> &'static dyn Bots<Self::Position> {
        &TreeSearch
    }

    /// Returns the analysis of the game, if there is one.
    fn analysis() -> Option<&'static dyn AnalysisEngine> {
        None
    }

    /// Returns the formats of other programs in which games are written or read.
    fn formats() -> &'static [&'static dyn Exchange] {
        &[]
    }

    /// Returns the formats of files that can be checked on their own.
    fn files() -> &'static [&'static dyn FileFormat] {
        &[]
    }

    /// Returns the game's own files in a repository. Without them the files are an envelope around
    /// the view.
    fn repository() -> Option<&'static dyn RepositoryFormat> {
        None
    }

    /// Calls the visitor with the fastest representation of a position. For games whose position is
    /// an enum of several board types, which would be matched at every move otherwise.
    fn specialize<V: PositionVisitor>(position: &Self::Position, visitor: V) -> V::Output {
        visitor.visit(position)
    }

    /// Plays `games` random games from a position to their ends; the same for the same `seed`. A
    /// game of more than a million moves is broken off.
    fn playouts(position: &Self::Position, games: u64, seed: u64) -> Playouts {
        Self::specialize(position, PlayoutRun { games, seed })
    }
}

/// A position of a [`Game`]: the rules with their notation, and everything a table shows and asks.
///
/// The four traits beside [`Notation`] speak text only; implement those methods whose defaults do
/// not suit, and leave the others out: `impl TeamPlay for MyPosition {}`.
pub trait GamePosition:
    Notation + PartialEq + Debug + Wording + Input + TeamPlay + Console
{
    /// The game.
    type Game: Game<Position = Self>;
}

/// Name, rules and properties of a game.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Name in commands, addresses and records: lower case without blanks.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// The game in one sentence.
    pub summary: &'static str,
    /// The rules in plain text, paragraphs separated by empty lines.
    pub rules: &'static str,
    /// True if luck decides anything.
    pub has_luck: bool,
    /// True if a game can end without a winner.
    pub can_be_drawn: bool,
    /// True if all seats win or lose together. Such games are not rated, nobody offers a draw, and
    /// a seat may take back what it has just done.
    pub is_cooperative: bool,
    /// True if every step has a [narrative](Wording::narrate).
    pub is_narrated: bool,
    /// True if the same chances come again and again, as those of dice do, so that counting them
    /// makes sense. Cards leave their deck.
    pub chances_recur: bool,
    /// True if seats have the same names under all options.
    pub has_fixed_seats: bool,
    /// Usual time of each player for a whole game, in milliseconds; `None` for no clock.
    pub usual_time: Option<u64>,
}

impl About {
    /// A game of skill for opponents, to be completed with `..About::SKILL`.
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
    };
}

/// Options with a name that people know, such as "Gomoku".
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// Name of the variant.
    pub title: &'static str,
    /// The options it stands for.
    pub options: Value,
}

/// A generic function over positions, for [`Game::specialize`].
pub trait PositionVisitor {
    /// The function's result.
    type Output;

    /// Calls the function.
    fn visit<P: Position + PartialEq>(self, position: &P) -> Self::Output;
}

/// Totals of a series of playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Playouts {
    /// Games played to their end.
    pub games: u64,
    /// Moves in all of them.
    pub plies: u64,
}

/// Plays random games.
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

/// Counts the ways to play on.
pub(crate) struct Perft(pub(crate) u32);

impl PositionVisitor for Perft {
    type Output = u64;

    fn visit<P: Position + PartialEq>(self, position: &P) -> u64 {
        parlor_core::perft(position, self.0)
    }
}

/// Searches by plain random playouts and counts them.
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
