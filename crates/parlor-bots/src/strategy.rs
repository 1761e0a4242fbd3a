//! The one interface of everything that chooses moves.

use parlor_core::{Position, Seat};

use crate::Budget;

/// Something that chooses moves: a program, a person at a keyboard, a player far away.
///
/// It sees the position read-only, and whoever drives the game checks its move again. A strategy may remember what it
/// thought, but needs no telling how the game went on: it recognizes what it knows in the position it is shown.
pub trait Strategy<P: Position>: Send {
    /// What it is, in a word or two, such as `mcts` or `level:3`.
    fn name(&self) -> String;

    /// A move for the seat on turn, thought about for as long as `budget` allows.
    ///
    /// However small the budget, there is a move when a seat is to move, except from a strategy that gives up the
    /// game (a person who leaves). `None` when no seat is to move.
    fn choose(&mut self, position: &P, budget: &mut dyn Budget) -> Option<Choice<P::Move>>;

    /// A move of `seat` while another seat is on turn, in games that have such moves; `None` to let the others go on.
    ///
    /// Asked before every move of another seat. Most strategies keep silent.
    fn interject(
        &mut self,
        position: &P,
        seat: Seat,
        budget: &mut dyn Budget,
    ) -> Option<Choice<P::Move>> {
        let _ = (position, seat, budget);
        None
    }

    /// Forgets all it remembers, as if newly made. It then chooses as a new one with the same seed would.
    fn forget(&mut self) {}
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
}

/// A chosen move, and what was thought about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<M> {
    /// The move.
    pub mv: M,
    /// The thoughts behind it.
    pub info: Info<M>,
}

impl<M> Choice<M> {
    /// A move without thoughts.
    pub fn blind(mv: M) -> Choice<M> {
        Choice {
            mv,
            info: Info::default(),
        }
    }
}

/// What a strategy found out while it chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Info<M> {
    /// Nodes looked at for this move, in the unit that the budget counts.
    pub nodes: u64,
    /// The expected payoff for the mover, from -1 (lost) to 1 (won); `None` from a strategy that does not estimate.
    pub value: Option<f64>,
    /// Whether `value` is proven, not estimated.
    pub exact: bool,
    /// How many plies it looked ahead; a tree search says how deep its deepest line went.
    pub depth: u32,
    /// The moves it expects, its own first; it ends early where luck decides.
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
