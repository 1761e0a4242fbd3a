//! `state.json` and its move files, as JSON.
//!
//! The rules and types are those of [`parlor_formats::state_json`]; this module reads and writes the
//! files. It accepts what the schemas [`SCHEMA`] and [`MOVE_SCHEMA`] accept, but continues after
//! the first error.

mod move_file;
mod position;
mod reader;
mod shown;
mod time;
mod write;

use parlor_backgammon::{Die, StartLayout};
use parlor_core::Seat;
use parlor_formats::state_json::{
    LastMoveEntry, Message, MessageKind, PartialState, StateDocument, StateReport, Status,
};
use serde_json::Value;

use self::reader::{Fields, Reader};
use super::options::{START, start_of};
use super::seat_of;
use crate::files::{Checked, FileFormat, FileKind, Finding};
use crate::{OptionsError, OptionsReader};

pub use move_file::{MOVE_FIELDS, check_move, hash, is_move_name, read_move, write_move};
pub(crate) use position::position;
pub use time::stamp;
pub use write::write;

/// JSON Schema of `state.json`.
pub const SCHEMA: &str = include_str!("schema/state.json");
/// JSON Schema of move files.
pub const MOVE_SCHEMA: &str = include_str!("schema/move.json");
/// File name of a state.
pub const FILE_NAME: &str = "state.json";

/// Fields of a state, in the order in which they are written.
pub const FIELDS: [&str; 13] = [
    TURN, ACTIVE, DICE, USED, BOARD, BAR, HOME, LAST_MOVE, STATUS, WINNER, PLAYERS, MESSAGES,
    UPDATED_AT,
];
const TURN: &str = "turn";
const ACTIVE: &str = "activePlayer";
const DICE: &str = "dice";
const USED: &str = "diceUsed";
const BOARD: &str = "board";
const BAR: &str = "bar";
const HOME: &str = "home";
const LAST_MOVE: &str = "lastMove";
const STATUS: &str = "status";
const WINNER: &str = "winner";
const PLAYERS: &str = "players";
const MESSAGES: &str = "messages";
const UPDATED_AT: &str = "updatedAt";

const COLORS: [&str; 2] = ["white", "black"];

/// Format of `state.json`.
pub const STATE_FILE: FileKind = FileKind::new(&StateFormat);
/// Format of the move files of a `state.json`.
pub const MOVE_FILE: FileKind = FileKind::new(&MoveFormat);

/// Format of `state.json`.
pub(crate) struct StateFormat;

impl FileFormat for StateFormat {
    fn title(&self) -> &'static str {
        "state of backgammon"
    }

    fn schema(&self) -> &'static str {
        SCHEMA
    }

    fn is_name(&self, name: &str) -> bool {
        name == FILE_NAME
    }

    fn fields(&self) -> &'static [&'static str] {
        &FIELDS
    }

    fn check(&self, _: &str, json: &Value, options: &Value) -> Result<Checked, OptionsError> {
        Ok(check(json, start_from(options)?))
    }
}

/// Format of the move files of a `state.json`.
pub(crate) struct MoveFormat;

impl FileFormat for MoveFormat {
    fn title(&self) -> &'static str {
        "move of backgammon"
    }

    fn schema(&self) -> &'static str {
        MOVE_SCHEMA
    }

    fn is_name(&self, name: &str) -> bool {
        is_move_name(name)
    }

    fn fields(&self) -> &'static [&'static str] {
        &MOVE_FIELDS
    }

    fn check(&self, name: &str, json: &Value, options: &Value) -> Result<Checked, OptionsError> {
        Ok(check_move(name, json, start_from(options)?))
    }
}

/// Reads the start layout that the file's point numbers are based on.
fn start_from(options: &Value) -> Result<StartLayout, OptionsError> {
    let mut reader = OptionsReader::new(options, &[START]);
    let start = start_of(&mut reader);
    reader.finish()?;
    Ok(start)
}

/// Checks a state and returns everything that is wrong with it.
pub fn check(json: &Value, start: StartLayout) -> Checked {
    let mut reader = Reader::default();
    let sketch = sketch(&mut reader, json);
    checked(STATE_FILE, reader, sketch.check(start))
}

/// Reads a valid state.
///
/// # Errors
/// Everything wrong with it.
pub fn read(json: &Value, start: StartLayout) -> Result<StateDocument, Vec<Finding>> {
    let mut reader = Reader::default();
    let sketch = sketch(&mut reader, json);
    let checked = checked(STATE_FILE, reader, sketch.check(start));
    if checked.is_valid() {
        Ok(sketch
            .into_document()
            .expect("a file that keeps the schema has all fields"))
    } else {
        Err(checked.problems)
    }
}

fn checked(kind: FileKind, reader: Reader, verdict: StateReport) -> Checked {
    let structure = reader
        .finish()
        .into_iter()
        .map(|message| Finding::new("schema", message));
    let rules = verdict
        .faults
        .iter()
        .map(|fault| Finding::new(fault.rule(), fault));
    let notes = verdict
        .remarks
        .iter()
        .map(|remark| Finding::new(remark.rule(), remark));
    Checked {
        kind: Some(kind),
        problems: structure.chain(rules).collect(),
        notes: notes.collect(),
    }
}

/// Reads as much of a state as possible.
fn sketch(reader: &mut Reader, json: &Value) -> PartialState {
    let Some(fields) = reader.object("", json, &FIELDS) else {
        return PartialState::default();
    };
    PartialState {
        turn: fields
            .get(TURN)
            .and_then(|(at, turn)| reader.whole(&at, turn, 1, i128::from(u64::MAX))),
        active: color(reader, &fields, ACTIVE),
        dice: dice(reader, &fields, DICE, 2),
        used: dice(reader, &fields, USED, 0),
        board: board(reader, &fields),
        bar: both(reader, &fields, BAR),
        home: both(reader, &fields, HOME),
        last_move: last_move(reader, &fields),
        status: fields.get(STATUS).and_then(|(at, status)| {
            let all = [Status::Playing, Status::Completed];
            reader
                .word(&at, status, &all.map(Status::name))
                .map(|chosen| all[chosen])
        }),
        winner: match fields.get(WINNER) {
            Some((_, Value::Null)) => Some(None),
            _ => color(reader, &fields, WINNER).map(Some),
        },
        players: players(reader, &fields),
        messages: fields.get(MESSAGES).and_then(|(at, list)| {
            let mut all = Vec::new();
            reader.list(&at, list, 0, usize::MAX, |reader, at, item| {
                all.push(message(reader, at, item))
            })?;
            Some(all)
        }),
        updated_at: fields
            .get(UPDATED_AT)
            .and_then(|(at, text)| Some(stamp(reader.text(&at, text)?))),
    }
}

fn color(reader: &mut Reader, fields: &Fields<'_>, name: &str) -> Option<Seat> {
    let (at, value) = fields.get(name)?;
    reader
        .word(&at, value, &COLORS)
        .and_then(|chosen| seat_of(COLORS[chosen]))
}

fn dice(reader: &mut Reader, fields: &Fields<'_>, name: &str, least: usize) -> Option<Vec<Die>> {
    let (at, list) = fields.get(name)?;
    let mut dice = Vec::new();
    let sound = reader.list(&at, list, least, 4, |reader, at, die| {
        dice.extend(reader.whole::<u8>(at, die, 1, 6).and_then(Die::new));
    })?;
    sound.then_some(dice)
}

fn board(reader: &mut Reader, fields: &Fields<'_>) -> Option<[i8; 24]> {
    let (at, list) = fields.get(BOARD)?;
    let mut board = Vec::new();
    reader.list(&at, list, 24, 24, |reader, at, count| {
        board.extend(reader.whole::<i8>(at, count, -15, 15))
    })?;
    board.try_into().ok()
}

/// Reads the numbers of white and black checkers on the bar or borne off.
fn both(reader: &mut Reader, fields: &Fields<'_>, name: &str) -> Option<[u8; 2]> {
    let (at, value) = fields.get(name)?;
    let fields = reader.object(&at, value, &COLORS)?;
    let [white, black] = COLORS.map(|color| {
        fields
            .get(color)
            .and_then(|(at, n)| reader.whole(&at, n, 0, 15))
    });
    Some([white?, black?])
}

fn last_move(reader: &mut Reader, fields: &Fields<'_>) -> Option<Option<LastMoveEntry>> {
    let (at, value) = fields.get(LAST_MOVE)?;
    if value.is_null() {
        return Some(None);
    }
    let fields = reader.object(&at, value, &["sequence", "player", "file"])?;
    let sequence = fields
        .get("sequence")
        .and_then(|(at, n)| reader.whole(&at, n, 1, i128::from(u64::MAX)));
    let player = color(reader, &fields, "player");
    let file = fields
        .get("file")
        .and_then(|(at, name)| reader.move_name(&at, name));
    Some(Some(LastMoveEntry {
        sequence: sequence?,
        player: player?,
        file: file?,
    }))
}

fn players(reader: &mut Reader, fields: &Fields<'_>) -> Option<[String; 2]> {
    let (at, value) = fields.get(PLAYERS)?;
    let fields = reader.object(&at, value, &COLORS)?;
    let [white, black] = COLORS.map(|color| {
        fields
            .get(color)
            .and_then(|(at, name)| reader.some_text(&at, name))
    });
    Some([white?.to_owned(), black?.to_owned()])
}

fn message(reader: &mut Reader, at: &str, value: &Value) -> Option<Message> {
    let fields = reader.object(at, value, &["type", "text", "timestamp"])?;
    let kinds = [MessageKind::Error, MessageKind::Info, MessageKind::Warning];
    let kind = fields
        .get("type")
        .and_then(|(at, kind)| reader.word(&at, kind, &kinds.map(MessageKind::name)));
    let text = fields
        .get("text")
        .and_then(|(at, text)| reader.some_text(&at, text));
    let time = fields
        .get("timestamp")
        .and_then(|(at, time)| reader.text(&at, time));
    Some(Message {
        kind: kinds[kind?],
        text: text?.to_owned(),
        at: stamp(time?),
    })
}
