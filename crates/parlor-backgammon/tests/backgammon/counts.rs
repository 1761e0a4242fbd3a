//! Counts confirmed by other programs.

use parlor_backgammon::{Board, Game, Roll, Rules};
use parlor_core::testing::perft_table;

/// Number of distinct positions after each first roll.
const OPENING: &str = "11:42 21:15 22:75 31:16 32:17 33:73 41:14 42:18 43:17 44:52 51:8 52:8 53:9 54:9 55:4 61:10 62:14 63:14 \
                       64:14 65:7 66:11";

#[test]
fn every_first_roll_has_as_many_results_as_is_known() {
    for pair in OPENING.split_whitespace() {
        let (roll, count) = pair.split_once(':').expect("a roll and a count");
        let roll: Roll = roll.parse().expect("a roll");
        assert_eq!(
            Board::START.count_plays(roll.into()).to_string(),
            count,
            "{roll}"
        );
    }
}

#[test]
fn perft_counts_agree_with_other_programs() {
    let start = Game::new(Rules::GAME);
    assert_eq!(
        perft_table(&start, include_str!("backgammon.perft"), 120_000_000),
        4
    );
}
