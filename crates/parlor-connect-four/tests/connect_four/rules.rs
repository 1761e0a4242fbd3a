//! The rules, one test each.

use parlor_connect_four::{Board, Illegal, MAX_SIDE, MIN_SIDE, Move, Rules, Slot, UnplayableRules};
use parlor_core::{Outcome, Position, Seat, Turn};

use super::{board, position, standard};

fn won_by(board: &Board) -> Option<Seat> {
    board.turn().outcome()?.winner()
}

#[test]
fn the_standard_board_has_seven_columns_and_six_rows() {
    let rules = Rules::STANDARD;
    assert_eq!(Rules::default(), rules);
    assert_eq!(
        (rules.columns(), rules.rows(), rules.k(), rules.slots()),
        (7, 6, 4, 42)
    );
    assert_eq!(Rules::new(7, 6, 4), Ok(rules));
    assert_eq!(Board::new(rules).turn(), Turn::Move(Seat::FIRST));
}

#[test]
fn boards_beyond_the_limits_are_refused_with_the_limits() {
    let text = |columns, rows, k| Rules::new(columns, rows, k).map_err(|e| e.to_string());
    let refusal = |text: &str| Err(text.to_owned());
    assert_eq!(
        text(3, 6, 4),
        refusal("a board cannot have 3 columns: choose 4 to 12")
    );
    assert_eq!(
        text(13, 6, 4),
        refusal("a board cannot have 13 columns: choose 4 to 12")
    );
    assert_eq!(
        text(7, 0, 4),
        refusal("a board cannot have 0 rows: choose 4 to 12")
    );
    assert_eq!(
        text(7, 255, 4),
        refusal("a board cannot have 255 rows: choose 4 to 12")
    );
    assert_eq!(
        text(7, 6, 2),
        refusal("2 in a row do not fit a 7x6 board: choose 3 to 7")
    );
    assert_eq!(
        text(5, 9, 10),
        refusal("10 in a row do not fit a 5x9 board: choose 3 to 9")
    );
    assert_eq!(
        Rules::new(4, 4, 5),
        Err(UnplayableRules::Line {
            k: 5,
            columns: 4,
            rows: 4
        })
    );
    assert!(Rules::new(MAX_SIDE, MAX_SIDE, MAX_SIDE).is_ok());
}

#[test]
fn a_disc_falls_to_the_lowest_empty_slot() {
    let game = standard("44");
    assert_eq!(game.at(Slot::new(3, 0)), Some(Seat::FIRST));
    assert_eq!(game.at(Slot::new(3, 1)), Some(Seat::SECOND));
    assert_eq!(game.at(Slot::new(3, 2)), None);
    assert_eq!(game.landing(Move::new(3)), Some(Slot::new(3, 2)));
    assert_eq!((game.height(3), game.height(4), game.height(7)), (2, 0, 0));
}

#[test]
fn a_full_column_takes_no_more_discs() {
    let game = standard("111111");
    assert_eq!(game.check(&Move::new(0)), Err(Illegal::Full { column: 0 }));
    assert_eq!(game.landing(Move::new(0)), None);
    assert_eq!(game.legal_moves().len(), 6);
    let reason = game.check(&Move::new(0)).map_err(|e| e.to_string());
    assert_eq!(reason, Err("column 1 is full".to_owned()));
}

#[test]
fn a_column_beyond_the_board_is_refused() {
    let reason = |column| {
        standard("4")
            .check(&Move::new(column))
            .map_err(|e| e.to_string())
    };
    assert_eq!(
        reason(7),
        Err("there is no column 8: choose 1 to 7".to_owned())
    );
    assert_eq!(
        reason(255),
        Err("there is no column 256: choose 1 to 7".to_owned())
    );
    assert_eq!(standard("4").landing(Move::new(7)), None);
}

#[test]
fn four_in_a_column_win() {
    assert_eq!(won_by(&standard("121212")), None);
    assert_eq!(won_by(&standard("1212121")), Some(Seat::FIRST));
    assert_eq!(won_by(&standard("71616151")), Some(Seat::SECOND));
}

#[test]
fn a_whole_column_wins_on_boards_too_narrow_for_a_row() {
    for (columns, rows) in
        (MIN_SIDE..=MAX_SIDE).flat_map(|c| (MIN_SIDE..=MAX_SIDE).map(move |r| (c, r)))
    {
        let rules = Rules::new(columns, rows, rows).expect("rules within the limits");
        let mut game = Board::new(rules);
        for row in 0..rows {
            assert_eq!(won_by(&game), None);
            game.play(&Move::new(0));
            if row + 1 < rows {
                game.play(&Move::new(1));
            }
        }
        assert_eq!(won_by(&game), Some(Seat::FIRST), "{game}");
        let column: Vec<Slot> = (0..rows).map(|row| Slot::new(0, row)).collect();
        assert_eq!(game.winning_slots(), column, "{game}");
    }
}

#[test]
fn four_in_a_row_win() {
    let game = standard("1122334");
    assert_eq!(won_by(&game), Some(Seat::FIRST));
    assert_eq!(
        game.winning_slots(),
        [0, 1, 2, 3].map(|column| Slot::new(column, 0))
    );
    let right = standard("7766554");
    assert_eq!(
        right.winning_slots(),
        [3, 4, 5, 6].map(|column| Slot::new(column, 0))
    );
}

#[test]
fn four_on_a_rising_diagonal_win() {
    let game = standard("12233434414");
    assert_eq!(won_by(&game), Some(Seat::FIRST));
    assert_eq!(
        game.winning_slots(),
        [0, 1, 2, 3].map(|at| Slot::new(at, at))
    );
}

#[test]
fn four_on_a_falling_diagonal_win() {
    let game = standard("76655454474");
    assert_eq!(won_by(&game), Some(Seat::FIRST));
    assert_eq!(
        game.winning_slots(),
        [(3, 3), (4, 2), (5, 1), (6, 0)].map(|(column, row)| Slot::new(column, row))
    );
}

#[test]
fn a_line_does_not_go_on_from_the_top_of_a_column_to_the_next() {
    let game = position("4x4x4 R.../R.../YR../YRY.");
    assert!(
        matches!(game.turn(), Turn::Move(_)),
        "two at the top, two at the bottom"
    );
    let row = position("7x6x4 ......./......./......./......./RR...YY/YY...RR");
    assert!(
        matches!(row.turn(), Turn::Move(_)),
        "a row does not go around the board"
    );
}

#[test]
fn a_longer_line_wins_as_well_and_is_marked_whole() {
    let mut game = position("7x6x4 ......./......./......./......./YYY.Y.Y/RRR.RRR");
    assert_eq!(game.turn(), Turn::Move(Seat::SECOND));
    game.play(&Move::new(4));
    game.play(&Move::new(3));
    assert_eq!(won_by(&game), Some(Seat::FIRST));
    assert_eq!(game.winning_slots().len(), 7);
}

#[test]
fn two_lines_at_once_are_both_marked() {
    let mut game = position("7x6x4 ......./......./RRR..../YYYR.../RRYR.../YYRRYYY");
    game.play(&Move::new(3));
    assert_eq!(won_by(&game), Some(Seat::FIRST));
    assert_eq!(game.winning_slots().len(), 7, "a row and a column");
}

#[test]
fn nobody_moves_after_the_end() {
    let game = standard("1212121");
    assert_eq!(game.legal_moves(), []);
    assert_eq!(game.check(&Move::new(3)), Err(Illegal::Over));
    assert_eq!(game.check(&Move::new(200)), Err(Illegal::Over));
    assert_eq!(Illegal::Over.to_string(), "the game is over");
}

#[test]
fn a_full_board_without_a_line_is_a_draw() {
    let game = position("4x4x4 RYRY/RYYR/YRRY/RRYY");
    assert_eq!(game.turn(), Turn::Over(Outcome::Draw));
    assert_eq!(game.winning_slots(), []);
    assert_eq!(game.plies(), 16);
}

#[test]
fn the_last_disc_can_still_win() {
    let mut game = position("4x4x4 YRR./YYYR/RYRR/YRRY");
    assert_eq!(game.turn(), Turn::Move(Seat::SECOND));
    game.play(&Move::new(3));
    assert_eq!((game.plies(), won_by(&game)), (16, Some(Seat::SECOND)));
}

#[test]
fn five_in_a_row_need_a_fifth_disc() {
    let rules = Rules::new(8, 7, 5).expect("rules within the limits");
    let four = Board::from_moves(rules, "1122334").expect("a game");
    assert!(matches!(four.turn(), Turn::Move(_)));
    let five = Board::from_moves(rules, "112233445").expect("a game");
    assert_eq!(won_by(&five), Some(Seat::FIRST));
}

#[test]
fn twelve_in_a_row_fit_the_largest_board() {
    let mut game = board(12, 12, 12);
    for ply in 0..22 {
        game.play(&Move::new(ply / 2));
    }
    assert_eq!(game.turn(), Turn::Move(Seat::FIRST));
    game.play(&Move::new(11));
    assert_eq!(won_by(&game), Some(Seat::FIRST));
    assert_eq!(game.winning_slots().len(), 12);
}
