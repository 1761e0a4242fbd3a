//! Ultimate tic-tac-toe as a table game.

mod console;
pub mod options;
pub mod svg;
mod terminal;
pub mod view;

use std::sync::Arc;

use parlor_bots::{Crew, Spec, Strategy, Unsuitable};
use parlor_core::{Notation, Position, Seat};
use parlor_tictactoe::ultimate::{self as rules, Game as UltimateGame, Move};
use serde_json::Value;

use self::view::UltimateView;
use crate::bots::Bots;
use crate::console::{Screen, Unread};
use crate::game::{About, Game, GamePosition, Playouts, Preset, Variant};
use crate::{Click, Console, GameKind, Input, OptionsError, TeamPlay, Wording};

/// Rules of the game in plain text.
const RULES: &str = "Nine small tic-tac-toe boards make up one large one. X begins, and players take turns putting one \
mark on an empty square. Three marks in a row win a small board; three small boards in a row win the game.\n\nThe square \
you play in says where the other player goes next: a mark in the top left square of any small board sends them to the top \
left small board. The board or boards you may play in are lit.\n\nA small board that is won, or full without a line, is \
decided, and nobody plays in it any more. Whoever is sent to a decided board may play in any other. A full board with \
no winner counts for neither player.\n\nWhen all nine boards are decided and nobody has three in a row, the game is a draw.\n\nTwo \
variations can be chosen. With open boards a won board stays in play until it is full, and belongs to whoever won it first. \
With counting, a game without a line goes to the player who won more boards.";

/// Names of the nine boards, and of the nine squares of each.
const PLACES: [&str; 9] = [
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
/// Symbols in seat order.
const SYMBOLS: [&str; 2] = ["X", "O"];

/// Ultimate tic-tac-toe.
pub struct Ultimate;

/// Handle to the game.
pub const KIND: GameKind = GameKind::new::<Ultimate>();

impl Game for Ultimate {
    type Position = UltimateGame;
    type View = UltimateView;

    const ABOUT: About = About {
        name: "ultimate",
        title: "Ultimate tic-tac-toe",
        summary: "Nine boards in one: each move decides which board the opponent plays in.",
        rules: RULES,
        has_fixed_seats: true,
        usual_time: Some(360_000),
        ..About::SKILL
    };
    const STYLE: &'static str = include_str!("ultimate/style.css");

    fn options_schema() -> Value {
        options::schema()
    }

    fn presets() -> Vec<Preset> {
        options::presets()
    }

    fn variant(options: &Value) -> Variant {
        options::variant(options)
    }

    fn start(options: &Value) -> Result<UltimateGame, OptionsError> {
        options::start(options)
    }

    fn options(game: &UltimateGame) -> Value {
        options::to_json(game.rules())
    }

    fn view(game: &UltimateGame, last: Option<&str>) -> UltimateView {
        UltimateView::new(game, last)
    }

    fn read_view(json: &Value) -> Result<UltimateView, OptionsError> {
        UltimateView::from_json(json)
    }

    fn picture(view: &UltimateView) -> String {
        svg::draw(view)
    }

    fn position_from_json(json: &Value) -> Result<UltimateGame, OptionsError> {
        view::read(json)
    }

    fn bots() -> &'static dyn Bots<UltimateGame> {
        &UltimateBots
    }

    /// Plays many games side by side, since only the totals are needed.
    fn playouts(game: &UltimateGame, games: u64, seed: u64) -> Playouts {
        let (mut sum, mut left) = (Playouts::default(), games);
        while left > 0 {
            let now = u32::try_from(left).unwrap_or(u32::MAX);
            left -= u64::from(now);
            let tally = rules::playouts::batch(game, now, seed.wrapping_add(left));
            sum = Playouts {
                games: sum.games + tally.games(),
                plies: sum.plies + tally.plies,
            };
        }
        sum
    }
}

impl GamePosition for UltimateGame {
    type Game = Ultimate;
}

impl Wording for UltimateGame {
    fn seat_name(&self, seat: Seat) -> String {
        let symbol = SYMBOLS.get(seat.index()).copied();
        symbol.unwrap_or_default().to_owned()
    }

    fn label(&self, text: &str) -> String {
        self.parse_move(text)
            .map_or_else(|_| text.to_owned(), words)
    }

    fn news(&self) -> Option<String> {
        let outcome = self.turn().outcome()?;
        let how = match outcome.winner() {
            Some(_) if self.winning_boards() != 0 => "Three boards in a row.",
            Some(_) => "All boards are decided; the winner has more of them.",
            None => "All boards are decided, and none of the players has won.",
        };
        Some(how.to_owned())
    }
}

impl Input for UltimateGame {
    fn clicks(&self) -> Vec<Click> {
        self.legal_moves().into_iter().map(click).collect()
    }

    /// Returns all empty squares of boards that are still played on, wherever the opponent may send
    /// this seat.
    fn premoves(&self) -> Vec<Click> {
        let open = (0..9).filter(|board| self.closed() & (1 << board) == 0);
        let squares = open.flat_map(|board| (0..9).map(move |square| (board, square)));
        squares
            .filter(|(board, square)| self.empty(*board) & (1 << square) != 0)
            .filter_map(|(board, square)| Move::new(board, square).ok())
            .map(click)
            .collect()
    }
}

impl TeamPlay for UltimateGame {}

impl Console for UltimateGame {
    fn prompt(&self, name: &str) -> String {
        console::prompt(self, name)
    }

    fn answer(&self, line: &str) -> Result<String, Unread> {
        console::answer(self, line)
    }

    fn terminal(&self, last: Option<&str>) -> String {
        terminal::draw(self, last)
    }

    fn screen(&self, last: Option<&str>) -> Screen {
        console::screen(self, last)
    }
}

/// Factory of the bots for ultimate tic-tac-toe.
struct UltimateBots;

impl Bots<UltimateGame> for UltimateBots {
    fn offers(&self, game: &UltimateGame) -> Vec<Spec> {
        parlor_bots::ultimate::offers(&game.rules())
    }

    fn check(&self, spec: Spec, game: &UltimateGame) -> Result<(), Unsuitable> {
        parlor_bots::ultimate::suits(spec, &game.rules())
    }

    fn build(
        &self,
        spec: Spec,
        game: &UltimateGame,
        seed: u64,
        _: Arc<dyn Crew>,
    ) -> Result<Box<dyn Strategy<UltimateGame>>, Unsuitable> {
        parlor_bots::ultimate::build(spec, &game.rules(), seed)
    }
}

fn click(m: Move) -> Click {
    let path = vec![svg::cell_id(m.board(), m.square())];
    Click::whole(m.to_string(), path, words(m))
}

fn words(m: Move) -> String {
    let place = |n: u8| PLACES[usize::from(n)];
    format!("{} board, {} square", place(m.board()), place(m.square()))
}
