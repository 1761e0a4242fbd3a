//! Strategy of random moves.

use parlor_core::{Position, random_below};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use crate::{Budget, Choice, Strategy};

/// Plays every legal move of the seat on turn with the same probability.
///
/// ```
/// use parlor_bots::{Nodes, Random, Strategy};
/// use parlor_core::testing::pig::Pig;
/// let pig = Pig::new(20);
/// let first = Random::new(7).choose(&pig, &mut Nodes(0)).expect("a seat is to move");
/// let again = Random::new(7).choose(&pig, &mut Nodes(0)).expect("a seat is to move");
/// assert_eq!(first, again);
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    seed: u64,
    rng: Xoshiro256PlusPlus,
}

impl Random {
    /// Creates a strategy; the same seed plays the same moves.
    pub fn new(seed: u64) -> Random {
        Random {
            seed,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }
}

impl<P: Position> Strategy<P> for Random {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn choose(&mut self, position: &P, _: &mut dyn Budget) -> Option<Choice<P::Move>> {
        let mut moves = position.legal_moves();
        let turn = position.turn().seat();
        moves.retain(|m| position.mover(m) == turn);
        let count = moves.len() as u32;
        (count > 0)
            .then(|| Choice::new(moves.swap_remove(random_below(&mut self.rng, count) as usize)))
    }

    fn forget(&mut self) {
        *self = Random::new(self.seed);
    }
}
