//! The record of a classic game, with the names and texts that its clients expect.

use parlor_core::{Notation, Outcome, Position, Seat};
use parlor_formats::classic::{Game, MOVE_RESPONSE, NotClassic, Square, Status, utc};
use parlor_tictactoe::mnk::{Board, Cell, Illegal, Rules};
use serde_json::json;

fn played(positions: &[i64]) -> Game {
    let mut game = Game::new(1, 0);
    for &position in positions {
        assert_eq!(game.make_move_at(position, 0), Ok(MOVE_RESPONSE));
    }
    game
}

const LINES: [[i64; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

#[test]
fn a_new_game_has_nine_nulls_and_x_to_move() {
    let game = Game::new(7, 5);
    assert_eq!(game.board(), [None; 9]);
    assert_eq!(
        (game.id(), game.current_player(), game.status()),
        (7, 'X', Status::InProgress)
    );
    assert_eq!((game.created_at(), game.updated_at()), (5, 5));
    assert_eq!((game.check_winner(), game.is_draw()), (None, false));
}

#[test]
fn a_move_marks_its_cell_switches_the_player_and_touches_the_time() {
    let mut game = Game::new(1, 10);
    assert_eq!(game.make_move_at(4, 25), Ok(MOVE_RESPONSE));
    assert_eq!(game.board()[4], Some('X'));
    assert_eq!(
        (game.current_player(), game.created_at(), game.updated_at()),
        ('O', 10, 25)
    );
    assert_eq!(
        game.make_move(Square::try_from(0).expect("zero is a square"), 30),
        Ok(MOVE_RESPONSE)
    );
    assert_eq!((game.board()[0], game.current_player()), (Some('O'), 'X'));
}

#[test]
fn refusals_come_in_the_order_finished_range_occupied_and_change_nothing() {
    let text =
        |game: &mut Game, position| game.make_move_at(position, 99).map_err(|e| e.to_string());
    let mut game = played(&[4]);
    for position in [-1, 9, i64::MIN, i64::MAX, 256] {
        assert_eq!(
            text(&mut game, position),
            Err("Position must be between 0 and 8".to_owned())
        );
    }
    assert_eq!(
        text(&mut game, 4),
        Err("Position already occupied".to_owned())
    );
    assert_eq!(game, played(&[4]));
    let mut won = played(&[0, 3, 1, 4, 2]);
    for position in [9, 0, 8] {
        assert_eq!(
            text(&mut won, position),
            Err("Game is already finished".to_owned())
        );
    }
    assert_eq!(won.updated_at(), 0);
}

#[test]
fn all_eight_lines_win_for_both_players_and_the_winner_stays_current() {
    for line in LINES {
        let others: Vec<i64> = (0..9).filter(|cell| !line.contains(cell)).collect();
        let x = played(&[line[0], others[0], line[1], others[1], line[2]]);
        assert_eq!(
            (x.status(), x.check_winner(), x.current_player()),
            (Status::XWins, Some('X'), 'X')
        );
        // X's three cells must not form a line themselves.
        let quiet = |a: i64, b: i64, c: i64| !LINES.contains(&[a, b, c]);
        let third = others[2..]
            .iter()
            .copied()
            .find(|&c| quiet(others[0], others[1], c))
            .expect("a quiet cell");
        let o = played(&[others[0], line[0], others[1], line[1], third, line[2]]);
        assert_eq!(
            (o.status(), o.check_winner(), o.current_player()),
            (Status::OWins, Some('O'), 'O')
        );
        assert!(!o.is_draw());
    }
}

#[test]
fn a_full_board_without_a_line_is_a_draw_and_with_a_line_a_win() {
    let draw = played(&[0, 1, 2, 4, 3, 5, 7, 6, 8]);
    assert_eq!(
        (
            draw.status(),
            draw.is_draw(),
            draw.check_winner(),
            draw.current_player()
        ),
        (Status::Draw, true, None, 'X')
    );
    let win = played(&[0, 1, 2, 3, 4, 6, 5, 7, 8]);
    assert_eq!((win.status(), win.is_draw()), (Status::XWins, false));
    assert!(win.board().iter().all(Option::is_some));
}

#[test]
fn the_text_form_names_the_status() {
    assert_eq!(played(&[]).to_string(), "Game 1 - In Progress");
    assert_eq!(played(&[0, 3, 1, 4, 2]).to_string(), "Game 1 - X Wins");
    assert_eq!(played(&[0, 3, 1, 4, 8, 5]).to_string(), "Game 1 - O Wins");
    assert_eq!(
        played(&[0, 1, 2, 4, 3, 5, 7, 6, 8]).to_string(),
        "Game 1 - Draw"
    );
    assert_eq!(
        Status::ALL.map(Status::value),
        ["in_progress", "x_wins", "o_wins", "draw"]
    );
}

#[test]
fn the_board_display_has_rows_with_blanks_and_lines_of_nine_dashes() {
    let shown = played(&[0, 4, 8]).board_display();
    assert_eq!(
        shown,
        "X |   |  \n---------\n  | O |  \n---------\n  |   | X"
    );
}

#[test]
fn the_record_serializes_with_its_public_names() {
    let mut game = played(&[0]);
    game.make_move_at(4, 1_500).expect("the center is free");
    let expected = json!({
        "id": 1,
        "board": ["X", null, null, null, "O", null, null, null, null],
        "current_player": "X",
        "status": "in_progress",
        "created_at": "1970-01-01T00:00:00.000Z",
        "updated_at": "1970-01-01T00:00:01.500Z",
    });
    assert_eq!(serde_json::to_value(&game).ok(), Some(expected));
    assert_eq!(
        serde_json::to_value(MOVE_RESPONSE).ok(),
        Some(json!({"success": true, "message": "Move successful"}))
    );
}

#[test]
fn leap_days_and_centuries_are_formatted_correctly() {
    assert_eq!(utc(951_782_400_000), "2000-02-29T00:00:00.000Z");
    assert_eq!(utc(4_107_542_399_999), "2100-02-28T23:59:59.999Z");
    assert_eq!(utc(-1), "1969-12-31T23:59:59.999Z");
}

#[test]
fn the_record_is_a_view_of_the_board_and_of_classic_boards_only() {
    let board = Board::from_text("3x3x3 XO X../.O./...").expect("a position of the test");
    let game = Game::from_board(3, board.clone(), 1, 2).expect("a classic board");
    assert_eq!(game.position(), &board);
    assert_eq!(game.board()[4], Some('O'));
    let four = Board::new(Rules::new(4, 4, 4, &['X', 'O']).expect("rules within the limits"));
    assert_eq!(Game::from_board(3, four, 1, 2), Err(NotClassic));
    let letters = Board::new(Rules::new(3, 3, 3, &['A', 'B']).expect("rules within the limits"));
    assert_eq!(Game::from_board(3, letters, 1, 2), Err(NotClassic));
}

#[test]
fn squares_are_the_numbers_0_to_8_row_by_row() {
    for number in 0..9 {
        let square = Square::try_from(number).expect("a number below nine");
        assert_eq!(Cell::from(square), Cell::from_index(number as usize, 3));
        assert_eq!(i64::from(square.number()), number);
    }
    assert_eq!(Square::try_from(9), Err(Illegal::OffBoard { last: 8 }));
    assert_eq!(Square::try_from(-1), Err(Illegal::OffBoard { last: 8 }));
    assert!(Board::new(Rules::classic()).check(&Cell::new(2, 2)).is_ok());
}

#[test]
fn a_game_that_ends_otherwise_has_its_result_and_takes_no_moves() {
    let won = Outcome::won;
    let cases: [(&[i64], Outcome, Status, char); 7] = [
        (&[], won(Seat::FIRST), Status::XWins, 'X'),
        (&[4], won(Seat::FIRST), Status::XWins, 'X'),
        (&[4], won(Seat::SECOND), Status::OWins, 'O'),
        (&[4, 0], won(Seat::SECOND), Status::OWins, 'O'),
        (&[], Outcome::Draw, Status::Draw, 'X'),
        (&[4], Outcome::Draw, Status::Draw, 'X'),
        (&[4, 0], Outcome::Draw, Status::Draw, 'O'),
    ];
    for (positions, outcome, status, current) in cases {
        let mut game = played(positions).ended(outcome);
        let board = game.board();
        assert_eq!((game.status(), game.current_player()), (status, current));
        assert_eq!(game.is_draw(), status == Status::Draw);
        assert_eq!(game.make_move_at(8, 9), Err(Illegal::Finished));
        let square = Square::try_from(8).expect("eight is a square");
        assert_eq!(game.make_move(square, 9), Err(Illegal::Finished));
        assert_eq!((game.board(), game.updated_at()), (board, 0));
    }
    let won_by_rules = played(&[0, 3, 1, 4, 2]).ended(Outcome::Draw);
    assert_eq!(won_by_rules.status(), Status::XWins, "the rules come first");
}
