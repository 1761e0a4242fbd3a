//! Text of moves and positions, and errors for invalid text.

use parlor_connect_four::{Board, Move, Rules};
use parlor_core::{Notation, Position};

use super::{board, position, standard};

#[test]
fn a_move_is_the_number_of_its_column() {
    let game = standard("");
    assert_eq!(game.parse_move("1"), Ok(Move::new(0)));
    assert_eq!(game.parse_move(" 7 "), Ok(Move::new(6)));
    assert_eq!(game.parse_move("07"), Ok(Move::new(6)));
    assert_eq!(board(12, 12, 4).parse_move("12"), Ok(Move::new(11)));
    assert_eq!(game.move_text(&Move::new(3)), "4");
    for text in ["", "0", "d", "-1", "+4", "4.0", "256", "1 2", "４"] {
        assert!(game.parse_move(text).is_err(), "{text:?}");
    }
    let reason = game.parse_move("d").map_err(|e| e.to_string());
    assert_eq!(
        reason,
        Err("\"d\" is not a column: a number from 1 to 7".to_owned())
    );
}

#[test]
fn a_column_beyond_the_board_is_read_and_left_to_the_rules() {
    let game = standard("");
    let m = game.parse_move("9").expect("a number");
    assert!(game.check(&m).is_err());
}

#[test]
fn there_is_no_chance_to_read() {
    let reason = standard("").parse_chance("6").map_err(|e| e.to_string());
    assert_eq!(
        reason,
        Err("\"6\" is not a chance: there is no luck in this game".to_owned())
    );
}

#[test]
fn a_position_is_one_line_and_reads_back() {
    for text in [
        "7x6x4 ......./......./......./......./......./.......",
        "7x6x4 ......./......./......./......./...YY../..RRYR.",
        "4x4x4 ..../..../Y.../RR..",
        "12x4x5 ............/............/............/R...........",
    ] {
        assert_eq!(position(text).text(), text);
    }
    assert_eq!(
        standard("4453").text(),
        "7x6x4 ......./......./......./......./...Y.../..YRR.."
    );
}

#[test]
fn the_moves_that_lead_to_a_position_are_read_too() {
    assert_eq!(position("7x6x4 4453"), standard("4453"));
    assert_eq!(position("7x6x4 4,4,5,3"), standard("4453"));
    assert_eq!(position("7x6x4"), Board::new(Rules::STANDARD));
    let wide = position("12x6x4 12,1,10");
    assert_eq!(wide.text().lines().count(), 1);
    assert_eq!((wide.height(11), wide.height(0), wide.height(9)), (1, 1, 1));
    assert_eq!(
        Board::from_moves(Rules::STANDARD, "4 4 5 3"),
        Ok(standard("4453"))
    );
}

#[test]
fn a_wrong_game_names_the_move() {
    let reason = |moves| Board::from_moves(Rules::STANDARD, moves).map_err(|e| e.to_string());
    assert_eq!(
        reason("1111111"),
        Err("\"1111111\" is not a game: move 7, column 1 is full".to_owned())
    );
    assert_eq!(
        reason("48"),
        Err("\"48\" is not a game: move 2, there is no column 8: choose 1 to 7".to_owned())
    );
    assert_eq!(
        reason("12121213"),
        Err("\"12121213\" is not a game: move 8, the game is over".to_owned())
    );
    assert_eq!(
        reason("4x"),
        Err("\"4x\" is not a game: move 2, \"x\" is not a column: a number from 1 to 7".to_owned())
    );
}

#[test]
fn a_malformed_position_is_refused() {
    for text in [
        "",
        "4x4",
        "4x4x4x4",
        "3x4x4 .../.../.../...",
        "4x4x5 ..../..../..../....",
        "+4x4x4 ..../..../..../....",
        "999x4x4 ..../..../..../....",
        "4x4x4 ..../..../....",
        "4x4x4 ..../..../..../.....",
        "4x4x4 ..../..../..../...",
        "4x4x4 ..../..../..../....R",
        "4x4x4 ..../..../..../X...",
        "4x4x4 ..../..../..../.... R",
        "4x4x4 R",
    ] {
        assert!(Board::from_text(text).is_err(), "{text:?}");
    }
    let reason = Board::from_text("4x4x4 ..../..../.../....").map_err(|e| e.to_string());
    let expected = "\"4x4x4 ..../..../.../....\" is not a position: 4 rows of 4 slots should \
                    follow, joined by '/', with R, Y or '.' for each slot";
    assert_eq!(reason, Err(expected.to_owned()));
}

#[test]
fn positions_and_moves_are_strings_in_json() {
    let mut game = standard("");
    let mv = game.legal_moves()[3];
    game.play(&mv);
    let json = serde_json::to_string(&(&game, mv)).unwrap();
    assert_eq!(json, format!("[\"{game}\",\"{mv}\"]"));
    let read: (Board, Move) = serde_json::from_str(&json).unwrap();
    assert_eq!(read, (game, mv));
    let wrong = serde_json::from_str::<Move>("\"z\"").unwrap_err();
    assert!(wrong.to_string().starts_with("\"z\" is not"), "{wrong}");
}
