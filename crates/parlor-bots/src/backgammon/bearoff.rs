//! Exact chances when both sides only bear off.
//!
//! For every way to have up to fifteen checkers at home the table holds how many rolls it takes to bear them off, as a distribution,
//! when each roll is played so that the fewest are expected; and, for all fifteen, how many until the first is off, which is what a
//! gammon depends on. The two sides do not meet any more, so two distributions give the chance to be first. It is exact but for one
//! thing: a side that is far behind might play for many checkers off in a few rolls rather than for the fewest rolls. The last
//! checkers of both sides, where that matters most, have a table of [`pairs`].

mod pairs;

use std::sync::LazyLock;

use parlor_backgammon::{Board, CHECKERS, Roll, Side};

use super::chances::Chances;
pub(super) use pairs::{Pair, pair};

/// The points of a home.
const HOME: usize = 6;
/// How many ways there are to have up to fifteen checkers on them.
const WAYS: usize = 54_264;
/// Rolls that are told apart; more are next to impossible.
const ROLLS: usize = 24;
/// The same for the first checker.
const FIRST: usize = 8;

/// The table of one side.
pub(super) struct Bearoff {
    /// For each way, how likely it takes exactly so many rolls.
    all: Vec<[f32; ROLLS]>,
    /// For each way with all fifteen checkers, how likely the first is off with exactly so many.
    first: Vec<[f32; FIRST]>,
}

/// The table, made when it is first asked for.
static TABLE: LazyLock<Bearoff> = LazyLock::new(Bearoff::new);

/// The chances of the player to move when both sides only bear off; `None` otherwise. The board must not be over.
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

/// How many rolls a side that is home needs on average, when it plays for the fewest; `None` when it is not home.
#[cfg(test)]
fn expected(side: Side) -> Option<f32> {
    side.is_home().then(|| mean(&TABLE.all[rank(side)]))
}

impl Bearoff {
    fn new() -> Bearoff {
        let ways = ways();
        let mut table = Bearoff {
            all: vec![[0.0; ROLLS]; WAYS],
            first: vec![[0.0; FIRST]; WAYS],
        };
        table.all[0][0] = 1.0;
        let mut means = vec![(0.0, 0.0); WAYS];
        let mut results = Vec::new();
        // Every move leads to a lower rank.
        for (rank, side) in ways.iter().enumerate().skip(1) {
            table.fill(rank, *side, &means, &mut results);
            means[rank] = (mean(&table.all[rank]), mean(&table.first[rank]));
        }
        table
    }

    /// One way, when all of lower rank are known.
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

/// How likely the first is done before the second, who has rolled `behind` times less when the first has its turn.
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

/// Adds a distribution that comes true a roll later.
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

/// The number of a way among all: those of the checkers on 6, on 5 and 6, and so on, as a sum of binomial coefficients.
fn rank(side: Side) -> usize {
    let mut sum = 0;
    (0..HOME)
        .map(|n| {
            sum += usize::from(side.count((HOME - n) as u8));
            usize::from(BINOMIALS[sum + n][n + 1])
        })
        .sum()
}

/// "n over k" for n up to 20 and k up to 6.
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

/// Every way by its number.
fn ways() -> Vec<Side> {
    let mut ways = vec![Side::DONE; WAYS];
    let mut counts = [0; 26];
    spread(&mut counts, HOME, CHECKERS, &mut ways);
    ways
}

fn spread(counts: &mut [u8; 26], point: usize, left: u8, ways: &mut [Side]) {
    if point == 0 {
        counts[0] = left;
        let side = Side::from_counts(counts).expect("what is left is off");
        ways[rank(side)] = side;
        return;
    }
    for here in 0..=left {
        counts[point] = here;
        spread(counts, point - 1, left - here, ways);
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
    fn every_way_has_a_number_of_its_own() {
        let ways = ways();
        assert_eq!(ways.len(), WAYS);
        assert!(ways.iter().enumerate().all(|(n, side)| rank(*side) == n));
    }

    #[test]
    fn chances_of_one_roll_are_as_counted_on_fingers() {
        // A checker on 6 goes off with 27 of 36 rolls, one each on 6 and 5 with 6.
        assert!((win(&[(6, 1)], &[(1, 1)]) - 27.0 / 36.0).abs() < 1e-6);
        assert!((win(&[(6, 1), (5, 1)], &[(1, 2)]) - 6.0 / 36.0).abs() < 1e-6);
        assert!((win(&[(1, 3)], &[(1, 2)]) - 6.0 / 36.0).abs() < 1e-6);
        assert_eq!(win(&[(1, 2)], &[(1, 1)]), 1.0);
    }

    #[test]
    fn the_expected_rolls_are_those_of_brute_force() {
        // One checker on 6: 27 of 36 at once; the other nine leave it on 3 or less, where every roll is enough.
        let one = expected(side(&[(1, 1)])).expect("home");
        assert!((one - 1.0).abs() < 1e-6);
        let six = expected(side(&[(6, 1)])).expect("home");
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
        // Unless the mover throws a double the other has a roll, of which 17 bear one off: 6s, 5-1, 4-2, 3-3, 2-2.
        let some = gammon(&[(1, 4)], &[(6, 15)]);
        assert!(
            (some.win_gammon - (6.0 / 36.0 + 30.0 / 36.0 * 19.0 / 36.0)).abs() < 1e-5,
            "{}",
            some.win_gammon
        );
        assert_eq!(gammon(&[(1, 4)], &[(6, 14)]).win_gammon, 0.0);
    }
}
