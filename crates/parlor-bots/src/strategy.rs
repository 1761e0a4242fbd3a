//! Interface of everything that chooses moves.

use parlor_core::{Position, Seat};

use crate::Budget;

/// Chooser of moves: a program, a person at a keyboard, a remote player.
///
/// It gets the position read-only, and the driver of the game checks its move again. A strategy may
/// remember its search, but needs no notification of the moves played: it recognizes known
/// positions itself.
pub trait Strategy<P: Position>: Send {
    /// Returns a short name, such as `mcts` or `level:3`.
    fn name(&self) -> String;

    /// Chooses a move for the seat on turn, searching for as long as `budget` allows.
    ///
    /// If a seat is to move, it returns a move however small the budget, unless the strategy gives
    /// up the game (a person who leaves). Returns `None` if no seat is to move.
    fn choose(&mut self, position: &P, budget: &mut dyn Budget) -> Option<Choice<P::Move>>;

    /// Chooses a move of `seat` while another seat is on turn, in games that have such moves;
    /// `None` to let the others go on.
    ///
    /// Called before every move of another seat. Most strategies never interject.
    fn interject(
        &mut self,
        position: &P,
        seat: Seat,
        budget: &mut dyn Budget,
    ) -> Option<Choice<P::Move>> {
        let _ = (position, seat, budget);
        None
    }

    /// Clears its memory. It then chooses as a new strategy with the same seed would.
    fn forget(&mut self) {}

    /// Returns the bytes of the tables and trees that it keeps between moves, without what all
    /// strategies share; 0 if it keeps next to nothing.
    fn memory(&self) -> usize {
        0
    }
}

impl<P: Position, S: Strategy<P> + ?Sized> Strategy<P> for Box<S> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn choose(&mut self, position: &P, budget: &mut dyn Budget) -> Option<Choice<P::Move>> {
        (**self).choose(position, budget)
    }

    fn interject(
        &mut self,
        position: &P,
        seat: Seat,
        budget: &mut dyn Budget,
    ) -> Option<Choice<P::Move>> {
        (**self).interject(position, seat, budget)
    }

    fn forget(&mut self) {
        (**self).forget();
    }

    fn memory(&self) -> usize {
        (**self).memory()
    }
}

/// Chosen move with the search behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<M> {
    /// Chosen move.
    pub mv: M,
    /// Findings of the search.
    pub info: Info<M>,
}

impl<M> Choice<M> {
    /// Creates a choice without search.
    pub fn new(mv: M) -> Choice<M> {
        Choice {
            mv,
            info: Info::default(),
        }
    }
}

/// Findings of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Info<M> {
    /// Nodes searched for this move, in the unit of the budget.
    pub nodes: u64,
    /// Expected payoff of the mover, from -1 (lost) to 1 (won); `None` from a strategy that does
    /// not estimate it.
    pub value: Option<f64>,
    /// True if `value` is proven, not estimated.
    pub exact: bool,
    /// Search depth in plies; for a tree search, the depth of its deepest line.
    pub depth: u32,
    /// Expected moves, the chosen one first; it ends early where chance decides.
    pub line: Vec<M>,
}

impl<M> Default for Info<M> {
    fn default() -> Self {
        Info {
            nodes: 0,
            value: None,
            exact: false,
            depth: 0,
            line: Vec::new(),
        }
    }
}
