//! The chances to win a match from each score.
//!
//! The table is computed, score by score from the end of the match, by one simple model of a game between equals: each wins half of
//! the games, a quarter of the wins are gammons, none are backgammons, and the cube is worth what it is worth to the house's own
//! cube decisions. After the Crawford game the trailer doubles at once, and the leader drops when that is better.

use std::sync::LazyLock;

use parlor_backgammon::{Crawford, Rules};

use super::chances::Chances;
use super::cube::{self, Owner};
use super::stakes::Stakes;

const LONGEST: usize = Rules::MAX_LENGTH as usize;

/// A game between equals.
const EQUALS: Chances =
    Chances { win: 0.5, win_gammon: 0.125, win_backgammon: 0.0, lose_gammon: 0.125, lose_backgammon: 0.0 };

/// What share of the wins are gammons.
const GAMMONS: f64 = 0.25;

/// The chances of somebody who needs this many points (first index, from 0) against somebody who needs that many.
type Table = Vec<[f64; LONGEST + 1]>;

/// Of the trailer who needs so many points, against a leader who needs one, after the Crawford game.
static AFTER: LazyLock<[f64; LONGEST + 1]> = LazyLock::new(|| {
    let mut chances = [1.0; LONGEST + 1];
    chances[1] = 0.5;
    for away in 2..=LONGEST {
        let left = |points: usize| chances[away.saturating_sub(points)];
        let taken = 0.5 * ((1.0 - GAMMONS) * left(2) + GAMMONS * left(4));
        chances[away] = taken.min(left(1));
    }
    chances
});

/// Before the Crawford game, and of the Crawford game itself.
static BEFORE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = vec![[0.5; LONGEST + 1]; LONGEST + 1];
    for theirs in 2..=LONGEST {
        let left = |points: usize| AFTER[theirs.saturating_sub(points)];
        let trailer = 0.5 * ((1.0 - GAMMONS) * left(1) + GAMMONS * left(2));
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
    let stakes = Stakes::Match { away, crawford: Crawford::Before };
    (cube::worth_by(&worth, stakes, &EQUALS, 1, Owner::Nobody, cube::LIFE) + 1.0) / 2.0
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
    if mine == 1 { 1.0 - AFTER[theirs.min(LONGEST)] } else { AFTER[mine.min(LONGEST)] }
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
                assert!(before(mine - 1, theirs) > before(mine, theirs), "{mine} {theirs}");
            }
        }
    }

    #[test]
    fn well_known_scores_have_about_their_well_known_chances() {
        // Every table in use says these within a point or two of a hundred.
        let known = [
            (2, 1, 0.32),
            (3, 1, 0.25),
            (3, 2, 0.40),
            (4, 2, 0.33),
            (4, 3, 0.43),
            (5, 3, 0.36),
            (7, 5, 0.36),
            (9, 5, 0.26),
        ];
        for (mine, theirs, chance) in known {
            let found = before(mine, theirs);
            assert!((found - chance).abs() < 0.025, "{mine} away, {theirs} away: {found:.3}");
        }
        let after_crawford = [(1, 0.5), (2, 0.488), (3, 0.32), (4, 0.31), (5, 0.19), (6, 0.18), (7, 0.12)];
        for (mine, chance) in after_crawford {
            let found = after(mine, 1, Crawford::After);
            assert!((found - chance).abs() < 0.025, "{mine} away after Crawford: {found:.3}");
        }
    }
}
