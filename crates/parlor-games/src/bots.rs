//! Bots of any game, and a budget in time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::AnyPosition;
use crate::tenant::Tenant;
#[cfg(feature = "testing")]
use parlor_bots::Level;
pub use parlor_bots::UnknownBot;
use parlor_bots::{Alone, Budget, Choice, Crew, Spec, Strategy, Unsuitable};
use parlor_core::Seat;

/// Something that plays any game of the house.
pub trait Bot: Send {
    /// What it is called.
    fn name(&self) -> String;

    /// A move for the seat on turn; `None` when no seat is to move or the position is of another game.
    fn think(&mut self, position: &AnyPosition, budget: &mut dyn Budget) -> Option<Thought>;

    /// A move of `seat` while another seat is on turn, in games that have such moves; `None` to let the others go on.
    fn interject(
        &mut self,
        position: &AnyPosition,
        seat: Seat,
        budget: &mut dyn Budget,
    ) -> Option<Thought>;
}

/// A chosen move as text, and what was thought about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// The move's canonical text.
    pub text: String,
    /// Nodes looked at.
    pub nodes: u64,
    /// The expected payoff for the mover, from -1 to 1, if the bot estimates it.
    pub value: Option<f64>,
    /// Whether the value is proven.
    pub exact: bool,
    /// Plies looked ahead.
    pub depth: u32,
    /// The moves expected, the chosen one first.
    pub line: Vec<String>,
}

/// A bot that a game offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotInfo {
    /// What to ask the factory for: `level:3`.
    pub spec: String,
    /// What it is called: "Level 3, club".
    pub title: &'static str,
}

/// Why there is no such bot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoBot {
    /// No bot has that name.
    #[error(transparent)]
    Unknown(#[from] UnknownBot),
    /// It does not play this game under these options.
    #[error(transparent)]
    Unsuitable(#[from] Unsuitable),
}

/// The bots that play the game of `position` under its options: the levels first, weakest to strongest.
pub fn list(position: &AnyPosition) -> Vec<BotInfo> {
    let specs = match position {
        AnyPosition::Mnk(board) => parlor_bots::mnk::offers(board.rules()),
        AnyPosition::Ultimate(game) => parlor_bots::ultimate::offers(&game.rules()),
        AnyPosition::Backgammon(game) => parlor_bots::backgammon::offers(&game.rules()),
        AnyPosition::Pandemic(game) => parlor_bots::pandemic::offers(&game.rules()),
        #[cfg(feature = "testing")]
        AnyPosition::Pig(_) => vec![
            Spec::Level(Level::LOWEST),
            Spec::Level(Level::HIGHEST),
            Spec::Random,
        ],
    };
    specs
        .into_iter()
        .map(|spec| BotInfo {
            spec: spec.to_string(),
            title: title(spec),
        })
        .collect()
}

fn title(spec: Spec) -> &'static str {
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

/// The bot that stands in for somebody who left.
pub fn weakest(position: &AnyPosition) -> String {
    list(position)
        .into_iter()
        .next()
        .map_or_else(|| Spec::Random.to_string(), |bot| bot.spec)
}

/// Whether a bot called `spec` plays the game of `position` under its options.
///
/// # Errors
/// [`NoBot`], which says what there is.
pub fn check(position: &AnyPosition, spec: &str) -> Result<(), NoBot> {
    let spec: Spec = spec.parse()?;
    match position {
        AnyPosition::Mnk(board) => parlor_bots::mnk::suits(spec, board.rules())?,
        AnyPosition::Ultimate(game) => parlor_bots::ultimate::suits(spec, &game.rules())?,
        AnyPosition::Backgammon(game) => parlor_bots::backgammon::suits(spec, &game.rules())?,
        AnyPosition::Pandemic(game) => parlor_bots::pandemic::suits(spec, &game.rules())?,
        #[cfg(feature = "testing")]
        AnyPosition::Pig(_) => drop(toy(spec, 0)),
    }
    Ok(())
}

/// Makes a bot for games such as `position`'s. With the same seed and a budget in nodes it plays the same everywhere.
///
/// # Errors
/// [`NoBot`], which says what there is.
pub fn bot(position: &AnyPosition, spec: &str, seed: u64) -> Result<Box<dyn Bot>, NoBot> {
    bot_with_crew(position, spec, seed, Arc::new(Alone))
}

/// The same, with threads that share the work on a move where the bot's search can use them. For a budget in nodes it plays the same
/// with any.
///
/// # Errors
/// [`NoBot`], which says what there is.
pub fn bot_with_crew(
    position: &AnyPosition,
    spec: &str,
    seed: u64,
    crew: Arc<dyn Crew>,
) -> Result<Box<dyn Bot>, NoBot> {
    let spec: Spec = spec.parse()?;
    match position {
        AnyPosition::Mnk(board) => Ok(erase(parlor_bots::mnk::build(spec, board.rules(), seed)?)),
        AnyPosition::Ultimate(game) => Ok(erase(parlor_bots::ultimate::build(
            spec,
            &game.rules(),
            seed,
        )?)),
        AnyPosition::Backgammon(game) => Ok(erase(parlor_bots::backgammon::build(
            spec,
            &game.rules(),
            seed,
        )?)),
        AnyPosition::Pandemic(game) => Ok(erase(parlor_bots::pandemic::build_with_crew(
            spec,
            &game.rules(),
            seed,
            crew,
        )?)),
        #[cfg(feature = "testing")]
        AnyPosition::Pig(_) => Ok(toy(spec, seed)),
    }
}

#[cfg(feature = "testing")]
fn toy(spec: Spec, seed: u64) -> Box<dyn Bot> {
    use parlor_bots::{Mcts, Random};
    match spec {
        Spec::Random | Spec::Level(Level::LOWEST) => {
            erase::<parlor_core::testing::pig::Pig>(Box::new(Random::new(seed)))
        }
        _ => erase::<parlor_core::testing::pig::Pig>(Box::new(Mcts::new(seed))),
    }
}

fn erase<P: Tenant>(strategy: Box<dyn Strategy<P>>) -> Box<dyn Bot> {
    Box::new(Erased { strategy })
}

/// A strategy for one game's positions, as a bot for any.
struct Erased<P> {
    strategy: Box<dyn Strategy<P>>,
}

impl<P: Tenant> Bot for Erased<P> {
    fn name(&self) -> String {
        self.strategy.name()
    }

    fn think(&mut self, position: &AnyPosition, budget: &mut dyn Budget) -> Option<Thought> {
        let position = P::of(position)?;
        let choice = self.strategy.choose(position, budget)?;
        Some(Self::told(position, &choice))
    }

    fn interject(
        &mut self,
        position: &AnyPosition,
        seat: Seat,
        budget: &mut dyn Budget,
    ) -> Option<Thought> {
        let position = P::of(position)?;
        let choice = self.strategy.interject(position, seat, budget)?;
        Some(Self::told(position, &choice))
    }
}

impl<P: Tenant> Erased<P> {
    /// A choice in texts.
    fn told(position: &P, choice: &Choice<P::Move>) -> Thought {
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

/// A budget in time: thinking ends when `limit` has passed since [`Deadline::after`].
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    end: Instant,
    asked: u32,
    over: bool,
}

impl Deadline {
    /// How many questions go by between two looks at the clock.
    const EVERY: u32 = 16;

    /// From now, this long.
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
