//! Options of backgammon: match length, cube, and numbering of the board.

use parlor_backgammon::{Game, Rules, StartLayout};
use serde_json::{Value, json};

use crate::OptionsReader;
use crate::{GameClock, OptionsError, Preset, Variant};

const LENGTH: &str = "length";
const CUBE: &str = "cube";
const CRAWFORD: &str = "crawford";
const JACOBY: &str = "jacoby";
const BEAVERS: &str = "beavers";
pub(crate) const START: &str = "start";
const FIELDS: [&str; 6] = [LENGTH, CUBE, CRAWFORD, JACOBY, BEAVERS, START];
/// Values of on/off options.
const ON_OFF: [&str; 2] = ["off", "on"];

pub(crate) fn schema() -> Value {
    let switch = |title: &str, usual: usize, description: &str| {
        json!({
            "title": title, "type": "string", "enum": ON_OFF, "x-titles": ["No", "Yes"], "default": ON_OFF[usual],
            "description": description,
        })
    };
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Options of backgammon",
        "type": "object",
        "additionalProperties": false,
        "x-order": FIELDS,
        "properties": {
            LENGTH: {
                "title": "Match to", "type": "integer", "minimum": 0, "maximum": Rules::MAX_LENGTH, "default": 0,
                "description": "Points that win the match; 0 for a single game",
            },
            CUBE: switch("Doubling cube", 0, "Whether the stake may be doubled"),
            CRAWFORD: switch("Crawford rule", 1, "In a match: no cube in the game after somebody comes within a point of winning"),
            JACOBY: switch("Jacoby rule", 0, "In a single game with the cube: gammons count only after a double"),
            BEAVERS: switch("Beavers", 0, "In a single game with the cube: a double may be answered by another"),
            START: {
                "title": "Start", "type": "string", "enum": StartLayout::ALL.map(StartLayout::name), "default": StartLayout::Standard.name(),
                "x-titles": ["Standard", "As printed, white down", "As printed, white up"],
                "description": "Standard: the usual start, white goes down to its home at points 1 to 6. The others read the \
                    printed row of the state.json format literally",
            },
        },
    })
}

pub(crate) fn presets() -> Vec<Preset> {
    let preset = |title, rules| Preset {
        title,
        options: to_json(rules),
    };
    let to = |length| Rules {
        length,
        cube: true,
        ..Rules::GAME
    };
    vec![
        preset("One game", Rules::GAME),
        preset("One game with the cube", Rules::MONEY),
        preset("Match to 3", to(3)),
        preset("Match to 5", to(5)),
        preset("Match to 7", to(7)),
    ]
}

/// Returns the clocks of a game or a match, the usual one first: two minutes for each point, for the
/// whole match, and a delay of eight seconds, or of twelve as in tournaments.
pub(crate) fn clocks(options: &Value) -> Vec<GameClock> {
    let points = options[LENGTH].as_u64().unwrap_or(0);
    let initial_ms = 120_000 * points.clamp(1, u64::from(Rules::MAX_LENGTH));
    [8_000, 12_000]
        .map(|delay_ms| GameClock::Delay {
            initial_ms,
            delay_ms,
        })
        .to_vec()
}

/// Returns the variant of complete options: single games and matches, from each start.
pub(crate) fn variant(options: &Value) -> Variant {
    let is_match = options[LENGTH].as_u64().is_some_and(|points| points > 0);
    let start = options[START].as_str();
    let start = start.filter(|start| *start != StartLayout::Standard.name());
    let (key, title) = if is_match {
        ("match", "Matches")
    } else {
        ("", "Single games")
    };
    match start {
        None => Variant {
            key: key.to_owned(),
            title: title.to_owned(),
        },
        Some(start) => Variant {
            key: format!("{key}{}{start}", if is_match { "-" } else { "" }),
            title: format!("{title} from another start"),
        },
    }
}

/// Returns the complete options for these rules.
pub(crate) fn to_json(rules: Rules) -> Value {
    let on_off = |on: bool| ON_OFF[usize::from(on)];
    json!({
        LENGTH: rules.length,
        CUBE: on_off(rules.cube),
        CRAWFORD: on_off(rules.crawford),
        JACOBY: on_off(rules.jacoby),
        BEAVERS: on_off(rules.beavers),
        START: rules.start.name(),
    })
}

/// Returns the game before its first roll.
pub(crate) fn start(options: &Value) -> Result<Game, OptionsError> {
    let mut reader = OptionsReader::new(options, &FIELDS);
    let switch = |reader: &mut OptionsReader<'_>, field: &str, usual: bool| {
        reader
            .choice(field, &ON_OFF)
            .map_or(usual, |chosen| chosen == 1)
    };
    let rules = Rules {
        length: reader.number(LENGTH, 0, Rules::MAX_LENGTH).unwrap_or(0),
        cube: switch(&mut reader, CUBE, false),
        crawford: switch(&mut reader, CRAWFORD, true),
        jacoby: switch(&mut reader, JACOBY, false),
        beavers: switch(&mut reader, BEAVERS, false),
        start: start_of(&mut reader),
    };
    reader.finish()?;
    Ok(Game::new(rules))
}

/// Returns the chosen start layout, or the usual one if none is given.
pub(crate) fn start_of(reader: &mut OptionsReader<'_>) -> StartLayout {
    let names = StartLayout::ALL.map(StartLayout::name);
    reader
        .choice(START, &names)
        .map_or(StartLayout::Standard, |chosen| StartLayout::ALL[chosen])
}
