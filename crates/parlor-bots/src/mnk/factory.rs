//! From a name to a strategy that plays m,n,k games.

use std::borrow::Borrow;

use parlor_tictactoe::mnk::{Board, Cell, Grid, Inner, MAX_SEATS, Rules, Three, Wide};

use super::{AlphaBeta, Keen, Leveled, Perfect};
use crate::mcts::Settings;
use crate::{AtMost, Budget, Choice, Level, Mcts, Random, Spec, Strategy, Unsuitable};

/// The strategies that a game under these rules can be played against, the best first choice for people first.
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

/// Whether a strategy can play under these rules.
///
/// # Errors
/// Why not, and what can.
pub fn suits(spec: Spec, rules: &Rules) -> Result<(), Unsuitable> {
    let reason = match spec {
        Spec::Perfect => Perfect::suits(rules.shape()).err(),
        Spec::AlphaBeta { .. } if rules.seats() != 2 => Some(format!(
            "it plays games of 2 seats, and this one has {}; mcts plays them all",
            rules.seats()
        )),
        Spec::Random | Spec::Mcts { .. } | Spec::AlphaBeta { .. } | Spec::Level(_) => None,
    };
    reason.map_or(Ok(()), |reason| Err(Unsuitable { spec, reason }))
}

/// Builds a strategy for games under these rules; the same seed plays the same, for the same budgets in nodes.
///
/// Shown a board of other rules, it may choose nothing.
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
/// [`Unsuitable`] when the strategy cannot play under these rules.
pub fn build(spec: Spec, rules: &Rules, seed: u64) -> Result<Box<dyn Strategy<Board>>, Unsuitable> {
    suits(spec, rules)?;
    Ok(match spec {
        Spec::Random => Box::new(Random::new(seed)),
        Spec::Perfect => Box::new(Perfect::new(seed)),
        Spec::Level(level) => Box::new(Leveled::new(level, rules, seed)),
        Spec::Mcts { nodes } => limited(spec, nodes, tree_search(rules, seed)),
        Spec::AlphaBeta { nodes } => limited(spec, nodes, Box::new(AlphaBeta::new())),
    })
}

fn limited(
    spec: Spec,
    nodes: Option<u64>,
    inner: Box<dyn Strategy<Board>>,
) -> Box<dyn Strategy<Board>> {
    match nodes {
        Some(nodes) => Box::new(Limited { spec, nodes, inner }),
        None => inner,
    }
}

/// A strategy with a budget of its own.
struct Limited {
    spec: Spec,
    nodes: u64,
    inner: Box<dyn Strategy<Board>>,
}

impl Strategy<Board> for Limited {
    fn name(&self) -> String {
        self.spec.to_string()
    }

    fn choose(&mut self, board: &Board, budget: &mut dyn Budget) -> Option<Choice<Cell>> {
        self.inner.choose(
            board,
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

/// A tree search that works on exactly the position inside the boards of these rules.
pub(super) fn tree_search(rules: &Rules, seed: u64) -> Box<dyn Strategy<Board>> {
    const MANY: usize = MAX_SEATS as usize;
    macro_rules! keen {
        ($variant:ident: $field:ty) => {{
            let strategy = Mcts::<$field, Keen>::with(seed, Keen, Settings::default());
            let pick: fn(&Inner) -> Option<&$field> = |inner| match inner {
                Inner::$variant(field) => Some(field.borrow()),
                _ => None,
            };
            Box::new(Inside { strategy, pick })
        }};
    }
    match Board::new(*rules).inner() {
        // The classic game is so small that plain playouts are the quickest way to its proof.
        Inner::Three(_) => {
            let pick: fn(&Inner) -> Option<&Three> = |inner| match inner {
                Inner::Three(three) => Some(three),
                _ => None,
            };
            Box::new(Inside {
                strategy: Mcts::new(seed),
                pick,
            })
        }
        Inner::Small(_) => keen!(Small: Grid<2>),
        Inner::Middle(_) => keen!(Middle: Wide<16, 2>),
        Inner::Large(_) => keen!(Large: Wide<27, 2>),
        Inner::SmallMany(_) => keen!(SmallMany: Grid<MANY>),
        Inner::LargeMany(_) => keen!(LargeMany: Wide<27, MANY>),
    }
}

/// A strategy for boards that works on what is inside them.
struct Inside<F, S> {
    strategy: S,
    pick: fn(&Inner) -> Option<&F>,
}

impl<F, S> Strategy<Board> for Inside<F, S>
where
    F: parlor_core::Position<Move = Cell>,
    S: Strategy<F>,
{
    fn name(&self) -> String {
        self.strategy.name()
    }

    fn choose(&mut self, board: &Board, budget: &mut dyn Budget) -> Option<Choice<Cell>> {
        self.strategy.choose((self.pick)(board.inner())?, budget)
    }

    fn forget(&mut self) {
        self.strategy.forget();
    }
}
