//! The generator compared with a search that uses only the rules of a single step.

use std::collections::BTreeSet;

use parlor_backgammon::{Board, Dice, Die, Play, Roll, Side};
use parlor_core::random_below;
use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use crate::plain::{faces, results as results_of};

fn agree(board: &Board, roll: Roll) {
    let mut results: Vec<(Play, Board)> = Vec::new();
    board.results_into(roll.into(), &mut results);
    let distinct: BTreeSet<Board> = results.iter().map(|(_, after)| *after).collect();
    assert_eq!(
        distinct.len(),
        results.len(),
        "{roll} gives a result twice on {board:?}"
    );
    assert_eq!(
        distinct,
        results_of(board, &faces(roll.into())),
        "{roll} on {board:?}"
    );
    for (play, after) in &results {
        assert_eq!(board.played(play), *after, "{play:?} on {board:?}");
    }
    let mut plays: Vec<Play> = Vec::new();
    board.plays_into(roll.into(), &mut plays);
    let mut boards = Vec::new();
    board.afterstates_into(roll.into(), &mut boards);
    assert!(
        plays
            .iter()
            .zip(&boards)
            .map(|(play, board)| (*play, *board))
            .eq(results.iter().copied())
    );
    assert_eq!(board.count_plays(roll.into()), results.len() as u64);
}

/// Fifteen checkers on points below `reach`, some off and on the bar.
pub fn side(seed: u64, reach: u8, taken: u32) -> (Side, u32) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut counts = [0u8; 26];
    let mut left = 15;
    while left > 0 {
        let point = random_below(&mut rng, u32::from(reach) + 1);
        let facing = 25 - point;
        if point > 0 && point < 25 && taken >> facing & 1 != 0 {
            continue;
        }
        let here = (1 + random_below(&mut rng, 4) as u8).min(left);
        counts[point as usize] += here;
        left -= here;
    }
    let side = Side::from_counts(&counts).expect("fifteen checkers");
    (side, side.occupied() & 0x1ff_fffe)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

    #[test]
    fn every_result_is_made_once_and_none_is_missing(one: u64, other: u64, near in 3u8..=25, far in 3u8..=25, roll in 0usize..21) {
        let (mover, taken) = side(one, near, 0);
        let (other, _) = side(other, far, taken);
        let board = Board::new(mover, other).expect("no point is shared");
        agree(&board, Roll::all().nth(roll).expect("one of 21"));
    }
}

#[test]
fn what_remains_of_a_roll_is_played_by_the_same_rules() {
    let three = Die::new(3).expect("a face");
    for times in 1..=4u8 {
        let dice = Dice::Same { die: three, times };
        let mut boards: Vec<Board> = Vec::new();
        Board::START.afterstates_into(dice, &mut boards);
        let found: BTreeSet<Board> = boards.iter().copied().collect();
        assert_eq!(found, results_of(&Board::START, &faces(dice)));
        assert_eq!(found.len(), boards.len());
    }
}
