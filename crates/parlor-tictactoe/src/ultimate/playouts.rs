//! Many random games at once.

mod lanes;
mod registers;

use parlor_core::{Position, Seat, Turn};

use super::Game;
use lanes::Lanes;
use registers::Registers;

/// How a number of games came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games that X won.
    pub x: u64,
    /// Games that O won.
    pub o: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Moves played in all of them.
    pub plies: u64,
}

impl Tally {
    /// How many games were played.
    pub const fn games(&self) -> u64 {
        self.x + self.o + self.draws
    }
}

/// Plays `games` games on from a position, every move with the same probability (up to one part in 200,000).
///
/// The tally is a plain function of the three arguments: the same on every machine. A position that is over is tallied
/// `games` times, with no plies.
///
/// The games run beside each other in the lanes of the processor's vector registers, as wide as it has them.
///
/// ```
/// use parlor_tictactoe::ultimate::{Game, Rules, playouts};
/// let tally = playouts::batch(&Game::new(Rules::default()), 1000, 1);
/// assert_eq!(tally.games(), 1000);
/// assert!(tally.x > tally.o && tally.o > tally.draws);
/// ```
pub fn batch(game: &Game, games: u32, seed: u64) -> Tally {
    on(Registers::widest(), game, games, seed)
}

fn on(registers: Registers, game: &Game, games: u32, seed: u64) -> Tally {
    let mut tally = Tally::default();
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
        let now = left.min(lanes::MOST);
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
            let plain = on(Registers::Plain, &start, 2000, 1);
            for registers in [Registers::Avx2, Registers::Avx512] {
                assert_eq!(on(registers, &start, 2000, 1), plain, "{registers:?}");
            }
        }
    }
}
