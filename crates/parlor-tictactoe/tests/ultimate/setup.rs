//! Reasons for rejecting a setup.

use parlor_core::{Position, Seat};
use parlor_tictactoe::ultimate::{Board, Game, Rules, Setup, UltimateFault};

const OPEN: Rules = Rules {
    open: true,
    count: false,
};
const X_LINE: &str = "XXX......";
const O_LINE: &str = "OOO......";

fn setup(rules: Rules, boards: &[(usize, &str)]) -> Setup {
    let mut setup = Setup::new(rules, [Board::new(); 9]);
    for &(at, squares) in boards {
        let squares: Vec<&str> = squares
            .split("")
            .filter(|c| !c.is_empty())
            .map(|c| if c == "." { "" } else { c })
            .collect();
        setup.boards[at] = Board::from_list(&squares).expect("nine squares");
    }
    setup
}

fn faults(setup: &Setup) -> Vec<UltimateFault> {
    setup.validate().expect_err("something speaks against it").0
}

fn standard(boards: &[(usize, &str)]) -> Setup {
    setup(Rules::default(), boards)
}

#[test]
fn the_start_is_a_valid_setup() {
    for rules in Rules::ALL {
        assert_eq!(setup(rules, &[]).validate(), Ok(Game::new(rules)));
    }
}

#[test]
fn the_marks_must_fit_players_taking_turns() {
    assert_eq!(
        faults(&standard(&[(0, "XX.......")])),
        [UltimateFault::Marks { x: 2, o: 0 }]
    );
    assert_eq!(
        faults(&standard(&[(0, "O........")])),
        [UltimateFault::Marks { x: 0, o: 1 }]
    );
}

#[test]
fn the_mover_must_be_the_one_on_turn() {
    let wrong = Setup {
        mover: Some(Seat::SECOND),
        ..standard(&[])
    };
    assert_eq!(faults(&wrong), [UltimateFault::Mover { expected: 'X' }]);
}

#[test]
fn a_closed_board_has_one_winner() {
    assert_eq!(
        faults(&standard(&[(2, "XXXOOO...")])),
        [UltimateFault::BothWon { board: 2 }]
    );
}

#[test]
fn an_open_board_with_two_lines_needs_an_owner_with_a_line() {
    let both = setup(OPEN, &[(2, "XXXOOO...")]);
    assert_eq!(faults(&both), [UltimateFault::OwnerMissing { board: 2 }]);
    let mut told = [None; 9];
    told[2] = Some(Seat::SECOND);
    let told = Setup {
        owners: Some(told),
        target: Some(3),
        ..both
    };
    assert_eq!(
        faults(&told),
        [UltimateFault::NoLastMove],
        "O was first, so 23 did not come after X's line"
    );
    let first = Setup {
        owners: Some(std::array::from_fn(|b| (b == 2).then_some(Seat::FIRST))),
        ..told
    };
    let game = first
        .validate()
        .expect("X was first, then O sent X to board 3");
    assert_eq!((game.won(Seat::FIRST), game.won(Seat::SECOND)), (1 << 2, 0));
}

#[test]
fn an_owner_needs_a_line() {
    let mut owners = [None; 9];
    owners[4] = Some(Seat::FIRST);
    let wrong = Setup {
        owners: Some(owners),
        ..standard(&[])
    };
    assert_eq!(faults(&wrong), [UltimateFault::Owner { board: 4 }]);
}

#[test]
fn two_lines_in_a_closed_board_share_their_last_mark() {
    let crossed = standard(&[(0, "XXXXOOXOO"), (1, "O........")]);
    assert!(
        crossed.validate().is_ok(),
        "00 completed both, and O's 10 sends X to board 0, which is decided"
    );
    let apart = standard(&[(0, "XXX...XXX"), (1, "OO.OO...."), (2, "OO.......")]);
    assert_eq!(faults(&apart), [UltimateFault::LinesApart { board: 0 }]);
}

#[test]
fn a_mark_in_a_board_that_the_other_has_won_was_not_the_last() {
    let won = Setup {
        target: Some(4),
        ..standard(&[(0, "XXXXOO.OO"), (1, "....O...X")])
    };
    assert!(won.validate().is_ok(), "O's 14 may have been the last");
    let won = standard(&[
        (0, "XXXXOO.OO"),
        (1, "........X"),
        (3, "X........"),
        (8, "...O...O."),
    ]);
    assert_eq!(
        faults(&Setup {
            target: Some(4),
            ..won
        }),
        [UltimateFault::NoLastMove]
    );
}

#[test]
fn three_boards_in_a_row_belong_to_one_who_moved_last() {
    let both = standard(&[
        (0, X_LINE),
        (1, X_LINE),
        (2, X_LINE),
        (3, O_LINE),
        (4, O_LINE),
        (5, O_LINE),
    ]);
    assert_eq!(faults(&both), [UltimateFault::TwoWinners]);
    let early = standard(&[
        (0, X_LINE),
        (1, X_LINE),
        (2, X_LINE),
        (3, "OO.OO...."),
        (4, "OO.OO...."),
        (5, "....O...."),
    ]);
    assert_eq!(
        faults(&early),
        [UltimateFault::WinnerNotLast { winner: 'X' }]
    );
}

#[test]
fn two_lines_of_boards_share_the_board_of_the_last_mark() {
    let won = "XXXOO....";
    let apart = [
        (0, won),
        (1, won),
        (2, won),
        (3, "OO......."),
        (4, "OO.O....."),
        (6, won),
        (7, won),
        (8, won),
    ];
    assert_eq!(
        faults(&standard(&apart)),
        [UltimateFault::BoardsApart { winner: 'X' }]
    );
    let crossed = [
        (0, won),
        (1, won),
        (2, won),
        (4, "OO......."),
        (3, won),
        (6, won),
        (5, "OO......."),
    ];
    assert!(
        standard(&crossed).validate().is_ok(),
        "board 0 completed both"
    );
}

#[test]
fn there_is_no_target_at_the_start_and_the_end() {
    assert_eq!(
        faults(&Setup {
            target: Some(4),
            ..standard(&[])
        }),
        [UltimateFault::TargetAtStart]
    );
    let over = standard(&[
        (0, X_LINE),
        (1, X_LINE),
        (2, X_LINE),
        (3, "OO.OO...."),
        (4, "OO.OO...."),
    ]);
    assert!(over.validate().is_ok_and(|game| game.turn().is_over()));
    assert_eq!(
        faults(&Setup {
            target: Some(4),
            ..over
        }),
        [UltimateFault::TargetAtEnd]
    );
}

#[test]
fn the_target_is_a_board_that_takes_marks() {
    let won = standard(&[(0, X_LINE), (3, "O..O.....")]);
    assert_eq!(
        faults(&Setup {
            target: Some(0),
            ..won.clone()
        }),
        [UltimateFault::TargetClosed { board: 0 }]
    );
    assert_eq!(
        faults(&Setup {
            target: Some(9),
            ..won.clone()
        }),
        [UltimateFault::TargetRange]
    );
    assert!(
        Setup {
            target: Some(1),
            ..won
        }
        .validate()
        .is_ok()
    );
}

#[test]
fn the_target_must_follow_from_a_possible_last_move() {
    let one = standard(&[(4, "......X..")]);
    assert_eq!(
        faults(&one),
        [UltimateFault::NoLastMove],
        "46 leaves no free choice"
    );
    assert_eq!(
        faults(&Setup {
            target: Some(5),
            ..one.clone()
        }),
        [UltimateFault::NoLastMove]
    );
    let game = Setup {
        target: Some(6),
        ..one
    }
    .validate()
    .expect("46");
    assert_eq!(game.target(), Some(6));
}

#[test]
fn all_faults_are_reported_at_once() {
    let wrong = Setup {
        target: Some(12),
        mover: Some(Seat::SECOND),
        ..standard(&[(0, "XXXOOO..."), (1, "OO.......")])
    };
    let reason = wrong
        .validate()
        .expect_err("much speaks against it")
        .to_string();
    assert_eq!(
        reason,
        "X has 3 marks and O has 5, but X begins and they take turns; by the number of marks it is the turn of X; \
         X and O both have a line in board 0; Board index must be between 0 and 8"
    );
}
