//! Dice of a rollout's games.

use parlor_backgammon::{Die, Roll};
use parlor_core::random_below;
use rand_xoshiro::rand_core::SeedableRng;

use crate::Prng;

/// Number of ordered outcomes of two dice.
const WAYS: u32 = 36;

/// Dice of one game.
pub(super) struct RolloutDice {
    /// Outcomes of the first two rolls.
    first: [u32; 2],
    rng: Prng,
}

impl RolloutDice {
    /// Creates the dice of the game with this number.
    pub(super) fn new(seed: u64, game: u32) -> RolloutDice {
        let (block, number) = (game / (WAYS * WAYS), game % (WAYS * WAYS));
        let mut shuffled = generator(seed, u64::from(block) << 32 | 1 << 31);
        let orders = [shuffled_order(&mut shuffled), shuffled_order(&mut shuffled)];
        let (row, column) = (number / WAYS, number % WAYS);
        // Every 36 games cover all first and all second rolls, every 1,296 all pairs.
        let first = [
            orders[0][column as usize],
            orders[1][((row + column) % WAYS) as usize],
        ];
        RolloutDice {
            first,
            rng: generator(seed, u64::from(game)),
        }
    }

    /// Returns roll `number`, counted from 0, and its index in [`Roll::all`]. Rolls must be
    /// requested in order.
    pub(super) fn next(&mut self, number: u32) -> (usize, Roll) {
        let way = self
            .first
            .get(number as usize)
            .copied()
            .unwrap_or_else(|| random_below(&mut self.rng, WAYS));
        let die = |pips: u32| Die::new(pips as u8 + 1).expect("1 to 6");
        let roll = Roll::new(die(way / 6), die(way % 6));
        let (high, low) = (
            usize::from(roll.high().pips()),
            usize::from(roll.low().pips()),
        );
        (high * (high - 1) / 2 + low - 1, roll)
    }
}

/// Returns all outcomes in random order.
fn shuffled_order(rng: &mut Prng) -> [u32; WAYS as usize] {
    let mut order = std::array::from_fn(|n| n as u32);
    for last in (1..WAYS).rev() {
        order.swap(last as usize, random_below(rng, last + 1) as usize);
    }
    order
}

fn generator(seed: u64, number: u64) -> Prng {
    // An odd factor keeps the generators of different numbers apart.
    Prng::seed_from_u64(seed.rotate_left(32) ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_roll_comes_with_its_index_among_all() {
        let all: Vec<Roll> = Roll::all().collect();
        for game in 0..36 {
            let (at, roll) = RolloutDice::new(3, game).next(0);
            assert_eq!(all[at], roll);
        }
    }

    #[test]
    fn all_pairs_of_first_rolls_come_up_once() {
        for block in [0, 5] {
            let firsts = (0..1296).map(|game| RolloutDice::new(9, block * 1296 + game).first);
            assert_eq!(firsts.collect::<BTreeSet<_>>().len(), 1296);
        }
        for which in 0..2 {
            let some = (36..72).map(|game| RolloutDice::new(9, game).first[which]);
            assert_eq!(some.collect::<BTreeSet<_>>().len(), 36);
        }
    }

    #[test]
    fn later_rolls_differ_from_game_to_game_and_from_seed_to_seed() {
        let third = |seed, game| {
            let mut dice = RolloutDice::new(seed, game);
            (2..22).map(|n| dice.next(n).0).collect::<Vec<_>>()
        };
        let all = [third(1, 0), third(1, 1), third(2, 0), third(2, 1)];
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 4);
        assert_eq!(third(1, 1), third(1, 1));
    }
}
