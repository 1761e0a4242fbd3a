//! The tic-tac-toe family as table games.

mod console;
pub mod options;
pub mod svg;
mod terminal;
pub mod view;

use std::sync::Arc;

use parlor_bots::{Crew, Spec, Strategy, Unsuitable};
use parlor_core::{Position, Seat};
use parlor_tictactoe::mnk::{Board, BoardRepr, Cell};
use serde_json::Value;

use self::view::MnkView;
use crate::bots::Bots;
use crate::console::{Screen, Unread};
use crate::game::{About, Game, GamePosition, PositionVisitor, Preset, Variant};
use crate::wording::row_news;
use crate::{Click, Console, GameKind, Input, OptionsError, TeamPlay, Wording};

/// Rules of the game in plain text.
const RULES: &str = "Players take turns putting one mark of their own on an empty cell of the board. The first to get \
the agreed number in an unbroken straight line, in a row, in a column or on a diagonal, wins at once.\n\nHow many marks make a \
line is agreed before the game: three on the classic board of three by three, five on a Gomoku board. A longer line wins as \
well.\n\nIf the board is full and nobody has a line, the game is a draw.";

/// Tic-tac-toe on boards of any size, with any winning length and several seats.
pub struct Mnk;

/// Handle to the game.
pub const KIND: GameKind = GameKind::new::<Mnk>();

impl Game for Mnk {
    type Position = Board;
    type View = MnkView;

    const ABOUT: About = About {
        name: "mnk",
        title: "Tic-tac-toe",
        summary: "Tic-tac-toe on a board of any size, for two or more players: get the agreed number in a row.",
        rules: RULES,
        ..About::SKILL
    };
    const STYLE: &'static str = include_str!("mnk/style.css");

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
        options::start(options)
    }

    fn options(board: &Board) -> Value {
        options::to_json(board)
    }

    fn view(board: &Board, last: Option<&str>) -> MnkView {
        MnkView::new(board, last)
    }

    fn read_view(json: &Value) -> Result<MnkView, OptionsError> {
        MnkView::from_json(json)
    }

    fn picture(view: &MnkView) -> String {
        svg::draw(view)
    }

    fn position_from_json(json: &Value) -> Result<Board, OptionsError> {
        view::read(json)
    }

    fn bots() -> &'static dyn Bots<Board> {
        &MnkBots
    }

    fn specialize<V: PositionVisitor>(board: &Board, visitor: V) -> V::Output {
        match board.repr() {
            BoardRepr::Three(position) => visitor.visit(position),
            BoardRepr::Small(position) => visitor.visit(position),
            BoardRepr::Middle(wide) => visitor.visit(&**wide),
            BoardRepr::Large(wide) => visitor.visit(&**wide),
            BoardRepr::SmallMany(position) => visitor.visit(position),
            BoardRepr::LargeMany(wide) => visitor.visit(&**wide),
        }
    }
}

impl GamePosition for Board {
    type Game = Mnk;
}

impl Wording for Board {
    fn seat_name(&self, seat: Seat) -> String {
        let symbol = self.rules().symbols().get(seat.index());
        symbol.map(char::to_string).unwrap_or_default()
    }

    fn label(&self, text: &str) -> String {
        parlor_core::Notation::parse_move(self, text).map_or_else(|_| text.to_owned(), words)
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
        let empty = self.cells().filter(|cell| self.at(*cell).is_none());
        empty.map(click).collect()
    }
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
        terminal::draw(self)
    }

    fn screen(&self, last: Option<&str>) -> Screen {
        console::screen(self, last)
    }
}

/// Factory of the bots for m,n,k boards.
struct MnkBots;

impl Bots<Board> for MnkBots {
    fn offers(&self, board: &Board) -> Vec<Spec> {
        parlor_bots::mnk::offers(board.rules())
    }

    fn check(&self, spec: Spec, board: &Board) -> Result<(), Unsuitable> {
        parlor_bots::mnk::suits(spec, board.rules())
    }

    fn build(
        &self,
        spec: Spec,
        board: &Board,
        seed: u64,
        _: Arc<dyn Crew>,
    ) -> Result<Box<dyn Strategy<Board>>, Unsuitable> {
        parlor_bots::mnk::build(spec, board.rules(), seed)
    }
}

fn click(cell: Cell) -> Click {
    let path = vec![svg::cell_id(cell.row, cell.column)];
    Click::whole(cell.to_string(), path, words(cell))
}

fn words(cell: Cell) -> String {
    format!("row {}, column {}", cell.row + 1, cell.column + 1)
}
