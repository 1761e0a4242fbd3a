//! Playing at random to the end.

use rand::Rng;

use crate::{Outcome, Position, Turn};

/// A number below `n`, every one equally likely up to a bias of at most `n / 2^64`.
///
/// # Panics
/// Never; with `n == 0` the answer is 0.
#[inline]
pub fn below<R: Rng + ?Sized>(rng: &mut R, n: u32) -> u32 {
    ((u128::from(rng.next_u64()) * u128::from(n)) >> 64) as u32
}

/// One entry of a weighted list, drawn with probability weight / sum of weights.
///
/// `None` when the list is empty or all weights are 0.
///
/// ```
/// use parlor_core::playout::draw;
/// use rand_xoshiro::{rand_core::SeedableRng, Xoshiro256PlusPlus};
/// let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
/// assert_eq!(draw(&mut rng, &[('a', 0), ('b', 3)]), Some(&'b'));
/// ```
pub fn draw<'a, C, R: Rng + ?Sized>(rng: &mut R, weighted: &'a [(C, u32)]) -> Option<&'a C> {
    let total: u64 = weighted.iter().map(|(_, weight)| u64::from(*weight)).sum();
    let mut ticket = ((u128::from(rng.next_u64()) * u128::from(total)) >> 64) as u64;
    weighted.iter().find_map(|(chance, weight)| {
        let weight = u64::from(*weight);
        let hit = ticket < weight;
        ticket = ticket.wrapping_sub(weight);
        hit.then_some(chance)
    })
}

/// The end of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// How the game came out; `None` when `limit` plies did not finish it.
    pub outcome: Option<Outcome>,
    /// Moves played; chances are not counted.
    pub plies: u32,
}

/// Plays `position` on with uniformly random moves and fair chances until it is over, but no more than `limit` plies.
///
/// `scratch` keeps its capacity between calls; what it holds does not matter.
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

/// Buffers of a playout, to be kept from one to the next.
#[derive(Debug)]
pub struct Scratch<P: Position> {
    /// For moves.
    pub moves: Vec<P::Move>,
    /// For chances.
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
