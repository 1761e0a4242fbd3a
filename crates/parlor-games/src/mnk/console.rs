//! Terminal input and screen for m,n,k boards.

use parlor_core::Notation;
use parlor_tictactoe::mnk::{Board, Cell};

use crate::console::{Accent, Screen, Spot, Unread};
use crate::mnk::svg::cell_id;

const NOT_NUMBERS: &str = "Invalid input. Please enter row and column as numbers.";

pub(super) fn prompt(board: &Board, name: &str) -> String {
    let (row, column) = (board.rules().rows() - 1, board.rules().columns() - 1);
    format!("{name}, enter your move (row [0-{row}] and column [0-{column}]):")
}

/// Parses two numbers as a move, on the board or not; also accepts the game's own notation.
pub(super) fn answer(board: &Board, line: &str) -> Result<String, Unread> {
    if let Ok(cell) = board.parse_move(line) {
        return Ok(cell.to_string());
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let whole = |word: &&str| {
        let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    };
    match words[..] {
        // Numbers off the board, which the rules reject later.
        [_, _] if words.iter().all(whole) => Ok(Cell {
            row: u8::MAX,
            column: u8::MAX,
        }
        .to_string()),
        _ => Err(Unread(NOT_NUMBERS.to_owned())),
    }
}

/// Returns the grid as in plain text, with numbers at the top and on the left.
pub(super) fn screen(board: &Board, last: Option<&str>) -> Screen {
    let rules = board.rules();
    let (rows, columns) = (rules.rows(), rules.columns());
    let numbers: String = (0..columns).map(|column| format!("{column:^4}")).collect();
    let mut lines = vec![format!("   {}", numbers.trim_end())];
    let rule = vec!["───"; usize::from(columns)].join("┼");
    let cells = vec!["   "; usize::from(columns)].join("│");
    for row in 0..rows {
        if row > 0 {
            lines.push(format!("   {rule}"));
        }
        lines.push(format!("{row:>2} {cells}"));
    }
    let last = last.and_then(|text| board.parse_move(text).ok());
    let won = board.winning_cells();
    let spot = |cell: Cell| {
        let symbol = board.symbol_at(cell);
        let seat =
            symbol.and_then(|symbol| rules.symbols().iter().position(|other| *other == symbol));
        Spot {
            id: cell_id(cell.row, cell.column),
            x: 3 + 4 * u16::from(cell.column),
            y: 1 + 2 * u16::from(cell.row),
            text: format!(" {} ", symbol.unwrap_or(' ')),
            seat: seat.and_then(|seat| u8::try_from(seat).ok()),
            tint: None,
            accent: match () {
                () if won.contains(&cell) => Accent::Won,
                () if last == Some(cell) => Accent::Last,
                () => Accent::None,
            },
        }
    };
    Screen {
        lines,
        spots: board.cells().map(spot).collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::console::Accent;
    use crate::{AnyPosition, GameKind};

    fn position(text: &str) -> AnyPosition {
        GameKind::from_name("mnk")
            .expect("listed")
            .position(text)
            .expect("a position of the test")
    }

    #[test]
    fn the_prompt_names_the_real_ranges() {
        let wide = GameKind::from_name("mnk")
            .expect("listed")
            .start(&json!({"rows": 6, "columns": 7}))
            .expect("a board");
        assert_eq!(
            wide.prompt("Ann"),
            "Ann, enter your move (row [0-5] and column [0-6]):"
        );
    }

    #[test]
    fn two_numbers_are_a_move_even_where_there_is_no_cell() {
        let board = position("3x3x3 XO .../.../...");
        assert_eq!(board.answer(" 1  2 ").as_deref(), Ok("1,2"));
        assert_eq!(board.answer("2,0").as_deref(), Ok("2,0"));
        assert!(
            board.answer("-1 99999999999999").is_ok(),
            "numbers are left to the rules"
        );
        for line in ["", "1", "1 2 3", "one two", "1.5 2", "- 1"] {
            assert!(board.answer(line).is_err(), "{line:?}");
        }
    }

    #[test]
    fn every_legal_move_is_made_by_pointing_at_spots_of_the_screen() {
        let board = position("3x4x3 XO XO../..../....");
        let screen = board.screen(Some("0,1"));
        for click in board.clicks() {
            assert!(
                click
                    .path
                    .iter()
                    .all(|id| screen.spots.iter().any(|spot| spot.id == *id)),
                "{click:?}"
            );
        }
        let last = screen
            .spots
            .iter()
            .find(|spot| spot.accent == Accent::Last)
            .expect("the last move is marked");
        assert_eq!((last.text.as_str(), last.seat), (" O ", Some(1)));
    }

    #[test]
    fn spots_lie_inside_the_lines_of_the_screen() {
        let board = GameKind::from_name("mnk")
            .expect("listed")
            .start(&json!({"rows": 19, "columns": 12, "k": 5}))
            .expect("a board");
        let screen = board.screen(None);
        let width = screen
            .lines
            .iter()
            .map(|line| line.chars().count())
            .max()
            .unwrap_or_default();
        assert!(
            screen
                .spots
                .iter()
                .all(|spot| usize::from(spot.x) + 3 <= width)
        );
        assert!(
            screen
                .spots
                .iter()
                .all(|spot| usize::from(spot.y) < screen.lines.len())
        );
    }

    #[test]
    fn a_win_is_marked_and_named() {
        let board = position("3x3x3 XO XXX/OO./...");
        assert_eq!(
            board
                .screen(None)
                .spots
                .iter()
                .filter(|spot| spot.accent == Accent::Won)
                .count(),
            3
        );
        let outcome = board.turn().outcome().expect("X has a row").into();
        assert_eq!(
            board.result(outcome, &["Ann".to_owned(), "Bob".to_owned()]),
            "Player X Ann wins!"
        );
    }
}
