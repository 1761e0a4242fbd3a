//! What games came to, to be added up in any order.

use super::super::chances::Chances;

/// The numbers of a game: five chances and what they are worth.
const NUMBERS: usize = Chances::COUNT + 1;

/// One as it is summed. Whole numbers add up to the same in any order.
const ONE: f64 = (1u64 << 32) as f64;

/// What games came to, for each of the boards that they were played from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    games: u32,
    rows: Vec<Row>,
}

/// For one board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Row {
    sums: [i128; NUMBERS],
    squares: [i128; NUMBERS],
    /// How much more this board was worth than the first, and the squares of that.
    more: [i128; 2],
}

/// What games tell of a board, seen from who rolls first.
///
/// Errors are those of games with dice of their own. Since the first rolls are shared out evenly they are a little smaller in truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// How many games.
    pub games: u32,
    /// The mean chances.
    pub chances: Chances,
    /// Their standard errors, in the order of [`Chances::to_array`].
    pub errors: [f64; Chances::COUNT],
    /// What they are worth without a cube: points, or in a match the chance to win it from -1 to 1.
    pub worth: f64,
    /// The standard error of that.
    pub error: f64,
    /// How much more that is than of the first board.
    pub more: f64,
    /// The standard error of the difference; it is smaller than that of two boards played with different dice.
    pub more_error: f64,
}

impl Tally {
    /// Nothing, for so many boards.
    pub(super) fn new(boards: usize) -> Tally {
        Tally {
            games: 0,
            rows: vec![Row::default(); boards],
        }
    }

    /// How many games were played from each board.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Adds a game: for each board the chances and what they are worth.
    pub(super) fn add(&mut self, game: &[([f64; Chances::COUNT], f64)]) {
        self.games += 1;
        let base = game.first().map_or(0, |(_, worth)| whole(*worth));
        for (row, (chances, worth)) in self.rows.iter_mut().zip(game) {
            let numbers = chances.iter().chain([worth]).map(|number| whole(*number));
            for ((sum, square), number) in row.sums.iter_mut().zip(&mut row.squares).zip(numbers) {
                *sum += number;
                *square += number * number;
            }
            let more = whole(*worth) - base;
            row.more[0] += more;
            row.more[1] += more * more;
        }
    }

    /// Adds the games of another tally of the same boards. The sum is the same in whatever order parts are added.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.rows
            .resize(self.rows.len().max(other.rows.len()), Row::default());
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
            row.more
                .iter_mut()
                .zip(other.more)
                .for_each(|(sum, other)| *sum += other);
        }
    }

    /// What the games tell of a board, by its number; nothing without games.
    pub fn estimate(&self, board: usize) -> Option<Estimate> {
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
        let (more, more_error) = mean_and_error(row.more[0], row.more[1], self.games);
        Some(Estimate {
            games: self.games,
            chances: Chances::from_array(chances.map(|(mean, _)| mean as f32)),
            errors: chances.map(|(_, error)| error),
            worth,
            error,
            more,
            more_error,
        })
    }
}

fn whole(number: f64) -> i128 {
    (number * ONE).round() as i128
}

/// The mean, and the standard error as of independent games; of a single game that is not known, and told as infinite.
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
        let mut tally = Tally::new(2);
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
        assert_eq!((second.more, second.more_error), (0.5, 0.0));
        assert!(tally.estimate(2).is_none() && Tally::new(1).estimate(0).is_none());
    }
}
