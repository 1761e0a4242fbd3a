//! Ultimate tic-tac-toe at the table.

pub mod options;
pub mod svg;
pub(crate) mod terminal;
pub mod view;

use parlor_core::{Notation, Position, Seat};
use parlor_tictactoe::ultimate::{Game, Move};
use serde_json::Value;

use crate::tenant::Tenant;
use crate::{AnyPosition, Click, GameKind};

/// The rules in plain words.
pub const RULES: &str = "Nine small tic-tac-toe boards make up one large one. X begins, and players take turns putting one \
mark on an empty square. Three marks in a row win a small board; three small boards in a row win the game.\n\nThe square \
you play in says where the other player goes next: a mark in the top left square of any small board sends them to the top \
left small board. The board or boards you may play in are lit.\n\nA small board that is won, or full without a line, is \
decided, and nobody plays in it any more. Whoever is sent to a decided board may play in any other. A full board that nobody \
won counts for nobody.\n\nWhen all nine boards are decided and nobody has three in a row, the game is a draw.\n\nTwo \
variations can be chosen. With open boards a won board stays in play until it is full, and belongs to whoever won it first. \
With counting, a game without a line goes to the player who won more boards.";

/// Where a board is, or a square in its board.
pub(crate) const PLACES: [&str; 9] = [
    "top left",
    "top",
    "top right",
    "left",
    "center",
    "right",
    "bottom left",
    "bottom",
    "bottom right",
];
/// The symbols in the order of turns.
pub(crate) const SYMBOLS: [&str; 2] = ["X", "O"];

impl Tenant for Game {
    const KIND: GameKind = GameKind::Ultimate;

    fn of(any: &AnyPosition) -> Option<&Game> {
        let AnyPosition::Ultimate(game) = any else {
            return None;
        };
        Some(game)
    }

    fn seat_name(&self, seat: Seat) -> String {
        SYMBOLS
            .get(seat.index())
            .copied()
            .unwrap_or_default()
            .to_owned()
    }

    fn view(&self, last: Option<&str>) -> Value {
        serde_json::to_value(view::View::of(self, last)).expect("a view is plain data")
    }

    fn clicks(&self) -> Vec<Click> {
        let click = |m: &Move| {
            Click::whole(
                m.to_string(),
                vec![svg::cell_id(m.board(), m.square())],
                words(*m),
            )
        };
        self.legal_moves().iter().map(click).collect()
    }

    fn label(&self, text: &str) -> String {
        self.parse_move(text)
            .map_or_else(|_| text.to_owned(), words)
    }

    fn terminal(&self, last: Option<&str>) -> String {
        terminal::draw(self, last)
    }
}

fn words(m: Move) -> String {
    let place = |n: u8| PLACES[usize::from(n)];
    format!("{} board, {} square", place(m.board()), place(m.square()))
}
