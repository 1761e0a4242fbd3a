//! Names of strategies, from which factories build them.

use std::fmt;
use std::str::FromStr;

/// Strategy requested by a configuration.
///
/// The text forms are `random`, `perfect`, `mcts`, `alphabeta` and `level:1` to `level:5`; the two
/// searches accept a budget of their own, as in `mcts:nodes=10000`.
///
/// ```
/// use parlor_bots::{Spec, spec::Level};
/// let spec: Spec = "mcts:nodes=10000".parse()?;
/// assert_eq!(spec, Spec::Mcts { nodes: Some(10_000) });
/// assert_eq!(spec.to_string(), "mcts:nodes=10000");
/// assert!("level:6".parse::<Spec>().is_err());
/// # Ok::<(), parlor_bots::UnknownBot>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spec {
    /// Random legal moves.
    Random,
    /// Proven best moves.
    Perfect,
    /// Monte Carlo tree search.
    Mcts {
        /// Maximum number of nodes per move; `None` for the caller's limit.
        nodes: Option<u64>,
    },
    /// Alpha-beta search.
    AlphaBeta {
        /// Maximum number of nodes per move; `None` for the caller's limit.
        nodes: Option<u64>,
    },
    /// Opponent of a given strength.
    Level(Level),
}

impl Spec {
    /// Text forms, as shown in help.
    pub const FORMS: &str =
        "random, perfect, mcts, mcts:nodes=N, alphabeta, alphabeta:nodes=N, level:1 to level:5";

    /// Returns the default number of nodes per move.
    ///
    /// It keeps a move well below a second; levels limit themselves.
    pub const fn default_nodes(self) -> u64 {
        match self {
            Spec::Mcts { nodes: Some(nodes) } | Spec::AlphaBeta { nodes: Some(nodes) } => nodes,
            Spec::Mcts { nodes: None } => 10_000,
            Spec::AlphaBeta { nodes: None } => 100_000,
            Spec::Random | Spec::Perfect | Spec::Level(_) => u64::MAX,
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spec::Random => f.write_str("random"),
            Spec::Perfect => f.write_str("perfect"),
            Spec::Mcts { nodes: None } => f.write_str("mcts"),
            Spec::Mcts { nodes: Some(nodes) } => write!(f, "mcts:nodes={nodes}"),
            Spec::AlphaBeta { nodes: None } => f.write_str("alphabeta"),
            Spec::AlphaBeta { nodes: Some(nodes) } => write!(f, "alphabeta:nodes={nodes}"),
            Spec::Level(level) => write!(f, "level:{}", level.number()),
        }
    }
}

impl FromStr for Spec {
    type Err = UnknownBot;

    fn from_str(text: &str) -> Result<Spec, UnknownBot> {
        let unknown = || UnknownBot {
            text: text.chars().take(UnknownBot::SHOWN).collect(),
        };
        let (kind, option) = match text.split_once(':') {
            Some((kind, option)) => (kind, Some(option)),
            None => (text, None),
        };
        let nodes = || {
            option
                .map(|option| positive(option.strip_prefix("nodes=")?))
                .map_or(Some(None), |n| n.map(Some))
        };
        match (kind, option) {
            ("random", None) => Ok(Spec::Random),
            ("perfect", None) => Ok(Spec::Perfect),
            ("mcts", _) => nodes()
                .map(|nodes| Spec::Mcts { nodes })
                .ok_or_else(unknown),
            ("alphabeta", _) => nodes()
                .map(|nodes| Spec::AlphaBeta { nodes })
                .ok_or_else(unknown),
            ("level", Some(digit)) => positive(digit)
                .and_then(|n| Level::new(u8::try_from(n).ok()?))
                .map(Spec::Level)
                .ok_or_else(unknown),
            _ => Err(unknown()),
        }
    }
}

/// Parses a number above 0 in canonical form: digits, no sign, no leading zero.
fn positive(text: &str) -> Option<u64> {
    let canonical = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    if canonical { text.parse().ok() } else { None }
}

/// Strength from 1 (a beginner) to 5 (the strongest available).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// Weakest level.
    pub const LOWEST: Level = Level(1);
    /// Strongest level.
    pub const HIGHEST: Level = Level(5);

    /// Creates a level from its number; returns `None` outside 1 to 5.
    pub const fn new(number: u8) -> Option<Level> {
        if number >= 1 && number <= 5 {
            Some(Level(number))
        } else {
            None
        }
    }

    /// Returns the number of the level, from 1 to 5.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Iterates over all levels, weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Level> + ExactSizeIterator {
        (1..=5).map(Level)
    }
}

/// Error for a text that names no strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no bot {text:?}: choose one of {forms}", forms = Spec::FORMS)]
pub struct UnknownBot {
    /// Text, shortened to [`UnknownBot::SHOWN`] characters.
    pub text: String,
}

impl UnknownBot {
    /// Maximum number of characters of a wrong text in the error.
    pub const SHOWN: usize = 80;
}

/// Error for a strategy that does not suit the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{spec} cannot play here: {reason}")]
pub struct Unsuitable {
    /// Requested strategy.
    pub spec: Spec,
    /// Reason, and the alternatives.
    pub reason: String,
}
