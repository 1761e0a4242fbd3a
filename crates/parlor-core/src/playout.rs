//! Random playouts: playing uniformly random moves to the end of the game.

use rand::Rng;

use crate::{Outcome, Position, Turn};

/// Returns a random number below `n`, uniform up to a bias of at most `n / 2^64`.
#[inline]
pub fn random_below<R: Rng + ?Sized>(rng: &mut R, n: u32) -> u32 {
    ((u128::from(rng.next_u64()) * u128::from(n)) >> 64) as u32
}

/// Returns a random entry of a weighted list, each with probability weight / sum of weights.
///
/// Returns `None` if the list is empty or all weights are 0.
///
/// ```
/// use parlor_core::playout::choose_weighted;
/// use rand_xoshiro::{rand_core::SeedableRng, Xoshiro256PlusPlus};
/// let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
/// assert_eq!(choose_weighted(&mut rng, &[('a', 0), ('b', 3)]), Some(&'b'));
/// ```
pub fn choose_weighted<'a, C, R: Rng + ?Sized>(
    rng: &mut R,
    weighted: &'a [(C, u32)],
) -> Option<&'a C> {
    let total: u64 = weighted.iter().map(|(_, weight)| u64::from(*weight)).sum();
    let mut ticket = ((u128::from(rng.next_u64()) * u128::from(total)) >> 64) as u64;
    weighted.iter().find_map(|(chance, weight)| {
        let weight = u64::from(*weight);
        let hit = ticket < weight;
        ticket = ticket.wrapping_sub(weight);
        hit.then_some(chance)
    })
}

/// Result of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// Outcome of the game; `None` if it was not over after `limit` plies.
    pub outcome: Option<Outcome>,
    /// Number of moves played, not counting chances.
    pub plies: u32,
}

/// Plays uniformly random moves and fair chances until the game is over or `limit` plies have been
/// played.
///
/// `scratch` keeps its capacity between calls; its contents are irrelevant.
pub fn playout<P: Position, R: Rng + ?Sized>(
    position: &mut P,
    rng: &mut R,
    limit: u32,
    scratch: &mut Scratch<P>,
) -> Playout {
    let mut plies = 0;
    loop {
        match position.turn() {
            Turn::Over(outcome) => {
                return Playout {
                    outcome: Some(outcome),
                    plies,
                };
            }
            Turn::Chance => {
                let Some(chance) = position.random_chance(rng, &mut scratch.chances) else {
                    return Playout {
                        outcome: None,
                        plies,
                    };
                };
                position.resolve_unchecked(&chance);
            }
            Turn::Move(_) if plies == limit => {
                return Playout {
                    outcome: None,
                    plies,
                };
            }
            Turn::Move(_) => {
                let Some(m) = position.random_move(rng, &mut scratch.moves) else {
                    return Playout {
                        outcome: None,
                        plies,
                    };
                };
                position.play_unchecked(&m);
                plies += 1;
            }
        }
    }
}

/// Reusable buffers for playouts.
#[derive(Debug)]
pub struct Scratch<P: Position> {
    /// Buffer for moves.
    pub moves: Vec<P::Move>,
    /// Buffer for chances.
    pub chances: Vec<(P::Chance, u32)>,
}

impl<P: Position> Default for Scratch<P> {
    fn default() -> Self {
        Scratch {
            moves: Vec::new(),
            chances: Vec::new(),
        }
    }
}
