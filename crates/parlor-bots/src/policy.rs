//! Game knowledge for the tree search.

use parlor_core::playout::{Scratch, playout};
use parlor_core::{Outcome, Position};

/// Random generator of the strategies: small, quick, and the same on every machine.
pub type Prng = rand_xoshiro::Xoshiro256PlusPlus;

/// Playouts and move selection of [`Mcts`](crate::Mcts).
///
/// [`Uniform`] works for any game. A game can do better with playouts that recognize threats, and
/// by leaving out moves that are never worth searching.
pub trait Policy<P: Position>: Send {
    /// Plays `position` to its end and returns the outcome; `None` if it gives up before, which
    /// counts as a draw.
    ///
    /// Called once per simulation, so it should not allocate: `scratch` keeps its buffers between
    /// calls.
    fn playout(
        &mut self,
        position: &mut P,
        rng: &mut Prng,
        scratch: &mut Scratch<P>,
    ) -> Option<Outcome>;

    /// Removes moves that are not worth searching from `moves`, which holds all legal moves of
    /// `position`. At least one must stay.
    fn narrow(&mut self, position: &P, moves: &mut Vec<P::Move>) {
        let _ = (position, moves);
    }
}

/// Policy of uniformly random moves and fair chances that searches all moves.
#[derive(Clone, Copy, Debug)]
pub struct Uniform {
    /// Number of plies after which a playout gives up.
    pub plies: u32,
}

impl Default for Uniform {
    fn default() -> Self {
        Uniform { plies: 2_000 }
    }
}

impl<P: Position> Policy<P> for Uniform {
    #[inline]
    fn playout(
        &mut self,
        position: &mut P,
        rng: &mut Prng,
        scratch: &mut Scratch<P>,
    ) -> Option<Outcome> {
        playout(position, rng, self.plies, scratch).outcome
    }
}
