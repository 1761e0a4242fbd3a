//! The nine boards in plain text.
//!
//! In boards open to the mover, empty squares show their numbers; elsewhere they are dots. A closed
//! board shows its owner in large letters. The last move is in brackets.

use parlor_core::{Notation, Seat};
use parlor_tictactoe::ultimate::{Game, Move};

use super::SYMBOLS;

/// Large letters in a grid of squares, three characters each.
const LARGE_X: [&str; 9] = [
    r" \ ", "   ", " / ", "   ", " X ", "   ", " / ", "   ", r" \ ",
];
const LARGE_O: [&str; 9] = [
    " / ", "---", r" \ ", " | ", " O ", " | ", r" \ ", "---", " / ",
];
const LARGE_T: [&str; 9] = [
    "---", "---", "---", "   ", " T ", "   ", "---", "---", "---",
];

pub(crate) fn draw(game: &Game, last: Option<&str>) -> String {
    let last = last.and_then(|text| game.parse_move(text).ok());
    let mut text = String::new();
    for band in 0..3 {
        if band > 0 {
            text.push_str("-----------+-----------+-----------\n");
        }
        let line = |cell: &dyn Fn(u8) -> String| {
            let line = [0, 1, 2]
                .map(|column| format!(" {:<9} ", cell(3 * band + column)))
                .join("|");
            format!("{}\n", line.trim_end())
        };
        text.push_str(&line(&|board| heading(game, board)));
        for row in 0..3 {
            text.push_str(&line(&|board| {
                [0, 1, 2]
                    .map(|column| glyph(game, board, 3 * row + column, last, Empty::Numbers))
                    .concat()
            }));
        }
    }
    text.push_str(&format!("{}\n", standing(game)));
    text
}

/// Style of an empty square that can be played.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Empty {
    /// Number of the square.
    Numbers,
    /// Dot; squares that cannot be played are then blank.
    Dots,
}

/// Returns the heading of a board: its number and its result.
pub(crate) fn heading(game: &Game, board: u8) -> String {
    let said = match owner(game, board) {
        Some(Some(seat)) => format!(" {} won", SYMBOLS[seat.index()]),
        Some(None) => " tied".to_owned(),
        None => String::new(),
    };
    format!("{board}{said}")
}

/// Returns three characters for a square.
pub(crate) fn glyph(
    game: &Game,
    board: u8,
    square: u8,
    last: Option<Move>,
    empty: Empty,
) -> String {
    let is_last = last.is_some_and(|m| (m.board(), m.square()) == (board, square));
    let symbol = seat_at(game, board, square).map(|seat| SYMBOLS[seat.index()]);
    match (symbol, closed(game, board)) {
        (Some(symbol), _) if is_last => format!("({symbol})"),
        (_, Some(owner)) => {
            let large = owner.map_or(LARGE_T, |seat| [LARGE_X, LARGE_O][seat.index()]);
            large[usize::from(square)].to_owned()
        }
        (Some(symbol), _) => format!(" {symbol} "),
        (None, _) if game.playable() >> board & 1 == 1 => match empty {
            Empty::Numbers => format!(" {square} "),
            Empty::Dots => " · ".to_owned(),
        },
        (None, _) => (if empty == Empty::Numbers {
            " . "
        } else {
            "   "
        })
        .to_owned(),
    }
}

/// Returns the seat whose mark is on a square.
pub(crate) fn seat_at(game: &Game, board: u8, square: u8) -> Option<Seat> {
    Seat::all(2).find(|&seat| game.marks(seat, board) >> square & 1 == 1)
}

/// Returns the seat that won a board; `Some(None)` if it is tied.
pub(crate) fn owner(game: &Game, board: u8) -> Option<Option<Seat>> {
    let won = Seat::all(2).find(|&seat| game.won(seat) >> board & 1 == 1);
    won.map(Some)
        .or((game.drawn() >> board & 1 == 1).then_some(None))
}

/// Returns the same as [`owner`], but only for boards that take no more marks.
pub(crate) fn closed(game: &Game, board: u8) -> Option<Option<Seat>> {
    owner(game, board).filter(|_| !game.rules().open || game.empty(board) == 0)
}

/// Returns the line that names the boards in which the mover may play.
pub(crate) fn standing(game: &Game) -> String {
    let mover = SYMBOLS[usize::from(game.plies() % 2 == 1)];
    match (parlor_core::Position::turn(game).is_over(), game.target()) {
        (true, _) => "The game is over.".to_owned(),
        (false, Some(board)) => format!("{mover} plays in board {board}."),
        (false, None) => format!("{mover} plays in any board that shows numbers."),
    }
}
