//! Match equity table: the chance to win a match from each score.
//!
//! The table is computed score by score from the end of the match, by one simple model of a game
//! between equals: each wins half of the games, 27 of 100 wins are gammons, none are backgammons,
//! and the cube is valued by the model in `cube`. If the leader needs one point, the trailer wins a
//! little more and the leader loses fewer gammons. After the Crawford game the trailer doubles at
//! once, and the leader, who has seen one roll, drops if that is better.
//!
//! Four constants are chosen so that the table agrees with the well-known one by N. Kazaross (made
//! with eXtreme Gammon 2, 2011) within half a percentage point; none of that table's numbers are in
//! it.

use std::sync::LazyLock;

use parlor_backgammon::{Crawford, Rules};

use super::chances::Chances;
use super::cube::{self, CubeOwner};
use super::stakes::Stakes;

const LONGEST: usize = Rules::MAX_LENGTH as usize;

/// Share of the wins that are gammons.
const GAMMONS: f64 = 0.27;

/// Share of the games that the trailer wins against a leader who needs one point and therefore
/// gives up some wins to lose fewer gammons.
const TRAILER: f64 = 0.508;

/// Maximum deviation of the trailer's winning chance from [`TRAILER`] after the first roll, when
/// the leader must take or drop.
const SPREAD: f64 = 0.066;

/// Liveliness of the cube at the start of a game: more than in the middle of one, where the right
/// moment to double may have passed.
const LIVELINESS: f64 = 0.81;

/// Chances of a game between equals.
const EQUALS: Chances = Chances {
    win: 0.5,
    win_gammon: 0.5 * GAMMONS as f32,
    win_backgammon: 0.0,
    lose_gammon: 0.5 * GAMMONS as f32,
    lose_backgammon: 0.0,
};

/// Winning chances of a player, indexed by the points that the player still needs and those that
/// the opponent still needs.
type MatchEquityTable = Vec<[f64; LONGEST + 1]>;

/// Winning chances of the trailer by points needed, against a leader who needs one, after the
/// Crawford game.
static POST_CRAWFORD: LazyLock<[f64; LONGEST + 1]> = LazyLock::new(|| {
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

/// Winning chances before the Crawford game, and in the Crawford game itself.
static PRE_CRAWFORD: LazyLock<MatchEquityTable> = LazyLock::new(|| {
    let mut table = vec![[0.5; LONGEST + 1]; LONGEST + 1];
    for theirs in 2..=LONGEST {
        let left = |points: usize| POST_CRAWFORD[theirs.saturating_sub(points)];
        let trailer = TRAILER * ((1.0 - GAMMONS) * left(1) + GAMMONS * left(2));
        (table[theirs][1], table[1][theirs]) = (trailer, 1.0 - trailer);
    }
    for mine in 2..=LONGEST {
        for theirs in mine + 1..=LONGEST {
            let chance = compute_score(&table, mine, theirs);
            (table[mine][theirs], table[theirs][mine]) = (chance, 1.0 - chance);
        }
    }
    table
});

/// Computes a score in the middle of a match, given all with fewer points to go.
fn compute_score(table: &MatchEquityTable, mine: usize, theirs: usize) -> f64 {
    let worth = |points: i32| {
        let left = |away: usize, won: i32| away.saturating_sub(won.max(0) as usize);
        2.0 * look_up(table, left(mine, points), left(theirs, -points)) - 1.0
    };
    let away = [mine as u8, theirs as u8];
    let stakes = Stakes::Match {
        away,
        crawford: Crawford::Before,
    };
    (cube::worth_by(&worth, stakes, &EQUALS, 1, CubeOwner::Centered, LIVELINESS) + 1.0) / 2.0
}

fn look_up(table: &MatchEquityTable, mine: usize, theirs: usize) -> f64 {
    match (mine, theirs) {
        (0, _) => 1.0,
        (_, 0) => 0.0,
        _ => table[mine.min(LONGEST)][theirs.min(LONGEST)],
    }
}

/// Returns the chance to win a match when both players still need these points, after a game played
/// before, during or after the Crawford game.
pub(super) fn winning_chance(mine: u8, theirs: u8, crawford: Crawford) -> f64 {
    let (mine, theirs) = (usize::from(mine), usize::from(theirs));
    if crawford == Crawford::Before || mine == 0 || theirs == 0 {
        return look_up(&PRE_CRAWFORD, mine, theirs);
    }
    if mine == 1 {
        1.0 - POST_CRAWFORD[theirs.min(LONGEST)]
    } else {
        POST_CRAWFORD[mine.min(LONGEST)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(mine: u8, theirs: u8) -> f64 {
        winning_chance(mine, theirs, Crawford::Before)
    }

    #[test]
    fn winning_chances_of_both_players_sum_to_one() {
        for mine in 1..=64 {
            for theirs in 1..=64 {
                let sum = before(mine, theirs) + before(theirs, mine);
                assert!((sum - 1.0).abs() < 1e-12, "{mine} {theirs}: {sum}");
            }
        }
    }

    #[test]
    fn one_more_point_always_helps() {
        for mine in 2..=64 {
            for theirs in 1..=64 {
                assert!(
                    before(mine - 1, theirs) > before(mine, theirs),
                    "{mine} {theirs}"
                );
            }
        }
    }

    /// Table "Kazaross XG2" by Neil Kazaross, used by GNU Backgammon and eXtreme Gammon, in
    /// percent: before the Crawford game, with the points that the player needs as the row and
    /// those that the opponent needs as the column, both from 1.
    const KAZAROSS: [[f64; 7]; 7] = [
        [50.00, 67.74, 75.08, 81.44, 84.18, 88.73, 90.72],
        [32.26, 50.00, 59.95, 66.87, 74.36, 79.94, 84.22],
        [24.92, 40.05, 50.00, 57.15, 64.79, 71.12, 76.21],
        [18.56, 33.13, 42.85, 50.00, 57.73, 64.28, 69.92],
        [15.82, 25.64, 35.21, 42.27, 50.00, 56.63, 62.64],
        [11.27, 20.06, 28.88, 35.71, 43.36, 50.00, 56.26],
        [9.28, 15.77, 23.79, 30.08, 37.36, 43.74, 50.00],
    ];

    /// The same table after the Crawford game, for a player who needs 1, 2, ... points against one
    /// who needs 1.
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
            let found = 100.0 * winning_chance(mine, 1, Crawford::After);
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
