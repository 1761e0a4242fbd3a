//! Rules, moves and positions as text, and the errors for bad text.

use parlor_core::{Notation, Outcome, Position, Seat, Turn};
use parlor_tictactoe::mnk::{Board, Cell, MAX_SEATS, MAX_SIDE, MnkFault, Rules, RulesError, Setup};

fn faults(text: &str) -> Vec<MnkFault> {
    Setup::from_text(text)
        .expect("the form is right")
        .validate()
        .expect_err("the setup is wrong")
        .0
}

#[test]
fn rules_beyond_the_limits_are_refused_with_the_permitted_values() {
    let text = |rows, columns, k, symbols: &str| {
        let symbols: Vec<char> = symbols.chars().collect();
        Rules::new(rows, columns, k, &symbols).map_err(|e| e.to_string())
    };
    let err = |text: &str| Err(text.to_owned());
    assert_eq!(
        text(0, 3, 3, "XO"),
        err("a board cannot have 0 rows: it has 1 to 26")
    );
    assert_eq!(
        text(3, 255, 3, "XO"),
        err("a board cannot have 255 columns: it has 1 to 26")
    );
    assert_eq!(
        text(3, 5, 6, "XO"),
        err("a run of 6 does not fit a 3x5 board: k must be 1 to 5")
    );
    assert_eq!(
        text(3, 5, 0, "XO"),
        err("a run of 0 does not fit a 3x5 board: k must be 1 to 5")
    );
    assert_eq!(
        text(3, 3, 3, "X"),
        err("a game cannot have 1 seats: it has 2 to 8, each with a symbol of its own")
    );
    assert_eq!(
        text(3, 3, 3, "XOABCDEFG"),
        err("a game cannot have 9 seats: it has 2 to 8, each with a symbol of its own")
    );
    assert_eq!(
        text(3, 3, 3, "XOX"),
        err("'X' is the symbol of two seats: every seat needs its own")
    );
    let dot = "'.' cannot be a symbol: it stands for an empty cell, choose a letter such as 'X'";
    assert_eq!(text(3, 3, 3, "X."), err(dot));
    for unseen in [
        ' ', '\t', '\n', '\0', '\u{a0}', '\u{200b}', '\u{202e}', '\u{301}', '\u{fe0f}',
    ] {
        assert_eq!(
            Rules::new(3, 3, 3, &['X', unseen]),
            Err(RulesError::InvisibleSymbol(unseen))
        );
    }
    assert!(text(MAX_SIDE, MAX_SIDE, MAX_SIDE, "XO").is_ok());
    assert!(text(1, 1, 1, "/|").is_ok());
}

#[test]
fn default_k_is_the_shorter_side_and_default_symbols_start_with_x_and_o() {
    assert_eq!(
        (
            Rules::default_k(3, 7),
            Rules::default_k(19, 15),
            Rules::default_k(4, 4)
        ),
        (3, 15, 4)
    );
    assert_eq!(Rules::default_symbols(3), Ok(&['X', 'O', 'A'][..]));
    for seats in 2..=usize::from(MAX_SEATS) {
        let symbols = Rules::default_symbols(seats).expect("a number within the limits");
        assert_eq!(
            Rules::new(3, 3, 3, symbols).map(|rules| rules.seats()),
            Ok(seats as u8)
        );
    }
    for seats in [0, 1, usize::from(MAX_SEATS) + 1] {
        assert_eq!(Rules::default_symbols(seats), Err(RulesError::Seats(seats)));
    }
}

#[test]
fn informal_spellings_of_moves_are_accepted() {
    let board = Board::new(Rules::classic());
    for text in [
        "1,2",
        "1 2",
        "(1,2)",
        " ( 1 , 2 ) ",
        "[1, 2]",
        "1;2",
        "1\t2",
        "01,2",
    ] {
        assert_eq!(board.parse_move(text), Ok(Cell::new(1, 2)), "{text:?}");
    }
    for text in [
        "", "1", "1,2,3", "a,b", "-1,2", "+1,2", "1.5,2", "(1,2", "256,0", "1,2 x", "１,２", "1,2)",
    ] {
        assert!(board.parse_move(text).is_err(), "{text:?}");
    }
    let reason = board.parse_move("middle").map_err(|e| e.to_string());
    let expected =
        "\"middle\" is not a cell: its row and its column, counted from 0, such as \"1,2\"";
    assert_eq!(reason, Err(expected.to_owned()));
}

#[test]
fn a_position_is_one_line_and_round_trips() {
    for text in [
        "3x3x3 XO X.O/.X./...",
        "1x4x2 XO XO..",
        "4x1x2 ABC A/B/C/.",
        "2x2x2 /| /|/..",
        "3x3x3 XO XXX/OO./...",
    ] {
        let board = Board::from_text(text).expect("a position of the test");
        assert_eq!(board.text(), text);
        assert_eq!(
            board.turn().seat().map(Seat::number),
            match text.len() {
                20 if text.contains("XXX") => None,
                _ => Some((board.stones() % u16::from(board.seats())) as u8),
            }
        );
    }
}

#[test]
fn a_malformed_position_is_refused() {
    for text in [
        "",
        "3x3x3",
        "3x3x3 XO",
        "3x3 XO .../.../...",
        "3x3x3 XO .../...",
        "3x3x3 XO .../.../....",
        "3x3x3 XO ..././....",
        "3x3x3 XO .../.../... X",
        "+3x3x3 XO .../.../...",
        "999x3x3 XO .../.../...",
        "3x3x4 XO .../.../...",
        "3x3x3 XX .../.../...",
        "3x3x3 X .../.../...",
        "3x3x3 X. .../.../...",
        "0x0x0 XO ",
    ] {
        assert!(Board::from_text(text).is_err(), "{text:?}");
    }
    let long = "XOABCDEFGHIJKLMNOPQRSTUVWXYZ".repeat(1000);
    assert!(Board::from_text(&format!("3x3x3 {long} .../.../...")).is_err());
}

#[test]
fn every_fault_of_a_setup_is_reported() {
    use MnkFault::{RunsApart, Stones, Symbol, TwoWinners, WinnerNotLast};
    assert_eq!(
        faults("3x3x3 XO X.Z/.?./..."),
        [
            Symbol {
                symbol: 'Z',
                at: Cell::new(0, 2)
            },
            Symbol {
                symbol: '?',
                at: Cell::new(1, 1)
            }
        ]
    );
    assert_eq!(
        faults("3x3x3 XO O../.../..."),
        [
            Stones {
                symbol: 'X',
                stones: 0,
                expected: 1,
                total: 1
            },
            Stones {
                symbol: 'O',
                stones: 1,
                expected: 0,
                total: 1
            },
        ]
    );
    assert_eq!(
        faults("3x3x3 XO XXX/OOO/..."),
        [TwoWinners {
            one: 'X',
            other: 'O'
        }]
    );
    assert_eq!(
        faults("3x3x3 XO XXX/OO./O.."),
        [WinnerNotLast {
            winner: 'X',
            last: 'O'
        }]
    );
    assert_eq!(
        faults("3x3x3 XO XXX/OOO/XX."),
        [
            Stones {
                symbol: 'X',
                stones: 5,
                expected: 4,
                total: 8
            },
            Stones {
                symbol: 'O',
                stones: 3,
                expected: 4,
                total: 8
            },
            TwoWinners {
                one: 'X',
                other: 'O'
            },
        ]
    );
    assert_eq!(
        faults("4x3x3 XO XXX/OO./OOX/XX."),
        [
            Stones {
                symbol: 'X',
                stones: 6,
                expected: 5,
                total: 10
            },
            Stones {
                symbol: 'O',
                stones: 4,
                expected: 5,
                total: 10
            },
            WinnerNotLast {
                winner: 'X',
                last: 'O'
            }
        ]
    );
    assert_eq!(
        faults("4x3x3 XO XXX/OO./OOX/XXX"),
        [
            Stones {
                symbol: 'X',
                stones: 7,
                expected: 6,
                total: 11
            },
            Stones {
                symbol: 'O',
                stones: 4,
                expected: 5,
                total: 11
            },
            RunsApart { winner: 'X' }
        ]
    );
    assert_eq!(
        faults("1x7x3 XO XXXOXXX").last(),
        Some(&RunsApart { winner: 'X' })
    );
}

#[test]
fn two_runs_that_one_stone_completes_are_a_win() {
    let board = Board::from_text("3x3x3 XO XXX/XOO/XOO").expect("the corner came last");
    assert_eq!(board.turn(), Turn::Over(Outcome::won(Seat::FIRST)));
    assert_eq!(board.winning_cells().len(), 5);
}

#[test]
fn a_run_longer_than_k_wins_and_is_shown_whole() {
    let mut board = Board::from_text("2x7x3 XO XX.XX../OO.OO..").expect("nobody has three yet");
    board.play(&Cell::new(0, 2));
    assert_eq!(board.turn(), Turn::Over(Outcome::won(Seat::FIRST)));
    assert_eq!(
        board.winning_cells(),
        (0..5)
            .map(|column| Cell::new(0, column))
            .collect::<Vec<_>>()
    );
}

#[test]
fn three_seats_take_turns_and_the_third_can_win() {
    let mut board =
        Board::new(Rules::new(6, 6, 4, &['X', 'O', '#']).expect("rules within the limits"));
    for column in 0..4 {
        for row in [0, 2, 4] {
            let column = if row < 4 && column == 3 { 5 } else { column };
            board.play(&Cell::new(row, column));
        }
    }
    assert_eq!(
        board.turn(),
        Turn::Over(Outcome::won(Seat::new(2).expect("a third seat")))
    );
    assert_eq!(
        board.text(),
        "6x6x4 XO# XXX..X/....../OOO..O/....../####../......"
    );
}

#[test]
fn a_wrong_number_of_cells_is_a_fault() {
    let setup = Setup::from_cells(Rules::classic(), vec![None; 8]);
    let text = setup.validate().map(|_| ()).map_err(|e| e.to_string());
    assert_eq!(
        text,
        Err("8 cells were given, but the board has 9".to_owned())
    );
}

#[test]
fn positions_and_cells_are_strings_in_json() {
    let mut board = Board::new(Rules::classic());
    let cell = board.legal_moves()[4];
    board.play(&cell);
    let json = serde_json::to_string(&(&board, cell)).unwrap();
    assert_eq!(json, format!("[\"{board}\",\"{cell}\"]"));
    let read: (Board, Cell) = serde_json::from_str(&json).unwrap();
    assert_eq!(read, (board, cell));
}
