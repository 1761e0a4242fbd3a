//! What a game can teach the tree search.

use parlor_core::playout::{Scratch, playout};
use parlor_core::{Outcome, Position};

/// The random generator of the strategies: small, quick, the same on every machine.
pub type Prng = rand_xoshiro::Xoshiro256PlusPlus;

/// How [`Mcts`](crate::Mcts) plays on from a leaf, and which moves it looks at.
///
/// [`Uniform`] serves every game. A game can do better with playouts that see a threat, and by leaving out moves that
/// are never worth a thought.
pub trait Policy<P: Position>: Send {
    /// Plays `position` to its end; `None` when it gives up before, which counts as a draw.
    ///
    /// Called once per simulation, so it should not allocate: `scratch` keeps its buffers between calls.
    fn playout(
        &mut self,
        position: &mut P,
        rng: &mut Prng,
        scratch: &mut Scratch<P>,
    ) -> Option<Outcome>;

    /// Removes from `moves`, all legal moves of `position`, those not worth a thought. At least one must stay.
    fn narrow(&mut self, position: &P, moves: &mut Vec<P::Move>) {
        let _ = (position, moves);
    }
}

/// Uniformly random moves and fair chances; all moves are looked at.
#[derive(Clone, Copy, Debug)]
pub struct Uniform {
    /// A playout gives up after this many plies.
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
