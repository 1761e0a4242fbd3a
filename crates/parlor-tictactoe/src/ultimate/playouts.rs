//! Batches of random playouts.

mod lanes;
mod registers;

use parlor_core::{Position, Seat, Turn};

use super::Game;
use lanes::Lanes;
use registers::VectorWidth;

/// Results of a batch of playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayoutTally {
    /// Games won by X.
    pub x: u64,
    /// Games won by O.
    pub o: u64,
    /// Drawn games.
    pub draws: u64,
    /// Moves played in all games together.
    pub plies: u64,
}

impl PlayoutTally {
    /// Returns the number of games.
    pub const fn games(&self) -> u64 {
        self.x + self.o + self.draws
    }
}

/// Plays `games` random games from a position; moves are uniformly distributed to within one part
/// in 200,000.
///
/// The result depends only on the three arguments and is the same on every machine. A position that
/// is over counts `games` times, with no plies.
///
/// The games run side by side in the lanes of the widest vector registers that the processor has.
///
/// ```
/// use parlor_tictactoe::ultimate::{Game, Rules, playouts};
/// let tally = playouts::batch(&Game::new(Rules::default()), 1000, 1);
/// assert_eq!(tally.games(), 1000);
/// assert!(tally.x > tally.o && tally.o > tally.draws);
/// ```
pub fn batch(game: &Game, games: u32, seed: u64) -> PlayoutTally {
    on(VectorWidth::widest(), game, games, seed)
}

fn on(registers: VectorWidth, game: &Game, games: u32, seed: u64) -> PlayoutTally {
    let mut tally = PlayoutTally::default();
    if let Turn::Over(outcome) = game.turn() {
        let count = match outcome.winner() {
            Some(Seat::FIRST) => &mut tally.x,
            Some(_) => &mut tally.o,
            None => &mut tally.draws,
        };
        *count = u64::from(games);
        return tally;
    }
    let mut lanes = Lanes::new(game, seed);
    let mut left = games;
    while left > 0 {
        let now = left.min(lanes::MAX_GAMES);
        lanes.deal(now);
        registers.play(&mut lanes);
        lanes.collect(&mut tally);
        left -= now;
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ultimate::Rules;

    #[test]
    fn all_registers_give_the_same_tally() {
        for rules in Rules::ALL {
            let start = Game::new(rules);
            let plain = on(VectorWidth::Plain, &start, 2000, 1);
            for registers in [VectorWidth::Avx2, VectorWidth::Avx512] {
                assert_eq!(on(registers, &start, 2000, 1), plain, "{registers:?}");
            }
        }
    }
}
