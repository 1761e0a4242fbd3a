//! Writing and reading of `state.json`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use parlor_core::{Seat, Turn};

use super::seat_words;
use crate::{AnyPosition, OutcomeView};

/// Facts about a table that its `state.json` states in addition to the position.
#[derive(Clone, Debug, PartialEq)]
pub struct TableState {
    /// Number of the turn, from 1: one more than the turns that all moves so far took; see
    /// [`turns`](super::turns).
    pub turn: u64,
    /// Names of the players in seat order.
    pub players: Vec<String>,
    /// The last move file; `None` before the first.
    pub last_move: Option<TableStateMove>,
    /// Text of the last move that a picture marks.
    pub mark: Option<String>,
    /// Text of the last chance; `None` in games without luck.
    pub chance: Option<String>,
    /// Outcome; `None` while the game goes on.
    pub outcome: Option<OutcomeView>,
    /// Notes, oldest first; the last [`Note::KEPT`] are written.
    pub notes: Vec<Note>,
    /// Time of the last change, in RFC 3339.
    pub updated_at: String,
}

/// Last move file of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableStateMove {
    /// Number of the move, from 1.
    pub sequence: u32,
    /// Seat that made it.
    pub seat: Seat,
    /// Name of the file.
    pub file: String,
}

/// Message of a table for its players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Severity of the message.
    #[serde(rename = "type")]
    pub kind: NoteKind,
    /// Text of the message.
    pub text: String,
    /// Time, in RFC 3339.
    pub timestamp: String,
}

/// Severity of a [`Note`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteKind {
    /// A move or change was refused.
    Error,
    /// Normal progress of the game.
    Info,
    /// Something that deserves attention.
    Warning,
}

impl Note {
    /// Maximum number of notes in a state.
    pub const KEPT: usize = 20;
}

/// Envelope for games without their own format; fields are written in this order.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a> {
    game: &'static str,
    turn: u64,
    active_player: Option<&'a str>,
    players: serde_json::Map<String, Value>,
    status: &'static str,
    winner: Option<&'a str>,
    outcome: Option<OutcomeView>,
    position: String,
    view: Value,
    last_move: Option<Value>,
    messages: &'a [Note],
    updated_at: &'a str,
}

/// Returns the text of `state.json`, indented by two spaces, with a newline at the end.
pub fn state_file(position: &AnyPosition, table: &TableState) -> String {
    let kept = &table.notes[table.notes.len().saturating_sub(Note::KEPT)..];
    if let Some(own) = position.kind().repository()
        && let Some(text) = own.write_state(position, table, kept)
    {
        return text;
    }
    let words = seat_words(position);
    let word = |seat: Seat| words.get(seat.index()).map(String::as_str);
    let on_turn = match position.turn() {
        Turn::Move(seat) if table.outcome.is_none() => word(seat),
        _ => None,
    };
    let winner = match table.outcome {
        Some(OutcomeView::Won { seat, .. }) => words.get(usize::from(seat)).map(String::as_str),
        Some(OutcomeView::TeamWon) => Some("team"),
        _ => None,
    };
    let last_move = table
        .last_move
        .as_ref()
        .map(|last| serde_json::json!({ "sequence": last.sequence, "player": word(last.seat), "file": last.file }));
    let envelope = Envelope {
        game: position.kind().name(),
        turn: table.turn,
        active_player: on_turn,
        players: words
            .iter()
            .cloned()
            .zip(table.players.iter().map(|name| name.as_str().into()))
            .collect(),
        status: if table.outcome.is_some() {
            "completed"
        } else {
            "playing"
        },
        winner,
        outcome: table.outcome,
        position: position.text(),
        view: position.view(table.mark.as_deref()),
        last_move,
        messages: kept,
        updated_at: &table.updated_at,
    };
    serde_json::to_string_pretty(&envelope).expect("a state is plain data") + "\n"
}

/// Parses the notes of a state file and the time of its last change; `None` if it is invalid.
pub fn notes(bytes: &[u8]) -> Option<(Vec<Note>, String)> {
    let state: Value = serde_json::from_slice(bytes).ok()?;
    let notes = serde_json::from_value(state.get("messages")?.clone()).ok()?;
    Some((notes, state.get("updatedAt")?.as_str()?.to_owned()))
}
