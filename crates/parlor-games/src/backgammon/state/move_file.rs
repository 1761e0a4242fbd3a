//! Move files as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use parlor_backgammon::Start;
use parlor_backgammon::state::{Fault, MoveFile, MoveName, MoveSketch, Moved};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::reader::Reader;
use super::write::pips;
use super::{checked, color, dice, stamp};
use crate::files::{Checked, FileKind, Finding};

/// The fields of a move file, in the order in which they are written.
pub const MOVE_FIELDS: [&str; 7] = [
    "player",
    "moves",
    "timestamp",
    "expectedState",
    "diceRoll",
    "comment",
    "commitSha",
];

/// The longest comment, in characters.
const COMMENT: usize = 280;
/// How much of a state's hash a move file says, in hexadecimal digits.
const EXPECTED: usize = 16;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written<'a> {
    player: &'static str,
    moves: Vec<WrittenStep>,
    timestamp: &'a str,
    expected_state: &'a str,
    dice_roll: Vec<u8>,
    comment: Option<&'a str>,
    commit_sha: (),
}

/// In the order of the schema, and not of the alphabet.
#[derive(Serialize)]
struct WrittenStep {
    from: i8,
    to: i8,
    die: u8,
}

fn written(file: &MoveFile) -> Written<'_> {
    let step = |moved: &Moved| WrittenStep {
        from: moved.from,
        to: moved.to,
        die: moved.die.pips(),
    };
    Written {
        player: crate::backgammon::color(file.player),
        moves: file.moves.iter().map(step).collect(),
        timestamp: &file.timestamp.text,
        expected_state: &file.expected_state,
        dice_roll: pips(&file.dice_roll),
        comment: file.comment.as_deref(),
        commit_sha: (),
    }
}

/// The text of a move file: two blanks for each step inwards, a line break at the end.
pub fn write_move(file: &MoveFile) -> String {
    serde_json::to_string_pretty(&written(file)).expect("a move is plain data") + "\n"
}

/// The digits in a move file's name: the first six of the SHA-256 of its content, written as JSON without blanks, the names in
/// alphabetical order, characters beyond ASCII as they are.
pub fn hash(file: &MoveFile) -> String {
    content_hash(&serde_json::to_value(written(file)).expect("a move is plain data"))
}

/// The same for any JSON.
///
/// ```
/// use parlor_games::backgammon::state::content_hash;
/// let (one, other) = (serde_json::json!({ "b": 1, "a": [2] }), serde_json::json!({ "a": [2], "b": 1 }));
/// assert_eq!(content_hash(&one), content_hash(&other));
/// ```
pub fn content_hash(value: &Value) -> String {
    let mut text = String::new();
    canonical(value, &mut text);
    let mut digits = hexadecimal(text.as_bytes());
    digits.truncate(MoveName::HASH);
    digits
}

/// What a move file says of the state it is for: the first 16 hexadecimal digits of the SHA-256 of all bytes of `state.json`.
///
/// ```
/// use parlor_games::backgammon::state::digest;
/// assert_eq!(digest(b"{}\n"), "ca3d163bab055381");
/// ```
pub fn digest(bytes: &[u8]) -> String {
    let mut digits = hexadecimal(bytes);
    digits.truncate(EXPECTED);
    digits
}

fn hexadecimal(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a text takes everything");
            text
        })
}

/// JSON without blanks, names in alphabetical order. `serde_json` would keep the order of insertion where another crate asks for it.
fn canonical(value: &Value, text: &mut String) {
    match value {
        Value::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                text.push(if n == 0 { '[' } else { ',' });
                canonical(item, text);
            }
            text.push_str(if items.is_empty() { "[]" } else { "]" });
        }
        Value::Object(fields) => {
            let sorted: BTreeMap<&String, &Value> = fields.iter().collect();
            for (n, (name, value)) in sorted.into_iter().enumerate() {
                text.push(if n == 0 { '{' } else { ',' });
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                canonical(value, text);
            }
            text.push_str(if fields.is_empty() { "{}" } else { "}" });
        }
        plain => text.push_str(&plain.to_string()),
    }
}

/// Whether a file's name says that it is a move: four digits and a color.
pub fn is_move_name(name: &str) -> bool {
    let (digits, rest) = name.split_at_checked(4).unwrap_or_default();
    digits.bytes().all(|byte| byte.is_ascii_digit())
        && (rest.starts_with("-white") || rest.starts_with("-black"))
}

/// Looks at a move file with its name: everything that is wrong with it at once, as far as can be told without its state.
pub fn check_move(name: &str, json: &Value, start: Start) -> Checked {
    let mut reader = Reader::default();
    let sketch = sketch(&mut reader, json);
    let mut verdict = sketch.check(start);
    let named =
        MoveName::parse(name).filter(|name| name.sequence > 0 && name.hash.len() == MoveName::HASH);
    if named.is_none() && is_move_name(name) {
        verdict.faults.push(Fault::Name);
    }
    if let (Some(named), Some(player)) = (&named, sketch.player) {
        verdict
            .faults
            .extend((named.player != player).then_some(Fault::NamePlayer { player }));
    }
    let file = if reader.is_sound() {
        sketch.whole()
    } else {
        None
    };
    let right = file.map(|file| MoveName {
        sequence: 1,
        player: file.player,
        hash: hash(&file),
    });
    if let (Some(named), Some(MoveName { hash, .. })) = (&named, &right) {
        let differs = Fault::NameHash {
            is: hash.clone(),
            named: named.hash.clone(),
        };
        verdict
            .faults
            .extend((named.hash != *hash).then_some(differs));
    }
    let mut checked = checked(FileKind::BackgammonMove, reader, verdict);
    if let (false, Some(right)) = (is_move_name(name), right) {
        let message = format!(
            "the file is not named as a move, such as {right}, so its name was not checked"
        );
        checked.notes.push(Finding::new("name", message));
    }
    checked
}

/// Reads a move file that holds.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_move(json: &Value, start: Start) -> Result<MoveFile, Vec<Finding>> {
    let mut reader = Reader::default();
    let sketch = sketch(&mut reader, json);
    let checked = checked(FileKind::BackgammonMove, reader, sketch.check(start));
    if checked.is_valid() {
        Ok(sketch
            .whole()
            .expect("a file that keeps the schema has all fields"))
    } else {
        Err(checked.problems)
    }
}

/// What can be understood of a move file.
fn sketch(reader: &mut Reader, json: &Value) -> MoveSketch {
    let Some(fields) = reader.object("", json, &MOVE_FIELDS) else {
        return MoveSketch::default();
    };
    let sketch = MoveSketch {
        player: color(reader, &fields, "player"),
        moves: fields.get("moves").and_then(|(at, list)| {
            let mut moves = Vec::new();
            reader.list(&at, list, 1, 4, |reader, at, item| {
                moves.push(moved(reader, at, item))
            })?;
            Some(moves)
        }),
        timestamp: fields
            .get("timestamp")
            .and_then(|(at, time)| Some(stamp(reader.text(&at, time)?))),
        expected_state: fields
            .get("expectedState")
            .and_then(|(at, digits)| Some(reader.hexadecimal(&at, digits, EXPECTED)?.to_owned())),
        dice_roll: dice(reader, &fields, "diceRoll", 2),
        comment: fields
            .get("comment")
            .and_then(|(at, comment)| reader.text_or_null(&at, comment, COMMENT)),
    };
    if let Some((at, commit)) = fields.get("commitSha") {
        reader.null(&at, commit);
    }
    sketch
}

fn moved(reader: &mut Reader, at: &str, value: &Value) -> Option<Moved> {
    let fields = reader.object(at, value, &["from", "to", "die"])?;
    let mut number = |name, least, most| {
        let (at, value) = fields.get(name)?;
        reader.whole::<i8>(&at, value, least, most)
    };
    let (from, to, die) = (
        number("from", -1, 23),
        number("to", 0, 24),
        number("die", 1, 6),
    );
    let die = parlor_backgammon::Die::new(die?.unsigned_abs())?;
    Some(Moved {
        from: from?,
        to: to?,
        die,
    })
}
