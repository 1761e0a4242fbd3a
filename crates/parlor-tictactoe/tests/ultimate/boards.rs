//! Tests of `Board` and `MetaBoard`, one for each sentence of their specification.

use parlor_tictactoe::ultimate::{Board, InvalidInput, MetaBoard};

const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

/// A full board without a line.
const TIE: [&str; 9] = ["X", "O", "X", "X", "O", "O", "O", "X", "X"];

fn won_by(mark: &str) -> Board {
    let mut board = Board::new();
    for pos in 0..3 {
        board.set(pos, mark).expect("a mark");
    }
    board
}

fn tied() -> Board {
    Board::from_list(&TIE).expect("nine marks")
}

/// Builds a meta-board from results; a dot is a board in play.
fn meta(results: &str) -> MetaBoard {
    let board = |result| match result {
        'X' => won_by("X"),
        'O' => won_by("O"),
        'T' => tied(),
        _ => Board::new(),
    };
    MetaBoard::new(&results.chars().map(board).collect::<Vec<_>>()).expect("nine boards")
}

#[test]
fn a_new_board_is_nine_empty_squares() {
    assert_eq!(Board::new().to_list(), [""; 9]);
}

#[test]
fn get_gives_the_value_at_a_position() {
    let board = Board::from_list(&TIE).expect("nine marks");
    for (pos, mark) in TIE.iter().enumerate() {
        assert_eq!(board.get(pos), Ok(*mark));
    }
    assert_eq!(Board::new().get(4), Ok(""));
}

#[test]
fn get_fails_when_the_position_is_out_of_bounds() {
    for pos in [9, 10, usize::MAX] {
        let reason = Board::new().get(pos).expect_err("there are nine squares");
        assert_eq!(reason.to_string(), "Position must be between 0 and 8");
    }
}

#[test]
fn set_sets_a_value_at_a_position_and_no_other() {
    let mut board = Board::new();
    board.set(7, "O").expect("a square and a mark");
    board.set(2, "X").expect("a square and a mark");
    assert_eq!(board.to_list(), ["", "", "X", "", "", "", "", "O", ""]);
    board.set(7, "X").expect("a square and a mark");
    assert_eq!(board.get(7), Ok("X"));
    board.set(7, "").expect("a square can be emptied");
    assert_eq!(board.get(7), Ok(""));
}

#[test]
fn set_fails_when_the_position_is_out_of_bounds() {
    let mut board = Board::new();
    let reason = board.set(9, "X").expect_err("there are nine squares");
    assert_eq!(reason.to_string(), "Position must be between 0 and 8");
    assert_eq!(
        board.set(9, "?"),
        Err(InvalidInput::Position),
        "the position is looked at first"
    );
}

#[test]
fn set_fails_when_the_value_is_not_valid_and_changes_nothing() {
    let mut board = won_by("X");
    for value in ["x", "T", " ", "XO", "0"] {
        let reason = board.set(0, value).expect_err("not a mark");
        assert_eq!(reason.to_string(), "Value must be '', 'X', or 'O'");
    }
    assert_eq!(board, won_by("X"));
}

#[test]
fn to_list_is_a_copy() {
    let mut board = won_by("X");
    let list = board.to_list();
    board.set(0, "O").expect("a square and a mark");
    assert_eq!((list[0], board.get(0)), ("X", Ok("O")));
}

#[test]
fn a_board_is_full_when_no_square_is_empty() {
    assert!(tied().is_full());
    for pos in 0..9 {
        let mut board = tied();
        board.set(pos, "").expect("a square");
        assert!(!board.is_full());
    }
}

#[test]
fn check_winner_finds_all_eight_lines_for_both() {
    for mark in ["X", "O"] {
        for line in LINES {
            let mut board = Board::new();
            for (have, pos) in line.into_iter().enumerate() {
                assert_eq!(board.check_winner(), None, "{have} in a row");
                board.set(pos, mark).expect("a mark");
            }
            assert_eq!(board.check_winner(), Some(mark), "{line:?}");
        }
    }
}

#[test]
fn check_winner_is_null_when_nobody_has_won() {
    assert_eq!(Board::new().check_winner(), None);
    assert_eq!(tied().check_winner(), None);
}

#[test]
fn check_winner_from_list_accepts_a_list() {
    assert_eq!(
        Board::check_winner_from_list(&["O", "X", "", "O", "X", "", "O", "", ""]),
        Ok(Some("O"))
    );
    assert_eq!(Board::check_winner_from_list(&TIE), Ok(None));
    assert_eq!(
        Board::check_winner_from_list(&["X", "X", "X", "", "", "", "", "", "?"]),
        Err(InvalidInput::Value)
    );
    assert_eq!(
        Board::check_winner_from_list(&["X", "X", "X"]),
        Err(InvalidInput::Squares)
    );
}

#[test]
fn a_meta_board_is_made_of_exactly_nine_boards() {
    for count in [0, 1, 8, 10] {
        let reason = MetaBoard::new(&vec![Board::new(); count]).expect_err("not nine");
        assert_eq!(reason.to_string(), "MetaBoard must have exactly 9 boards");
    }
    assert!(MetaBoard::new(&[Board::new(); 9]).is_ok());
}

#[test]
fn to_list_of_a_meta_board_is_x_o_t_or_empty() {
    assert_eq!(
        meta("XOT......").to_list(),
        ["X", "O", "T", "", "", "", "", "", ""]
    );
}

#[test]
fn a_full_board_with_a_line_belongs_to_its_winner() {
    let full =
        Board::from_list(&["X", "X", "X", "O", "O", "X", "X", "O", "O"]).expect("nine marks");
    assert!(full.is_full());
    let mut boards = [Board::new(); 9];
    boards[5] = full;
    let meta = MetaBoard::new(&boards).expect("nine boards");
    assert_eq!(meta.to_list()[5], "X");
}

#[test]
fn get_winner_finds_all_eight_lines_of_boards_for_both() {
    for mark in ["X", "O"] {
        for line in LINES {
            let results: String = (0..9)
                .map(|at| if line.contains(&at) { mark } else { "." })
                .collect();
            assert_eq!(meta(&results).get_winner(), Some(mark), "{results}");
        }
    }
    assert_eq!(meta("XOXXOOOXX").get_winner(), None);
}

#[test]
fn three_ties_in_a_line_do_not_win() {
    for line in LINES {
        let results: String = (0..9)
            .map(|at| if line.contains(&at) { 'T' } else { '.' })
            .collect();
        assert_eq!(meta(&results).get_winner(), None);
    }
    assert_eq!(meta("TTTTTTTTT").get_winner(), None);
    assert_eq!(meta("XXT......").get_winner(), None);
}

#[test]
fn a_meta_board_is_full_when_every_board_is_won_or_tied() {
    assert!(meta("XOXTOTOXX").is_full());
    assert!(!meta("XOXTOTOX.").is_full());
}

#[test]
fn a_board_is_playable_until_it_is_won_or_tied() {
    let meta = meta("XOT......");
    let playable: Vec<_> = (0..9).map(|index| meta.is_board_playable(index)).collect();
    assert_eq!(playable[..4], [Ok(false), Ok(false), Ok(false), Ok(true)]);
}

#[test]
fn is_board_playable_fails_when_the_index_is_out_of_bounds() {
    let reason = meta(".........")
        .is_board_playable(9)
        .expect_err("there are nine boards");
    assert_eq!(reason.to_string(), "Board index must be between 0 and 8");
}

#[test]
fn to_json_is_the_list_as_json() {
    let meta = meta("XOT......");
    let list: Vec<String> = serde_json::from_str(&meta.to_json()).expect("JSON");
    assert_eq!(list, meta.to_list());
}
