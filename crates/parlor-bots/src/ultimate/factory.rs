//! Factory of ultimate tic-tac-toe bots.

use parlor_tictactoe::ultimate::{Game, Rules};

use super::{NetSearch, UltimateOpponent, UltimatePlayouts};
use crate::mcts::MctsSettings;
use crate::named::NamedStrategy;
use crate::{Level, Mcts, Random, Spec, Strategy, Unsuitable};

/// Returns the strategies for games under these rules, those best suited to people first.
pub fn offers(rules: &Rules) -> Vec<Spec> {
    let all = Level::all()
        .map(Spec::Level)
        .chain([Spec::Random, Spec::Mcts { nodes: None }]);
    all.filter(|&spec| suits(spec, rules).is_ok()).collect()
}

/// Checks that a strategy can play under these rules.
///
/// # Errors
/// [`Unsuitable`] with the reason and the alternatives.
pub fn suits(spec: Spec, _: &Rules) -> Result<(), Unsuitable> {
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

/// Builds a strategy for games under these rules. The same seed plays the same moves for the same
/// budgets in nodes.
///
/// Under the standard rules `mcts` and the levels search with a net ([`NetSearch`]); under the
/// others, with playouts ([`UltimatePlayouts`]). Given a game under other rules, a strategy may
/// return no move.
///
/// ```
/// use parlor_bots::{Nodes, Spec, ultimate};
/// use parlor_tictactoe::ultimate::{Game, Rules};
/// let rules = Rules::default();
/// let spec: Spec = "mcts:nodes=500".parse()?;
/// let mut bot = ultimate::build(spec, &rules, 1)?;
/// let mut budget = Nodes(spec.default_nodes());
/// let choice = bot.choose(&Game::new(rules), &mut budget).expect("a seat is to move");
/// assert_eq!((choice.mv.board(), choice.mv.square()), (4, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Unsuitable`] if the strategy cannot play under these rules.
pub fn build(spec: Spec, rules: &Rules, seed: u64) -> Result<Box<dyn Strategy<Game>>, Unsuitable> {
    suits(spec, rules)?;
    Ok(match spec {
        Spec::Level(level) => Box::new(UltimateOpponent::new(level, rules, seed)),
        Spec::Mcts { nodes } => NamedStrategy::limited(spec, nodes, tree_search(rules, seed)),
        Spec::Random | Spec::Perfect | Spec::AlphaBeta { .. } => Box::new(Random::new(seed)),
    })
}

/// Returns the strongest search for these rules.
pub(super) fn tree_search(rules: &Rules, seed: u64) -> Box<dyn Strategy<Game>> {
    if *rules == Rules::default() {
        Box::new(NetSearch::new(seed))
    } else {
        Box::new(Mcts::<Game, UltimatePlayouts>::with_policy(
            seed,
            UltimatePlayouts,
            MctsSettings::default(),
        ))
    }
}
