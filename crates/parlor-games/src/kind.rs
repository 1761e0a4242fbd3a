//! The list of games and handles to its entries.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::OnceLock;

use parlor_core::Notation;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::analysis::AnalysisEngine;
use crate::exchange::Exchange;
use crate::files::FileFormat;
use crate::game::{About, BoardStyle, Difficulty, Game, GameClock, Preset, Variant};
use crate::repository::RepositoryFormat;
use crate::{AnyPosition, GAMES, OptionsError, schema};

/// Handle to a game: what its [`Game`] trait offers, without its types.
///
/// It is displayed, compared and serialized as the game's name.
#[derive(Clone, Copy)]
pub struct GameKind(&'static dyn AnyGame);

/// The object-safe side of [`Game`].
trait AnyGame: Send + Sync {
    fn about(&self) -> &'static About;
    fn style(&self) -> &'static str;
    fn board_styles(&self) -> [BoardStyle; 2];
    fn options_schema(&self) -> Value;
    fn view_schema(&self) -> Value;
    fn presets(&self) -> Vec<Preset>;
    fn since(&self, options: &Value) -> u16;
    fn clocks(&self, options: &Value) -> Vec<GameClock>;
    fn usual_clock(&self, options: &Value) -> Option<GameClock>;
    fn variant(&self, options: &Value) -> Variant;
    fn difficulty(&self, options: &Value) -> Option<Difficulty>;
    fn start(&self, options: &Value) -> Result<AnyPosition, OptionsError>;
    fn position(&self, text: &str) -> Result<AnyPosition, parlor_core::NotationError>;
    fn position_from_json(&self, json: &Value) -> Result<AnyPosition, OptionsError>;
    fn picture(&self, view: &Value) -> Result<String, OptionsError>;
    fn page(&self, view: &Value) -> Result<String, OptionsError>;
    fn analysis(&self) -> Option<&'static dyn AnalysisEngine>;
    fn formats(&self) -> &'static [&'static dyn Exchange];
    fn files(&self) -> &'static [&'static dyn FileFormat];
    fn repository(&self) -> Option<&'static dyn RepositoryFormat>;
}

/// Type-erased game.
struct Erased<G>(PhantomData<fn() -> G>);

impl<G: Game> AnyGame for Erased<G> {
    fn about(&self) -> &'static About {
        const { &G::ABOUT }
    }

    fn style(&self) -> &'static str {
        G::STYLE
    }

    fn board_styles(&self) -> [BoardStyle; 2] {
        G::BOARD_STYLES
    }

    fn options_schema(&self) -> Value {
        G::options_schema()
    }

    fn view_schema(&self) -> Value {
        schema::view_schema::<G::View>()
    }

    fn presets(&self) -> Vec<Preset> {
        G::presets()
    }

    fn since(&self, options: &Value) -> u16 {
        G::since(options)
    }

    fn clocks(&self, options: &Value) -> Vec<GameClock> {
        G::clocks(options)
    }

    fn usual_clock(&self, options: &Value) -> Option<GameClock> {
        G::usual_clock(options)
    }

    fn variant(&self, options: &Value) -> Variant {
        G::variant(options)
    }

    fn difficulty(&self, options: &Value) -> Option<Difficulty> {
        G::difficulty(options)
    }

    fn start(&self, options: &Value) -> Result<AnyPosition, OptionsError> {
        G::start(options).map(AnyPosition::new)
    }

    fn position(&self, text: &str) -> Result<AnyPosition, parlor_core::NotationError> {
        G::Position::from_text(text).map(AnyPosition::new)
    }

    fn position_from_json(&self, json: &Value) -> Result<AnyPosition, OptionsError> {
        G::position_from_json(json).map(AnyPosition::new)
    }

    fn picture(&self, view: &Value) -> Result<String, OptionsError> {
        G::read_view(view).map(|view| G::picture(&view))
    }

    fn page(&self, view: &Value) -> Result<String, OptionsError> {
        G::read_view(view).map(|view| G::page(&view))
    }

    fn analysis(&self) -> Option<&'static dyn AnalysisEngine> {
        G::analysis()
    }

    fn formats(&self) -> &'static [&'static dyn Exchange] {
        G::formats()
    }

    fn files(&self) -> &'static [&'static dyn FileFormat] {
        G::files()
    }

    fn repository(&self) -> Option<&'static dyn RepositoryFormat> {
        G::repository()
    }
}

/// All games in display order; set once.
static INSTALLED: OnceLock<Vec<GameKind>> = OnceLock::new();

/// Adds games from outside this workspace to the list. Call it once, at program start.
///
/// ```
/// use parlor_games::{GameKind, install, mnk};
/// let again = [GameKind::new::<mnk::Mnk>()];
/// assert!(install(&again).is_err(), "a game by that name is there already");
/// ```
///
/// # Errors
/// [`NotInstalled`] if two games have the same name, or the list has already been used.
pub fn install(games: &[GameKind]) -> Result<(), NotInstalled> {
    let all: Vec<GameKind> = GAMES.iter().chain(games).copied().collect();
    for (n, kind) in all.iter().enumerate() {
        if all[..n].contains(kind) {
            return Err(NotInstalled::Twice(kind.name()));
        }
    }
    INSTALLED.set(all).map_err(|_| NotInstalled::TooLate)
}

/// Reason why games could not be added to the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotInstalled {
    /// Two games have the same name.
    #[error("there are two games by the name {0:?}")]
    Twice(&'static str),
    /// The list of games has already been used or extended.
    #[error("games are installed once, before the list of games is used")]
    TooLate,
}

impl GameKind {
    /// Creates a handle to a game.
    pub const fn new<G: Game>() -> GameKind {
        GameKind(&Erased::<G>(PhantomData))
    }

    /// Returns all games in display order.
    pub fn all() -> &'static [GameKind] {
        INSTALLED.get_or_init(|| GAMES.to_vec())
    }

    /// Returns the game with this name.
    ///
    /// # Errors
    /// [`UnknownGame`], which lists the available games.
    pub fn from_name(name: &str) -> Result<GameKind, UnknownGame> {
        let known = GameKind::all().iter().copied();
        let by_name = known.into_iter().find(|kind| kind.name() == name);
        by_name.ok_or_else(|| UnknownGame(name.chars().take(40).collect()))
    }

    /// Returns the name in commands, URLs and records.
    pub fn name(self) -> &'static str {
        self.0.about().name
    }

    /// Returns the name for display.
    pub fn title(self) -> &'static str {
        self.0.about().title
    }

    /// Returns the game in one sentence.
    pub fn summary(self) -> &'static str {
        self.0.about().summary
    }

    /// Returns the rules in plain text, paragraphs separated by empty lines.
    pub fn rules(self) -> &'static str {
        self.0.about().rules
    }

    /// Returns true if the game has luck.
    pub fn has_luck(self) -> bool {
        self.0.about().has_luck
    }

    /// Returns true if a game of this kind can end without a winner.
    pub fn can_be_drawn(self) -> bool {
        self.0.about().can_be_drawn
    }

    /// Returns true if all seats win or lose together; see [`About::is_cooperative`].
    pub fn is_cooperative(self) -> bool {
        self.0.about().is_cooperative
    }

    /// Returns true if every step has a [narrative](crate::Wording::narrate).
    pub fn is_narrated(self) -> bool {
        self.0.about().is_narrated
    }

    /// Returns true if the same chances recur; see [`About::chances_recur`].
    pub fn chances_recur(self) -> bool {
        self.0.about().chances_recur
    }

    /// Returns true if the names of the seats are the same under all options.
    pub(crate) fn has_fixed_seats(self) -> bool {
        self.0.about().has_fixed_seats
    }

    /// Returns the clocks that players use under these complete options.
    pub fn clocks(self, options: &Value) -> Vec<GameClock> {
        self.0.clocks(options)
    }

    /// Returns the usual clock of a game between people under these complete options; `None` for no
    /// clock.
    ///
    /// ```
    /// use parlor_games::{GameClock, backgammon};
    /// let length_five = backgammon::KIND.start(&serde_json::json!({ "length": 5 }))?.options();
    /// let clock = GameClock::Delay { initial_ms: 600_000, delay_ms: 8_000 };
    /// assert_eq!(backgammon::KIND.usual_clock(&length_five), Some(clock));
    /// # Ok::<(), parlor_games::OptionsError>(())
    /// ```
    pub fn usual_clock(self, options: &Value) -> Option<GameClock> {
        self.0.usual_clock(options)
    }

    /// Returns the variant that is played under these complete options.
    ///
    /// ```
    /// use parlor_games::mnk;
    /// let gomoku = mnk::KIND.start(&serde_json::json!({ "rows": 15, "columns": 15, "k": 5 }))?;
    /// let variant = mnk::KIND.variant(&gomoku.options());
    /// assert_eq!((&*variant.key, &*variant.title), ("15x15x5", "Gomoku 15 × 15"));
    /// # Ok::<(), parlor_games::OptionsError>(())
    /// ```
    pub fn variant(self, options: &Value) -> Variant {
        self.0.variant(options)
    }

    /// Returns the variants of the presets for two players, the usual one first.
    pub fn variants(self) -> Vec<Variant> {
        let presets = self.presets().into_iter().map(|preset| preset.options);
        let mut variants = Vec::new();
        for options in std::iter::once(Value::Null).chain(presets) {
            let Ok(position) = self.start(&options) else {
                continue;
            };
            let variant = self.variant(&position.options());
            if position.seats() == 2 && !variants.contains(&variant) {
                variants.push(variant);
            }
        }
        variants
    }

    /// Returns the looks of the game's boards, the usual one first.
    pub fn board_styles(self) -> [BoardStyle; 2] {
        self.0.board_styles()
    }

    /// Returns the game's own phrases for talk at a table, each with its id.
    pub fn phrases(self) -> &'static [(&'static str, &'static str)] {
        self.0.about().phrases
    }

    /// Returns the style sheet of the game's pictures.
    pub fn style(self) -> &'static str {
        self.0.style()
    }

    /// Returns the JSON Schema of the game's options, with titles and defaults.
    pub fn options_schema(self) -> Value {
        self.0.options_schema()
    }

    /// Returns the JSON Schema of the game's views, the form in which the API shows positions. The
    /// types of its parts are in `$defs`.
    ///
    /// ```
    /// let schema = parlor_games::mnk::KIND.view_schema();
    /// assert_eq!(schema["properties"]["rows"]["type"], "integer");
    /// assert_eq!(schema["properties"]["turn"]["$ref"], "#/$defs/TurnView");
    /// ```
    pub fn view_schema(self) -> Value {
        self.0.view_schema()
    }

    /// Returns well-known options with their names, the usual ones first.
    pub fn presets(self) -> Vec<Preset> {
        self.0.presets()
    }

    /// Returns the format of a table's events since which these complete options exist; 0 for those
    /// that have always been there.
    pub fn since(self, options: &Value) -> u16 {
        self.0.since(options)
    }

    /// Describes how hard a game under these options is, with how often bots win it where that was
    /// measured. `None` for games against each other, and for invalid options.
    ///
    /// ```
    /// use parlor_games::GameKind;
    /// use serde_json::json;
    ///
    /// let pandemic = GameKind::from_name("pandemic")?;
    /// let hard = pandemic.difficulty(&json!({ "players": 4, "epidemics": 5 })).expect("a team game");
    /// assert_eq!(hard.name, "Standard");
    /// assert!(hard.bots.is_some_and(|sentence| sentence.contains("wins 64 in 100 games")));
    /// assert_eq!(GameKind::from_name("mnk")?.difficulty(&json!({})), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn difficulty(self, options: &Value) -> Option<Difficulty> {
        self.0.difficulty(options)
    }

    /// Returns the first position under these options. Missing options take their defaults, and
    /// `null` stands for no options at all.
    ///
    /// # Errors
    /// Every problem with the options.
    pub fn start(self, options: &Value) -> Result<AnyPosition, OptionsError> {
        self.0.start(options)
    }

    /// Parses the text of a position.
    ///
    /// # Errors
    /// If the text is malformed or the position is illegal.
    pub fn position(self, text: &str) -> Result<AnyPosition, parlor_core::NotationError> {
        self.0.position(text)
    }

    /// Reads a position from the game's JSON form: its view, or the parts of it that matter.
    ///
    /// # Errors
    /// Every problem with it.
    pub fn position_from_json(self, json: &Value) -> Result<AnyPosition, OptionsError> {
        self.0.position_from_json(json)
    }

    /// Draws a view of this game as an SVG document.
    ///
    /// # Errors
    /// If the view is not one of this game.
    pub fn svg(self, view: &Value) -> Result<String, OptionsError> {
        self.0.picture(view)
    }

    /// Draws a view of this game for a page: an element of class `board`, well-formed as XML, with
    /// the ids of the picture.
    ///
    /// # Errors
    /// If the view is not one of this game.
    pub fn page(self, view: &Value) -> Result<String, OptionsError> {
        self.0.page(view)
    }

    /// Returns the analysis of this game, if there is one.
    pub(crate) fn analysis(self) -> Option<&'static dyn AnalysisEngine> {
        self.0.analysis()
    }

    /// Returns the formats of other programs that games can be written to or read from.
    pub(crate) fn exchange(self) -> &'static [&'static dyn Exchange] {
        self.0.formats()
    }

    /// Returns the file formats that can be validated on their own.
    pub(crate) fn files(self) -> &'static [&'static dyn FileFormat] {
        self.0.files()
    }

    /// Returns the game's own file formats in a repository, if any.
    pub(crate) fn repository(self) -> Option<&'static dyn RepositoryFormat> {
        self.0.repository()
    }
}

impl PartialEq for GameKind {
    fn eq(&self, other: &GameKind) -> bool {
        self.name() == other.name()
    }
}

impl Eq for GameKind {}

impl PartialOrd for GameKind {
    fn partial_cmp(&self, other: &GameKind) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for GameKind {
    fn cmp(&self, other: &GameKind) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl Hash for GameKind {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GameKind({})", self.name())
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for GameKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for GameKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameKind, D::Error> {
        let name = std::borrow::Cow::<str>::deserialize(deserializer)?;
        GameKind::from_name(&name).map_err(serde::de::Error::custom)
    }
}

/// Error for a name that no game has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no game {0:?} here; the games are {all}", all = names())]
pub struct UnknownGame(pub String);

fn names() -> String {
    let names: Vec<&str> = GameKind::all().iter().map(|kind| kind.name()).collect();
    names.join(", ")
}
