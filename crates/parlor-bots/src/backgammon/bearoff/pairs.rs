//! The last checkers of both sides, with the cube, exactly.
//!
//! For every pair of ways to have up to six checkers at home: the chance to win, and what a game for one point is worth with the cube
//! in the middle, the mover's and the other's, when both play, double, take and drop as is best for each. The table has 853,776 positions
//! in 13.7 megabytes, and takes another such for the moment in which it is made.

use std::sync::LazyLock;

use parlor_backgammon::{Board, CHECKERS, Roll, Side};

use super::{rank, ways};

/// The most checkers a side may have left.
const MOST: u8 = 6;
/// How many ways there are to have so few.
const WAYS: usize = 924;

/// What a position is worth to the player to move, who rolls now: points when the cube shows 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in super::super) struct Pair {
    /// The chance to win.
    pub win: f32,
    /// With the cube in the middle.
    pub nobodys: f32,
    /// With the player's cube.
    pub mine: f32,
    /// With the other's.
    pub theirs: f32,
}

impl Pair {
    /// The game is won.
    const WON: Pair = Pair {
        win: 1.0,
        nobodys: 1.0,
        mine: 1.0,
        theirs: 1.0,
    };

    /// What it is worth if the player may still double before the roll, and does when it is better.
    pub fn before(self) -> Pair {
        let doubled = (2.0 * self.theirs).min(1.0);
        Pair {
            nobodys: self.nobodys.max(doubled),
            mine: self.mine.max(doubled),
            ..self
        }
    }

    /// The same for the other player.
    pub fn swapped(self) -> Pair {
        Pair {
            win: 1.0 - self.win,
            nobodys: -self.nobodys,
            mine: -self.theirs,
            theirs: -self.mine,
        }
    }

    fn max(self, other: Pair) -> Pair {
        Pair {
            win: self.win.max(other.win),
            nobodys: self.nobodys.max(other.nobodys),
            mine: self.mine.max(other.mine),
            theirs: self.theirs.max(other.theirs),
        }
    }

    fn times(self, factor: f32) -> Pair {
        let [win, nobodys, mine, theirs] =
            [self.win, self.nobodys, self.mine, self.theirs].map(|x| x * factor);
        Pair {
            win,
            nobodys,
            mine,
            theirs,
        }
    }

    fn add(&mut self, other: Pair, share: f32) {
        self.win += share * other.win;
        self.nobodys += share * other.nobodys;
        self.mine += share * other.mine;
        self.theirs += share * other.theirs;
    }
}

/// By the mover's way and the other's, made when it is first asked for.
static TABLE: LazyLock<Vec<Pair>> = LazyLock::new(table);

/// What a position with few checkers is worth; `None` when it is no such position. The board must not be over.
pub(in super::super) fn pair(board: &Board) -> Option<Pair> {
    let (mover, other) = (board.mover(), board.other());
    let few = |side: Side| side.is_home() && CHECKERS - side.off() <= MOST;
    (few(mover) && few(other)).then(|| TABLE[rank(mover) * WAYS + rank(other)])
}

fn table() -> Vec<Pair> {
    let next = next();
    let mut table = vec![Pair::default(); WAYS * WAYS];
    // The same as who has just played sees it, with the other about to double or to roll.
    let mut left = vec![Pair::WON; WAYS * WAYS];
    let mut fill = |mover: usize, other: usize| {
        let mut sum_of_36 = Pair::default();
        for (roll, afters) in Roll::all().zip(&next[mover]) {
            let worth = |after: &u16| match usize::from(*after) {
                0 => Pair::WON,
                after => left[other * WAYS + after],
            };
            let best = afters
                .iter()
                .map(worth)
                .reduce(Pair::max)
                .expect("a pass is a result");
            sum_of_36.add(best, roll.weight() as f32);
        }
        let pair = sum_of_36.times(1.0 / 36.0);
        (table[mover * WAYS + other], left[mover * WAYS + other]) = (pair, pair.before().swapped());
    };
    // A play leads to a lower number of the mover's, and nobody's number is higher than the last.
    for last in 1..WAYS {
        (1..last).for_each(|other| fill(last, other));
        (1..=last).for_each(|mover| fill(mover, last));
    }
    table
}

/// For each way and roll, the ways that it can lead to.
fn next() -> Vec<Vec<Vec<u16>>> {
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
    ways().into_iter().take(WAYS).map(&mut lead).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::side;
    use super::*;

    fn at(mover: &[(usize, u8)], other: &[(usize, u8)]) -> Pair {
        pair(&Board::new(side(mover), side(other)).expect("no shared point")).expect("few checkers")
    }

    #[test]
    fn a_last_roll_is_doubled_from_a_half_and_taken_from_a_quarter() {
        // The other is off with the next roll, whatever it is. A checker on 6 goes off with 27 of 36: just a take.
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
            (double.win - 19.0 / 36.0).abs() < 1e-6 && double.before().nobodys > double.nobodys,
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
            let all = [pair.theirs, pair.nobodys, pair.mine];
            assert!(all.is_sorted_by(|a, b| *a <= *b + 1e-5), "{pair:?}");
        }
    }

    #[test]
    fn two_distributions_tell_nearly_the_same_chances() {
        let (mut sum, mut count, mut worst) = (0.0, 0.0, 0.0f32);
        let ways = ways();
        for mover in (1..WAYS).step_by(7) {
            for other in (1..WAYS).step_by(5) {
                let exact = TABLE[mover * WAYS + other].win;
                let miss =
                    (exact - super::super::TABLE.chances(ways[mover], ways[other]).win).abs();
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
