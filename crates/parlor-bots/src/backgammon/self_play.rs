//! Self-play for benchmarks.

use parlor_backgammon::{Board, CHECKERS, Side};
use rand_xoshiro::rand_core::SeedableRng;

use super::bearoff;
use super::net_player::built_in;
use super::training::{BackgammonSelfPlayer, GameStart};
use crate::Prng;

/// Plays games of the best built-in net against itself without looking ahead, and returns the
/// number of positions it evaluated. The result is the same for the same `seed`.
///
/// Lazy tables, such as those for bearing off, are built first, even for 0 games, so that they do
/// not distort a measurement.
///
/// ```
/// let judged = parlor_bots::backgammon::self_play(2, 1);
/// assert!(judged > 100);
/// ```
pub fn self_play(games: u64, seed: u64) -> u64 {
    let mut player = BackgammonSelfPlayer::new((*built_in(0)).clone(), false);
    for board in [1, CHECKERS].into_iter().filter_map(ace_point_board) {
        bearoff::chances(&board);
    }
    let (mut rng, mut samples) = (Prng::seed_from_u64(seed), Vec::new());
    for _ in 0..games {
        samples.clear();
        player.game(GameStart::Start, &mut rng, 0.0, &mut samples);
    }
    player.judged
}

/// Returns a board with this many checkers of each side on its ace point and the rest off.
fn ace_point_board(checkers: u8) -> Option<Board> {
    let mut counts = [0; 26];
    (counts[0], counts[1]) = (CHECKERS - checkers, checkers);
    let side = Side::from_counts(&counts)?;
    Board::new(side, side)
}
