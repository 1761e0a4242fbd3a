//! Options of ultimate tic-tac-toe: treatment of won boards, and the result of a game without a
//! line.

use parlor_tictactoe::ultimate::{Game, Rules};
use serde_json::{Value, json};

use crate::OptionsReader;
use crate::{OptionsError, Preset, Variant};

const FIELDS: [&str; 2] = [WON_BOARDS, NO_LINE];
pub(crate) const WON_BOARDS: &str = "won_boards";
pub(crate) const NO_LINE: &str = "no_line";
/// Values of the options; the first of each list is the usual one.
const WON_BOARDS_ARE: [&str; 2] = ["closed", "open"];
const NO_LINE_IS: [&str; 2] = ["draw", "count"];

pub(crate) fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Options of ultimate tic-tac-toe",
        "type": "object",
        "additionalProperties": false,
        "x-order": FIELDS,
        "properties": {
            WON_BOARDS: {
                "title": "Won boards", "type": "string", "enum": WON_BOARDS_ARE, "default": WON_BOARDS_ARE[0],
                "x-titles": ["Closed", "Open until full"],
                "description": "Closed: nobody plays there any more. Open: played on until they are full",
            },
            NO_LINE: {
                "title": "Without a line", "type": "string", "enum": NO_LINE_IS, "default": NO_LINE_IS[0],
                "x-titles": ["A draw", "Most boards wins"],
                "description": "When nobody gets three boards in a row. Draw: nobody wins. Count: whoever won more boards wins",
            },
        },
    })
}

pub(crate) fn presets() -> Vec<Preset> {
    let preset = |title, open, count| Preset {
        title,
        options: to_json(Rules { open, count }),
    };
    vec![
        preset("Standard", false, false),
        preset("Open boards", true, false),
        preset("Most boards wins", false, true),
        preset("Open boards, most wins", true, true),
    ]
}

/// Returns the variant of complete options: each set of rules is one.
pub(crate) fn variant(options: &Value) -> Variant {
    let is_same = |preset: &Preset| preset.options == *options;
    let title = presets().into_iter().find(is_same);
    let open = options[WON_BOARDS] == WON_BOARDS_ARE[1];
    let count = options[NO_LINE] == NO_LINE_IS[1];
    let key = match (open, count) {
        (false, false) => "",
        (true, false) => "open",
        (false, true) => "count",
        (true, true) => "open-count",
    };
    Variant {
        key: key.to_owned(),
        title: title.map_or_else(String::new, |preset| preset.title.to_owned()),
    }
}

/// Returns the complete options for these rules.
pub(crate) fn to_json(rules: Rules) -> Value {
    json!({
        WON_BOARDS: WON_BOARDS_ARE[usize::from(rules.open)],
        NO_LINE: NO_LINE_IS[usize::from(rules.count)],
    })
}

/// Returns the empty board under these options.
pub(crate) fn start(options: &Value) -> Result<Game, OptionsError> {
    let mut reader = OptionsReader::new(options, &FIELDS);
    let rules = rules(&mut reader);
    reader.finish()?;
    Ok(Game::new(rules))
}

/// Returns the rules that the options describe, with the usual ones for missing or invalid options.
pub(crate) fn rules(reader: &mut OptionsReader<'_>) -> Rules {
    let open = reader.choice(WON_BOARDS, &WON_BOARDS_ARE) == Some(1);
    let count = reader.choice(NO_LINE, &NO_LINE_IS) == Some(1);
    Rules { open, count }
}
