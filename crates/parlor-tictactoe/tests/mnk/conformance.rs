//! The conformance suite on every representation.

use parlor_core::testing::Suite;
use parlor_tictactoe::mnk::{Board, BoardRepr, MAX_SEATS, MAX_SIDE, Rules};

fn board(rows: u8, columns: u8, k: u8, seats: usize) -> Board {
    let symbols = Rules::default_symbols(seats).expect("a number of seats within the limits");
    Board::new(Rules::new(rows, columns, k, symbols).expect("rules within the limits"))
}

fn run(games: u32, start: &Board) {
    Suite {
        games,
        ..Suite::default()
    }
    .run(start);
}

#[test]
fn the_classic_board_conforms() {
    assert!(matches!(board(3, 3, 3, 2).repr(), BoardRepr::Three(_)));
    run(300, &board(3, 3, 3, 2));
}

#[test]
fn small_boards_conform() {
    for (rows, columns, k) in [
        (1, 1, 1),
        (1, 2, 2),
        (3, 3, 2),
        (4, 3, 3),
        (2, 7, 5),
        (1, 26, 3),
        (26, 1, 3),
        (7, 7, 4),
    ] {
        run(60, &board(rows, columns, k, 2));
    }
}

#[test]
fn boards_for_several_seats_conform() {
    run(60, &board(4, 3, 3, 3));
    run(40, &board(6, 6, 4, 3));
    run(5, &board(12, 9, 3, 5));
    run(3, &board(9, 9, 4, usize::from(MAX_SEATS)));
}

#[test]
fn large_boards_conform() {
    assert!(matches!(board(15, 15, 5, 2).repr(), BoardRepr::Middle(_)));
    assert!(matches!(board(19, 19, 5, 2).repr(), BoardRepr::Large(_)));
    run(3, &board(15, 15, 5, 2));
    run(2, &board(19, 19, 5, 2));
}

#[test]
fn the_largest_board_conforms() {
    run(1, &board(MAX_SIDE, MAX_SIDE, 5, 2));
    run(1, &board(MAX_SIDE, MAX_SIDE, 4, usize::from(MAX_SEATS)));
}
