//! Games to measure by.

use parlor_backgammon::{Board, CHECKERS, Side};
use rand_xoshiro::rand_core::SeedableRng;

use super::bearoff;
use super::bot::house;
use super::training::{From, Player};
use crate::Prng;

/// Plays so many games of the house's best net against itself without looking ahead, and says how many positions it judged: what
/// there is to count when its speed is measured. The same for the same `seed`.
///
/// What is made when it is first needed, such as the tables for bearing off, is made before, even for no games.
///
/// ```
/// let judged = parlor_bots::backgammon::self_play(2, 1);
/// assert!(judged > 100);
/// ```
pub fn self_play(games: u64, seed: u64) -> u64 {
    let mut player = Player::new((*house(0)).clone(), false);
    for board in [1, CHECKERS].into_iter().filter_map(on_the_last_point) {
        bearoff::chances(&board);
    }
    let (mut rng, mut samples) = (Prng::seed_from_u64(seed), Vec::new());
    for _ in 0..games {
        samples.clear();
        player.game(From::Start, &mut rng, 0.0, &mut samples);
    }
    player.judged
}

/// So many checkers of each side one pip before they are off.
fn on_the_last_point(checkers: u8) -> Option<Board> {
    let mut counts = [0; 26];
    (counts[0], counts[1]) = (CHECKERS - checkers, checkers);
    let side = Side::from_counts(&counts)?;
    Board::new(side, side)
}
