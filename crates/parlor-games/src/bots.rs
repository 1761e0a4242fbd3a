//! Bots of any game, and a budget in time.

use std::marker::PhantomData;
use std::time::{Duration, Instant};

use crate::AnyPosition;
use crate::tenant::Tenant;
use parlor_bots::{Budget, Mcts, Random, Strategy};

/// Something that plays any game of the house.
pub trait Bot: Send {
    /// What it is called.
    fn name(&self) -> String;

    /// A move for the seat on turn; `None` when no seat is to move or the position is of another game.
    fn think(&mut self, position: &AnyPosition, budget: &mut dyn Budget) -> Option<Thought>;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BotInfo {
    /// What to ask the factory for.
    pub spec: &'static str,
    /// What it is called.
    pub title: &'static str,
}

/// No bot of this game has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{game} has no bot {spec:?}; its bots are {all}")]
pub struct UnknownBot {
    /// The game's name.
    pub game: &'static str,
    /// What was asked for, shortened.
    pub spec: String,
    /// What there is.
    pub all: String,
}

/// The bots of a position's game, weakest first.
pub fn list(position: &AnyPosition) -> Vec<BotInfo> {
    let _ = position;
    vec![
        BotInfo { spec: "level:1", title: "Level 1, beginner" },
        BotInfo { spec: "level:2", title: "Level 2, casual" },
        BotInfo { spec: "level:3", title: "Level 3, club" },
        BotInfo { spec: "level:4", title: "Level 4, strong" },
        BotInfo { spec: "level:5", title: "Level 5, master" },
    ]
}

/// The bot that stands in for somebody who left.
pub fn weakest(position: &AnyPosition) -> String {
    list(position).first().map_or_else(|| "random".to_owned(), |bot| bot.spec.to_owned())
}

/// Whether the game of `position` has a bot called `spec`.
///
/// # Errors
/// [`UnknownBot`], which lists those it has.
pub fn check(position: &AnyPosition, spec: &str) -> Result<(), UnknownBot> {
    bot(position, spec, 0).map(|_| ())
}

/// Makes a bot for games such as `position`'s. With the same seed and a budget in nodes it plays the same everywhere.
///
/// # Errors
/// [`UnknownBot`] when the game has no bot called `spec`.
pub fn bot(position: &AnyPosition, spec: &str, seed: u64) -> Result<Box<dyn Bot>, UnknownBot> {
    match position {
        AnyPosition::Mnk(_) => generic::<parlor_tictactoe::mnk::Board>(spec, seed),
        #[cfg(feature = "testing")]
        AnyPosition::Pig(_) => generic::<parlor_core::testing::pig::Pig>(spec, seed),
    }
    .ok_or_else(|| UnknownBot {
        game: position.kind().name(),
        spec: spec.chars().take(40).collect(),
        all: list(position).iter().map(|bot| bot.spec).collect::<Vec<_>>().join(", "),
    })
}

/// The bots that any game can have.
fn generic<P: Tenant + PartialEq>(spec: &str, seed: u64) -> Option<Box<dyn Bot>> {
    match spec {
        "random" => Some(Box::new(Erased::<P, _>::new(Random::new(seed)))),
        "mcts" | "level:1" | "level:2" | "level:3" | "level:4" | "level:5" => {
            Some(Box::new(Erased::<P, _>::new(Mcts::new(seed))))
        }
        _ => None,
    }
}

/// A strategy for one game's positions, as a bot for any.
struct Erased<P, S> {
    strategy: S,
    game: PhantomData<fn(P)>,
}

impl<P, S> Erased<P, S> {
    fn new(strategy: S) -> Self {
        Erased { strategy, game: PhantomData }
    }
}

impl<P: Tenant, S: Strategy<P>> Bot for Erased<P, S> {
    fn name(&self) -> String {
        self.strategy.name()
    }

    fn think(&mut self, position: &AnyPosition, budget: &mut dyn Budget) -> Option<Thought> {
        let position = P::of(position)?;
        let choice = self.strategy.choose(position, budget)?;
        let mut ahead = position.clone();
        let line = choice.info.line.iter().map_while(|m| {
            let text = ahead.move_text(m);
            ahead.try_play(m).ok().map(|()| text)
        });
        Some(Thought {
            line: line.collect(),
            text: position.move_text(&choice.mv),
            nodes: choice.info.nodes,
            value: choice.info.value,
            exact: choice.info.exact,
            depth: choice.info.depth,
        })
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
        Deadline { end: Instant::now() + limit, asked: 0, over: false }
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
