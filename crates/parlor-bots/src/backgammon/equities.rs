//! The chances to win a match from each score.
//!
//! The table is computed, score by score from the end of the match, by one simple model of a game between equals: each wins half of
//! the games, 27 of 100 wins are gammons, none are backgammons, and the cube is worth what the house's model of it says. The leader needs
//! one point: then the trailer wins a little more and the leader loses fewer gammons. After the Crawford game the trailer doubles at
//! once, and the leader, who has seen a roll, drops when that is better.
//!
//! Four numbers in it are chosen so that the table agrees with the well-known one of N. Kazaross (made with eXtreme Gammon 2, 2011)
//! within half a point of a hundred; none of that table is in it.

use std::sync::LazyLock;

use parlor_backgammon::{Crawford, Rules};

use super::chances::Chances;
use super::cube::{self, Owner};
use super::stakes::Stakes;

const LONGEST: usize = Rules::MAX_LENGTH as usize;

/// What share of the wins are gammons.
const GAMMONS: f64 = 0.27;

/// How many games of a hundred the trailer wins against somebody for whom a gammon lost is no worse than a game lost, but a game lost is
/// much: the leader gives up some wins to lose fewer gammons.
const TRAILER: f64 = 0.508;

/// How far the trailer's chances are from [`TRAILER`], at most, when the leader must take or drop after the first roll.
const SPREAD: f64 = 0.066;

/// How live the cube is in a whole game, from its start: more than in the middle of one, where the right moment to double may be over.
const LIFE: f64 = 0.81;

/// A game between equals.
const EQUALS: Chances = Chances {
    win: 0.5,
    win_gammon: 0.5 * GAMMONS as f32,
    win_backgammon: 0.0,
    lose_gammon: 0.5 * GAMMONS as f32,
    lose_backgammon: 0.0,
};

/// The chances of somebody who needs this many points (first index, from 0) against somebody who needs that many.
type Table = Vec<[f64; LONGEST + 1]>;

/// Of the trailer who needs so many points, against a leader who needs one, after the Crawford game.
static AFTER: LazyLock<[f64; LONGEST + 1]> = LazyLock::new(|| {
    let mut chances = [1.0; LONGEST + 1];
    chances[1] = 0.5;
    for away in 2..=LONGEST {
        let left = |points: usize| chances[away.saturating_sub(points)];
        let won = (1.0 - GAMMONS) * left(2) + GAMMONS * left(4);
        const STEPS: i32 = 20;
        let each = (-STEPS..=STEPS).map(|n| TRAILER + SPREAD * f64::from(n) / f64::from(STEPS));
        chances[away] =
            each.map(|win| (win * won).min(left(1))).sum::<f64>() / f64::from(2 * STEPS + 1);
    }
    chances
});

/// Before the Crawford game, and of the Crawford game itself.
static BEFORE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = vec![[0.5; LONGEST + 1]; LONGEST + 1];
    for theirs in 2..=LONGEST {
        let left = |points: usize| AFTER[theirs.saturating_sub(points)];
        let trailer = TRAILER * ((1.0 - GAMMONS) * left(1) + GAMMONS * left(2));
        (table[theirs][1], table[1][theirs]) = (trailer, 1.0 - trailer);
    }
    for mine in 2..=LONGEST {
        for theirs in mine + 1..=LONGEST {
            let chance = contested(&table, mine, theirs);
            (table[mine][theirs], table[theirs][mine]) = (chance, 1.0 - chance);
        }
    }
    table
});

/// One score in the middle of a match, when all with fewer points to go are known.
fn contested(table: &Table, mine: usize, theirs: usize) -> f64 {
    let worth = |points: i32| {
        let left = |away: usize, won: i32| away.saturating_sub(won.max(0) as usize);
        2.0 * look_up(table, left(mine, points), left(theirs, -points)) - 1.0
    };
    let away = [mine as u8, theirs as u8];
    let stakes = Stakes::Match {
        away,
        crawford: Crawford::Before,
    };
    (cube::worth_by(&worth, stakes, &EQUALS, 1, Owner::Nobody, LIFE) + 1.0) / 2.0
}

fn look_up(table: &Table, mine: usize, theirs: usize) -> f64 {
    match (mine, theirs) {
        (0, _) => 1.0,
        (_, 0) => 0.0,
        _ => table[mine.min(LONGEST)][theirs.min(LONGEST)],
    }
}

/// The chance to win a match when both still need so many points, after a game that was before, during or after the Crawford game.
pub(super) fn after(mine: u8, theirs: u8, crawford: Crawford) -> f64 {
    let (mine, theirs) = (usize::from(mine), usize::from(theirs));
    if crawford == Crawford::Before || mine == 0 || theirs == 0 {
        return look_up(&BEFORE, mine, theirs);
    }
    if mine == 1 {
        1.0 - AFTER[theirs.min(LONGEST)]
    } else {
        AFTER[mine.min(LONGEST)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(mine: u8, theirs: u8) -> f64 {
        after(mine, theirs, Crawford::Before)
    }

    #[test]
    fn what_one_wins_the_other_loses() {
        for mine in 1..=64 {
            for theirs in 1..=64 {
                let sum = before(mine, theirs) + before(theirs, mine);
                assert!((sum - 1.0).abs() < 1e-12, "{mine} {theirs}: {sum}");
            }
        }
    }

    #[test]
    fn a_point_more_never_hurts() {
        for mine in 2..=64 {
            for theirs in 1..=64 {
                assert!(
                    before(mine - 1, theirs) > before(mine, theirs),
                    "{mine} {theirs}"
                );
            }
        }
    }

    /// The table "Kazaross XG2" by Neil Kazaross, which GNU Backgammon and eXtreme Gammon use, in hundredths: before the Crawford game,
    /// of who needs as many points as the row says, against who needs as many as the column says, both from 1 on.
    const KAZAROSS: [[f64; 7]; 7] = [
        [50.00, 67.74, 75.08, 81.44, 84.18, 88.73, 90.72],
        [32.26, 50.00, 59.95, 66.87, 74.36, 79.94, 84.22],
        [24.92, 40.05, 50.00, 57.15, 64.79, 71.12, 76.21],
        [18.56, 33.13, 42.85, 50.00, 57.73, 64.28, 69.92],
        [15.82, 25.64, 35.21, 42.27, 50.00, 56.63, 62.64],
        [11.27, 20.06, 28.88, 35.71, 43.36, 50.00, 56.26],
        [9.28, 15.77, 23.79, 30.08, 37.36, 43.74, 50.00],
    ];

    /// The same table after the Crawford game, of who needs 1, 2, ... points against who needs 1.
    const KAZAROSS_AFTER: [f64; 8] = [50.00, 48.80, 32.26, 31.00, 19.01, 18.07, 11.56, 10.91];

    #[test]
    fn all_scores_up_to_seven_away_are_as_in_the_table_of_kazaross() {
        for (mine, row) in (1u8..).zip(KAZAROSS) {
            for (theirs, known) in (1u8..).zip(row) {
                let found = 100.0 * before(mine, theirs);
                assert!(
                    (found - known).abs() < 0.6,
                    "{mine} away, {theirs} away: {found:.2}, not {known}"
                );
            }
        }
        for (mine, known) in (1u8..).zip(KAZAROSS_AFTER) {
            let found = 100.0 * after(mine, 1, Crawford::After);
            assert!(
                (found - known).abs() < 0.3,
                "{mine} away after the Crawford game: {found:.2}, not {known}"
            );
        }
    }

    #[test]
    fn long_matches_are_about_as_in_the_table_of_kazaross() {
        for (mine, theirs, known) in [
            (9, 5, 27.46),
            (9, 7, 39.15),
            (15, 10, 28.89),
            (11, 9, 40.21),
            (15, 13, 41.75),
        ] {
            let found = 100.0 * before(mine, theirs);
            assert!(
                (found - known).abs() < 0.6,
                "{mine} away, {theirs} away: {found:.2}, not {known}"
            );
        }
    }
}
