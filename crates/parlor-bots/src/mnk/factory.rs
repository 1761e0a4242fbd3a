//! Factory of bots for m,n,k games.

use std::borrow::Borrow;

use parlor_tictactoe::mnk::{Board, BoardRepr, Cell, Grid, MAX_SEATS, Rules, Three, Wide};

use super::{AlphaBeta, MnkOpponent, MnkPlayouts, Perfect};
use crate::mcts::MctsSettings;
use crate::named::NamedStrategy;
use crate::{Budget, Choice, Level, Mcts, Random, Spec, Strategy, Unsuitable};

/// Returns the strategies for games under these rules, those best suited to people first.
pub fn offers(rules: &Rules) -> Vec<Spec> {
    let all = [
        Spec::Random,
        Spec::Perfect,
        Spec::Mcts { nodes: None },
        Spec::AlphaBeta { nodes: None },
    ];
    let levels = Level::all().map(Spec::Level);
    levels
        .chain(all)
        .filter(|&spec| suits(spec, rules).is_ok())
        .collect()
}

/// Checks that a strategy can play under these rules.
///
/// # Errors
/// [`Unsuitable`] with the reason and the alternatives.
pub fn suits(spec: Spec, rules: &Rules) -> Result<(), Unsuitable> {
    let reason = match spec {
        Spec::Perfect => Perfect::suits(rules.shape()).err(),
        Spec::AlphaBeta { .. } if rules.seats() != 2 => Some(format!(
            "it needs exactly 2 seats, and this game has {}; use mcts instead",
            rules.seats()
        )),
        Spec::Random | Spec::Mcts { .. } | Spec::AlphaBeta { .. } | Spec::Level(_) => None,
    };
    reason.map_or(Ok(()), |reason| Err(Unsuitable { spec, reason }))
}

/// Builds a strategy for games under these rules. The same seed plays the same moves for the same
/// budgets in nodes.
///
/// Given a board under other rules, a strategy may return no move.
///
/// ```
/// use parlor_bots::{Nodes, Spec, mnk};
/// use parlor_tictactoe::mnk::{Board, Rules};
/// let rules = Rules::classic();
/// let spec: Spec = "level:5".parse()?;
/// let mut bot = mnk::build(spec, &rules, 1)?;
/// let choice = bot.choose(&Board::new(rules), &mut Nodes(spec.default_nodes()));
/// assert!(choice.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Unsuitable`] if the strategy cannot play under these rules.
pub fn build(spec: Spec, rules: &Rules, seed: u64) -> Result<Box<dyn Strategy<Board>>, Unsuitable> {
    suits(spec, rules)?;
    Ok(match spec {
        Spec::Random => Box::new(Random::new(seed)),
        Spec::Perfect => Box::new(Perfect::new(seed)),
        Spec::Level(level) => Box::new(MnkOpponent::new(level, rules, seed)),
        Spec::Mcts { nodes } => NamedStrategy::limited(spec, nodes, tree_search(rules, seed)),
        Spec::AlphaBeta { nodes } => {
            NamedStrategy::limited(spec, nodes, Box::new(AlphaBeta::new()))
        }
    })
}

/// Returns a tree search that works directly on the representation inside the boards of these
/// rules.
pub(super) fn tree_search(rules: &Rules, seed: u64) -> Box<dyn Strategy<Board>> {
    const MANY: usize = MAX_SEATS as usize;
    macro_rules! strategy_inside {
        ($variant:ident: $field:ty) => {{
            let strategy = Mcts::<$field, MnkPlayouts>::with_policy(
                seed,
                MnkPlayouts,
                MctsSettings::default(),
            );
            let pick: fn(&BoardRepr) -> Option<&$field> = |inner| match inner {
                BoardRepr::$variant(field) => Some(field.borrow()),
                _ => None,
            };
            Box::new(InnerStrategy { strategy, pick })
        }};
    }
    match Board::new(*rules).repr() {
        // The classic game is so small that plain playouts are the quickest way to its proof.
        BoardRepr::Three(_) => {
            let pick: fn(&BoardRepr) -> Option<&Three> = |inner| match inner {
                BoardRepr::Three(three) => Some(three),
                _ => None,
            };
            Box::new(InnerStrategy {
                strategy: Mcts::new(seed),
                pick,
            })
        }
        BoardRepr::Small(_) => strategy_inside!(Small: Grid<2>),
        BoardRepr::Middle(_) => strategy_inside!(Middle: Wide<16, 2>),
        BoardRepr::Large(_) => strategy_inside!(Large: Wide<27, 2>),
        BoardRepr::SmallMany(_) => strategy_inside!(SmallMany: Grid<MANY>),
        BoardRepr::LargeMany(_) => strategy_inside!(LargeMany: Wide<27, MANY>),
    }
}

/// Strategy for boards that works on the representation inside them.
struct InnerStrategy<F, S> {
    strategy: S,
    pick: fn(&BoardRepr) -> Option<&F>,
}

impl<F, S> Strategy<Board> for InnerStrategy<F, S>
where
    F: parlor_core::Position<Move = Cell>,
    S: Strategy<F>,
{
    fn name(&self) -> String {
        self.strategy.name()
    }

    fn choose(&mut self, board: &Board, budget: &mut dyn Budget) -> Option<Choice<Cell>> {
        self.strategy.choose((self.pick)(board.repr())?, budget)
    }

    fn forget(&mut self) {
        self.strategy.forget();
    }

    fn memory(&self) -> usize {
        self.strategy.memory()
    }
}
