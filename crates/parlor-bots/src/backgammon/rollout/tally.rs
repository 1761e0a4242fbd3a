//! Results of a rollout's games, which can be merged in any order.

use super::super::chances::Chances;

/// Numbers per game: five chances and their value.
const NUMBERS: usize = Chances::COUNT + 1;

/// Fixed-point one: integer sums do not depend on the order of their terms.
const ONE: f64 = (1u64 << 32) as f64;

/// Sums over the games of a rollout, for each of its boards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RolloutTally {
    games: u32,
    rows: Vec<BoardTally>,
}

/// Sums for one board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct BoardTally {
    sums: [i128; NUMBERS],
    squares: [i128; NUMBERS],
    /// Sum and sum of squares of the difference in value to the first board.
    difference: [i128; 2],
}

/// Result of a rollout for one board, seen from the player who rolls first.
///
/// Standard errors are those of independent games. The stratified first rolls make the true errors
/// slightly smaller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RolloutEstimate {
    /// Number of games.
    pub games: u32,
    /// Mean chances.
    pub chances: Chances,
    /// Standard errors of the chances, in the order of [`Chances::to_array`].
    pub errors: [f64; Chances::COUNT],
    /// Value without a cube: points, or in a match the winning chance scaled to the range from -1
    /// to 1.
    pub worth: f64,
    /// Standard error of the value.
    pub error: f64,
    /// Difference in value to the first board.
    pub difference: f64,
    /// Standard error of the difference; it is smaller than for boards played with different dice.
    pub difference_error: f64,
}

impl RolloutTally {
    /// Creates an empty tally for this many boards.
    pub(super) fn new(boards: usize) -> RolloutTally {
        RolloutTally {
            games: 0,
            rows: vec![BoardTally::default(); boards],
        }
    }

    /// Returns the number of games played from each board.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Adds a game: the chances and their value for each board.
    pub(super) fn add(&mut self, game: &[([f64; Chances::COUNT], f64)]) {
        self.games += 1;
        let base = game.first().map_or(0, |(_, worth)| to_fixed_point(*worth));
        for (row, (chances, worth)) in self.rows.iter_mut().zip(game) {
            let numbers = chances
                .iter()
                .chain([worth])
                .map(|number| to_fixed_point(*number));
            for ((sum, square), number) in row.sums.iter_mut().zip(&mut row.squares).zip(numbers) {
                *sum += number;
                *square += number * number;
            }
            let difference = to_fixed_point(*worth) - base;
            row.difference[0] += difference;
            row.difference[1] += difference * difference;
        }
    }

    /// Adds the games of another tally of the same boards. The sum does not depend on the order in
    /// which parts are merged.
    pub fn merge(&mut self, other: &RolloutTally) {
        self.games += other.games;
        self.rows
            .resize(self.rows.len().max(other.rows.len()), BoardTally::default());
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            let pairs = [
                (&mut row.sums, &other.sums),
                (&mut row.squares, &other.squares),
            ];
            for (sums, others) in pairs {
                sums.iter_mut()
                    .zip(others)
                    .for_each(|(sum, other)| *sum += other);
            }
            row.difference
                .iter_mut()
                .zip(other.difference)
                .for_each(|(sum, other)| *sum += other);
        }
    }

    /// Returns the result for the board with this index; `None` if there are no games.
    pub fn estimate(&self, board: usize) -> Option<RolloutEstimate> {
        let row = self.rows.get(board).filter(|_| self.games > 0)?;
        let found: [(f64, f64); NUMBERS] =
            std::array::from_fn(|n| mean_and_error(row.sums[n], row.squares[n], self.games));
        let [
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
            (worth, error),
        ] = found;
        let chances = [
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
        ];
        let (difference, difference_error) =
            mean_and_error(row.difference[0], row.difference[1], self.games);
        Some(RolloutEstimate {
            games: self.games,
            chances: Chances::from_array(chances.map(|(mean, _)| mean as f32)),
            errors: chances.map(|(_, error)| error),
            worth,
            error,
            difference,
            difference_error,
        })
    }
}

fn to_fixed_point(number: f64) -> i128 {
    (number * ONE).round() as i128
}

/// Returns the mean and the standard error as of independent games; the error of a single game is
/// unknown, and returned as infinite.
fn mean_and_error(sum: i128, squares: i128, games: u32) -> (f64, f64) {
    let n = f64::from(games);
    let mean = sum as f64 / ONE / n;
    let spread = (squares as f64 / ONE / ONE / n - mean * mean).max(0.0);
    let error = if games > 1 {
        (spread / (n - 1.0)).sqrt()
    } else {
        f64::INFINITY
    };
    (mean, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_that_of_the_mean() {
        let mut tally = RolloutTally::new(2);
        for (one, other) in [(1.0, 1.5), (0.0, 0.5), (1.0, 1.5), (0.0, 0.5)] {
            tally.add(&[
                ([one, 0.0, 0.0, 0.0, 0.0], one),
                ([other, 0.0, 0.0, 0.0, 0.0], other),
            ]);
        }
        let [first, second] = [0, 1].map(|n| tally.estimate(n).expect("four games"));
        // The variance of each is 1/3, of the mean of four 1/12.
        assert!(
            (first.worth - 0.5).abs() < 1e-9 && (first.error - (1.0f64 / 12.0).sqrt()).abs() < 1e-9,
            "{first:?}"
        );
        assert_eq!((second.difference, second.difference_error), (0.5, 0.0));
        assert!(tally.estimate(2).is_none() && RolloutTally::new(1).estimate(0).is_none());
    }
}
