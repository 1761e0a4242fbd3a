//! JSON Schemas of the files.

use serde_json::{Value, json};

use super::seat_words;
use crate::{AnyPosition, GameKind};

/// JSON Schema stored in a repository next to its tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSchema {
    /// Name of the file, such as `state-ultimate.json`.
    pub name: String,
    /// Content of the file.
    pub text: String,
}

/// Returns the JSON Schemas of a game's `state.json` and of its move files.
///
/// ```
/// use parlor_games::GameKind;
/// use parlor_games::repository::schemas;
/// let names: Vec<String> = schemas(GameKind::from_name("ultimate")?).into_iter().map(|schema| schema.name).collect();
/// assert_eq!(names, ["state-ultimate.json", "move-ultimate.json"]);
/// # Ok::<(), parlor_games::UnknownGame>(())
/// ```
pub fn schemas(kind: GameKind) -> Vec<FileSchema> {
    let name = kind.name();
    let plain =
        |value: Value| serde_json::to_string_pretty(&value).expect("a schema is plain data") + "\n";
    let start = kind.start(&Value::Null).ok();
    let (mut files, moves) = (Vec::new(), plain(move_schema(kind, start.as_ref())));
    let mut put = |name: String, text: String| files.push(FileSchema { name, text });
    match kind.repository() {
        Some(own) => own
            .schemas()
            .into_iter()
            .for_each(|schema| put(schema.name, schema.text)),
        None => put(
            format!("state-{name}.json"),
            plain(state_schema(kind, start.as_ref())),
        ),
    }
    put(format!("move-{name}.json"), moves);
    files
}

/// Returns the schema of a seat: the names of the seats if they are fixed, else any word.
fn seat(kind: GameKind, start: Option<&AnyPosition>) -> Value {
    match start {
        Some(start) if kind.has_fixed_seats() => {
            json!({ "enum": seat_words(start) })
        }
        _ => json!({ "type": "string", "pattern": "^[a-z0-9]{1,20}$" }),
    }
}

fn move_schema(kind: GameKind, start: Option<&AnyPosition>) -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("urn:parlor:schema:move-{}", kind.name()),
        "title": format!("Move of {}", kind.title()),
        "description": "A player's move in the notation of the game, as the file tables/{id}/moves/{number, four digits}-{player}-{six hexadecimal digits}.json. The six digits begin the SHA-256 of the content written as JSON without blanks, names sorted",
        "type": "object",
        "required": ["player", "move", "timestamp", "expectedState", "comment"],
        "additionalProperties": false,
        "properties": {
            "player": seat(kind, start),
            "move": { "type": "string", "minLength": 1, "description": "The move, or resign" },
            "timestamp": { "type": "string", "format": "date-time", "description": "When the player made the file" },
            "expectedState": { "type": "string", "pattern": "^[0-9a-f]{16}$", "description": "The first digits of the SHA-256 of the state.json that the player saw, byte by byte" },
            "comment": { "type": ["string", "null"], "maxLength": 280, "description": "A word to the others" },
            "commitSha": { "type": "null", "description": "Always null: a commit cannot name itself" }
        }
    })
}

fn state_schema(kind: GameKind, start: Option<&AnyPosition>) -> Value {
    let seat = seat(kind, start);
    let view = start.map(|start| start.view(None)).unwrap_or_default();
    let fields: Vec<&String> = view
        .as_object()
        .map(|view| view.keys().collect())
        .unwrap_or_default();
    let message = json!({
        "type": "object",
        "required": ["type", "text", "timestamp"],
        "additionalProperties": false,
        "properties": {
            "type": { "enum": ["error", "info", "warning"] },
            "text": { "type": "string", "minLength": 1 },
            "timestamp": { "type": "string", "format": "date-time" }
        }
    });
    let last = json!({
        "type": "object",
        "required": ["sequence", "player", "file"],
        "additionalProperties": false,
        "properties": {
            "sequence": { "type": "integer", "minimum": 1 },
            "player": seat,
            "file": { "type": "string", "pattern": "^[0-9]{4}-[a-z0-9]{1,20}-[a-f0-9]{6}\\.json$" }
        }
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("urn:parlor:schema:state-{}", kind.name()),
        "title": format!("State of {}", kind.title()),
        "description": "The state of a table in a repository: the envelope of all games around this game's own view",
        "type": "object",
        "required": ["game", "turn", "activePlayer", "players", "status", "winner", "outcome", "position", "view", "lastMove", "messages", "updatedAt"],
        "additionalProperties": false,
        "properties": {
            "game": { "const": kind.name() },
            "turn": { "type": "integer", "minimum": 1, "description": "The number of the turn" },
            "activePlayer": { "anyOf": [{ "type": "null" }, seat.clone()], "description": "Who is to move; nobody at the end" },
            "players": { "type": "object", "minProperties": 1, "additionalProperties": { "type": "string", "minLength": 1 } },
            "status": { "enum": ["playing", "completed"] },
            "winner": { "anyOf": [{ "type": "null" }, { "const": "team" }, seat], "description": "Who has won, all together as team; nobody while playing, after a draw and after a loss of the team" },
            "outcome": { "anyOf": [{ "type": "null" }, { "type": "object", "required": ["kind"], "properties": { "kind": { "enum": ["won", "draw", "team_won", "team_lost"] } } }] },
            "position": { "type": "string", "minLength": 1, "description": "The position in the game's own notation" },
            "view": { "type": "object", "required": fields, "description": "What the table shows" },
            "lastMove": { "anyOf": [{ "type": "null" }, last] },
            "messages": { "type": "array", "maxItems": 20, "items": message },
            "updatedAt": { "type": "string", "format": "date-time" }
        }
    })
}
