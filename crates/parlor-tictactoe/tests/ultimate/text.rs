//! Moves and positions as text.

use parlor_core::{Notation, Position};
use parlor_tictactoe::ultimate::{Game, InvalidInput, Move, Rules};

fn start() -> Game {
    Game::new(Rules::default())
}

#[test]
fn a_move_is_written_as_two_digits() {
    let m = Move::new(4, 0).expect("a board and a square");
    assert_eq!(start().move_text(&m), "40");
    assert_eq!((m.board(), m.square()), (4, 0));
}

#[test]
fn all_usual_spellings_of_moves_are_accepted() {
    for text in [
        "47", "4,7", "4/7", "4 7", " 47 ", "4, 7", "4  7", "\t4/ 7\n",
    ] {
        assert_eq!(
            start().parse_move(text),
            Ok(Move::new(4, 7).expect("a board and a square")),
            "{text:?}"
        );
    }
}

#[test]
fn invalid_move_texts_are_refused_with_a_hint() {
    for text in [
        "", "4", "472", "49", "94", "4,", ",4", "4-7", "4,7,1", "a7", "é", "4é", "+4+7", "４７",
        "4 - 7",
    ] {
        let reason = start().parse_move(text).expect_err(text);
        assert!(
            reason
                .to_string()
                .ends_with("its board and its square, each 0 to 8, such as \"40\""),
            "{reason}"
        );
    }
}

#[test]
fn moves_off_the_boards_cannot_be_constructed() {
    assert_eq!(
        Move::new(9, 0).map_err(|reason| reason.to_string()),
        Err("Board index must be between 0 and 8".to_owned())
    );
    assert_eq!(Move::new(0, 9), Err(InvalidInput::Position));
    assert_eq!(Move::new(255, 255), Err(InvalidInput::BoardIndex));
}

#[test]
fn a_position_is_one_line_with_rules_boards_target_and_mover() {
    let mut game = start();
    game.play(&Move::new(4, 0).expect("a move"));
    let empty = ".........";
    let boards = [
        empty,
        empty,
        empty,
        empty,
        "X........",
        empty,
        empty,
        empty,
        empty,
    ]
    .join("/");
    assert_eq!(game.text(), format!("standard {boards} 0 O"));
    assert_eq!(
        start().text(),
        format!("standard {} - X", [empty; 9].join("/"))
    );
    let open = Game::new(Rules {
        open: true,
        count: true,
    });
    assert_eq!(
        open.text(),
        format!("open+count {} ......... - X", [empty; 9].join("/"))
    );
}

#[test]
fn malformed_positions_are_refused() {
    let boards = ["........."; 9].join("/");
    assert!(Game::from_text(&format!("standard {boards} - X")).is_ok());
    let texts = [
        String::new(),
        "standard".to_owned(),
        format!("closed {boards} - X"),
        format!("standard {boards} - X X"),
        format!("standard {boards} -"),
        format!("standard {boards} 9 X"),
        format!("standard {boards} - ."),
        format!("standard {boards} ......... - X"),
        format!("open {boards} - X"),
        format!("open {boards} ........ - X"),
        format!("standard {boards}/......... - X"),
        format!("standard {} - X", &boards[..boards.len() - 1]),
        format!("standard {} - X", boards.replacen('.', "x", 1)),
        format!("standard {} - X", boards.replacen('.', "é", 1)),
    ];
    for text in texts {
        assert!(Game::from_text(&text).is_err(), "{text}");
    }
}

#[test]
fn unreachable_positions_are_refused_with_the_reasons() {
    let boards = format!("XXXOOO...{}", "/.........".repeat(8));
    let reason = Game::from_text(&format!("standard {boards} 0 O")).expect_err("both have a line");
    assert!(
        reason
            .expected
            .contains("X and O both have a line in board 0"),
        "{reason}"
    );
    assert!(reason.expected.contains("it is the turn of X"), "{reason}");
}

#[test]
fn positions_and_moves_are_strings_in_json() {
    let mut game = start();
    let mv = game.legal_moves()[40];
    game.play(&mv);
    let json = serde_json::to_string(&(&game, mv)).unwrap();
    assert_eq!(json, format!("[\"{game}\",\"{mv}\"]"));
    let read: (Game, Move) = serde_json::from_str(&json).unwrap();
    assert_eq!(read, (game, mv));
}
