//! Options of m,n,k: rows, columns, marks in a row to win, seats, symbols.

use parlor_tictactoe::mnk::{Board, MAX_SEATS, MAX_SIDE, MIN_SEATS, Rules};
use serde_json::{Value, json};

use crate::options::{OptionsReader, kind_of};
use crate::{OptionsError, Preset, Variant};

const FIELDS: [&str; 5] = ["rows", "columns", "k", "seats", "symbols"];
const CLASSIC_SIDE: u8 = 3;

pub(crate) fn schema() -> Value {
    let number = |title: &str, least: u8, most: u8| json!({ "title": title, "type": "integer", "minimum": least, "maximum": most });
    let with_default = |mut schema: Value, default: u8| {
        schema["default"] = default.into();
        schema
    };
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Options of tic-tac-toe",
        "type": "object",
        "additionalProperties": false,
        "x-order": FIELDS,
        "properties": {
            "rows": with_default(number("Rows", 1, MAX_SIDE), CLASSIC_SIDE),
            "columns": with_default(number("Columns", 1, MAX_SIDE), CLASSIC_SIDE),
            "k": {
                "title": "In a row to win", "type": "integer", "minimum": 1, "maximum": MAX_SIDE,
                "description": "At most the longer side; the shorter side by default",
            },
            "seats": with_default(number("Players", MIN_SEATS, MAX_SEATS), MIN_SEATS),
            "symbols": {
                "title": "Symbols", "type": "string", "minLength": MIN_SEATS, "maxLength": MAX_SEATS,
                "description": "One visible character for each player, all different; XOABCDEF by default",
            },
        },
    })
}

pub(crate) fn presets() -> Vec<Preset> {
    let preset = |title, rows: u8, columns: u8, k: u8, seats: u8| Preset {
        title,
        options: json!({ "rows": rows, "columns": columns, "k": k, "seats": seats }),
    };
    vec![
        preset("Classic 3 × 3", 3, 3, 3, 2),
        preset("Four on 5 × 5", 5, 5, 4, 2),
        preset("Gomoku 15 × 15", 15, 15, 5, 2),
        preset("Three players on 6 × 6", 6, 6, 4, 3),
    ]
}

/// Returns the variant of complete options: each size of the board and length of the line is one.
pub(crate) fn variant(options: &Value) -> Variant {
    let [rows, columns, k] =
        ["rows", "columns", "k"].map(|field| options[field].as_u64().unwrap_or(0));
    let is_same = |preset: &Preset| {
        ["rows", "columns", "k", "seats"]
            .iter()
            .all(|field| preset.options[*field] == options[*field])
    };
    let title = presets().into_iter().find(is_same).map_or_else(
        || format!("{k} in a row on {columns} × {rows}"),
        |preset| preset.title.to_owned(),
    );
    let usual = u64::from(CLASSIC_SIDE);
    let key = if [rows, columns, k] == [usual; 3] {
        String::new()
    } else {
        format!("{rows}x{columns}x{k}")
    };
    Variant { key, title }
}

/// Returns the complete options of a board.
pub(crate) fn to_json(board: &Board) -> Value {
    let rules = board.rules();
    json!({
        "rows": rules.rows(), "columns": rules.columns(), "k": rules.k(), "seats": rules.seats(),
        "symbols": rules.symbols().iter().collect::<String>(),
    })
}

/// Returns the empty board under these options.
pub(crate) fn start(options: &Value) -> Result<Board, OptionsError> {
    rules(options).map(Board::new)
}

/// Returns the rules that the options describe.
pub(crate) fn rules(options: &Value) -> Result<Rules, OptionsError> {
    let mut reader = OptionsReader::new(options, &FIELDS);
    let rows = reader.number("rows", 1, MAX_SIDE).unwrap_or(CLASSIC_SIDE);
    let columns = reader
        .number("columns", 1, MAX_SIDE)
        .unwrap_or(CLASSIC_SIDE);
    let k = reader
        .number("k", 1, rows.max(columns))
        .unwrap_or(Rules::default_k(rows, columns));
    let seats = reader.number("seats", MIN_SEATS, MAX_SEATS);
    let symbols = symbols(&mut reader, seats);
    reader.finish()?;
    Rules::new(rows, columns, k, &symbols)
        .map_err(|error| OptionsError::one("symbols", error.to_string()))
}

/// Reads the symbols from one string, or from a list of one-character strings.
fn symbols(reader: &mut OptionsReader<'_>, seats: Option<u8>) -> Vec<char> {
    let symbols: Vec<char> = match reader.get("symbols") {
        None => {
            let default = Rules::default_symbols(usize::from(seats.unwrap_or(MIN_SEATS)));
            return default.map(<[char]>::to_vec).unwrap_or_default();
        }
        Some(Value::String(text)) => text.chars().take(usize::from(MAX_SEATS) + 1).collect(),
        Some(Value::Array(items)) => {
            let single = |item: &Value| item.as_str().and_then(|text| text.parse().ok());
            let read: Option<Vec<char>> = items
                .iter()
                .take(usize::from(MAX_SEATS) + 1)
                .map(single)
                .collect();
            if read.is_none() {
                reader.problem(
                    "symbols",
                    "every symbol is a string of exactly one character",
                );
            }
            read.unwrap_or_default()
        }
        Some(other) => {
            reader.problem(
                "symbols",
                format!(
                    "symbols are a string such as \"XO\", not {}",
                    kind_of(other)
                ),
            );
            Vec::new()
        }
    };
    if let Some(seats) =
        seats.filter(|seats| usize::from(*seats) != symbols.len() && !symbols.is_empty())
    {
        reader.problem(
            "symbols",
            format!("{} symbols do not fit {seats} seats", symbols.len()),
        );
    }
    symbols
}
