//! View of an m,n,k board.

use parlor_core::{Position, Turn};
use parlor_tictactoe::mnk::{Board, Setup};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::options;
use crate::{OptionsError, TurnView};

/// An m,n,k board as JSON, with everything that its picture shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MnkView {
    /// Constant `mnk`.
    pub game: String,
    /// Number of rows.
    pub rows: u8,
    /// Number of columns.
    pub columns: u8,
    /// Number of marks in a row needed to win.
    pub k: u8,
    /// Symbols of the seats, in seat order.
    pub symbols: Vec<String>,
    /// Rows of the board: a symbol, or `None` for an empty cell.
    pub board: Vec<Vec<Option<String>>>,
    /// Turn.
    pub turn: TurnView,
    /// Symbol on turn; `None` if the game is over.
    pub mover: Option<String>,
    /// Cell of the last move, as `[row, column]` from 0.
    pub last: Option<(u8, u8)>,
    /// Cells of the winning lines, as `[row, column]` from 0.
    pub line: Vec<(u8, u8)>,
}

impl MnkView {
    /// Returns the view of a board. `last` is the text of the last move.
    pub fn new(board: &Board, last: Option<&str>) -> MnkView {
        let rules = board.rules();
        let symbol = |c: &char| c.to_string();
        let cells: Vec<Option<String>> = board
            .cells()
            .map(|cell| board.symbol_at(cell).as_ref().map(symbol))
            .collect();
        let last = last.and_then(|text| parlor_core::Notation::parse_move(board, text).ok());
        MnkView {
            game: "mnk".to_owned(),
            rows: rules.rows(),
            columns: rules.columns(),
            k: rules.k(),
            symbols: rules.symbols().iter().map(symbol).collect(),
            board: cells
                .chunks(usize::from(rules.columns()))
                .map(<[_]>::to_vec)
                .collect(),
            turn: board.turn().into(),
            mover: match board.turn() {
                Turn::Move(seat) => rules.symbols().get(seat.index()).map(symbol),
                Turn::Chance | Turn::Over(_) => None,
            },
            last: last.map(|cell| (cell.row, cell.column)),
            line: board
                .winning_cells()
                .iter()
                .map(|cell| (cell.row, cell.column))
                .collect(),
        }
    }

    /// Parses a view created by this module.
    ///
    /// # Errors
    /// If it is not one, or its parts contradict each other.
    pub fn from_json(json: &Value) -> Result<MnkView, OptionsError> {
        let view =
            MnkView::deserialize(json).map_err(|error| OptionsError::one("", error.to_string()))?;
        let fits = view.board.len() == usize::from(view.rows)
            && view
                .board
                .iter()
                .all(|row| row.len() == usize::from(view.columns));
        if fits {
            Ok(view)
        } else {
            Err(OptionsError::one(
                "board",
                "the board has other rows and columns than the view says",
            ))
        }
    }
}

/// Reads a position: `board` as rows of symbols, with null, "" or "." for empty cells, and `k` and
/// `symbols` (or `seats`) if they differ from the usual ones. The size is that of `board`; any
/// other fields of a view are ignored.
pub(crate) fn read(json: &Value) -> Result<Board, OptionsError> {
    let bad = || {
        OptionsError::one(
            "board",
            "a board is a list of rows of equal length, each a list of symbols and nulls",
        )
    };
    let rows = json
        .get("board")
        .and_then(Value::as_array)
        .ok_or_else(bad)?;
    let cells: Vec<Vec<Option<char>>> = rows
        .iter()
        .map(row)
        .collect::<Option<_>>()
        .ok_or_else(bad)?;
    let columns = cells.first().map(Vec::len).unwrap_or_default();
    if cells.iter().any(|row| row.len() != columns) {
        return Err(bad());
    }
    let mut given = json!({ "rows": cells.len(), "columns": columns });
    for field in ["k", "seats", "symbols"] {
        if let Some(value) = json.get(field) {
            given[field] = value.clone();
        }
    }
    let rules = options::rules(&given)?;
    let setup = Setup::from_cells(rules, cells.into_iter().flatten().collect());
    setup
        .validate()
        .map_err(|error| OptionsError::one("board", error.to_string()))
}

fn row(row: &Value) -> Option<Vec<Option<char>>> {
    let cell = |cell: &Value| match cell {
        Value::Null => Some(None),
        Value::String(text) if text.is_empty() || text == "." => Some(None),
        Value::String(text) => text.parse().ok().map(Some),
        _ => None,
    };
    row.as_array()?.iter().map(cell).collect()
}
