//! Connect Four as a table game.

mod bot;
mod console;
mod options;
mod svg;
#[cfg(test)]
mod tests;
mod view;

use parlor_connect_four::{Board, Move};
use parlor_core::{Notation, Position, Seat};
use serde_json::Value;

use self::bot::ConnectFourBots;
use self::view::ConnectFourView;
use crate::bots::Bots;
use crate::console::{Screen, Unread};
use crate::game::{About, BoardStyle, Game, GamePosition, PositionVisitor, Preset, Variant};
use crate::wording::row_news;
use crate::{Click, Console, GameKind, Input, OptionsError, TeamPlay, Wording};

/// Rules of the game in plain text.
const RULES: &str = "The board stands upright. Players take turns dropping one disc of their color \
into a column; it falls to the lowest empty slot. Red goes first.\n\nThe first player with four \
discs in an unbroken straight line wins at once: side by side, on top of each other, or on a \
diagonal. On other boards you can choose another number. A longer line wins as well.\n\nIf the \
board fills up and nobody has a line, the game is a draw.";

/// Connect Four on boards from 4x4 to 12x12.
pub struct ConnectFour;

/// Handle to Connect Four.
pub const KIND: GameKind = GameKind::new::<ConnectFour>();

impl Game for ConnectFour {
    type Position = Board;
    type View = ConnectFourView;

    const ABOUT: About = About {
        name: "connect-four",
        title: "Connect Four",
        summary: "Drop discs into an upright board and be the first with four in a line.",
        rules: RULES,
        ..About::SKILL
    };

    const STYLE: &'static str = include_str!("connect_four/style.css");
    const BOARD_STYLES: [BoardStyle; 2] = [
        BoardStyle {
            name: "blue",
            title: "Blue",
        },
        BoardStyle {
            name: "graphite",
            title: "Graphite",
        },
    ];

    fn options_schema() -> Value {
        options::schema()
    }

    fn presets() -> Vec<Preset> {
        options::presets()
    }

    fn variant(options: &Value) -> Variant {
        options::variant(options)
    }

    fn start(options: &Value) -> Result<Board, OptionsError> {
        options::rules(options).map(Board::new)
    }

    fn options(board: &Board) -> Value {
        options::to_json(board.rules())
    }

    fn view(board: &Board, last: Option<&str>) -> ConnectFourView {
        ConnectFourView::new(board, last)
    }

    fn read_view(json: &Value) -> Result<ConnectFourView, OptionsError> {
        ConnectFourView::from_json(json)
    }

    fn picture(view: &ConnectFourView) -> String {
        svg::draw(view)
    }

    fn position_from_json(json: &Value) -> Result<Board, OptionsError> {
        view::read_board(json)
    }

    fn bots() -> &'static dyn Bots<Board> {
        &ConnectFourBots
    }

    fn specialize<V: PositionVisitor>(board: &Board, visitor: V) -> V::Output {
        use parlor_connect_four::BoardBits;
        match board.bits() {
            BoardBits::Bits64(stacks) => visitor.visit(stacks),
            BoardBits::Bits128(stacks) => visitor.visit(stacks),
            BoardBits::Bits192(stacks) => visitor.visit(stacks),
        }
    }
}

impl GamePosition for Board {
    type Game = ConnectFour;
}

impl Wording for Board {
    fn seat_name(&self, seat: Seat) -> String {
        let name = if seat == Seat::FIRST { "Red" } else { "Yellow" };
        name.to_owned()
    }

    fn label(&self, text: &str) -> String {
        self.parse_move(text)
            .map_or_else(|_| text.to_owned(), |m| format!("column {m}"))
    }

    fn news(&self) -> Option<String> {
        let outcome = self.turn().outcome()?;
        Some(row_news(outcome, self.rules().k()))
    }
}

impl Input for Board {
    fn clicks(&self) -> Vec<Click> {
        self.legal_moves().into_iter().map(click).collect()
    }

    fn premoves(&self) -> Vec<Click> {
        let columns = (0..self.rules().columns()).map(|column| Move { column });
        columns
            .filter(|m| self.landing(*m).is_some())
            .map(click)
            .collect()
    }
}

fn click(m: Move) -> Click {
    let path = vec![svg::column_id(m.column)];
    Click::whole(m.to_string(), path, format!("column {m}"))
}

impl TeamPlay for Board {}

impl Console for Board {
    fn prompt(&self, name: &str) -> String {
        console::prompt(self, name)
    }

    fn answer(&self, line: &str) -> Result<String, Unread> {
        console::answer(self, line)
    }

    fn terminal(&self, _: Option<&str>) -> String {
        console::terminal(self)
    }

    fn screen(&self, last: Option<&str>) -> Screen {
        console::screen(self, last)
    }

    fn choices(&self) -> Vec<Click> {
        console::choices(self)
    }
}
