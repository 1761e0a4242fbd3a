//! The tic-tac-toe family at the table.

pub mod options;
pub mod record;
pub mod svg;
mod terminal;
pub mod view;

use parlor_core::{Position, Seat};
use parlor_tictactoe::mnk::{Board, Cell};
use serde_json::Value;

use crate::tenant::Tenant;
use crate::{AnyPosition, Click, GameKind};

/// The rules in plain words.
pub const RULES: &str = "Players take turns putting one mark of their own on an empty cell of the board. The first to have \
enough marks in an unbroken straight line, in a row, in a column or on a diagonal, wins at once.\n\nHow many marks make a \
line is agreed before the game: three on the classic board of three by three, five on a Gomoku board. A longer line wins as \
well.\n\nIf the board is full and nobody has a line, the game is a draw.";

impl Tenant for Board {
    const KIND: GameKind = GameKind::Mnk;

    fn of(any: &AnyPosition) -> Option<&Board> {
        let AnyPosition::Mnk(board) = any else {
            return None;
        };
        Some(board)
    }

    fn seat_name(&self, seat: Seat) -> String {
        self.rules()
            .symbols()
            .get(seat.index())
            .map(char::to_string)
            .unwrap_or_default()
    }

    fn view(&self, last: Option<&str>) -> Value {
        serde_json::to_value(view::View::of(self, last)).expect("a view is plain data")
    }

    fn clicks(&self) -> Vec<Click> {
        let click = |cell: &Cell| {
            Click::whole(
                cell.to_string(),
                vec![svg::cell_id(cell.row, cell.column)],
                words(*cell),
            )
        };
        self.legal_moves().iter().map(click).collect()
    }

    fn label(&self, text: &str) -> String {
        parlor_core::Notation::parse_move(self, text).map_or_else(|_| text.to_owned(), words)
    }

    fn terminal(&self, _: Option<&str>) -> String {
        terminal::draw(self)
    }
}

fn words(cell: Cell) -> String {
    format!("row {}, column {}", cell.row + 1, cell.column + 1)
}
