//! The conformance suite for all games, with each word size of the bitboards.

use parlor_connect_four::{BoardBits, MAX_SIDE, MIN_SIDE};
use parlor_core::testing::Suite;

use super::board;

fn run(games: u32, columns: u8, rows: u8, k: u8) {
    let suite = Suite {
        games,
        ..Suite::default()
    };
    suite.run(&board(columns, rows, k));
}

#[test]
fn the_standard_board_conforms() {
    assert!(matches!(board(7, 6, 4).bits(), BoardBits::Bits64(_)));
    run(200, 7, 6, 4);
}

#[test]
fn boards_of_one_word_conform() {
    for (columns, rows, k) in [
        (4, 4, 3),
        (4, 4, 4),
        (5, 4, 5),
        (4, 12, 4),
        (12, 4, 5),
        (8, 7, 4),
    ] {
        assert!(matches!(
            board(columns, rows, k).bits(),
            BoardBits::Bits64(_)
        ));
        run(60, columns, rows, k);
    }
}

#[test]
fn boards_of_two_words_conform() {
    for (columns, rows, k) in [(8, 8, 4), (9, 7, 4), (12, 9, 5), (10, 10, 10)] {
        assert!(matches!(
            board(columns, rows, k).bits(),
            BoardBits::Bits128(_)
        ));
        run(20, columns, rows, k);
    }
}

#[test]
fn boards_of_three_words_conform() {
    for (columns, rows, k) in [(11, 11, 5), (12, 12, 4), (12, 12, 12), (11, 12, 3)] {
        assert!(matches!(
            board(columns, rows, k).bits(),
            BoardBits::Bits192(_)
        ));
        run(10, columns, rows, k);
    }
}

#[test]
fn boards_of_every_size_conform() {
    for columns in MIN_SIDE..=MAX_SIDE {
        for rows in MIN_SIDE..=MAX_SIDE {
            run(1, columns, rows, columns.min(rows));
        }
    }
}
