//! Bots for any game: the factory used by games that have no bots of their own.
//!
//! Everything here is built from the rules alone, by [`Random`] moves and Monte Carlo tree search
//! ([`Mcts`]), so a new game has opponents of five strengths at once.

use parlor_core::{Position, random_below};
use rand_xoshiro::rand_core::SeedableRng;

use crate::named::NamedStrategy;
use crate::{AtMost, Budget, Choice, Level, Mcts, Prng, Random, Spec, Strategy, Unsuitable};

/// Returns the strategies that play any game: the levels, weakest first, then the others.
pub fn offers() -> Vec<Spec> {
    Level::all()
        .map(Spec::Level)
        .chain([Spec::Random, Spec::Mcts { nodes: None }])
        .collect()
}

/// Checks that a strategy plays any game.
///
/// # Errors
/// [`Unsuitable`] with the reason if it needs more than the rules.
pub fn suits(spec: Spec) -> Result<(), Unsuitable> {
    let reason = match spec {
        Spec::Random | Spec::Mcts { .. } | Spec::Level(_) => return Ok(()),
        Spec::Perfect => "perfect play of this game is unknown",
        Spec::AlphaBeta { .. } => "it is not available for this game; use mcts instead",
    };
    Err(Unsuitable {
        spec,
        reason: reason.to_owned(),
    })
}

/// Builds a strategy for any game. The same seed plays the same moves for the same budgets in
/// nodes.
///
/// The search treats a win by one point as the best possible result.
///
/// ```
/// use parlor_bots::{Nodes, Spec, generic};
/// use parlor_core::testing::pig::{PigMove, Pig};
/// let spec: Spec = "mcts:nodes=500".parse()?;
/// let mut bot = generic::build(spec, 1)?;
/// let choice = bot.choose(&Pig::new(20), &mut Nodes(spec.default_nodes()));
/// assert_eq!(choice.expect("a seat is to move").mv, PigMove::Roll);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Unsuitable`] if the strategy needs more than the rules; see [`suits`].
pub fn build<P: Position + PartialEq>(
    spec: Spec,
    seed: u64,
) -> Result<Box<dyn Strategy<P>>, Unsuitable> {
    suits(spec)?;
    Ok(match spec {
        Spec::Level(level) => Box::new(LeveledSearch::new(level, seed)),
        Spec::Mcts { nodes } => NamedStrategy::limited(spec, nodes, Box::new(Mcts::new(seed))),
        Spec::Random | Spec::Perfect | Spec::AlphaBeta { .. } => Box::new(Random::new(seed)),
    })
}

/// Strength of one level.
struct LevelSettings {
    /// Chance in percent that a move is random instead of searched.
    careless: u32,
    /// Maximum number of nodes per searched move.
    nodes: u64,
}

impl LevelSettings {
    const fn new(level: Level) -> LevelSettings {
        let (careless, nodes) = match level.number() {
            1 => (70, 20),
            2 => (40, 60),
            3 => (15, 250),
            4 => (4, 1_500),
            _ => (0, 20_000),
        };
        LevelSettings { careless, nodes }
    }
}

/// An opponent of a given strength for any game.
///
/// It searches with few nodes on the lower levels, and now and then plays a random move. Level 5
/// always searches.
struct LeveledSearch<P: Position> {
    level: Level,
    seed: u64,
    rng: Prng,
    random: Random,
    search: Mcts<P>,
}

impl<P: Position> LeveledSearch<P> {
    fn new(level: Level, seed: u64) -> LeveledSearch<P> {
        LeveledSearch {
            level,
            seed,
            rng: Prng::seed_from_u64(seed ^ u64::from(level.number()) << 56),
            random: Random::new(seed),
            search: Mcts::new(seed),
        }
    }
}

impl<P: Position + PartialEq> Strategy<P> for LeveledSearch<P> {
    fn name(&self) -> String {
        Spec::Level(self.level).to_string()
    }

    fn choose(&mut self, position: &P, budget: &mut dyn Budget) -> Option<Choice<P::Move>> {
        position.turn().seat()?;
        let LevelSettings { careless, nodes } = LevelSettings::new(self.level);
        if random_below(&mut self.rng, 100) < careless {
            return self.random.choose(position, budget);
        }
        let mut limited = AtMost {
            nodes,
            inner: budget,
        };
        self.search.choose(position, &mut limited)
    }

    fn forget(&mut self) {
        *self = LeveledSearch::new(self.level, self.seed);
    }

    fn memory(&self) -> usize {
        self.search.memory()
    }
}
