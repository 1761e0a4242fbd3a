//! Connect Four in a terminal.

use parlor_connect_four::{Board, Move, Slot};
use parlor_core::{Notation, Position, Seat};

use super::svg::disc_id;
use crate::Click;
use crate::console::{Accent, Screen, Spot, Tint, Unread};

pub(super) fn prompt(board: &Board, name: &str) -> String {
    format!("{name}, choose a column [1-{}]:", board.rules().columns())
}

/// Parses the number of a column, valid or not.
pub(super) fn answer(board: &Board, line: &str) -> Result<String, Unread> {
    let read = board.parse_move(line).map(|m| m.to_string());
    let columns = board.rules().columns();
    read.map_err(|_| Unread(format!("Please enter a column from 1 to {columns}.")))
}

/// Returns the board between two walls, with the numbers of the columns below.
pub(super) fn terminal(board: &Board) -> String {
    let rules = board.rules();
    let mut text = String::new();
    for slot in board.slots() {
        text.push_str(if slot.column == 0 { "| " } else { " " });
        text.push(letter(board, slot, '.'));
        text.push(' ');
        if slot.column + 1 == rules.columns() {
            text.push_str("|\n");
        }
    }
    text.push_str(&numbers(board));
    text.push('\n');
    text
}

/// Returns the letter of the disc in a slot.
fn letter(board: &Board, slot: Slot, empty: char) -> char {
    match board.at(slot) {
        None => empty,
        Some(Seat::FIRST) => 'R',
        Some(_) => 'Y',
    }
}

/// Returns the numbers of the columns, three characters each.
fn numbers(board: &Board) -> String {
    let columns = 1..=board.rules().columns();
    let numbers: String = columns.map(|column| format!("{column:>2} ")).collect();
    format!(" {}", numbers.trim_end())
}

/// Characters from a slot to the one on its right.
const STEP: u16 = 4;

/// Returns the grid of slots. Any slot of a column can be selected.
pub(super) fn screen(board: &Board, last: Option<&str>) -> Screen {
    let rules = board.rules();
    let columns = usize::from(rules.columns());
    let mut lines =
        vec![format!("│{}│", vec!["   "; columns].join("│")); usize::from(rules.rows())];
    lines.push(format!("└{}┘", vec!["───"; columns].join("┴")));
    let numbers: String = (1..=columns).map(|column| format!("{column:^4}")).collect();
    lines.push(format!(" {}", numbers.trim_end()));
    let last = last
        .and_then(|text| board.parse_move(text).ok())
        .and_then(|m| Some(Slot::new(m.column, board.height(m.column).checked_sub(1)?)));
    let won = board.winning_slots();
    let spot = |slot: Slot| {
        let seat = board.at(slot);
        Spot {
            id: disc_id(slot),
            x: 1 + STEP * u16::from(slot.column),
            y: u16::from(rules.rows() - 1 - slot.row),
            text: format!(" {} ", letter(board, slot, ' ')),
            seat: seat.map(Seat::number),
            tint: seat.map(|seat| {
                if seat == Seat::FIRST {
                    Tint::Red
                } else {
                    Tint::Yellow
                }
            }),
            accent: match () {
                () if won.contains(&slot) => Accent::Won,
                () if last == Some(slot) => Accent::Last,
                () => Accent::None,
            },
        }
    };
    Screen {
        lines,
        spots: board.slots().map(spot).collect(),
    }
}

/// Returns every legal move once for each slot of its column.
pub(super) fn choices(board: &Board) -> Vec<Click> {
    let rows = board.rules().rows();
    let column = |m: Move| {
        (0..rows).map(move |row| {
            let path = vec![disc_id(Slot::new(m.column, row))];
            Click::whole(m.to_string(), path, format!("column {m}"))
        })
    };
    board.legal_moves().into_iter().flat_map(column).collect()
}
