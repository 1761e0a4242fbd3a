//! Terminal input and screen for ultimate tic-tac-toe.

use parlor_core::{Notation, Seat};
use parlor_tictactoe::ultimate::{Game, Move};

use crate::console::{Accent, Screen, Spot, Unread};
use crate::ultimate::svg::cell_id;
use crate::ultimate::terminal::{Empty, closed, glyph, heading, seat_at};

const NOT_NUMBERS: &str = "Invalid input. Please enter board and square as two digits, such as 40.";

pub(super) fn prompt(game: &Game, name: &str) -> String {
    match game.target() {
        Some(board) => format!(
            "{name}, enter your move in board {board} (square [0-8], or both as in {board}4):"
        ),
        None => format!("{name}, enter your move (board [0-8] and square [0-8], such as 40):"),
    }
}

/// Parses two digits, adjacent or separate, as board and square, or one digit as a square of the
/// board that must be played in.
pub(super) fn answer(game: &Game, line: &str) -> Result<String, Unread> {
    if let Ok(m) = game.parse_move(line) {
        return Ok(m.to_string());
    }
    let digits: String = line
        .chars()
        .filter(|c| !c.is_whitespace() && *c != ',')
        .collect();
    let numbers =
        !digits.is_empty() && digits.len() <= 2 && digits.bytes().all(|b| b.is_ascii_digit());
    match (numbers, digits.len(), game.target()) {
        (true, 1, Some(board)) => Ok(format!("{board}{digits}")),
        // Digits that name no square, which the rules reject later.
        (true, 2, _) => Ok(digits),
        _ => Err(Unread(NOT_NUMBERS.to_owned())),
    }
}

const BOX_WIDTH: usize = 9;

/// Returns nine boxes; those that the mover may play in have heavy borders.
pub(super) fn screen(game: &Game, last: Option<&str>) -> Screen {
    let last = last.and_then(|text| game.parse_move(text).ok());
    let mut lines = Vec::new();
    for band in 0..3 {
        let boards = [3 * band, 3 * band + 1, 3 * band + 2];
        lines.push(boards.map(|board| edge(game, board, true)).join(" "));
        for _ in 0..3 {
            let side = |board| {
                if is_playable(game, board) {
                    '┃'
                } else {
                    '│'
                }
            };
            let row = boards.map(|board| format!("{0}{1}{0}", side(board), " ".repeat(BOX_WIDTH)));
            lines.push(row.join(" "));
        }
        lines.push(boards.map(|board| edge(game, board, false)).join(" "));
    }
    let squares = (0..9u8).flat_map(|row| (0..9u8).map(move |column| (row, column)));
    let spots = squares.map(|(row, column)| {
        let (board, square) = (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3);
        spot(game, board, square, last)
    });
    Screen {
        lines,
        spots: spots.collect(),
    }
}

fn is_playable(game: &Game, board: u8) -> bool {
    game.playable() >> board & 1 == 1
}

/// Returns the upper or lower edge of a board's box; the upper one contains the heading.
fn edge(game: &Game, board: u8, upper: bool) -> String {
    let [left, line, right] = match (is_playable(game, board), upper) {
        (true, true) => ['┏', '━', '┓'],
        (true, false) => ['┗', '━', '┛'],
        (false, true) => ['┌', '─', '┐'],
        (false, false) => ['└', '─', '┘'],
    };
    let said = if upper {
        format!(" {} ", heading(game, board))
    } else {
        String::new()
    };
    let rest = BOX_WIDTH.saturating_sub(said.chars().count());
    format!("{left}{said}{}{right}", line.to_string().repeat(rest))
}

fn spot(game: &Game, board: u8, square: u8, last: Option<Move>) -> Spot {
    let (across, down) = (u16::from(board % 3), u16::from(board / 3));
    let is_last = last.is_some_and(|m| (m.board(), m.square()) == (board, square));
    let mark = seat_at(game, board, square);
    let seat = if is_last {
        mark
    } else {
        closed(game, board).unwrap_or(mark)
    };
    Spot {
        id: cell_id(board, square),
        x: across * (BOX_WIDTH as u16 + 3) + 1 + 3 * u16::from(square % 3),
        y: down * 5 + 1 + u16::from(square / 3),
        text: glyph(game, board, square, last, Empty::Dots),
        seat: seat.map(Seat::number),
        tint: None,
        accent: match () {
            () if is_last => Accent::Last,
            () if game.winning_boards() >> board & 1 == 1 => Accent::Won,
            () => Accent::None,
        },
    }
}
