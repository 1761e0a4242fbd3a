//! Move files as JSON.

use parlor_backgammon::{StartLayout, color_name};
use parlor_formats::state_json::{FileStep, MoveDocument, MoveFileName, PartialMove, StateFault};
use serde::Serialize;
use serde_json::Value;

use super::reader::Reader;
use super::write::pips;
use super::{MOVE_FILE, checked, color, dice, stamp};
use crate::files::{Checked, Finding, content_hash};

/// Fields of a move file, in the order in which they are written.
pub const MOVE_FIELDS: [&str; 7] = [
    "player",
    "moves",
    "timestamp",
    "expectedState",
    "diceRoll",
    "comment",
    "commitSha",
];

/// Length limit of a comment, in characters.
const COMMENT: usize = 280;
/// Number of hexadecimal digits of the state hash in a move file.
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

/// Step with its fields in the order of the schema, not the alphabet.
#[derive(Serialize)]
struct WrittenStep {
    from: i8,
    to: i8,
    die: u8,
}

fn written(file: &MoveDocument) -> Written<'_> {
    let step = |moved: &FileStep| WrittenStep {
        from: moved.from,
        to: moved.to,
        die: moved.die.pips(),
    };
    Written {
        player: color_name(file.player),
        moves: file.moves.iter().map(step).collect(),
        timestamp: &file.timestamp.text,
        expected_state: &file.expected_state,
        dice_roll: pips(&file.dice_roll),
        comment: file.comment.as_deref(),
        commit_sha: (),
    }
}

/// Returns the text of a move file, indented by two spaces, with a newline at the end.
pub fn write_move(file: &MoveDocument) -> String {
    serde_json::to_string_pretty(&written(file)).expect("a move is plain data") + "\n"
}

/// Returns the digits in a move file's name: the first six of the SHA-256 of its content, written
/// as JSON without whitespace, names in alphabetical order, non-ASCII characters unescaped.
pub fn hash(file: &MoveDocument) -> String {
    content_hash(&serde_json::to_value(written(file)).expect("a move is plain data"))
}

/// Returns true if this is the name of a move file: it starts with four digits and a color.
pub fn is_move_name(name: &str) -> bool {
    let (digits, rest) = name.split_at_checked(4).unwrap_or_default();
    digits.bytes().all(|byte| byte.is_ascii_digit())
        && (rest.starts_with("-white") || rest.starts_with("-black"))
}

/// Checks a move file and its name and returns everything that can be found wrong without its
/// state.
pub fn check_move(name: &str, json: &Value, start: StartLayout) -> Checked {
    let mut reader = Reader::default();
    let sketch = sketch(&mut reader, json);
    let mut verdict = sketch.check(start);
    let named = MoveFileName::parse(name)
        .filter(|name| name.sequence > 0 && name.hash.len() == MoveFileName::HASH);
    if named.is_none() && is_move_name(name) {
        verdict.faults.push(StateFault::Name);
    }
    if let (Some(named), Some(player)) = (&named, sketch.player) {
        verdict
            .faults
            .extend((named.player != player).then_some(StateFault::NamePlayer { player }));
    }
    let file = if reader.is_sound() {
        sketch.into_document()
    } else {
        None
    };
    let right = file.map(|file| MoveFileName {
        sequence: 1,
        player: file.player,
        hash: hash(&file),
    });
    if let (Some(named), Some(MoveFileName { hash, .. })) = (&named, &right) {
        let differs = StateFault::NameHash {
            is: hash.clone(),
            named: named.hash.clone(),
        };
        verdict
            .faults
            .extend((named.hash != *hash).then_some(differs));
    }
    let mut checked = checked(MOVE_FILE, reader, verdict);
    if let (false, Some(right)) = (is_move_name(name), right) {
        let message = format!(
            "the file is not named as a move, such as {right}, so its name was not checked"
        );
        checked.notes.push(Finding::new("name", message));
    }
    checked
}

/// Reads a valid move file.
///
/// # Errors
/// Everything wrong with it.
pub fn read_move(json: &Value, start: StartLayout) -> Result<MoveDocument, Vec<Finding>> {
    let mut reader = Reader::default();
    let sketch = sketch(&mut reader, json);
    let checked = checked(MOVE_FILE, reader, sketch.check(start));
    if checked.is_valid() {
        Ok(sketch
            .into_document()
            .expect("a file that keeps the schema has all fields"))
    } else {
        Err(checked.problems)
    }
}

/// Reads as much of a move file as possible.
fn sketch(reader: &mut Reader, json: &Value) -> PartialMove {
    let Some(fields) = reader.object("", json, &MOVE_FIELDS) else {
        return PartialMove::default();
    };
    let sketch = PartialMove {
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

fn moved(reader: &mut Reader, at: &str, value: &Value) -> Option<FileStep> {
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
    Some(FileStep {
        from: from?,
        to: to?,
        die,
    })
}
