//! View of a game of ultimate tic-tac-toe.

use parlor_core::{Notation, Position, Seat, Turn};
use parlor_tictactoe::ultimate::{Board, Game, LINES, Move, Setup};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::SYMBOLS;
use super::options::{self, NO_LINE, WON_BOARDS};
use crate::options::{OptionsReader, kind_of};
use crate::{OptionsError, TurnView};

/// A game as JSON, with everything that its picture shows. Boards, and squares in a board, are
/// numbered from 0 to 8, row by row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UltimateView {
    /// Constant `ultimate`.
    pub game: String,
    /// Treatment of won boards, `closed` or `open`.
    pub won_boards: String,
    /// Result of a game without a line, `draw` or `count`.
    pub no_line: String,
    /// Nine squares of each of the nine boards.
    pub boards: [[Mark; 9]; 9],
    /// Result of each board.
    pub meta: [Owner; 9],
    /// Board that the mover has to play in; `None` if the choice is free or the game is over.
    pub target: Option<u8>,
    /// Boards that the mover may play in.
    pub playable: Vec<u8>,
    /// Turn.
    pub turn: TurnView,
    /// Symbol on turn; `None` if the game is over.
    pub mover: Option<String>,
    /// Last move, as `[board, square]`.
    pub last: Option<(u8, u8)>,
    /// Lines of three boards that won the game.
    pub lines: Vec<[u8; 3]>,
}

/// Content of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Mark {
    /// No mark: `""`.
    #[serde(rename = "")]
    Empty,
    /// Mark of the first player.
    X,
    /// Mark of the second player.
    O,
}

/// Result of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Owner {
    /// Undecided: `""`.
    #[serde(rename = "")]
    Open,
    /// Won by the first player.
    X,
    /// Won by the second player.
    O,
    /// Full without a winner: `"T"`.
    #[serde(rename = "T")]
    Tied,
}

impl Mark {
    fn from_text(text: &str) -> Mark {
        match text {
            "X" => Mark::X,
            "O" => Mark::O,
            _ => Mark::Empty,
        }
    }

    /// Returns the number of the seat whose mark it is.
    pub const fn seat(self) -> Option<u8> {
        match self {
            Mark::Empty => None,
            Mark::X => Some(0),
            Mark::O => Some(1),
        }
    }
}

impl Owner {
    fn from_text(text: &str) -> Owner {
        match text {
            "X" => Owner::X,
            "O" => Owner::O,
            "T" => Owner::Tied,
            _ => Owner::Open,
        }
    }

    /// Returns the number of the seat that won.
    pub const fn seat(self) -> Option<u8> {
        match self {
            Owner::X => Some(0),
            Owner::O => Some(1),
            Owner::Open | Owner::Tied => None,
        }
    }
}

impl UltimateView {
    /// Returns the view of a game. `last` is the text of the last move.
    pub fn new(game: &Game, last: Option<&str>) -> UltimateView {
        let said = options::to_json(game.rules());
        let said = |field: &str| said[field].as_str().unwrap_or_default().to_owned();
        let last = last.and_then(|text| game.parse_move(text).ok());
        UltimateView {
            game: "ultimate".to_owned(),
            won_boards: said(WON_BOARDS),
            no_line: said(NO_LINE),
            boards: [0, 1, 2, 3, 4, 5, 6, 7, 8]
                .map(|board| game.board(board).to_list().map(Mark::from_text)),
            meta: game.meta().to_list().map(Owner::from_text),
            target: game.target(),
            playable: (0..9)
                .filter(|board| game.playable() >> board & 1 == 1)
                .collect(),
            turn: game.turn().into(),
            mover: match game.turn() {
                Turn::Move(seat) => SYMBOLS.get(seat.index()).map(|&symbol| symbol.to_owned()),
                Turn::Chance | Turn::Over(_) => None,
            },
            last: last.map(|m: Move| (m.board(), m.square())),
            lines: lines(game),
        }
    }

    /// Parses a view created by this module.
    ///
    /// # Errors
    /// If it is not one, or names a board that does not exist.
    pub fn from_json(json: &Value) -> Result<UltimateView, OptionsError> {
        let view = UltimateView::deserialize(json)
            .map_err(|error| OptionsError::one("", error.to_string()))?;
        let last = view.last.map(|(board, square)| [board, square]);
        let named = view
            .playable
            .iter()
            .chain(&view.target)
            .chain(view.lines.iter().flatten())
            .chain(last.iter().flatten());
        if named.copied().all(|number| number < 9) {
            Ok(view)
        } else {
            Err(OptionsError::one(
                "",
                "boards and squares are numbered from 0 to 8",
            ))
        }
    }
}

/// Returns the winning lines, as the numbers of their boards.
fn lines(game: &Game) -> Vec<[u8; 3]> {
    let won = |line: u16| Seat::all(2).any(|seat| game.won(seat) & line == line);
    let numbers = |line: u16| {
        let mut boards = (0..9).filter(|board| line >> board & 1 == 1);
        std::array::from_fn(|_| boards.next().expect("a line has three boards"))
    };
    LINES
        .into_iter()
        .filter(|&line| won(line))
        .map(numbers)
        .collect()
}

/// Reads a position: `boards` as nine lists of nine (`"X"`, `"O"`, and `""`, `"."` or null for
/// empty), `target` if the choice is not free, `won_boards` and `no_line` if they are not the usual
/// ones, and `meta` if won boards stay open and the marks do not show who was first. Any other
/// fields of a view are ignored.
pub(crate) fn read(json: &Value) -> Result<Game, OptionsError> {
    let mut setup = Setup::new(Default::default(), boards(json)?);
    // All other fields are ignored, so the reader gets only these.
    let options: serde_json::Map<String, Value> = [WON_BOARDS, NO_LINE]
        .iter()
        .filter_map(|field| Some(((*field).to_owned(), json.get(*field)?.clone())))
        .collect();
    let options = Value::Object(options);
    let mut reader = OptionsReader::new(&options, &[WON_BOARDS, NO_LINE]);
    setup.rules = options::rules(&mut reader);
    reader.finish()?;
    setup.target = match json.get("target") {
        None | Some(Value::Null) => None,
        Some(value) => Some(board_number(value)?),
    };
    let meta = json
        .get("meta")
        .filter(|meta| !meta.is_null())
        .map(owners)
        .transpose()?;
    setup.owners =
        meta.map(|meta| meta.map(|owner| owner.seat().and_then(|seat| Seat::new(seat).ok())));
    let game = setup
        .validate()
        .map_err(|error| OptionsError::one("boards", error.to_string()))?;
    if meta.is_some_and(|meta| meta != game.meta().to_list().map(Owner::from_text)) {
        return Err(OptionsError::one(
            "meta",
            format!(
                "by their marks the boards came to {}",
                game.meta().to_json()
            ),
        ));
    }
    Ok(game)
}

fn boards(json: &Value) -> Result<[Board; 9], OptionsError> {
    let bad = || {
        OptionsError::one(
            "boards",
            "boards are nine lists, each of nine texts \"X\", \"O\" or \"\"",
        )
    };
    let board = |value: &Value| {
        let squares: Option<Vec<&str>> = value.as_array()?.iter().map(square).collect();
        Board::from_list(&squares?).ok()
    };
    let boards: Option<Vec<Board>> = json
        .get("boards")
        .and_then(Value::as_array)
        .ok_or_else(bad)?
        .iter()
        .map(board)
        .collect();
    boards
        .and_then(|boards| boards.try_into().ok())
        .ok_or_else(bad)
}

/// Returns the content of a square; the list rejects text that is not a mark.
fn square(value: &Value) -> Option<&str> {
    match value {
        Value::Null => Some(""),
        Value::String(text) if text == "." => Some(""),
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn board_number(value: &Value) -> Result<u8, OptionsError> {
    let number = value
        .as_u64()
        .and_then(|n| u8::try_from(n).ok())
        .filter(|&n| n < 9);
    number.ok_or_else(|| {
        let shown = if value.is_number() {
            value.to_string()
        } else {
            kind_of(value).to_owned()
        };
        OptionsError::one(
            "target",
            format!("expected a board from 0 to 8 or null, got {shown}"),
        )
    })
}

fn owners(meta: &Value) -> Result<[Owner; 9], OptionsError> {
    let bad = |_| {
        OptionsError::one(
            "meta",
            "the results of the boards are nine texts \"X\", \"O\", \"T\" or \"\"",
        )
    };
    <[Owner; 9]>::deserialize(meta).map_err(bad)
}
