//! Two-sided bear-off table: exact values of the last checkers, with the cube.
//!
//! For every pair of arrangements of up to six checkers at home it holds the chance to win, and the
//! equity for one point with the cube centered, owned by the mover, and owned by the opponent, if
//! both play, double, take and drop optimally. The table has 853,776 positions in 13.7 megabytes,
//! and briefly takes the same again while it is built.

use std::sync::LazyLock;

use parlor_backgammon::{Board, CHECKERS, Roll, Side};

use super::{arrangements, rank};

/// Maximum number of checkers left per side.
const MOST: u8 = 6;
/// Number of arrangements of so few.
const ARRANGEMENTS: usize = 924;

/// Values of a position to the player to move, who rolls now, in points for a cube of 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in super::super) struct BearoffPair {
    /// Chance to win.
    pub win: f32,
    /// Equity with a centered cube.
    pub centered: f32,
    /// Equity if the player owns the cube.
    pub mine: f32,
    /// Equity if the opponent owns the cube.
    pub theirs: f32,
}

impl BearoffPair {
    /// Values of a game already won.
    const WON: BearoffPair = BearoffPair {
        win: 1.0,
        centered: 1.0,
        mine: 1.0,
        theirs: 1.0,
    };

    /// Returns the values if the player may still double before the roll, and does if that is
    /// better.
    pub fn before(self) -> BearoffPair {
        let doubled = (2.0 * self.theirs).min(1.0);
        BearoffPair {
            centered: self.centered.max(doubled),
            mine: self.mine.max(doubled),
            ..self
        }
    }

    /// Returns the values for the opponent.
    pub fn swapped(self) -> BearoffPair {
        BearoffPair {
            win: 1.0 - self.win,
            centered: -self.centered,
            mine: -self.theirs,
            theirs: -self.mine,
        }
    }

    fn max(self, other: BearoffPair) -> BearoffPair {
        BearoffPair {
            win: self.win.max(other.win),
            centered: self.centered.max(other.centered),
            mine: self.mine.max(other.mine),
            theirs: self.theirs.max(other.theirs),
        }
    }

    fn times(self, factor: f32) -> BearoffPair {
        let [win, centered, mine, theirs] =
            [self.win, self.centered, self.mine, self.theirs].map(|x| x * factor);
        BearoffPair {
            win,
            centered,
            mine,
            theirs,
        }
    }

    fn add(&mut self, other: BearoffPair, share: f32) {
        self.win += share * other.win;
        self.centered += share * other.centered;
        self.mine += share * other.mine;
        self.theirs += share * other.theirs;
    }
}

/// Values by arrangement of the mover and the opponent, built on first use.
static TABLE: LazyLock<Vec<BearoffPair>> = LazyLock::new(table);

/// Returns the values of a position with few checkers; `None` if it is not one. The game must not
/// be over.
pub(in super::super) fn pair(board: &Board) -> Option<BearoffPair> {
    let (mover, other) = (board.mover(), board.other());
    let few = |side: Side| side.is_home() && CHECKERS - side.off() <= MOST;
    (few(mover) && few(other)).then(|| TABLE[rank(mover) * ARRANGEMENTS + rank(other)])
}

fn table() -> Vec<BearoffPair> {
    let next = successors();
    let mut table = vec![BearoffPair::default(); ARRANGEMENTS * ARRANGEMENTS];
    // The same positions as the player who has just played sees them, with the opponent about to
    // double or roll.
    let mut left = vec![BearoffPair::WON; ARRANGEMENTS * ARRANGEMENTS];
    let mut fill = |mover: usize, other: usize| {
        let mut sum_of_36 = BearoffPair::default();
        for (roll, afters) in Roll::all().zip(&next[mover]) {
            let worth = |after: &u16| match usize::from(*after) {
                0 => BearoffPair::WON,
                after => left[other * ARRANGEMENTS + after],
            };
            let best = afters
                .iter()
                .map(worth)
                .reduce(BearoffPair::max)
                .expect("a pass is a result");
            sum_of_36.add(best, roll.weight() as f32);
        }
        let pair = sum_of_36.times(1.0 / 36.0);
        (
            table[mover * ARRANGEMENTS + other],
            left[mover * ARRANGEMENTS + other],
        ) = (pair, pair.before().swapped());
    };
    // A play lowers the mover's index, and the opponent's index is never above the last one filled
    // in.
    for last in 1..ARRANGEMENTS {
        (1..last).for_each(|other| fill(last, other));
        (1..=last).for_each(|mover| fill(mover, last));
    }
    table
}

/// Returns the arrangements that each arrangement can lead to, by roll.
fn successors() -> Vec<Vec<Vec<u16>>> {
    let mut results = Vec::new();
    let mut lead = |side: Side| {
        let board = Board::new(side, Side::DONE).expect("a side alone shares no point");
        let afters = |roll: Roll| {
            board.afterstates_into(roll.into(), &mut results);
            results
                .iter()
                .map(|after| rank(after.mover()) as u16)
                .collect()
        };
        Roll::all().map(afters).collect()
    };
    arrangements()
        .into_iter()
        .take(ARRANGEMENTS)
        .map(&mut lead)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::side;
    use super::*;

    fn at(mover: &[(usize, u8)], other: &[(usize, u8)]) -> BearoffPair {
        pair(&Board::new(side(mover), side(other)).expect("no shared point")).expect("few checkers")
    }

    #[test]
    fn a_last_roll_is_doubled_from_a_half_and_taken_from_a_quarter() {
        // The opponent bears off with the next roll in any case. A checker on 6 goes off with 27 of
        // 36: just a take.
        let just = at(&[(6, 1)], &[(1, 1)]);
        assert!(
            (just.win - 0.75).abs() < 1e-6 && (2.0 * just.theirs - 1.0).abs() < 1e-5,
            "{just:?}"
        );
        // Two on 5 and 2: 19 of 36, a double; 6 and 2: 13 of 36, none.
        let (double, none) = (
            at(&[(5, 1), (2, 1)], &[(1, 1)]),
            at(&[(6, 1), (2, 1)], &[(1, 1)]),
        );
        assert!(
            (double.win - 19.0 / 36.0).abs() < 1e-6 && double.before().centered > double.centered,
            "{double:?}"
        );
        assert!(
            (none.win - 13.0 / 36.0).abs() < 1e-6 && none.before() == none,
            "{none:?}"
        );
    }

    #[test]
    fn a_cube_in_hand_never_hurts() {
        for pair in TABLE.iter() {
            let all = [pair.theirs, pair.centered, pair.mine];
            assert!(all.is_sorted_by(|a, b| *a <= *b + 1e-5), "{pair:?}");
        }
    }

    #[test]
    fn one_sided_distributions_give_nearly_the_same_chances() {
        let (mut sum, mut count, mut worst) = (0.0, 0.0, 0.0f32);
        let arrangements = arrangements();
        for mover in (1..ARRANGEMENTS).step_by(7) {
            for other in (1..ARRANGEMENTS).step_by(5) {
                let exact = TABLE[mover * ARRANGEMENTS + other].win;
                let miss = (exact
                    - super::super::TABLE
                        .chances(arrangements[mover], arrangements[other])
                        .win)
                    .abs();
                (sum, count, worst) = (sum + f64::from(miss), count + 1.0, worst.max(miss));
            }
        }
        assert!(
            sum / count < 1e-3 && worst < 0.02,
            "mean {:.6}, worst {worst}",
            sum / count
        );
    }
}
