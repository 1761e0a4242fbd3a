//! `state.json`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use parlor_core::{Seat, Turn};

use super::seat_words;
use crate::{AnyPosition, OutcomeView, backgammon};

/// What a state says beside its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// The number of the turn, from 1: one more than all moves so far took, see [`turns`](super::turns).
    pub turn: u64,
    /// Who sits where, in the order of seats.
    pub players: Vec<String>,
    /// The last move file; nothing before the first.
    pub last_move: Option<LastMove>,
    /// The text of the last move that shows in a picture.
    pub mark: Option<String>,
    /// The text of the last chance that came up; nothing in games without luck.
    pub chance: Option<String>,
    /// How the game ended; nothing while it goes on.
    pub outcome: Option<OutcomeView>,
    /// What happened, the oldest first; the last [`Note::KEPT`] are written.
    pub notes: Vec<Note>,
    /// When the state last changed: a time of RFC 3339.
    pub updated_at: String,
}

/// The move file that was played last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastMove {
    /// The number of the move, from 1.
    pub sequence: u32,
    /// Who made it.
    pub seat: Seat,
    /// The file's name.
    pub file: String,
}

/// Something that happened, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What kind of thing.
    #[serde(rename = "type")]
    pub kind: NoteKind,
    /// It in words.
    pub text: String,
    /// When: a time of RFC 3339.
    pub timestamp: String,
}

/// The kinds of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteKind {
    /// Something was refused.
    Error,
    /// The game goes its way.
    Info,
    /// Something to know.
    Warning,
}

impl Note {
    /// How many a state keeps.
    pub const KEPT: usize = 20;
}

/// The envelope of all games but backgammon, in the order in which it is written.
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

/// The text of `state.json`: two blanks for each step inwards, a line break at the end.
pub fn state_file(position: &AnyPosition, beside: &Beside) -> String {
    let kept = &beside.notes[beside.notes.len().saturating_sub(Note::KEPT)..];
    if let AnyPosition::Backgammon(game) = position {
        return backgammon::repository::state_file(game, beside, kept);
    }
    let words = seat_words(position);
    let word = |seat: Seat| words.get(seat.index()).map(String::as_str);
    let on_turn = match position.turn() {
        Turn::Move(seat) if beside.outcome.is_none() => word(seat),
        _ => None,
    };
    let winner = match beside.outcome {
        Some(OutcomeView::Won { seat, .. }) => words.get(usize::from(seat)).map(String::as_str),
        Some(OutcomeView::TeamWon) => Some("team"),
        _ => None,
    };
    let last_move = beside
        .last_move
        .as_ref()
        .map(|last| serde_json::json!({ "sequence": last.sequence, "player": word(last.seat), "file": last.file }));
    let envelope = Envelope {
        game: position.kind().name(),
        turn: beside.turn,
        active_player: on_turn,
        players: words
            .iter()
            .cloned()
            .zip(beside.players.iter().map(|name| name.as_str().into()))
            .collect(),
        status: if beside.outcome.is_some() {
            "completed"
        } else {
            "playing"
        },
        winner,
        outcome: beside.outcome,
        position: position.text(),
        view: position.view(beside.mark.as_deref()),
        last_move,
        messages: kept,
        updated_at: &beside.updated_at,
    };
    serde_json::to_string_pretty(&envelope).expect("a state is plain data") + "\n"
}

/// The messages of a state file and when it was last changed; nothing when it cannot be read.
pub fn notes(bytes: &[u8]) -> Option<(Vec<Note>, String)> {
    let state: Value = serde_json::from_slice(bytes).ok()?;
    let notes = serde_json::from_value(state.get("messages")?.clone()).ok()?;
    Some((notes, state.get("updatedAt")?.as_str()?.to_owned()))
}
