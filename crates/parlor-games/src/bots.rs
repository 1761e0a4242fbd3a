//! Bots of any game, and a budget in time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor_bots::{Alone, Choice, Crew, Spec, Strategy, Unsuitable};
pub use parlor_bots::{Budget, Nodes, UnknownBot};
use parlor_core::{Position, Seat};

use crate::AnyPosition;
use crate::game::GamePosition;

/// Bots of one game: the factory that [`Game::bots`](crate::Game::bots) returns.
pub trait Bots<P: Position>: Send + Sync {
    /// Returns the bots that can play the game of `position` under its options: levels first,
    /// weakest to strongest.
    fn offers(&self, position: &P) -> Vec<Spec>;

    /// Checks that a bot can play the game of `position` under its options.
    ///
    /// # Errors
    /// If it cannot.
    fn check(&self, spec: Spec, position: &P) -> Result<(), Unsuitable>;

    /// Builds a bot for games like that of `position`. With a fixed seed and a budget in nodes it
    /// plays the same moves everywhere, with any crew.
    ///
    /// # Errors
    /// If the bot cannot play the game.
    fn build(
        &self,
        spec: Spec,
        position: &P,
        seed: u64,
        crew: Arc<dyn Crew>,
    ) -> Result<Box<dyn Strategy<P>>, Unsuitable>;

    /// Returns the level and the style of play of a bot for display.
    fn title(&self, spec: Spec) -> &'static str {
        title(spec)
    }

    /// Plays `games` games of the game's net against itself; see
    /// [`DynPosition::evaluations`](crate::DynPosition::evaluations).
    fn self_play(&self, games: u64, seed: u64) -> Option<u64> {
        let _ = (games, seed);
        None
    }
}

/// Tree search with random playouts at every level; the bots of games without specialized ones.
pub struct TreeSearch;

impl<P: Position + PartialEq> Bots<P> for TreeSearch {
    fn offers(&self, _: &P) -> Vec<Spec> {
        parlor_bots::generic::offers()
    }

    fn check(&self, spec: Spec, _: &P) -> Result<(), Unsuitable> {
        parlor_bots::generic::suits(spec)
    }

    fn build(
        &self,
        spec: Spec,
        _: &P,
        seed: u64,
        _: Arc<dyn Crew>,
    ) -> Result<Box<dyn Strategy<P>>, Unsuitable> {
        parlor_bots::generic::build(spec, seed)
    }
}

/// Player of any game.
pub trait Bot: Send {
    /// Returns the bot's name.
    fn name(&self) -> String;

    /// Returns a move for the seat on turn; `None` if no seat is to move or the position belongs to
    /// a different game.
    fn think(&mut self, position: &AnyPosition, budget: &mut dyn Budget) -> Option<Thought>;

    /// Returns a move for `seat` while another seat is on turn, in games with such moves; `None` to
    /// let the other seat move.
    fn interject(
        &mut self,
        position: &AnyPosition,
        seat: Seat,
        budget: &mut dyn Budget,
    ) -> Option<Thought>;

    /// Returns the bytes of the tables and trees that it keeps between moves; 0 if it keeps next to
    /// nothing.
    fn memory(&self) -> usize {
        0
    }
}

/// Chosen move as text, with the search behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// Canonical text of the move.
    pub text: String,
    /// Nodes searched.
    pub nodes: u64,
    /// Expected payoff for the mover, from -1 to 1, if the bot estimates it.
    pub value: Option<f64>,
    /// True if the value is proven.
    pub exact: bool,
    /// Plies searched.
    pub depth: u32,
    /// Expected moves, the chosen one first.
    pub line: Vec<String>,
}

/// Bot that a game offers, for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotInfo {
    /// Spec to build it from, such as `level:3`.
    pub spec: String,
    /// Level and style of play, such as "Level 3, club".
    pub title: &'static str,
    /// Personal name, alike in every game; `None` for bots that are no level.
    pub name: Option<&'static str>,
    /// Strength from 1 to 5; `None` for bots that are no level.
    pub level: Option<u8>,
}

impl BotInfo {
    fn new(spec: Spec, title: &'static str) -> BotInfo {
        let level = match spec {
            Spec::Level(level) => Some(level.number()),
            _ => None,
        };
        let name = level.and_then(|level| NAMES.get(usize::from(level).checked_sub(1)?));
        BotInfo {
            spec: spec.to_string(),
            title,
            name: name.copied(),
            level,
        }
    }

    /// Returns the level and the name, such as "Level 3, Wren", or the title of a bot without a name.
    pub fn label(&self) -> String {
        match (self.level, self.name) {
            (Some(level), Some(name)) => format!("Level {level}, {name}"),
            _ => self.title.to_owned(),
        }
    }

    /// Returns the level, the name and the style of play, such as "Level 3, Wren (club)", or the title of
    /// a bot without a name.
    pub fn introduction(&self) -> String {
        match (self.name, self.title.split_once(", ")) {
            (Some(_), Some((_, style))) => format!("{} ({style})", self.label()),
            _ => self.label(),
        }
    }
}

/// Names of the bots of each level, weakest first.
const NAMES: [&str; 5] = ["Finch", "Robin", "Wren", "Heron", "Raven"];

/// Reason why a bot cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoBot {
    /// No bot has that name.
    #[error(transparent)]
    Unknown(#[from] UnknownBot),
    /// The bot does not play this game under these options.
    #[error(transparent)]
    Unsuitable(#[from] Unsuitable),
}

/// Returns the bots that can play the game of `position` under its options: levels first, weakest
/// to strongest.
pub fn list(position: &AnyPosition) -> Vec<BotInfo> {
    let specs = position.bot_specs().into_iter();
    specs
        .map(|spec| BotInfo::new(spec, position.bot_title(spec)))
        .collect()
}

/// Returns the listed bot with this spec.
pub fn find(position: &AnyPosition, spec: &str) -> Option<BotInfo> {
    list(position).into_iter().find(|bot| bot.spec == spec)
}

/// Returns the title of a bot whose game has no titles of its own.
pub(crate) fn title(spec: Spec) -> &'static str {
    match spec {
        Spec::Random => "Random moves",
        Spec::Perfect => "Perfect play",
        Spec::Mcts { .. } => "Tree search",
        Spec::AlphaBeta { .. } => "Alpha-beta search",
        Spec::Level(level) => match level.number() {
            1 => "Level 1, beginner",
            2 => "Level 2, casual",
            3 => "Level 3, club",
            4 => "Level 4, strong",
            _ => "Level 5, master",
        },
    }
}

/// Returns the spec of the weakest bot, which replaces an opponent who left.
pub fn weakest(position: &AnyPosition) -> String {
    let specs = position.bot_specs();
    specs.first().unwrap_or(&Spec::Random).to_string()
}

/// Returns the spec of the bot that stands in for a partner who left, until the others choose another
/// one: that of the middle level, or the weakest in games without it.
pub fn stand_in(position: &AnyPosition) -> String {
    let specs = position.bot_specs();
    let middle = specs
        .iter()
        .find(|spec| matches!(spec, Spec::Level(level) if level.number() == 3));
    middle.map_or_else(|| weakest(position), Spec::to_string)
}

/// Checks that the bot with this spec can play the game of `position` under its options.
///
/// # Errors
/// [`NoBot`], which lists the available bots.
pub fn check(position: &AnyPosition, spec: &str) -> Result<(), NoBot> {
    Ok(position.check_bot(spec.parse()?)?)
}

/// Builds a bot for games like that of `position`. With a fixed seed and a budget in nodes it plays
/// the same moves everywhere.
///
/// # Errors
/// [`NoBot`], which lists the available bots.
pub fn bot(position: &AnyPosition, spec: &str, seed: u64) -> Result<Box<dyn Bot>, NoBot> {
    bot_with_crew(position, spec, seed, Arc::new(Alone))
}

/// Builds a bot like [`bot`], whose search may use the threads of `crew`. With a budget in nodes it
/// plays the same moves with any crew.
///
/// # Errors
/// [`NoBot`], which lists the available bots.
pub fn bot_with_crew(
    position: &AnyPosition,
    spec: &str,
    seed: u64,
    crew: Arc<dyn Crew>,
) -> Result<Box<dyn Bot>, NoBot> {
    Ok(position.build_bot(spec.parse()?, seed, crew)?)
}

/// Turns a strategy for one game into a bot for any position.
pub(crate) fn erase<P: GamePosition>(strategy: Box<dyn Strategy<P>>) -> Box<dyn Bot> {
    Box::new(StrategyBot { strategy })
}

/// Strategy for one game, wrapped as a bot for any position.
struct StrategyBot<P> {
    strategy: Box<dyn Strategy<P>>,
}

impl<P: GamePosition> Bot for StrategyBot<P> {
    fn name(&self) -> String {
        self.strategy.name()
    }

    fn think(&mut self, position: &AnyPosition, budget: &mut dyn Budget) -> Option<Thought> {
        let position = position.downcast_ref::<P>()?;
        let choice = self.strategy.choose(position, budget)?;
        Some(Self::thought(position, &choice))
    }

    fn interject(
        &mut self,
        position: &AnyPosition,
        seat: Seat,
        budget: &mut dyn Budget,
    ) -> Option<Thought> {
        let position = position.downcast_ref::<P>()?;
        let choice = self.strategy.interject(position, seat, budget)?;
        Some(Self::thought(position, &choice))
    }

    fn memory(&self) -> usize {
        self.strategy.memory()
    }
}

impl<P: GamePosition> StrategyBot<P> {
    /// Converts a choice to text.
    fn thought(position: &P, choice: &Choice<P::Move>) -> Thought {
        let mut ahead = position.clone();
        let line = choice.info.line.iter().map_while(|m| {
            let text = ahead.move_text(m);
            ahead.try_play(m).ok().map(|()| text)
        });
        Thought {
            line: line.collect(),
            text: position.move_text(&choice.mv),
            nodes: choice.info.nodes,
            value: choice.info.value,
            exact: choice.info.exact,
            depth: choice.info.depth,
        }
    }
}

/// Time budget that ends once `limit` has passed since [`Deadline::after`].
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    end: Instant,
    asked: u32,
    over: bool,
}

impl Deadline {
    /// Number of budget checks per reading of the clock.
    const EVERY: u32 = 16;

    /// Starts a time budget of this duration.
    pub fn after(limit: Duration) -> Deadline {
        Deadline {
            end: Instant::now() + limit,
            asked: 0,
            over: false,
        }
    }
}

impl Budget for Deadline {
    fn spent(&mut self, _nodes: u64) -> bool {
        if self.asked.is_multiple_of(Self::EVERY) {
            self.over = Instant::now() >= self.end;
        }
        self.asked = self.asked.wrapping_add(1);
        self.over
    }
}
