//! Games to measure by.

use rand_xoshiro::rand_core::SeedableRng;

use super::bot::house;
use super::training::{From, Player};
use crate::Prng;

/// Plays so many games of the house's best net against itself without looking ahead, and says how many positions it judged: what
/// there is to count when its speed is measured. The same for the same `seed`.
///
/// ```
/// let judged = parlor_bots::backgammon::self_play(2, 1);
/// assert!(judged > 100);
/// ```
pub fn self_play(games: u64, seed: u64) -> u64 {
    let mut player = Player::new((*house(0)).clone(), false);
    let (mut rng, mut samples) = (Prng::seed_from_u64(seed), Vec::new());
    for _ in 0..games {
        samples.clear();
        player.game(From::Start, &mut rng, 0.0, &mut samples);
    }
    player.judged
}
