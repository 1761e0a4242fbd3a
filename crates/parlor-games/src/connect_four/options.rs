//! Options of Connect Four: columns, rows, and discs in a row to win.

use parlor_connect_four::{MAX_SIDE, MIN_LINE, MIN_SIDE, Rules};
use serde_json::{Value, json};

use crate::{OptionsError, OptionsReader, Preset, Variant};

const FIELDS: [&str; 3] = ["columns", "rows", "k"];
const STANDARD: Rules = Rules::STANDARD;

pub(super) fn schema() -> Value {
    let number = |title: &str, least: u8, most: u8, default: u8| {
        json!({
            "title": title, "type": "integer",
            "minimum": least, "maximum": most, "default": default,
        })
    };
    let mut k = number("In a row to win", MIN_LINE, MAX_SIDE, STANDARD.k());
    k["description"] = "At most the longer side".into();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Options of Connect Four",
        "type": "object",
        "additionalProperties": false,
        "x-order": FIELDS,
        "properties": {
            "columns": number("Columns", MIN_SIDE, MAX_SIDE, STANDARD.columns()),
            "rows": number("Rows", MIN_SIDE, MAX_SIDE, STANDARD.rows()),
            "k": k,
        },
    })
}

pub(super) fn presets() -> Vec<Preset> {
    let preset = |title, columns: u8, rows: u8, k: u8| Preset {
        title,
        options: json!({ "columns": columns, "rows": rows, "k": k }),
    };
    vec![
        preset("Classic 7 × 6", 7, 6, 4),
        preset("Small 5 × 4", 5, 4, 4),
        preset("Large 9 × 7", 9, 7, 4),
        preset("Five in a row on 9 × 8", 9, 8, 5),
        preset("Giant 12 × 12, five in a row", 12, 12, 5),
    ]
}

/// Returns the variant of complete options: each size of the board and length of the line is one.
pub(super) fn variant(options: &Value) -> Variant {
    let [columns, rows, k] = FIELDS.map(|field| options[field].as_u64().unwrap_or(0));
    let is_same = |preset: &Preset| preset.options == *options;
    let title = presets().into_iter().find(is_same).map_or_else(
        || format!("{k} in a row on {columns} × {rows}"),
        |preset| preset.title.to_owned(),
    );
    let key = if *options == to_json(STANDARD) {
        String::new()
    } else {
        format!("{columns}x{rows}x{k}")
    };
    Variant { key, title }
}

/// Returns the complete options of a board.
pub(super) fn to_json(rules: Rules) -> Value {
    json!({ "columns": rules.columns(), "rows": rules.rows(), "k": rules.k() })
}

/// Reads options.
pub(super) fn rules(options: &Value) -> Result<Rules, OptionsError> {
    let mut reader = OptionsReader::new(options, &FIELDS);
    let columns = reader.number("columns", MIN_SIDE, MAX_SIDE);
    let columns = columns.unwrap_or(STANDARD.columns());
    let rows = reader.number("rows", MIN_SIDE, MAX_SIDE);
    let rows = rows.unwrap_or(STANDARD.rows());
    let k = reader.number("k", MIN_LINE, columns.max(rows));
    reader.finish()?;
    Rules::new(columns, rows, k.unwrap_or(STANDARD.k()))
        .map_err(|error| OptionsError::one("", error.to_string()))
}
