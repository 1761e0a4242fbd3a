//! One-sided bear-off table: exact distributions when both sides only bear off.
//!
//! For every arrangement of up to fifteen checkers at home the table holds the distribution of the
//! number of rolls it takes to bear them off when each roll is played for the lowest expected
//! number. For full fifteen it also holds that of the number of rolls until the first checker is
//! off, on which gammons depend. The sides no longer interact, so two distributions give the chance
//! to be first. It is exact but for one thing: a side that is far behind might play for many
//! checkers off in a few rolls rather than for the fewest rolls. The last checkers of both sides,
//! where that matters most, have a two-sided table in [`pairs`].

mod pairs;

use std::sync::LazyLock;

use parlor_backgammon::{Board, CHECKERS, Roll, Side};

use super::chances::Chances;
pub(super) use pairs::{BearoffPair, pair};

/// Number of points in a home.
const HOME: usize = 6;
/// Number of arrangements of up to fifteen checkers at home.
const ARRANGEMENTS: usize = 54_264;
/// Length of a distribution over rolls; longer bear-offs are next to impossible.
const ROLLS: usize = 24;
/// Length of a distribution until the first checker is off.
const FIRST: usize = 8;

/// Distributions for one side.
pub(super) struct BearoffTable {
    /// For each arrangement, the chance that bearing off takes exactly this many rolls.
    all: Vec<[f32; ROLLS]>,
    /// For each arrangement of all fifteen checkers, the chance that the first is off after exactly
    /// this many rolls.
    first: Vec<[f32; FIRST]>,
}

/// Table, built on first use.
static TABLE: LazyLock<BearoffTable> = LazyLock::new(BearoffTable::new);

/// Returns the chances of the player to move if both sides only bear off, otherwise `None`. The
/// game must not be over.
pub(super) fn chances(board: &Board) -> Option<Chances> {
    let (mover, other) = (board.mover(), board.other());
    if !(mover.is_home() && other.is_home()) {
        return None;
    }
    match pair(board) {
        Some(pair) => Some(Chances {
            win: pair.win,
            ..Chances::default()
        }),
        None => Some(TABLE.chances(mover, other)),
    }
}

/// Returns the mean number of rolls that a side at home needs to bear off; `None` if it is not
/// home.
#[cfg(test)]
fn expected_rolls(side: Side) -> Option<f32> {
    side.is_home().then(|| mean(&TABLE.all[rank(side)]))
}

impl BearoffTable {
    fn new() -> BearoffTable {
        let arrangements = arrangements();
        let mut table = BearoffTable {
            all: vec![[0.0; ROLLS]; ARRANGEMENTS],
            first: vec![[0.0; FIRST]; ARRANGEMENTS],
        };
        table.all[0][0] = 1.0;
        let mut means = vec![(0.0, 0.0); ARRANGEMENTS];
        let mut results = Vec::new();
        // Every move leads to a lower rank.
        for (rank, side) in arrangements.iter().enumerate().skip(1) {
            table.fill(rank, *side, &means, &mut results);
            means[rank] = (mean(&table.all[rank]), mean(&table.first[rank]));
        }
        table
    }

    /// Fills in one arrangement, given all of lower rank.
    fn fill(&mut self, at: usize, side: Side, means: &[(f32, f32)], results: &mut Vec<Board>) {
        let whole = side.off() == 0;
        let board = Board::new(side, Side::DONE).expect("a side alone shares no point");
        let (mut all, mut first) = ([0.0; ROLLS], [0.0; FIRST]);
        for roll in Roll::all() {
            let share = roll.weight() as f32 / 36.0;
            board.afterstates_into(roll.into(), results);
            let ranks = || {
                results
                    .iter()
                    .map(|after| (rank(after.mover()), after.mover().off()))
            };
            let fewest = ranks()
                .map(|(rank, _)| rank)
                .min_by(|a, b| means[*a].0.total_cmp(&means[*b].0));
            add_later(&mut all, &self.all[fewest.unwrap_or(0)], share);
            if whole {
                let soonest = ranks().filter(|(_, off)| *off == 0).map(|(rank, _)| rank);
                let soonest = soonest.min_by(|a, b| means[*a].1.total_cmp(&means[*b].1));
                match soonest.filter(|_| ranks().all(|(_, off)| off == 0)) {
                    Some(rank) => add_later(&mut first, &self.first[rank], share),
                    None => first[1] += share,
                }
            }
        }
        (self.all[at], self.first[at]) = (all, first);
    }

    fn chances(&self, mover: Side, other: Side) -> Chances {
        let (mine, theirs) = (&self.all[rank(mover)], &self.all[rank(other)]);
        let gammon = |winner: &[f32; ROLLS], loser: Side, head_start: usize| {
            if loser.off() > 0 {
                return 0.0;
            }
            first_to(winner, &self.first[rank(loser)], head_start)
        };
        Chances {
            win: first_to(mine, theirs, 1),
            win_gammon: gammon(mine, other, 1),
            lose_gammon: gammon(theirs, mover, 0),
            ..Chances::default()
        }
    }
}

/// Returns the chance that the first side finishes before the second, which has rolled `behind`
/// fewer times when the first rolls.
fn first_to(first: &[f32], second: &[f32], behind: usize) -> f32 {
    let (mut sum, mut open) = (0.0, 1.0);
    for (rolls, chance) in first.iter().enumerate().skip(1) {
        if rolls >= behind {
            open -= second.get(rolls - behind).copied().unwrap_or(0.0);
        }
        sum += chance * open.max(0.0);
    }
    sum.min(1.0)
}

/// Adds a distribution that is delayed by one roll, scaled by `share`.
fn add_later(to: &mut [f32], from: &[f32], share: f32) {
    let last = to.len() - 1;
    for (rolls, chance) in from.iter().enumerate() {
        to[(rolls + 1).min(last)] += share * chance;
    }
}

fn mean(distribution: &[f32]) -> f32 {
    distribution
        .iter()
        .zip(0u8..)
        .map(|(chance, rolls)| chance * f32::from(rolls))
        .sum()
}

/// Returns the index of an arrangement: a sum of binomial coefficients of the checkers on 6, on 5
/// and 6, and so on.
fn rank(side: Side) -> usize {
    let mut sum = 0;
    (0..HOME)
        .map(|n| {
            sum += usize::from(side.count((HOME - n) as u8));
            usize::from(BINOMIALS[sum + n][n + 1])
        })
        .sum()
}

/// Binomial coefficients "n over k" for n up to 20 and k up to 6.
static BINOMIALS: [[u16; HOME + 1]; 21] = {
    let mut table = [[0; HOME + 1]; 21];
    let mut n = 0;
    while n < 21 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= HOME && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Returns all arrangements by index.
fn arrangements() -> Vec<Side> {
    let mut arrangements = vec![Side::DONE; ARRANGEMENTS];
    let mut counts = [0; 26];
    fill_arrangements(&mut counts, HOME, CHECKERS, &mut arrangements);
    arrangements
}

fn fill_arrangements(counts: &mut [u8; 26], point: usize, left: u8, arrangements: &mut [Side]) {
    if point == 0 {
        counts[0] = left;
        let side = Side::from_counts(counts).expect("what is left is off");
        arrangements[rank(side)] = side;
        return;
    }
    for here in 0..=left {
        counts[point] = here;
        fill_arrangements(counts, point - 1, left - here, arrangements);
    }
    counts[point] = 0;
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(super) fn side(points: &[(usize, u8)]) -> Side {
        let mut counts = [0; 26];
        points.iter().for_each(|(point, n)| counts[*point] = *n);
        counts[0] = CHECKERS - counts.iter().sum::<u8>();
        Side::from_counts(&counts).expect("fifteen checkers")
    }

    fn win(mover: &[(usize, u8)], other: &[(usize, u8)]) -> f32 {
        chances(&Board::new(side(mover), side(other)).expect("no shared point"))
            .expect("both are home")
            .win
    }

    #[test]
    fn every_arrangement_has_an_index_of_its_own() {
        let arrangements = arrangements();
        assert_eq!(arrangements.len(), ARRANGEMENTS);
        assert!(
            arrangements
                .iter()
                .enumerate()
                .all(|(n, side)| rank(*side) == n)
        );
    }

    #[test]
    fn chances_of_one_roll_are_as_counted_by_hand() {
        // A checker on 6 goes off with 27 of 36 rolls, one each on 6 and 5 with 6.
        assert!((win(&[(6, 1)], &[(1, 1)]) - 27.0 / 36.0).abs() < 1e-6);
        assert!((win(&[(6, 1), (5, 1)], &[(1, 2)]) - 6.0 / 36.0).abs() < 1e-6);
        assert!((win(&[(1, 3)], &[(1, 2)]) - 6.0 / 36.0).abs() < 1e-6);
        assert_eq!(win(&[(1, 2)], &[(1, 1)]), 1.0);
    }

    #[test]
    fn the_expected_rolls_are_those_of_brute_force() {
        // One checker on 6: 27 of 36 at once; the other nine leave it on 3 or less, where every
        // roll is enough.
        let one = expected_rolls(side(&[(1, 1)])).expect("home");
        assert!((one - 1.0).abs() < 1e-6);
        let six = expected_rolls(side(&[(6, 1)])).expect("home");
        assert!((six - 1.25).abs() < 1e-5, "{six}");
    }

    #[test]
    fn a_gammon_is_lost_only_with_all_checkers_on_the_board() {
        let gammon = |mover: &[(usize, u8)], other: &[(usize, u8)]| {
            chances(&Board::new(side(mover), side(other)).expect("no shared point"))
                .expect("both are home")
        };
        // The other has all on 6: one checker of the mover's last goes off at once.
        let certain = gammon(&[(1, 2)], &[(6, 15)]);
        assert_eq!((certain.win, certain.win_gammon), (1.0, 1.0));
        // Unless the mover throws a double the other has a roll, of which 17 bear one off: 6s, 5-1,
        // 4-2, 3-3, 2-2.
        let some = gammon(&[(1, 4)], &[(6, 15)]);
        assert!(
            (some.win_gammon - (6.0 / 36.0 + 30.0 / 36.0 * 19.0 / 36.0)).abs() < 1e-5,
            "{}",
            some.win_gammon
        );
        assert_eq!(gammon(&[(1, 4)], &[(6, 14)]).win_gammon, 0.0);
    }
}
