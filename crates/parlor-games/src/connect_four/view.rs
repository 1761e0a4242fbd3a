//! The view of a Connect Four board.

use parlor_connect_four::{Board, Setup, Slot};
use parlor_core::{Notation, Position, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::options;
use crate::{OptionsError, TurnView};

/// Connect Four board as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConnectFourView {
    /// Constant `connect-four`.
    pub game: String,
    /// Number of columns.
    pub columns: u8,
    /// Number of rows.
    pub rows: u8,
    /// Number of discs in a row needed to win.
    pub k: u8,
    /// Rows of the board from the top: a color, or `None` for an empty slot.
    pub board: Vec<Vec<Option<DiscColor>>>,
    /// Turn.
    pub turn: TurnView,
    /// Color on turn; `None` if the game is over.
    pub mover: Option<DiscColor>,
    /// Slot of the last disc, as `[row, column]` from 0 at the top left, like the board.
    pub last: Option<(u8, u8)>,
    /// Slots of the winning lines, as `[row, column]` from 0 at the top left.
    pub line: Vec<(u8, u8)>,
}

/// Color of a disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DiscColor {
    /// Discs of the first seat.
    Red,
    /// Discs of the second seat.
    Yellow,
}

impl DiscColor {
    fn from_seat(seat: Seat) -> DiscColor {
        if seat == Seat::FIRST {
            DiscColor::Red
        } else {
            DiscColor::Yellow
        }
    }

    fn seat(self) -> Seat {
        match self {
            DiscColor::Red => Seat::FIRST,
            DiscColor::Yellow => Seat::SECOND,
        }
    }

    /// Returns the color's name in lowercase.
    pub fn name(self) -> &'static str {
        match self {
            DiscColor::Red => "red",
            DiscColor::Yellow => "yellow",
        }
    }
}

impl ConnectFourView {
    /// Creates the view of a board. `last` is the text of the last move.
    pub fn new(board: &Board, last: Option<&str>) -> ConnectFourView {
        let rules = board.rules();
        let place = |slot: Slot| (rules.rows() - 1 - slot.row, slot.column);
        let discs: Vec<Option<DiscColor>> = board
            .slots()
            .map(|slot| board.at(slot).map(DiscColor::from_seat))
            .collect();
        let mut line: Vec<(u8, u8)> = board.winning_slots().into_iter().map(place).collect();
        line.sort_unstable();
        ConnectFourView {
            game: super::KIND.name().to_owned(),
            columns: rules.columns(),
            rows: rules.rows(),
            k: rules.k(),
            board: discs
                .chunks(usize::from(rules.columns()))
                .map(<[_]>::to_vec)
                .collect(),
            turn: board.turn().into(),
            mover: board.turn().seat().map(DiscColor::from_seat),
            last: last.and_then(|text| top_disc(board, text)).map(place),
            line,
        }
    }

    /// Parses a view created by [`ConnectFourView::new`].
    ///
    /// # Errors
    /// If it is not one, or its parts do not fit together.
    pub fn from_json(json: &Value) -> Result<ConnectFourView, OptionsError> {
        let view = ConnectFourView::deserialize(json)
            .map_err(|error| OptionsError::one("", error.to_string()))?;
        options::rules(&json!({ "columns": view.columns, "rows": view.rows, "k": view.k }))?;
        let fits = view.board.len() == usize::from(view.rows)
            && view
                .board
                .iter()
                .all(|row| row.len() == usize::from(view.columns));
        if fits {
            Ok(view)
        } else {
            let message = "the board has other rows and columns than the view says";
            Err(OptionsError::one("board", message))
        }
    }
}

/// Returns the slot of the top disc in the column of a move.
fn top_disc(board: &Board, text: &str) -> Option<Slot> {
    let m = board.parse_move(text).ok()?;
    let row = board.height(m.column).checked_sub(1)?;
    Some(Slot::new(m.column, row))
}

/// Reads a position: `board` as rows from the top, each a list of `"red"`, `"yellow"` and null, and
/// `k` if it is not four. The size is that of `board`.
pub(super) fn read_board(json: &Value) -> Result<Board, OptionsError> {
    let wrong = || {
        OptionsError::one(
            "board",
            "a board is a list of rows of equal length, each of \"red\", \"yellow\" and null",
        )
    };
    let board = json.get("board").ok_or_else(wrong)?;
    let rows: Vec<Vec<Option<DiscColor>>> = Deserialize::deserialize(board).map_err(|_| wrong())?;
    let columns = rows.first().map(Vec::len).unwrap_or_default();
    if rows.iter().any(|row| row.len() != columns) {
        return Err(wrong());
    }
    let mut given = json!({ "columns": columns, "rows": rows.len() });
    if let Some(k) = json.get("k") {
        given["k"] = k.clone();
    }
    let rules = options::rules(&given)?;
    let slots = rows
        .into_iter()
        .flatten()
        .map(|disc| disc.map(DiscColor::seat));
    Setup::new(rules, slots.collect())
        .validate()
        .map_err(|error| OptionsError::one("board", error.to_string()))
}
