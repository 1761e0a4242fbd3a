//! Strategies by name: the text from which a factory builds them.

use std::fmt;
use std::str::FromStr;

/// Which strategy is wanted, as a configuration says it.
///
/// The text forms are `random`, `perfect`, `mcts`, `alphabeta` and `level:1` to `level:5`; the two searches take a
/// budget of their own, as in `mcts:nodes=10000`.
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
    /// Any legal move.
    Random,
    /// The best move, proven.
    Perfect,
    /// Monte Carlo tree search.
    Mcts {
        /// The most nodes per move; without it, what the caller allows.
        nodes: Option<u64>,
    },
    /// Alpha-beta search.
    AlphaBeta {
        /// The most nodes per move; without it, what the caller allows.
        nodes: Option<u64>,
    },
    /// An opponent of this strength.
    Level(Level),
}

impl Spec {
    /// The text forms, as help shows them.
    pub const FORMS: &str =
        "random, perfect, mcts, mcts:nodes=N, alphabeta, alphabeta:nodes=N, level:1 to level:5";

    /// The nodes per move that this strategy asks for when nobody says otherwise.
    ///
    /// It keeps a move well below a second; a level takes less on its own.
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

/// A number above 0 in its canonical form: digits, no sign, no leading zero.
fn positive(text: &str) -> Option<u64> {
    let canonical = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    if canonical { text.parse().ok() } else { None }
}

/// A strength from 1 (a beginner) to 5 (as strong as this house plays the game).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// The weakest.
    pub const LOWEST: Level = Level(1);
    /// The strongest.
    pub const HIGHEST: Level = Level(5);

    /// The level with this number; `None` outside 1 to 5.
    pub const fn new(number: u8) -> Option<Level> {
        if number >= 1 && number <= 5 {
            Some(Level(number))
        } else {
            None
        }
    }

    /// From 1 to 5.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// All levels, the weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Level> + ExactSizeIterator {
        (1..=5).map(Level)
    }
}

/// A text that names no strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no bot {text:?}: choose one of {forms}", forms = Spec::FORMS)]
pub struct UnknownBot {
    /// The text, shortened to [`UnknownBot::SHOWN`] characters.
    pub text: String,
}

impl UnknownBot {
    /// How many characters of a wrong text the error repeats.
    pub const SHOWN: usize = 80;
}

/// A strategy that does not suit the game it is wanted for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{spec} cannot play here: {reason}")]
pub struct Unsuitable {
    /// What was wanted.
    pub spec: Spec,
    /// Why it cannot be, and what can.
    pub reason: String,
}
