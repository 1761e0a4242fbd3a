//! From a name to a strategy that plays ultimate tic-tac-toe.

use parlor_tictactoe::ultimate::{Game, Move, Rules};

use super::{Keen, Leveled, NetSearch};
use crate::mcts::Settings;
use crate::{AtMost, Budget, Choice, Level, Mcts, Random, Spec, Strategy, Unsuitable};

/// The strategies that a game under these rules can be played against, the best first choice for people first.
pub fn offers(rules: &Rules) -> Vec<Spec> {
    let all = Level::all()
        .map(Spec::Level)
        .chain([Spec::Random, Spec::Mcts { nodes: None }]);
    all.filter(|&spec| suits(spec, rules).is_ok()).collect()
}

/// Whether a strategy can play under these rules.
///
/// # Errors
/// Why not, and what can.
pub fn suits(spec: Spec, _: &Rules) -> Result<(), Unsuitable> {
    let reason = match spec {
        Spec::Random | Spec::Mcts { .. } | Spec::Level(_) => return Ok(()),
        Spec::Perfect => "nobody knows perfect play of this game",
        Spec::AlphaBeta { .. } => "this game is searched by mcts",
    };
    Err(Unsuitable {
        spec,
        reason: reason.to_owned(),
    })
}

/// Builds a strategy for games under these rules; the same seed plays the same, for the same budgets in nodes.
///
/// Under the standard rules `mcts` and the levels search with a net ([`NetSearch`]); under the others, with playouts ([`Keen`]).
/// Shown a game under other rules, a strategy may choose nothing.
///
/// ```
/// use parlor_bots::{Nodes, Spec, ultimate};
/// use parlor_tictactoe::ultimate::{Game, Rules};
/// let rules = Rules::default();
/// let spec: Spec = "mcts:nodes=500".parse()?;
/// let mut bot = ultimate::build(spec, &rules, 1)?;
/// let choice = bot.choose(&Game::new(rules), &mut Nodes(spec.default_nodes())).expect("a seat is to move");
/// assert_eq!((choice.mv.board(), choice.mv.square()), (4, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Unsuitable`] when the strategy cannot play under these rules.
pub fn build(spec: Spec, rules: &Rules, seed: u64) -> Result<Box<dyn Strategy<Game>>, Unsuitable> {
    suits(spec, rules)?;
    Ok(match spec {
        Spec::Level(level) => Box::new(Leveled::new(level, rules, seed)),
        Spec::Mcts { nodes: Some(nodes) } => Box::new(Limited {
            spec,
            nodes,
            inner: tree_search(rules, seed),
        }),
        Spec::Mcts { nodes: None } => tree_search(rules, seed),
        Spec::Random | Spec::Perfect | Spec::AlphaBeta { .. } => Box::new(Random::new(seed)),
    })
}

/// The strongest search for these rules.
pub(super) fn tree_search(rules: &Rules, seed: u64) -> Box<dyn Strategy<Game>> {
    if *rules == Rules::default() {
        Box::new(NetSearch::new(seed))
    } else {
        Box::new(Mcts::<Game, Keen>::with(seed, Keen, Settings::default()))
    }
}

/// A strategy with a budget of its own.
struct Limited {
    spec: Spec,
    nodes: u64,
    inner: Box<dyn Strategy<Game>>,
}

impl Strategy<Game> for Limited {
    fn name(&self) -> String {
        self.spec.to_string()
    }

    fn choose(&mut self, game: &Game, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        self.inner.choose(
            game,
            &mut AtMost {
                nodes: self.nodes,
                inner: budget,
            },
        )
    }

    fn forget(&mut self) {
        self.inner.forget();
    }
}
